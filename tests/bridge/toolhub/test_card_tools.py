"""The assistant's own cards as tools."""

import asyncio

from voxcard.cards.dialects.codai import short_forms
from voxcard.cards.read.reading import Reading, read
from voxcard.errors import VoxcardError
from voxcard.toolhub import card_tools
from voxcard.toolhub.hub import Hub


class Device:
    def __init__(self, answer=""):
        self.calls = []
        self.answer = answer

    async def show(self, device_id, name, arguments):
        self.calls.append((device_id, name, dict(arguments)))
        if arguments.get("text") == "bad":
            raise VoxcardError("Not shown: text: is empty.", "Correct it and try again.")
        return "Milk\nBread"

    async def ask(self, device_id, name, arguments):
        self.calls.append((device_id, name, dict(arguments)))
        return self.answer


def call(device, name, arguments):
    async def run():
        hub = Hub(
            picture=None,
            bridge=card_tools.tools(
                short_forms.SHORT_FORMS, show=device.show, ask=device.ask, update=device.show
            ),
        )
        return await hub.call("kitchen", name, arguments)

    return asyncio.run(run())


def test_the_model_gets_the_words_of_the_card_and_is_told_not_to_repeat_them():
    device = Device()
    outcome = call(device, "bridge.show_list", {"items": [{"title": "Milk"}, {"title": "Bread"}]})
    assert outcome.text == "It is on the screen; do not repeat it. It says:\nMilk\nBread"
    assert not outcome.is_error
    # The words quote a card; the screen has it, so nothing is to be read from them again.
    (entry,) = outcome.result["content"]
    assert entry["annotations"] == {"audience": ["assistant"]}
    assert read(outcome.result) == Reading()
    assert device.calls == [
        ("kitchen", "show_list", {"items": [{"title": "Milk"}, {"title": "Bread"}]})
    ]


def test_every_short_form_and_the_whole_card_are_tools():
    tools = card_tools.tools(short_forms.SHORT_FORMS, show=None, ask=None, update=None)
    assert sorted(tool.spec.name for tool in tools) == [
        "bridge.ask_approval",
        "bridge.show_card",
        "bridge.show_chart",
        "bridge.show_choices",
        "bridge.show_list",
        "bridge.show_qr",
        "bridge.show_text",
        "bridge.update_card",
    ]
    assert [tool.limit_s for tool in tools if tool.spec.name == "bridge.ask_approval"] == [65.0]


def test_a_question_gives_back_what_was_answered():
    options = {"question": "Tea or coffee?", "options": [{"label": "Tea"}, {"label": "Coffee"}]}
    outcome = call(Device("Tea"), "bridge.show_choices", options)
    assert outcome.text == "The person answered: Tea."
    assert outcome.structured == {"answer": "Tea"}


def test_nobody_answering_is_said():
    outcome = call(Device(), "bridge.ask_approval", {"question": "Open the door?"})
    assert outcome.text == "Nobody answered." and not outcome.is_error


def test_a_refusal_goes_back_to_the_model_with_what_to_change():
    outcome = call(Device(), "bridge.show_text", {"text": "bad"})
    assert outcome.is_error
    assert outcome.text == "Not shown: text: is empty. Correct it and try again."


def test_wrong_arguments_are_refused_before_anything_is_shown():
    device = Device()
    outcome = call(device, "bridge.show_list", {"items": []})
    assert outcome.is_error and device.calls == []
