"""Which words a device waits for, and who answers them."""

import pytest
from fakes.bridge import FakeAssistant
from voxcard import config
from voxcard.components.configured_assistants import ConfiguredAssistants
from voxcard.errors import VoxcardError

SECOND = {"second": {"kind": "offline"}}


def read(home=None, **devices):
    data = {"assistants": SECOND, "devices": devices}
    if home is not None:
        data["assistant"] = {"wake": home}
    return config.parse(data, environ={})


def test_a_home_without_words_waits_for_none():
    assert read().device("kitchen").wake == {} and read().wake_words() == ()


def test_a_device_has_the_homes_words_or_its_own():
    found = read(
        {"okay_nabu": "offline"},
        kitchen={"wake": {"hey_jarvis": ["second", "offline"]}},
        hall={"name": "Hall"},
        bath={"wake": {}},
    )
    assert found.device("kitchen").wake == {"hey_jarvis": ("second", "offline")}
    assert found.device("hall").wake == found.device("new").wake == {"okay_nabu": ("offline",)}
    assert found.device("bath").wake == {}
    assert found.wake_words() == ("okay_nabu", "hey_jarvis")


@pytest.mark.parametrize(
    ("wake", "problem"),
    [
        ({"okay_nebu": "offline"}, "no model for the word 'okay_nebu'. Did you mean `okay_nabu`"),
        ({"alexa": "offline"}, "no model for the word 'alexa'"),
        ({"okay_nabu": "third"}, "names 'third', and there is no"),
        ({"okay_nabu": ["second", "second"]}, "names 'second' twice"),
        ({"okay_nabu": []}, "says nobody for okay_nabu"),
        ({"okay_nabu": 3}, "must hold names"),
        ({"okay_nabu": ["second", 3]}, "must hold names"),
        ({"okay_nabu": {"a": "b"}}, "must hold names"),
        ("okay_nabu", "must be a table of names"),
    ],
)
def test_what_cannot_be_is_refused_with_its_remedy(wake, problem):
    for home, devices in ((wake, {}), (None, {"kitchen": {"wake": wake}})):
        with pytest.raises(VoxcardError) as refused:
            read(home, **devices)
        assert problem in str(refused.value)


def test_only_those_of_a_words_ranking_answer_it():
    found = read({"okay_nabu": "second"}, kitchen={"wake": {"hey_jarvis": ["second", "offline"]}})
    built = {}

    def make(name, settings):
        return built.setdefault(name, FakeAssistant())

    assistants = ConfiguredAssistants(found, make)
    assert set(built) == {"offline", "second"}
    assert assistants.by_word("hall") == {"okay_nabu": built["second"]}
    assert assistants.of("hall") is built["offline"]
    assert list(assistants.by_word("kitchen")) == ["hey_jarvis"]
