"""Questions of MCP servers on a device's screen, from the form to the answer."""

import asyncio
import json
import sys
from itertools import count
from pathlib import Path

import pytest
from fakes.bridge import HELLO, FakeAssistant, FakeDevice, LogLines, WireDevice, run_virtual
from voxcard import config
from voxcard.app import App
from voxcard.cards.fit.fit import fit
from voxcard.cards.model import CardRefused
from voxcard.link.embedded_broker import free_port
from voxcard.screen.elicitation import Elicitation, question
from voxwire import card as wire
from voxwire.bridge_only.capability_reader import decode

MILK = {"type": "string", "enum": ["oat", "cow"], "enumNames": ["Oat milk", "Cow's milk"]}
SMALL = decode(json.dumps(HELLO).encode()).screen


def form(message="Which milk?", **properties):
    schema = {"type": "object", "properties": properties}
    return {"mode": "form", "message": message, "requestedSchema": schema}


def page(url="https://pay.example.com/7"):
    return {"mode": "url", "message": "Pay at the cafe.", "url": url, "elicitationId": "7"}


async def asked(params, *events, limit_s=45.0):
    """Ask; each of `events` (what, action) happens once the card is up. The answer, and what the
    device was told of cards."""
    device = FakeDevice(FakeAssistant())
    device.greet()
    elicitation = Elicitation(lambda device_id: device.relay.screen.questions, limit_s=limit_s)
    answer = asyncio.create_task(elicitation.ask("kitchen", "cafe", params))
    for number, (event, action) in enumerate(events):
        for _ in range(20):
            await asyncio.sleep(0)
        card_id = next(told["id"] for told in device.heard if told["type"] == "card")
        chosen = {"action": action} if action else {}
        device.say("card", event_id=f"e{number}", event=event, id=card_id, **chosen)
    given = await answer
    ops = [told["op"] for told in device.heard if told["type"] == "card"]
    assert device.cards.kept == []
    return given, ops


def answer(params, *events, **more):
    return run_virtual(asked(params, *events, **more))


@pytest.mark.parametrize(
    ("field", "action", "value"),
    [
        (MILK, "o1", "cow"),
        ({"type": "boolean"}, "o0", True),
        ({"type": "boolean"}, "o1", False),
        ({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}, "o1", ["b"]),
    ],
)
def test_what_is_chosen_is_the_answer_as_the_form_wants_it(field, action, value):
    given, ops = answer(form(milk=field), ("action", action))
    assert given == {"action": "accept", "content": {"milk": value}}
    assert ops == ["show", "clear"]


def test_cancel_on_the_screen_declines():
    assert answer(form(milk=MILK), ("action", "decline"))[0] == {"action": "decline"}


def test_a_question_that_is_put_away_is_cancelled():
    assert answer(form(milk=MILK), ("dismissed", ""))[0] == {"action": "cancel"}


def test_a_question_nobody_answers_is_cancelled_when_its_time_is_over():
    assert answer(form(milk=MILK), limit_s=5.0) == ({"action": "cancel"}, ["show", "clear"])


def test_a_page_is_opened_by_consent_and_its_code_stays_for_the_phone():
    given, ops = answer(page(), ("action", "accept"))
    assert (given, ops) == ({"action": "accept"}, ["show", "clear", "show"])


def test_a_page_that_is_not_wanted_goes_from_the_screen():
    given, ops = answer(page(), ("action", "decline"))
    assert (given, ops) == ({"action": "decline"}, ["show", "clear"])


@pytest.mark.parametrize(
    ("params", "why"),
    [
        (form(name={"type": "string"}), "only one choice, or yes and no, can be asked"),
        (form(a=MILK) | {"requestedSchema": None}, "only one choice, or yes and no, can be"),
        (page("http://pay.example.com"), "only https pages can be opened"),
        (page("javascript:alert(1)"), "only https pages can be opened"),
    ],
)
def test_what_buttons_cannot_answer_is_declined_with_the_reason_in_the_log(params, why):
    async def conversation():
        with LogLines("voxcard.screen.elicitation") as log:
            given, ops = await asked(params)
            assert (given, ops) == ({"action": "decline"}, [])
            level, line = log.lines.get_nowait()
            assert level == "WARNING" and why in line

    run_virtual(conversation())


