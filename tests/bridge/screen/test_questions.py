"""Questions on the screen, live cards and run cards of one device."""

import asyncio
import json
import logging

import pytest
from fakes.bridge import card_maker, run_virtual
from fakes.device.screens import screen_of
from voxcard.cards.dialects.codai import parser as codai
from voxcard.cards.dialects.codai import short_forms
from voxcard.cards.model import Action, CardRefused
from voxcard.errors import VoxcardError
from voxcard.screen.device_cards import DeviceCards
from voxcard.screen.progress_card import ProgressCard
from voxcard.screen.questions import ScreenQuestions

SCREEN = screen_of(128, 64, 1, "rect", 230, (6, 8), ((32, 0x24F),), ("text", "choices"))


class Wire:
    """Writes down what was sent."""

    def __init__(self):
        self.sent = []
        self._sent = asyncio.Event()

    def send(self, type_name, **values):
        self.sent.append((type_name, values))
        self._sent.set()

    async def until(self, ready):
        """Wait until `ready(self)`, told at every message."""
        async with asyncio.timeout(60):
            while not ready(self):
                self._sent.clear()
                await self._sent.wait()

    def alerts(self):
        return [values["message"] for kind, values in self.sent if kind == "alert"]

    def orders(self):
        return [(v["op"], v.get("id")) for t, v in self.sent if t == "card"]


class NoBlobs:
    def next_id(self):
        return 1


def cards_on_screen(mode="full", servers=None):
    wire = Wire()
    device_cards = DeviceCards(
        card_maker(servers=servers),
        wire,
        NoBlobs(),
        keep=lambda device_id, card: None,
        spawn=None,
        log=lambda: logging.getLogger("test"),
    )
    device_cards.greet("kitchen", SCREEN, mode)
    return device_cards, wire


def approval(**more):
    return short_forms.parse("ask_approval", {"question": "Open the door?", **more}, "q1").cards[0]


def action(card, action_id):
    return next(each for each in card.actions if each.id == action_id)


async def asked(card, *answers, limit_s=60):
    """Ask `card`; each of `answers` (card id, action id) is chosen once its card is up."""
    device_cards, wire = cards_on_screen()
    questions = ScreenQuestions(device_cards)
    question = asyncio.ensure_future(questions.ask(card, limit_s))
    for card_id, action_id in answers:
        await wire.until(lambda wire, order=("show", card_id): order in wire.orders())
        await asyncio.sleep(0)
        assert questions.answered(card_id, device_cards.shown.action(card_id, action_id))
    return await question, wire.orders()


def test_a_question_is_answered_by_what_is_chosen_and_leaves_the_screen():
    chosen, orders = run_virtual(asked(approval(), ("q1", "deny")))
    assert chosen.text == "deny"
    assert orders == [("show", "q1"), ("clear", "q1")]


def test_a_question_nobody_answers_ends_and_leaves_the_screen():
    chosen, orders = run_virtual(asked(approval(), limit_s=30))
    assert chosen is None
    assert orders == [("show", "q1"), ("clear", "q1")]


def test_what_cannot_be_undone_is_asked_twice():
    card = approval(danger=True)
    chosen, orders = run_virtual(asked(card, ("q1", "allow"), ("sure.allow", "sure")))
    assert chosen.text == "allow"
    assert [each for each in orders if each[0] == "show"] == [
        ("show", "q1"),
        ("show", "sure.allow"),
    ]


def test_second_thoughts_count_as_no_answer():
    card = approval(danger=True)
    chosen, _ = run_virtual(asked(card, ("q1", "allow"), ("sure.allow", "no")))
    assert chosen is None


def test_a_choice_on_a_card_nobody_waits_for_is_not_an_answer():
    device_cards, _ = cards_on_screen()
    assert not ScreenQuestions(device_cards).answered(
        "x", Action(id="a", label="A", kind="message", text="a")
    )


def test_a_device_that_shows_no_cards_is_not_asked():
    device_cards, _ = cards_on_screen("off")
    with pytest.raises(VoxcardError, match="shows no cards now"):
        run_virtual(ScreenQuestions(device_cards).ask(approval(), 60))


JOB = {
    "title": "Backup",
    "subtitle": "running",
    "live": {"key": "job:1"},
    "blocks": [{"type": "text", "text": "12 %"}],
}


def job():
    return codai.parse(JOB, "c1").cards[0]


async def updated(device_cards, *patches):
    await device_cards.card(job())
    for patch in patches:
        await device_cards.update({"cardId": "job:1", "patch": patch})


