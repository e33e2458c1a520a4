"""More of a card that came in parts: the same call again, asked for the next part."""

import asyncio

from fakes.bridge import FakeAssistant, FakeDevice, FakeHub, run_virtual
from voxcard.cards.model import MORE_ID, Card, Parts
from voxcard.toolhub.model import ToolOutcome


def guide(current, total):
    more = current < total
    call = {"title": "Guide", "part": current + 1} if more else None
    parts = Parts(current=current, total=total, has_more=more, next_call=call)
    return Card(id="x:7", dialect="x", title="Guide", parts=parts, extra={"tool": "make_guide"})


def test_more_of_a_card_is_the_next_part_of_the_same_call():
    calls = []

    async def make_guide(arguments, on_progress):
        calls.append(arguments)
        return ToolOutcome(text="Second half.", result={"card": "Guide 2"})

    async def conversation():
        device = FakeDevice(FakeAssistant(), FakeHub(make_guide=make_guide))
        device.greet()
        await device.relay.screen.cards.card(guide(1, 2))
        for _ in range(2):
            device.say("card", event_id="e1", event="action", id="x:7", action=MORE_ID)
        for _ in range(10):
            await asyncio.sleep(0)
        assert calls == [{"title": "Guide", "part": 2}]
        cards = [told["card"] for told in device.heard if told["type"] == "card"]
        assert [card["pages"][0]["t"] for card in cards] == ["Guide", "Guide 2"]
        assert cards[1]["id"] == "7+" and device.records == []

    run_virtual(conversation())


def test_a_next_part_that_fails_says_why_and_the_card_stays():
    async def make_guide(arguments, on_progress):
        return ToolOutcome(text="The guide is gone.", is_error=True)

    async def conversation():
        device = FakeDevice(FakeAssistant(), FakeHub(make_guide=make_guide))
        device.greet()
        await device.relay.screen.cards.card(guide(1, 2))
        device.say("card", event_id="e1", event="action", id="x:7", action=MORE_ID)
        await device.until("alert The guide is gone.")
        assert device.relay.screen.cards.shown.pages("x:7") == 1

    run_virtual(conversation())


def test_a_card_without_more_parts_has_no_more():
    async def conversation():
        device = FakeDevice(FakeAssistant())
        device.greet()
        await device.relay.screen.cards.card(guide(2, 2))
        assert device.relay.screen.cards.shown.next_part("x:7") is None
        assert device.relay.screen.cards.shown.next_part("unknown") is None

    run_virtual(conversation())
