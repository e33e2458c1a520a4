"""The hello of a device: what it can do, and how a wrong one is refused."""

import json

from voxwire import capability
from voxwire.bridge_only import capability_reader
from voxwire.errors import WireError

HELLO = {
    "type": "hello",
    "version": 1,
    "id": "kitchen",
    "name": "Kitchen",
    "firmware": "0.1.0+1f3a9c2e",
    "board": "diy-s3-oled",
    "sound": {
        "formats": ["ima-adpcm", "pcm16"],
        "rate_hz": 16000,
        "frame_ms": 40,
        "down_rates_hz": [16000, 24000],
        "buffer_ms": 400,
        "duplex": "full",
    },
    "screen": {
        "width": 128,
        "height": 64,
        "depth": 1,
        "shape": "rect",
        "pitch_um": 170,
        "cell": [6, 12],
        "glyphs": [[32, 126], [160, 383]],
        "blocks": ["text", "qr", "choices"],
        "picture_bytes": 115200,
    },
    "buttons": ["talk"],
    "camera": False,
    "modes": ["auto", "manual"],
    "locale": "en",
    "cards": "full",
    "update": "files",
}


def with_change(**changes):
    data = json.loads(json.dumps(HELLO))
    for path, value in changes.items():
        where, _, name = path.rpartition("__")
        (data[where] if where else data)[name] = value
    return json.dumps(data).encode()


def refusal(payload):
    try:
        capability_reader.decode(payload)
    except WireError as error:
        return str(error)
    raise AssertionError("was not refused")


def test_a_hello_survives_the_round_trip():
    known = capability_reader.decode(json.dumps(HELLO).encode())
    assert known.screen.cell == (6, 12)
    assert known.screen.glyphs == ((32, 126), (160, 383))
    assert known.sound.down_rates_hz == (16000, 24000)
    assert json.loads(capability.encode(known)) == HELLO
    assert capability_reader.decode(capability.encode(known)) == known


def test_a_device_may_have_no_screen_and_may_leave_the_rest_to_defaults():
    known = capability_reader.decode(b'{"id":"a","version":1,"sound":{"formats":["pcm16"]}}')
    assert known.screen is None and known.modes == ("auto",) and known.cards == "full"
    assert known.sound == (("pcm16",), 16000, 40, (16000,), 400, "half")
    assert known.update is None


def test_a_wrong_field_is_named():
    assert refusal(with_change(id="Küche")) == "id: may hold only a-z, 0-9 and the hyphen"
    assert refusal(with_change(id="x" * 33)) == "id: must have 1 to 32 characters"
    assert refusal(with_change(sound__formats=["mp3"])) == (
        "hello.sound.formats: has none of ima-adpcm, opus, pcm16"
    )
    assert refusal(with_change(screen__width=5)) == (
        "hello.screen.width: must be a whole number from 32 to 1024"
    )
    for cell in ([6], [6, 12, 1]):
        assert refusal(with_change(screen__cell=cell)) == (
            "hello.screen.cell: must be [width, height]"
        )
    for pair in ([9], [9, 10, 11]):
        said = "hello.screen.glyphs: must hold pairs of code points"
        assert refusal(with_change(screen__glyphs=[pair])) == said
    assert refusal(with_change(screen__glyphs=[[9]])) == (
        "hello.screen.glyphs: must hold pairs of code points"
    )
    assert refusal(with_change(screen__depth=2)) == "hello.screen.depth: must be one of 1, 16"
    assert refusal(with_change(cards="some")) == "hello.cards: must be one of full, text, off"
    assert refusal(with_change(update="some")) == "hello.update: must be one of files, image"
    assert refusal(with_change(buttons=[1])) == "hello.buttons: must hold text only"


def test_formats_and_modes_of_a_newer_device_are_passed_over():
    known = capability_reader.decode(with_change(sound__formats=["lc3", "pcm16"], modes=["mind"]))
    assert known.sound.formats == ("pcm16",)
    assert known.modes == ("auto",)


def test_a_text_cell_is_4_to_64_px_wide_and_6_to_64_high():
    for cell in ([4, 6], [64, 64]):
        known = capability_reader.decode(with_change(screen__cell=cell))
        assert known.screen.cell == tuple(cell)
    for cell in ([3, 12], [65, 12]):
        assert "must be a whole number from 4 to 64" in refusal(with_change(screen__cell=cell))
    for cell in ([6, 5], [6, 65]):
        assert "must be a whole number from 6 to 64" in refusal(with_change(screen__cell=cell))


def test_glyphs_are_pairs_of_code_points_in_order():
    def ranges(pairs):
        hello = dict(HELLO, screen=dict(HELLO["screen"], glyphs=pairs))
        try:
            return capability_reader.decode(json.dumps(hello).encode()).screen.glyphs
        except WireError as error:
            return error.part

    assert ranges([[0, 0], [0x10FFFF, 0x10FFFF]]) == ((0, 0), (0x10FFFF, 0x10FFFF))
    for wrong in ([[-1, 5]], [[0x110000, 0x110000]], [[5, 0x110000]], [[6, 5]], [[1]], [5]):
        assert ranges(wrong) == "hello.screen.glyphs", wrong
    assert ranges(None) == ((32, 126),) and ranges([]) == ()


def test_a_screen_with_faces_of_type_says_them_and_the_size_that_is_chosen():
    hello = with_change(screen__faces=["t13", "b20", "i24"], screen__text_size="large")
    known = capability_reader.decode(hello)
    assert known.screen.faces == ("t13", "b20", "i24") and known.screen.text_size == "large"
    assert json.loads(capability.encode(known)) == json.loads(hello)
    plain = capability_reader.decode(json.dumps(HELLO).encode()).screen
    assert plain.faces == () and plain.text_size == "normal"


def test_faces_of_a_newer_device_cannot_be_measured_and_are_passed_over():
    known = capability_reader.decode(with_change(screen__faces=["t13", "x99"]))
    assert known.screen.faces == ()
    assert refusal(with_change(screen__text_size="huge")).startswith("hello.screen.text_size: ")