def test_a_device_that_is_not_there_declines():
    async def conversation():
        device = FakeDevice(FakeAssistant())
        elicitation = Elicitation(lambda device_id: device.relay.screen.questions)
        return await elicitation.ask("kitchen", "cafe", form(milk=MILK))

    assert run_virtual(conversation()) == {"action": "decline"}


def test_two_questions_on_one_device_are_asked_one_after_the_other():
    async def conversation():
        device = FakeDevice(FakeAssistant())
        device.greet()
        elicitation = Elicitation(lambda device_id: device.relay.screen.questions, limit_s=5.0)
        both = [elicitation.ask("kitchen", "cafe", form(milk=MILK)) for _ in range(2)]
        await asyncio.gather(*both)
        return [told["op"] for told in device.heard if told["type"] == "card"]

    assert run_virtual(conversation()) == ["show", "clear", "show", "clear"]


def test_the_screen_says_who_asks_what_and_where_a_page_leads():
    made = fit(question("cafe", page()), SMALL, now=0, next_blob=count(1).__next__).card
    assert made.foot == "cafe"
    code, choices = made.pages
    assert isinstance(code, wire.QrPage) and code.title == "Pay at the"
    assert [line.text for line in code.lines] == ["cafe.", "pay.example.", "com"]
    assert [option.label for option in choices.options] == ["Open", "Cancel"]


def test_a_long_question_is_read_once_before_its_choices():
    asks = form("Which milk shall be in your large coffee?", milk=MILK)
    made = fit(question("cafe", asks), SMALL, now=0, next_blob=count(1).__next__).card
    text, choices = made.pages
    assert [line.text for line in text.lines] == ["Which milk shall be", "in your large coffee?"]
    assert [option.label for option in choices.options][-1] == "Cancel"


def test_a_form_with_no_choice_is_refused_with_its_place():
    with pytest.raises(CardRefused, match="requestedSchema: only one choice"):
        question("cafe", form())


def test_a_call_from_the_command_line_asks_on_its_device_and_gets_the_answer(tmp_path):
    server = Path(__file__).parents[2] / "fakes" / "servers" / "asking_server.py"

    async def conversation():
        port = free_port("127.0.0.1")
        told = {
            "mqtt": {"listen_port": port},
            "history": {"path": str(tmp_path / "history.sqlite3")},
            "control": {"socket": str(tmp_path / "control.sock")},
            "mcp": {"cafe": {"command": sys.executable, "args": [str(server)]}},
        }
        app = App(config.parse(told, environ={}), assistant=FakeAssistant())
        running = asyncio.create_task(app.run())
        try:
            async with asyncio.timeout(30):
                await app.ready.wait()
                await app._hub.settled()
                async with WireDevice(port) as device:
                    await device.until("hello")
                    coffee = app.service.tool_call("kitchen", "cafe.coffee", {}, scope="user")
                    call = asyncio.create_task(coffee)
                    shown = (await device.until("card"))["card"]
                    options = [page["o"] for page in shown["pages"] if page["k"] == "a"]
                    assert options == [[["o0", "Oat milk"], ["o1", "Cow's milk"],
                                        ["decline", "Cancel"]]]  # fmt: skip
                    choice = {"id": shown["id"], "rev": 0, "action": "o0"}
                    device.say("card", event_id="e1", event="action", **choice)
                    assert (await call).text == "accept {'milk': 'oat'}"
                    tides = await app.service.tool_call("kitchen", "cafe.tides", {}, scope="user")
                    reading = await app._card_maker.read(
                        tides.result, tool="cafe.tides", call_id="1", arguments={}, locale="en"
                    )
                    assert [card.dialect for card in reading.cards] == ["a2ui"]
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    asyncio.run(conversation())
