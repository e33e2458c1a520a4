"""People talk to devices: real processes, real speech, over every broker."""

import array
import asyncio
import base64
import hashlib
import io
import re
from collections import Counter
from itertools import groupby

import numpy as np
from PIL import Image
from together.home import STEP_S, Person, at
from voxcard.assistants.offline.intents.normalise import normalise
from voxcard.cards.images.decode import Room, decode
from voxcard.history.store import History

from tools.pictures.cards import photo
from tools.sim import speech

RATE_HZ = 16000  # of microphones
SPEAKER_HZ = 24000
LOUD = 500  # of 32768; the quietest word is far above it, and noise and silence below


def loudest(pcm: bytes) -> int:
    samples = array.array("h", pcm)
    return max(map(abs, samples), default=0)


def heard(person: Person, first: int = 0) -> bytes:
    """What the speaker played from sample `first` on."""
    pcm, rate_hz = speech.read(person.device.speaker)
    assert rate_hz == SPEAKER_HZ
    return pcm[first * 2 :]


def tools_of(turn):
    return [(call["name"], call["arguments"], call["is_error"]) for call in turn["tools"]]


def test_a_volume_that_was_set_is_told_and_survives_a_restart(talk):
    async def conversation(person: Person):
        turn = await person.ask("set the volume to 60")
        assert tools_of(turn) == [("self.audio_speaker.set_volume", {"volume": 60}, False)]
        assert turn["reply"] == "The volume is now 60 percent."
        assert turn["last_seq_played"] == turn["last_seq_sent"]
        await person.idle()
        turn = await person.ask("what is the volume")
        assert tools_of(turn) == [("self.get_device_status", {}, False)]
        assert turn["reply"] == "The volume is 60 percent."
        await person.restart()
        assert (await person.status())["audio_speaker"] == {"volume": 60}

    talk(conversation)


def test_a_spoken_question_is_understood_and_answered_aloud(talk, spoken):
    question = spoken("what is the volume")  # before anybody listens: it takes a while

    async def conversation(person: Person):
        await person.device.press()
        await person.device.wait("state", state="listening")
        await person.device.hear(question)
        turn = await person.turn()
        assert (turn["kind"], normalise(turn["transcript"])) == ("voice", "what is the volume")
        assert turn["reply"] == "The volume is 70 percent."
        assert turn["frames_up"] > 25 and turn["frames_lost"] == 0
        assert turn["last_seq_played"] == turn["last_seq_sent"]
        await person.idle()
        sound = heard(person)
        assert loudest(sound) > LOUD
        assert len(sound) / 2 / SPEAKER_HZ >= turn["frames_down"] * 0.04

    talk(conversation)


