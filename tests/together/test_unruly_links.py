"""A link that loses, repeats and reorders what passes: heard, spoken and done all the same."""

import pytest
from fakes.mqtt_hop import MqttHop, Twice, Unruly
from together.home import CARD, Person, at


@pytest.fixture
def through(runner, home):
    """`through(conversation)` runs it with a device whose link goes through a hop."""

    def run(conversation):
        async def hopping():
            async with MqttHop(home.broker.port) as hop:
                await at(home, lambda person: conversation(person, hop), port=hop.port)

        runner.run(hopping())

    return run


async def speak(person: Person, wav) -> dict:
    await person.device.press()
    await person.device.wait("state", state="listening")
    await person.device.hear(wav)
    return await person.turn()


def test_a_question_of_which_frames_are_lost_repeated_and_swapped_is_understood(through, spoken):
    wav = spoken("set the volume to sixty")

    async def conversation(person: Person, hop: MqttHop):
        hop.up = unruly = Unruly("/mic")
        turn = await speak(person, wav)
        (call,) = turn["tools"]
        assert (call["name"], call["arguments"]) == (
            "self.audio_speaker.set_volume",
            {"volume": 60},
        )
        assert (await person.status())["audio_speaker"] == {"volume": 60}
        assert unruly.lost > 3 and unruly.repeated > 3 and unruly.swapped > 3
        # The first of a swapped pair comes too late: its place was filled.
        assert abs(turn["frames_lost"] - unruly.lost - unruly.swapped) <= 1
        await person.idle()

    through(conversation)


def test_a_reply_of_which_frames_are_lost_repeated_and_swapped_is_played_to_its_end(through):
    async def conversation(person: Person, hop: MqttHop):
        hop.down = unruly = Unruly("/spk")
        await person.bridge.request("say", device=person.id, text="Dinner is ready for everybody.")
        turn = await person.turn()
        assert turn["error"] == ""
        assert turn["last_seq_played"] == turn["last_seq_sent"]
        await person.idle()
        played = f"lost {unruly.lost}, late 0, duplicate {unruly.repeated}, stray 0"
        await person.device.logged(f"voice: speech: {played}")
        assert f"event playback {played} {unruly.lost}" in person.home.log()

    through(conversation)


def test_a_microphone_of_which_nothing_arrives_ends_the_turn_with_a_sentence(through):
    async def conversation(person: Person, hop: MqttHop):
        hop.up = lambda packet: () if packet.topic.endswith("/mic") else (packet,)
        await person.device.press()
        turn = await person.turn()
        assert turn["error"] == "I cannot hear the microphone. Please try again."
        await person.idle()
        await person.talks()

    through(conversation)


def test_messages_that_come_twice_are_applied_once(through, spoken):
    wav, short = spoken("what is the volume"), spoken("are you there")

    async def conversation(person: Person, hop: MqttHop):
        twice = Twice()
        hop.up, hop.down = twice.up, twice.down
        # A turn: listen, mcp, stt, tts and played, each twice.
        turn = await speak(person, wav)
        assert turn["reply"] == "The volume is 70 percent."
        await person.idle()
        # A tool that acts, called once; then a card and its action, which asks once.
        await person.call("self.audio_speaker.set_volume", volume=60)
        await person.device.logged("came again: it is applied once")
        shown = await person.bridge.request("card_show", device=person.id, source=CARD)
        await person.device.wait("drawn", card=shown["id"], page=0)
        await person.device.press()
        await person.device.wait("drawn", card=shown["id"], page=1)
        await person.device.press(ms=900)
        turn = await person.turn()
        assert turn["reply"] == "The volume is now 80 percent."
        await person.idle()
        # Interrupted once, by a press whose abort and listen come twice.
        person.device.skip("speaker")
        person.device.skip("state")
        said = person.tell("say", text="This takes a while, so that there is time to interrupt.")
        await person.device.wait("speaker", state="start")
        await person.device.press()
        assert (await person.turn())["interrupted"]
        await said
        await person.device.wait("state", state="listening")
        await person.device.hear(short)
        assert (await person.turn())["reply"] == "Yes."
        log = person.home.log()
        mine = [line for line in log.splitlines() if f" {person.id}/" in line]
        assert sum(": voice" in line for line in mine) == 2
        assert sum(line.endswith(" chosen") for line in mine) == 1
        assert sum(": interrupted (" in line for line in mine) == 1
        assert len(twice.repeated) > 30

    through(conversation)


def test_a_link_that_is_cut_and_comes_back_loses_nothing_but_its_turn(through):
    async def conversation(person: Person, hop: MqttHop):
        card = await person.settle()
        said = person.tell("say", text="This takes a while, so that there is time to cut it.")
        await person.device.wait("speaker", state="start")
        hop.cut()
        await said
        await person.device.wait("state", state="offline")
        await person.ready()
        await person.unharmed(card)

    through(conversation)
