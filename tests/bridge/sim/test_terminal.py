"""What a person types at a simulated device, what it does, and what is said of it."""

import asyncio

import pytest
from voxcard.errors import VoxcardError
from voxcard.sim import terminal
from voxcard.sim.half_blocks import Canvas, Colours
from voxcard.sim.terminal import HELP, Terminal

PBM = b"P4\n8 2\n\x7f\xff"
PPM = b"P6\n1 2\n255\n\xff\0\0\0\xff\0"  # red over green


class Device:
    """Keeps what it is told to do, and reports what `effects` says a press does."""

    def __init__(self, folder, effects=()):
        self.folder = folder
        self.effects = list(effects)
        self.done = []
        self.reports = [{"event": "drawn"}]
        self.terminal = None
        self.shows = PBM

    def skip(self, event):
        pass

    async def press(self, ms):
        self.done.append(("press", ms))
        if self.effects:
            self.terminal.reported(self.effects.pop(0))

    async def hold(self):
        self.done.append("hold")

    async def hear(self, path):
        self.done.append(("hear", path.read_bytes()[:4]))

    async def release(self):
        self.done.append("release")

    async def wait(self, event, limit_s, **match):
        self.done.append((event, *match.values()))

    async def screen(self, limit_s):
        return self.shows


class Typed:
    """A terminal at a Device: `said` is what it told, `asked` what it asked of the bridge."""

    def __init__(self, folder, *effects):
        self.said, self.asked = [], []
        self.device = Device(folder, effects)
        self.colours = Colours.NONE
        self.terminal = Terminal(self.device, self._ask, self.said.append, self._canvas)
        self.device.terminal = self.terminal

    def _canvas(self):
        return Canvas(columns=80, colours=self.colours)

    async def _ask(self, do, **values):
        self.asked.append((do, values))
        if values.get("text") == "fail":
            raise VoxcardError("It failed.", "Mend it.")

    def lines(self, *lines):
        async def each():
            for line in lines:
                yield line

        asyncio.run(self.terminal.obey(each()))
        return self.said


@pytest.fixture
def typed(tmp_path, monkeypatch):
    monkeypatch.setattr(terminal, "EFFECT_S", 0.0)
    return lambda *effects: Typed(tmp_path, *effects)


def state(name):
    return {"event": "state", "state": name}


def drawn(card, page=0):
    return {"event": "drawn", "card": card, "page": page, "count": 1}


def test_empty_lines_do_nothing_and_quit_ends(typed):
    at = typed()
    assert at.lines("", "   ", "quit", "what is the volume") == []
    assert at.asked == []


def test_a_sentence_is_asked_and_one_that_begins_like_a_command_too(typed):
    at = typed()
    at.lines(
        "what is the volume", "press the button", "screen brightness 40", "hold on", "quit it"
    )
    assert [values["text"] for _, values in at.asked] == [
        "what is the volume",
        "press the button",
        "screen brightness 40",
        "hold on",
        "quit it",
    ]


def test_say_announces_and_help_lists_the_commands(typed):
    at = typed()
    assert at.lines("say  Dinner is ready", "help", "say") == [
        HELP,
        "say needs a text. Such as: say Dinner is ready",
    ]
    assert at.asked == [("say", {"text": "Dinner is ready"})]


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        (state("listening"), "the device is listening"),
        (drawn("order", 1), "page 2 of the card"),
        (None, "nothing changed, the device is starting"),
    ],
)
def test_a_press_says_what_it_did(typed, effect, words):
    at = typed(*([effect] if effect else []))
    assert at.lines("press") == [f"pressed: {words}"]
    assert at.device.done == [("press", 100), ("button", "press")]


def test_hold_takes_milliseconds_and_a_second_without_any(typed):
    at = typed(state("listening"), state("idle"))
    assert at.lines("hold 250", "hold") == [
        "pressed: the device is listening",
        "pressed: the device is idle",
    ]
    assert [done for done in at.device.done if done[0] == "press"] == [
        ("press", 250),
        ("press", 1000),
    ]


def test_what_happens_without_a_press_is_told_once(typed):
    at = typed()
    for report in (state("idle"), drawn(None), drawn("a"), drawn("a"), drawn("a", 1), drawn(None)):
        at.terminal.reported(report)
    at.terminal.reported({"event": "refused", "text": "no\nsuch"})
    assert at.said == [
        "device idle",
        "device page 1 of the card",
        "device page 2 of the card",
        "device the card is gone",
        "device refused it: no such",
    ]


def test_a_recording_is_heard_while_the_button_is_held(typed, tmp_path):
    at = typed()
    assert at.lines(f"wav {tmp_path / 'none.wav'}", "wav", "speak") == [
        f"{tmp_path / 'none.wav'} cannot be read: No such file or directory. Name another file.",
        "wav needs a file. Such as: wav question.wav",
        "speak needs a sentence. Such as: speak what is the volume",
    ]
    terminal.speech.write(tmp_path / "some.wav", bytes(3200))
    at.lines(f"wav {tmp_path / 'some.wav'}")
    assert at.device.done == [
        "hold",
        ("state", "listening"),
        ("hear", b"RIFF"),
        ("microphone_done",),
        "release",
    ]


def test_a_device_that_does_not_listen_is_told_and_the_button_let_go(typed, tmp_path):
    at = typed()

    async def never(event, limit_s, **match):
        raise TimeoutError

    at.device.wait = never
    terminal.speech.write(tmp_path / "some.wav", bytes(3200))
    at.terminal.reported(drawn("order"))
    assert at.lines(f"wav {tmp_path / 'some.wav'}")[-1] == (
        "The button belongs to the card on the screen now. Try: press"
    )
    assert at.device.done == ["hold", "release"]


def test_what_fails_is_one_line_and_the_next_line_is_obeyed(typed):
    at = typed()
    assert at.lines("fail", "screen") == ["It failed. Mend it.", "▀       "]


def test_a_screen_in_colours_is_drawn_where_the_terminal_has_some(typed, tmp_path):
    at = typed()
    at.device.shows = PPM
    assert at.lines("screen") == [f"The screen is in {tmp_path / 'screen.pnm'}"]
    at.colours = Colours.PALETTE
    assert at.lines("screen")[-1] == "\x1b[38;5;196m\x1b[48;5;46m▀\x1b[0m"
    at.colours = Colours.TRUE
    assert at.lines("screen")[-1] == "\x1b[38;2;255;0;0m\x1b[48;2;0;255;0m▀\x1b[0m"


def test_a_page_is_drawn_again_when_it_changed_was_away_or_is_asked_for(typed):
    at = typed()

    def told():
        at.said.clear()
        asyncio.run(at.terminal.show(again=False))
        return len(at.said)

    at.terminal.reported(drawn("order"))
    assert (told(), told()) == (1, 0)
    at.device.shows = PBM[:-1] + b"\x7f"
    assert (told(), told()) == (1, 0)
    assert at.lines("screen")[0] == "█       " and told() == 0
    for report in (drawn(None), drawn("order")):
        at.terminal.reported(report)
    assert told() == 1


def test_pages_in_colours_are_not_named_as_files_unless_asked_for(typed):
    at = typed()
    at.device.shows = PPM
    asyncio.run(at.terminal.show(again=False))
    assert at.said == []