def test_a_live_card_is_redrawn_where_it_is_with_its_next_revision():
    device_cards, wire = cards_on_screen()
    run_virtual(updated(device_cards, {"subtitle": "done"}))
    assert wire.orders() == [("show", "c1"), ("update", "c1")]


def test_a_card_with_a_known_key_shown_again_is_an_update():
    async def twice():
        device_cards, wire = cards_on_screen()
        await device_cards.card(job())
        await device_cards.card(codai.parse({**JOB, "subtitle": "done"}, "c2").cards[0])
        return wire.orders()

    assert run_virtual(twice()) == [("show", "c1"), ("update", "c1")]


def surface(text, name="tides"):
    """A result with one A2UI surface that says `text`."""
    root = {"id": "root", "component": "Text", "text": text}
    messages = [
        {"version": "v0.9", "createSurface": {"surfaceId": name, "catalogId": "basic"}},
        {"version": "v0.9", "updateComponents": {"surfaceId": name, "components": [root]}},
    ]
    return {"content": [], "structuredContent": {"a2ui": messages}}


async def results(*given):
    """Show results as (tool, result); "put away" instead of one is what a person does."""
    device_cards, wire = cards_on_screen()
    for number, each in enumerate(given):
        if each == "put away":
            device_cards.shown.dismissed("a2ui:0")
        else:
            tool, result = each
            await device_cards.result(result, tool=tool, call_id=str(number), arguments={})
    return wire.orders()


def test_a_surface_sent_again_by_its_server_changes_where_it_is():
    orders = run_virtual(results(("sea.tides", surface("low")), ("sea.refresh", surface("high"))))
    assert orders == [("show", "a2ui:0"), ("update", "a2ui:0")]


def test_a_surface_of_another_server_is_another_card():
    orders = run_virtual(results(("sea.tides", surface("low")), ("port.tides", surface("high"))))
    assert orders == [("show", "a2ui:0"), ("show", "a2ui:1")]


def test_a_surface_that_is_not_in_front_any_more_comes_to_the_front():
    low, high, other = surface("low"), surface("high"), surface("ships", "ships")
    orders = run_virtual(results(("sea.t", low), ("sea.s", other), ("sea.t", high)))
    assert orders == [("show", "a2ui:0"), ("show", "a2ui:1"), ("show", "a2ui:0")]
    orders = run_virtual(results(("sea.t", low), "put away", ("sea.t", high)))
    assert orders == [("show", "a2ui:0"), ("show", "a2ui:0")]


def test_numbers_are_written_as_at_the_device_and_a_locale_nobody_knows_is_english():
    number = {"call": "formatNumber", "args": {"value": 1234.5}}

    async def title(locale):
        device_cards, wire = cards_on_screen()
        device_cards.greet("kitchen", SCREEN, "full", locale)
        await device_cards.result(surface(number), tool="sea.tides", call_id="1", arguments={})
        return wire.sent[0][1]["card"]["pages"][0]["t"]

    assert run_virtual(title("en")) == "1,234.5"
    assert run_virtual(title("de")) == "1.234,5"
    assert run_virtual(title("de-CH")) == "1'234.5"
    assert run_virtual(title("xx_no")) == "1,234.5"


class Sea:
    """A server whose tools all give data for one layout."""

    def __init__(self, layout):
        self._layout = layout

    def tool_meta(self, tool):
        return {"ui": {"resourceUri": "a2ui://sea/tides"}}

    async def resource(self, tool, uri):
        return json.dumps(self._layout)


def test_data_alone_is_shown_in_the_layout_of_its_server():
    layout = surface({"path": "/high"})["structuredContent"]["a2ui"]

    async def title():
        device_cards, wire = cards_on_screen(servers=Sea(layout))
        data = {"content": [], "structuredContent": {"high": "High water 16:05"}}
        await device_cards.result(data, tool="sea.tides", call_id="1", arguments={})
        return wire.sent[0][1]["card"]["pages"][0]["t"]

    assert run_virtual(title()) == "High water 16:05"


def test_an_update_that_changes_nothing_sends_nothing():
    device_cards, wire = cards_on_screen()
    run_virtual(updated(device_cards, {"subtitle": "running"}))
    assert wire.orders() == [("show", "c1")]


def test_an_update_that_is_to_be_ignored_says_why_and_changes_nothing():
    device_cards, wire = cards_on_screen()
    with pytest.raises(CardRefused, match=r"live.key"):
        run_virtual(updated(device_cards, {"live": {"key": "job:2"}}))
    assert wire.orders() == [("show", "c1")]


