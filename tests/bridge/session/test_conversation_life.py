"""What an assistant's conversation is told: where it is, when a turn comes, when it is over."""

import asyncio

from fakes.bridge import FakeAssistant, FakeDevice, run_virtual
from voxcard.assistants import Done


async def silent(heard):
    yield Done()


def test_it_knows_the_device_its_screen_and_its_language():
    async def conversation():
        assistant = FakeAssistant(silent)
        device = FakeDevice(assistant)
        device.greet(name="Kitchen")
        place = assistant.place()
        assert (place.device, place.name, place.locale) == ("kitchen", "Kitchen", "en")
        assert (place.screen, place.colours, place.full_duplex) == ((128, 64), False, False)
        assert place.now.tzinfo is not None
        device.greet(screen=None, sound={"formats": ["pcm16"], "duplex": "full"})
        place = assistant.place()
        assert (place.screen, place.full_duplex) == (None, True)

    run_virtual(conversation())


def test_it_can_connect_before_every_turn_and_lets_go_at_the_end():
    async def conversation():
        assistant = FakeAssistant(silent, silent)
        device = FakeDevice(assistant)
        device.greet()
        for count in (1, 2):
            device.say("listen", id=f"t{count}", state="start", seq=100)
            assert assistant.prepared == count
            await device.done(count)
        assert assistant.closed == 0
        await device.relay.close()
        assert assistant.closed == 1

    run_virtual(conversation())


def test_a_conversation_that_will_not_let_go_is_left():
    class Stuck(FakeAssistant):
        async def close(self):
            await asyncio.get_running_loop().create_future()

    async def conversation():
        device = FakeDevice(Stuck())
        device.greet()
        await device.relay.close()

    run_virtual(conversation())
