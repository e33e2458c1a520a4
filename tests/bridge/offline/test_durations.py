"""Times as people say them, and the unit they are counted in."""

import pytest
from fakes import home
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.durations import durations, unit_of
from voxcard.assistants.offline.intents.meanings import OutOfRange
from voxcard.assistants.offline.intents.normalise import words
from voxcard.assistants.offline.intents.sentences import sentence_files

ENGLISH = sentence_files.language("en")


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("one second", [1]),
        ("90 seconds", [90]),
        ("two minutes", [120]),
        ("a minute", [60]),
        ("an hour", [3600]),
        ("three days", [259_200]),
        ("a week", [604_800]),
        ("half an hour", [1800]),
        ("half a minute", [30]),
        ("a quarter of an hour", [900]),
        ("three quarters of an hour", [2700]),
        ("one and a half hours", [5400]),
        ("1.5 hours", [5400]),
        ("an hour and a half", [5400]),
        ("two hours and a quarter", [8100]),
        ("one hour thirty minutes", [3600, 5400]),
        ("one hour and thirty minutes", [3600, 5400]),
        ("1 hour, 2 minutes and 3 seconds", [3600, 3720, 3723]),
        ("a minute and half a second", [60, 60.5]),
        ("ten minutes two hours", [600]),
        ("ten minutes ten minutes", [600]),
        ("two hours and five", [7200]),
        ("two hours and", [7200]),
        ("an hour and a half of music", [3600]),
    ],
)
def test_a_time_is_read_with_all_its_parts(said, seconds):
    sentence = words(said)
    read = list(durations(sentence, 0))
    wanted = dict.fromkeys(seconds)
    assert [each.seconds for each in read] == list(wanted)
    assert all(each.length <= len(sentence) for each in read)


@pytest.mark.parametrize(
    "said",
    [
        "two minute", "a minutes", "half minutes", "minutes", "hour", "two", "a", "half",
        "zero minutes", "minus two minutes", "two metres", "the hour", "half of hours",
    ],
)  # fmt: skip
def test_what_is_no_time_is_none(said):
    assert list(durations(words(said), 0)) == []


def test_a_time_has_the_length_of_its_words():
    sentence = words("for an hour and a half please")
    assert [each.length for each in durations(sentence, 1)] == [4]
    assert [each.length for each in durations(words("a quarter of an hour"), 0)] == [4]
    assert [each.length for each in durations(words("one hour and ten minutes"), 0)] == [2, 5]


def test_the_unit_among_words_is_one_or_none():
    assert unit_of({"minutes", "for"}) == "minutes"
    assert unit_of({"minute", "minutes"}) in ("minute", "minutes")
    assert unit_of({"minutes", "hours"}) == "" == unit_of({"for"}) == unit_of(set())


def catalogue(sentence, **properties):
    return Catalogue(ENGLISH, (), (home.tool("t.start", sentence, **properties),))


def values(home_catalogue, text):
    understood = home_catalogue.understand(text).understood
    return understood and dict(understood.arguments)


@pytest.mark.parametrize(
    ("said", "minutes"),
    [
        ("two hours", 120),
        ("half an hour", 30),
        ("an hour and a half", 90),
        ("one hour and thirty minutes", 90),
        ("ninety minutes", 90),
        ("a minute", 1),
        ("120 seconds", 2),
        ("ninety seconds", None),
        ("half a minute", None),
        ("four hours", None),
        ("two hours tomorrow", None),
        ("not two hours", None),
        ("two hours minutes", None),
    ],
)
def test_a_time_is_counted_in_the_unit_of_the_tool(said, minutes):
    limits = {"type": "integer", "minimum": 1, "maximum": 180}
    wanted = None if minutes is None else {"minutes": minutes}
    for sentence in ("start it for {minutes} minutes", "start it for {minutes}"):
        assert values(catalogue(sentence, minutes=limits), f"start it for {said}") == wanted
    other = catalogue("start it for {long} minutes", long=limits)
    wanted = None if minutes is None else {"long": minutes}
    assert values(other, f"start it for {said}") == wanted


def test_a_time_that_is_no_whole_number_is_one_where_fractions_are_taken():
    hours = catalogue("heat for {hours} hours", hours={"type": "number"})
    assert values(hours, "heat for ninety minutes") == {"hours": 1.5}
    assert values(hours, "heat for one hour and fifteen minutes") == {"hours": 1.25}
    assert values(hours, "heat for twenty minutes") == {"hours": 0.333333}


def test_a_time_that_is_too_long_is_refused_with_the_range():
    meaning = catalogue(
        "start it for {minutes} minutes", minutes={"type": "integer", "maximum": 180}
    ).understand("start it for a day")
    assert isinstance(meaning.meaning, OutOfRange)


def test_without_a_unit_of_its_own_an_argument_takes_no_time():
    assert (
        values(catalogue("play it {n} times", n={"type": "integer"}), "play it two hours") is None
    )
    degrees = catalogue("set it to {degrees} degrees", degrees={"type": "integer"})
    assert values(degrees, "set it to two hours") is None
