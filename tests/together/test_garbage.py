"""Garbage on every topic, from either side: one line that names it, and nothing changes."""

from together.home import Person
from together.wire import stranger

DEEP = b"[" * 2000 + b"]" * 2000
LISTEN = {"type": "listen", "session_id": "of another", "id": "t", "state": "start", "seq": 1}
PLAYED = {"type": "played", "session_id": "of another", "seq": 1}
ACTION = {"type": "card", "event_id": "e", "event": "action", "id": "none", "action": "yes"}
TURN = {"type": "turn", "session_id": "of another", "id": "t", "state": "thinking"}
SESSION = {"type": "hello", "session_id": "forged"}
# Frames that are none: empty, cut off, of another version, of no codec, damaged.
FRAMES = (
    b"",
    b"\x01\x01\x00",
    b"\x07" + bytes(300),
    b"\x01\x09" + bytes(300),
    b"\x01\x01" + bytes(6) + b"\xff" * 5,
    bytes(3000),
)
HELLO = {"type": "hello", "version": 1, "id": "", "sound": {"formats": ["pcm16"]}}


# Channel, payload, and what the bridge logs of it.
TO_THE_BRIDGE = [
    ("hello", b"\xff\xfe", "hello: is not JSON"),
    ("hello", b"[]", "hello: must be a JSON object"),
    ("hello", {**HELLO, "sound": 7}, "hello.sound: must be of type object"),
    ("hello", {**HELLO, "id": "else"}, "hello.id: is else, the topic says {id}"),
    ("status", b"nonsense", "status: is not JSON"),
    ("status", {"online": 7}, "status.online: must be true or false"),
    ("up", b"{", "message: is not JSON"),
    ("up", DEEP, "message: is not JSON"),
    ("up", bytes(9000), "message: is 9000 bytes, the limit is 8192"),
    ("up", {**LISTEN, "id": None}, "listen.id: is missing"),
    ("up", {**LISTEN, "mode": "loud"}, "listen.mode: must be one of auto, manual, realtime"),
    ("up", {**PLAYED, "seq": "last"}, "played.seq: must be a whole number from 0"),
    ("up", {"type": "mcp", "payload": {"jsonrpc": "1.0"}}, "mcp.session_id: is missing"),
    ("up", ACTION, "card.session_id: is missing"),
    ("blob/up", b"\x09abc", "blob: is 4 bytes"),
    ("blob/up", bytes((1, 1, 0, 9, 0, 0)) + b"\xff\xff{", "blob.head: is cut off"),
    ("blob/up", bytes(4150), "blob: is 4150 bytes"),
]
# Channel, payload, and what the device logs of it; the second of two where it has no room for it.
TO_THE_DEVICE = [
    ("down", b"\xff\xfe", "message: is not JSON"),
    ("down", b"[]", "message: must be a JSON object"),
    ("down", DEEP, "refused: message: "),  # no memory for it, or no JSON
    ("down", bytes(9000), "bytes on voxcard/{id}/down"),
    ("down", {**TURN, "state": "wrong"}, "turn.state: must be one of"),
    ("down", {**TURN, "type": "tts", "state": "stop", "last_seq": "x"}, "tts.last_seq: must be"),
    (
        "down",
        {"type": "card", "op": "show", "card": {"id": "c", "pages": []}},
        "card.session_id: is",
    ),
    ("down", {**SESSION, "audio_params": 3}, "hello.audio_params: must be of type object"),
    ("down", {**SESSION, "audio_params": {"format": "mp3"}}, "a hello that was not asked for"),
    ("blob/down", b"\x09abc", "blob: is 4 bytes"),
    ("blob/down", bytes((1, 1, 0, 9, 0, 0)) + b"\xff\xff{", "blob.head: is cut off"),
    ("blob/down", bytes(4150), ("blob: is 4150 bytes", "bytes on voxcard/{id}/blob/down")),
    ("spk", bytes(9000), "bytes on voxcard/{id}/spk"),
]