def test_who_speaks_on_before_the_reply_is_answered_once_and_to_the_whole(talk, tmp_path):
    halves = [speech.speech(speech.voice("joe"), text) for text in (
        "well my dear old friend", "what is the volume")]  # fmt: skip
    pause = bytes(1184 * RATE_HZ // 1000 * 2)  # longer than what ends words that mean nothing
    speech.write(tmp_path / "halves.wav", halves[0] + pause + halves[1])

    async def conversation(person: Person):
        await person.device.press()
        await person.device.wait("state", state="listening")
        await person.device.hear(tmp_path / "halves.wav")
        turn = await person.turn()
        words = normalise(turn["transcript"])
        assert "friend" in words and words.endswith("volume")
        assert turn["reply"] == "Sorry, I did not understand." and turn["tools"] == []
        assert turn["last_seq_played"] == turn["last_seq_sent"]
        await person.idle()
        await person.talks()

    talk(conversation)


def test_push_to_talk_listens_until_the_button_is_released(talk, spoken):
    question = spoken("what is the volume")  # before anybody listens: it takes a while

    async def conversation(person: Person):
        await person.device.hold()
        await person.device.wait("state", state="listening")
        await person.device.hear(question)
        # Its silence at the end is longer than what ends a turn without the button.
        await person.device.wait("microphone_done")
        assert [r for r in person.device.reports if r["event"] == "state"][-1]["state"] == (
            "listening"
        )
        await person.device.release()
        turn = await person.turn()
        assert (turn["kind"], normalise(turn["transcript"])) == ("voice", "what is the volume")
        await person.idle()

    talk(conversation)


async def card_page(person: Person, page: int) -> None:
    await person.device.press()
    await person.device.wait("drawn", page=page)


def test_an_order_is_shown_its_code_is_read_and_its_action_asks_on(talk):
    async def conversation(person: Person):
        turn = await person.ask("where is my order 1042")
        assert tools_of(turn) == [("orders.where_is_order", {"order": 1042}, False)]
        assert "on its way, due tomorrow" in turn["reply"]
        (card,) = turn["cards"]
        await person.device.wait("drawn", card=card, page=0)
        await person.idle()
        found, page = await person.code(), 0
        while not found:
            page += 1
            await card_page(person, page)
            found = await person.code()
        # Scheme and host mean the same in capitals, which take a smaller code.
        assert [text.lower() for text in found] == ["https://orders.example.com/1042"]
        await card_page(person, page + 1)
        await person.device.press(ms=900)
        turn = await person.turn()
        assert turn["transcript"] == "Cancel order 1042"
        assert tools_of(turn) == [("orders.cancel_order", {"order": 1042}, False)]
        assert turn["reply"] == "Order 1042 is cancelled."
        assert turn["cards"] != [card]
        await person.device.wait("drawn", card=turn["cards"][0])
        await person.idle()

    talk(conversation)


async def pictures(person: Person):
    """The pictures in the history, as soon as there is one."""
    history = History(person.bridge.folder / "history.sqlite", 30, 1000)
    try:
        async with asyncio.timeout(STEP_S):
            while not (found := await asyncio.to_thread(history.pictures, person.id)):
                pass
            return found
    finally:
        history.close()


def test_a_photo_arrives_whole_as_mcp_content_and_in_the_history(talk, photo):
    data = photo.read_bytes()
    assert len(data) > 16384

    async def conversation(person: Person):
        turn = await person.ask("take a photo")
        assert tools_of(turn) == [("self.camera.take_photo", {}, False)]
        assert turn["tools"][0]["pictures"] == 1
        (kept,) = await pictures(person)
        assert kept.mime_type == "image/jpeg"
        assert hashlib.sha256(kept.data).digest() == hashlib.sha256(data).digest()
        outcome = await person.call("self.camera.take_photo", question="what is this")
        image, text = outcome["result"]["content"]
        assert (image["type"], image["mimeType"]) == ("image", "image/jpeg")
        assert base64.b64decode(image["data"], validate=True) == data
        assert text["type"] == "text"

    talk(conversation, photo=str(photo))


def test_a_press_silences_the_device_within_100_ms_and_listens(talk, spoken, tmp_path):
    speech.write(tmp_path / "pause.wav", bytes(RATE_HZ * 2 * 8 // 10))
    question = spoken("what is the volume")

    async def conversation(person: Person):
        device = person.device
        async with asyncio.TaskGroup() as group:
            questions = group.create_task(person.ask("where is my order 1043"))
            await device.wait("speaker", state="start")
            await device.hear(tmp_path / "pause.wav")  # it speaks for 800 ms
            await device.wait("microphone_done")
            await device.press()
            await device.wait("state", state="listening")
            await device.hear(question)
        pressed = (await device.wait("button", do="press"))["samples"]
        stopped = (await device.wait("speaker", state="stop"))["samples"]
        turn = questions.result()
        assert turn["interrupted"] and "being packed" in turn["reply"]
        turn = await person.turn()
        assert turn["reply"] == "The volume is 70 percent."
        await person.idle()
        began = (await device.wait("speaker", state="start"))["samples"]
        sound = heard(person)
        assert loudest(sound[: pressed * 2]) > LOUD
        late = sound[(pressed + SPEAKER_HZ // 10) * 2 : began * 2]
        assert loudest(late) == 0
        assert stopped - pressed <= SPEAKER_HZ // 10
        assert loudest(sound[began * 2 :]) > LOUD

    talk(conversation)


def test_an_announcement_is_spoken_on_an_idle_device(talk):
    async def conversation(person: Person):
        await person.bridge.request("say", device=person.id, text="Dinner is ready.")
        turn = await person.turn()
        assert (turn["kind"], turn["reply"], turn["error"]) == ("say", "Dinner is ready.", "")
        await person.idle()
        assert loudest(heard(person)) > LOUD

    talk(conversation)


def test_three_devices_that_ask_at_once_hear_each_its_own_answer(runner, home):
    def asks(volume: int):
        async def conversation(person: Person):
            turn = await person.ask(f"set the volume to {volume}")
            assert turn["reply"] == f"The volume is now {volume} percent."
            assert (await person.status())["audio_speaker"] == {"volume": volume}
            assert turn["last_seq_played"] == turn["last_seq_sent"]

        return at(home, conversation)

    async def together():
        await asyncio.gather(asks(31), asks(32), asks(33))

    runner.run(together())


SIDE = 240
BYTES = SIDE * SIDE * 2
SCREEN = {"width": SIDE, "height": SIDE, "depth": 16, "shape": "rect", "pitch_um": 98}


def colours(rgb565: bytes) -> np.ndarray:
    """As the simulator writes pixels: 8 bits a channel."""
    pixels = np.frombuffer(rgb565, ">u2").astype(int)
    red, green, blue = pixels >> 11, pixels >> 5 & 63, pixels & 31
    wide = (red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2)
    return np.stack(wide, -1).reshape(SIDE, SIDE, 3)


async def panel(person: Person) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(await person.device.screen())).convert("RGB"))


def test_the_words_are_there_first_and_the_picture_comes_on_a_page_of_its_own(talk):
    out = io.BytesIO()
    Image.open(io.BytesIO(photo())).resize((SIDE, SIDE)).save(out, "PNG")
    room = Room(width=SIDE, height=SIDE, depth=16, bytes_max=BYTES)
    expected = colours(decode(out.getvalue(), room).data)
    content = [
        {"type": "text", "text": "The lake is calm today."},
        {
            "type": "image",
            "mimeType": "image/png",
            "data": base64.b64encode(out.getvalue()).decode(),
        },
    ]

    async def conversation(person: Person):
        shown = await person.bridge.request(
            "card_show", device=person.id, source={"content": content}
        )
        await person.device.wait("drawn", card=shown["id"], page=0)
        await person.device.press()
        await person.device.wait("drawn", page=1)
        while not np.array_equal(await panel(person), expected):
            await person.device.wait("drawn", page=1)

    # The heap of a board with PSRAM.
    talk(conversation, screen={**SCREEN, "picture_bytes": BYTES}, heap="2M")


PANEL = {"width": 240, "height": 240, "depth": 16, "pitch_um": 98}
CAPITALS = {"title": "HHH", "text": "HHHHH HHHH HHHHHH " * 4, "fallback_text": "H"}


async def capitals_px(person: Person) -> int:
    """How high most lines of capitals on the screen are."""
    await person.device.screen()
    panel = Image.open(person.device.folder / "screen.pnm").convert("L")
    rows = [max(panel.crop((0, y, 200, y + 1)).tobytes()) > 96 for y in range(panel.height)]
    runs = [len(list(run)) for lit, run in groupby(rows) if lit]
    return Counter(runs).most_common(1)[0][0] if runs else 0


async def grows_to(person: Person, px: int) -> None:
    async with asyncio.timeout(STEP_S):
        # The panel may be looked at while it is drawn.
        while await capitals_px(person) != px:
            pass


def hellos(person: Person) -> int:
    return len(re.findall(rf"{person.id}/\w+: hello, board", person.home.log()))


def test_text_made_larger_by_voice_is_larger_on_the_card_that_is_up_and_after_a_restart(talk):
    async def conversation(person: Person):
        shown = await person.bridge.request("card_show", device=person.id, source=CAPITALS)
        await person.device.wait("drawn", card=shown["id"])
        before = hellos(person)
        await grows_to(person, 20)
        turn = await person.ask("make the text larger")
        assert turn["reply"] == "The text is larger now." and turn["error"] == ""
        assert turn["last_seq_played"] == turn["last_seq_sent"], "the turn goes on to its end"
        assert turn["tools"][0]["arguments"] == {"text_size": "larger"}
        await person.idle()
        await grows_to(person, 23)
        assert (await person.status())["screen"]["text_size"] == "large"
        assert hellos(person) == before, "its session goes on"
        await person.restart()
        outcome = await person.call("bridge.show_last_card")
        assert not outcome["is_error"]
        await grows_to(person, 23)

    talk(conversation, screen=PANEL, heap="4M")


def test_a_size_that_a_person_takes_on_the_device_reaches_the_card_that_comes_next(talk):
    async def conversation(person: Person):
        outcome = await person.call("self.screen.show_text_sizes", scope="ai")
        assert outcome["text"] == "The sizes of text are on the screen: hold the button on one."
        await person.device.wait("drawn", card="self.text_sizes")
        await person.device.hold()
        async with asyncio.timeout(STEP_S):
            while (await person.status())["screen"]["text_size"] != "small":
                pass
        await person.device.release()
        await person.bridge.request("card_show", device=person.id, source=CAPITALS)
        await grows_to(person, 16)

    talk(conversation, screen=PANEL, heap="4M")