def test_where_cards_are_text_alone_one_short_line_in_two_seconds_says_what_changed():
    async def lines():
        device_cards, wire = cards_on_screen("text")
        await updated(
            device_cards, {"subtitle": "20 %"}, {"subtitle": "40 %"}, {"subtitle": "60 %"}
        )
        await wire.until(lambda wire: len(wire.alerts()) == 2)
        return wire.alerts()

    assert run_virtual(lines()) == ["Backup: 20 %", "Backup: 60 %"]


def test_a_turn_of_three_steps_gets_a_run_card_that_goes_with_the_turn():
    async def steps():
        device_cards, wire = cards_on_screen()
        run = ProgressCard("t1", device_cards, asyncio.get_running_loop().time)
        for what in ("find order", "find parcel"):
            await run.step(what)
        assert wire.orders() == []
        await run.step("track parcel")
        await run.step("write mail")
        run.end()
        return wire.orders()

    device_cards, updated, cleared = run_virtual(steps())
    assert (device_cards[0], updated[0], cleared[0]) == ("show", "update", "clear")
    assert device_cards[1] == updated[1] == cleared[1]


def test_a_short_turn_has_no_run_card():
    async def steps():
        device_cards, wire = cards_on_screen()
        run = ProgressCard("t1", device_cards, asyncio.get_running_loop().time)
        await run.step("find order")
        run.end()
        return wire.orders()

    assert run_virtual(steps()) == []


def test_a_result_of_data_alone_is_read_and_said_by_its_cards_words():
    async def words():
        device_cards, _ = cards_on_screen("off")
        card = {"title": "Rain", "blocks": [{"type": "text", "text": "From four on."}]}
        result = {"content": [], "structuredContent": {"card": card}}
        return await device_cards.result(result, tool="sky.rain", call_id="1", arguments={})

    device_cards = run_virtual(words())
    assert device_cards.card_id == ""
    assert device_cards.reading.text == "**Rain**\n\nFrom four on."
    assert device_cards.reading.speak == "Rain. From four on."


STATE = {f"part {number}": {"level": number} for number in range(5)}
PAGE = {"type": "resource_link", "uri": "https://a.example/1", "name": "Manual"}


@pytest.mark.parametrize(
    ("tool", "content", "cards"),
    [
        # The whole state of a device is for the assistant, which says what was asked for.
        ("self.get_device_status", [{"type": "text", "text": json.dumps(STATE)}], 0),
        ("self.timer.list", [{"type": "text", "text": "One.\nTwo.\nThree.\nFour."}], 0),
        # The same of a server is a card; so is what a device can show alone.
        ("sky.state", [{"type": "text", "text": json.dumps(STATE)}], 1),
        ("self.help", [{"type": "text", "text": "Read on."}, PAGE], 1),
    ],
)
def test_what_a_devices_own_tool_says_in_words_is_no_card_of_it(tool, content, cards):
    async def shown():
        device_cards, wire = cards_on_screen()
        result = {"content": content}
        found = await device_cards.result(result, tool=tool, call_id="1", arguments={})
        return len(found.reading.cards), len(wire.orders()), bool(found.card_id)

    assert run_virtual(shown()) == (cards, cards, bool(cards))


def test_a_shown_card_is_told_to_chat_surfaces_with_its_links():
    async def told():
        device_cards, _ = cards_on_screen()
        card = {
            "title": "Parcel",
            "fallback_text": "On its way.",
            "actions": [{"kind": "url", "label": "Track", "url": "https://a.example/1"}],
        }
        result = {"content": [], "_meta": {"assistant_platform": {"card": card}}}
        call = {"tool": "shop.parcel", "call_id": "1", "arguments": {}}
        card_id = (await device_cards.result(result, **call)).card_id
        shown = device_cards.shown
        return shown.messaging(card_id), shown.messaging("another")

    assert run_virtual(told()) == ("On its way.\nTrack: https://a.example/1", "")


def test_a_card_of_the_assistants_own_may_be_of_any_dialect_and_a_wrong_one_shows_nothing():
    async def device_cards():
        places, wire = cards_on_screen()
        sidetalk = {
            "schema": "sidetalk.card.v1",
            "cardType": "text",
            "displayMode": "random",
            "items": [{"type": "text", "title": "Hi"}],
        }
        found = [await places.source(each, call_id="own") for each in (sidetalk, {"x": 1})]
        return found, wire.orders()

    (first, second), orders = run_virtual(device_cards())
    assert first and second == "" and orders == [("show", first)]