def refusals(person: Person) -> list[str]:
    """The bridge's warnings about this device so far."""
    lines = person.home.log().splitlines()
    return [line for line in lines if " WARNING " in line and f" {person.id}" in line]


def test_garbage_of_a_device_is_a_line_each_and_changes_nothing(talk):
    async def conversation(person: Person):
        card = await person.settle()
        async with stranger(person) as other:
            for channel, payload, _ in TO_THE_BRIDGE:
                other.say(f"voxcard/{person.id}/{channel}", payload)
            await person.unharmed(card)
        found = refusals(person)
        for line, (_, _, expected) in zip(found, TO_THE_BRIDGE, strict=True):
            assert expected.format(id=person.id) in line

    talk(conversation)


def test_garbage_of_a_bridge_is_a_line_each_and_changes_nothing(talk):
    async def conversation(person: Person):
        card = await person.settle()
        async with stranger(person) as other:
            for channel, payload, _ in TO_THE_DEVICE:
                other.say(f"voxcard/{person.id}/{channel}", payload)
            await person.unharmed(card)
        found = [line for line in person.device.log if " warning " in line or " error " in line]
        for line, (_, _, expected) in zip(found, TO_THE_DEVICE, strict=True):
            either = (expected,) if isinstance(expected, str) else expected
            assert any(text.format(id=person.id) in line for text in either), line

    talk(conversation)


def test_garbage_among_the_frames_of_a_turn_is_one_line_on_each_side(talk, spoken):
    wav = spoken("what is the volume")

    async def conversation(person: Person):
        async with stranger(person) as other:
            await person.device.press()
            await person.device.wait("state", state="listening")
            await person.device.hear(wav)
            for frame in FRAMES:
                other.say(f"voxcard/{person.id}/mic", frame, qos=0)
            await person.device.wait("speaker", state="start")
            for frame in FRAMES:
                other.say(f"voxcard/{person.id}/spk", frame, qos=0)
            turn = await person.turn()
        assert (turn["reply"], turn["error"]) == ("The volume is 70 percent.", "")
        await person.idle()
        (line,) = refusals(person)
        assert " mic: audio" in line
        (line,) = [each for each in person.device.log if " warning " in each]
        assert "playback: frames are refused, the first one: audio" in line

    talk(conversation)


def test_messages_of_another_session_are_dropped(talk):
    async def conversation(person: Person):
        async with stranger(person) as other:
            for message in (LISTEN, PLAYED, {"type": "goodbye", "session_id": "of another"}):
                other.say(f"voxcard/{person.id}/up", message)
            for message in (TURN, {**TURN, "type": "tts", "state": "start", "seq": 1}):
                other.say(f"voxcard/{person.id}/down", message)
            await person.talks()
        states = [each["state"] for each in person.device.reports if each["event"] == "state"]
        assert states == ["connecting", "idle", "thinking", "speaking", "idle"]
        assert refusals(person) == []

    talk(conversation)


def test_messages_far_too_large_are_refused_and_those_over_the_broker_s_limit_cut_off(talk):
    async def conversation(person: Person):
        card = await person.settle()
        large = b"\x01\x00" + bytes(60_000)
        async with stranger(person) as other:
            for channel in ("hello", "status", "up", "blob/up", "down", "blob/down"):
                other.say(f"voxcard/{person.id}/{channel}", large)
            for channel in ("mic", "spk"):
                other.say(f"voxcard/{person.id}/{channel}", large, qos=0)
            await person.unharmed(card)
        async with stranger(person) as other:
            other.say(f"voxcard/{person.id}/down", bytes(70_000))
            await other.gone.wait()
            await person.talks()
        assert len(refusals(person)) == 4
        skipped = [each for each in person.device.log if " skipped 60" in each]
        assert len(skipped) == 4  # down, blob/down, spk, and its own status

    talk(conversation)
