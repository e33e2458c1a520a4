"""Builds the parts of a board from its file; forgotten when that is done (hal.esp32)."""

import log
import machine
from voxwire.session import OFFLINE

from hal import audio_parts
from hal.parts.pins import buttons_of
from hal.parts.registers import Buses, Registers

# Controllers that take the commands of MIPI over SPI, and a table of their own where one needs it.
RGB_PANELS = ("st7789", "ili9341", "gc9107", "gc9a01", "gc9d01n")

# Module and class of a lamp by its type.
LIGHTS = {
    "ws2812": ("light", "PixelLight"),
    "sk6812": ("light", "PixelLight"),
    "gpio": ("pin_light", "PinLight"),
    "apa102": ("apa102", "Apa102Light"),
}
BAND_ROWS = {1: 8, 16: 4}  # by depth: a page of a mono panel, and 1 KB of a small one in colour


def _module(folder: str, name: str):
    """The module hal.<folder>.<name>; ImportError where there is none."""
    return __import__("hal.%s.%s" % (folder, name), None, None, ("*",))


def table(name: str):
    """The table of a codec or panel, made from boards/parts/<name>.json."""
    return _module("tables", name)


def part(name: str, build, *arguments):
    """A part that `build` makes; None, with a line in the log, where it is not there."""
    try:
        return build(*arguments)
    except (OSError, ValueError, KeyError, ImportError) as error:
        text = "the %s cannot be used (%s: %s): check its wiring and the board's file"
        log.error("board", text % (name, type(error).__name__, error))
        return None


def display_of(display, buses: Buses, registers):
    """The panel of a board's file with its light, None without one."""
    # One that is optional is not there until its owner takes that word out of the file.
    if not display or "driver" not in display or display.get("optional"):
        return None
    if display["bus"] == "i2c":
        bus = display["i2c"]
        panel = _module("drivers", display["driver"]).Panel(
            buses(bus), display["addr"], buses.freq_hz(bus), width=display["width"],
            height=display["height"], mirror_x=display.get("mirror_x"),
            mirror_y=display.get("mirror_y"), invert=display.get("invert"),
        )  # fmt: skip
    elif display["bus"] == "spi":
        panel = _rgb_panel(display)
        panel.brightness = _brightness_of(display.get("backlight"), registers)
    else:
        raise ValueError("MicroPython has no bus %s" % display["bus"])
    panel.shape = display.get("shape", "rect")
    panel.pitch_um = display.get("pitch_um", 0)
    panel.cell = (6, 12) if min(panel.width, panel.height) <= 128 else (8, 16)
    return panel


def _rgb_panel(display):
    if display["driver"] not in RGB_PANELS:
        raise ValueError("there is no driver of %s" % display["driver"])
    from hal.drivers.rgb_panel import RgbPanel

    setup = table(display["init"]) if "init" in display else None
    return RgbPanel(_spi_of(display), display, setup)


def _brightness_of(light, registers):
    if not light:
        return None
    backlight = backlight_of(light, registers)
    return None if backlight is None else backlight.brightness


def backlight_of(light, registers):
    """The backlight of a display in a board's file, None without one that can be set."""
    if "gpio" in light:
        return _module("parts", "backlight").Backlight(light)
    if "level" in light:
        return _module("parts", "chip_backlight").RegisterBacklight(light, registers)
    if "on" in light:
        return _module("parts", "chip_backlight").SwitchedBacklight(light, registers)
    return None


def _spi_of(display):
    mode = display.get("spi_mode", 0)
    # Without `miso=None` it takes the port's default pin, which may be another part's.
    return machine.SPI(
        1, baudrate=display["freq"], polarity=mode >> 1, phase=mode & 1,
        sck=machine.Pin(display["sck"]), mosi=machine.Pin(display["mosi"]), miso=None,
    )  # fmt: skip


def pins_of(display) -> set:
    """The GPIOs that a display uses."""
    names = ("sck", "mosi", "cs", "dc", "rst")
    return {display[name] for name in names if isinstance(display.get(name), int)}


def build(board, file: dict) -> None:
    """Give `board` the parts of its file; one that is not there is None and named in the log."""
    buses = Buses(file.get("i2c") or {})
    registers = Registers(buses)
    part("power", registers.run, file.get("power") or ())
    audio = audio_parts.audio_of(file["audio"], registers, table)
    board.microphone, board.speaker, board.duplex = audio
    display = file.get("display") or {}
    board.display = part("screen", display_of, display, buses, registers)
    if file["class"] == 2:
        _spare(board)
    elif board.display is not None and board.display.depth > 1:
        # PSRAM holds what the panel shows.
        board.display.picture_bytes = board.display.width * board.display.height * 2
    board.buttons = _buttons_of(file, buses)
    board.light = part("light", light_of, file.get("leds"))
    taken = pins_of(display) if board.display else ()
    board.camera = part("camera", _camera_of, file.get("camera"), taken)
    board.battery = part("battery", _battery_of, file, buses)


def _spare(board):
    """Keep to the heap of a board without PSRAM.

    It has no room for two rings of frames (7 KB), for frames over 340 bytes (pcm16 takes 1288, 24
    kHz 500, and a ring has 16 of them), nor for a large band.
    """
    board.duplex = "half"
    board.formats = ("ima-adpcm",)
    board.speaker.rates_hz = (16000,)
    panel = board.display
    if panel is not None:
        panel.band_bytes = panel.width * panel.depth // 8 * BAND_ROWS[panel.depth]


# What few boards have is imported where it is there: a module costs heap even in a frozen image.


def _buttons_of(file, buses):
    """Its buttons by pins and by other chips, and its touch panel."""
    buttons = file.get("buttons") or ()
    watched = buttons_of(buttons, file["chip"])
    if any("read" in each or "adc_gpio" in each for each in buttons):
        from hal.parts.keys import keys_of

        watched += part("keys", keys_of, buttons, buses) or ()
    touch = part("touch panel", _touch_of, file.get("touch"), file, buses)
    return watched if touch is None else watched + (touch,)


def _touch_of(touch, file, buses):
    if not touch:
        return None
    from hal.parts.touch import touch_of

    name = touch["i2c"]
    return touch_of(touch, file["i2c"][name], buses(name))


def light_of(leds):
    """The light of the first lamp of a board's file that can be driven, None without one."""
    for led in leds or ():
        if led.get("type") in LIGHTS:
            name, kind = LIGHTS[led["type"]]
            light = getattr(_module("parts", name), kind)(led)
            light.show(OFFLINE)
            return light
    return None


def _camera_of(camera, taken):
    if not camera:
        return None
    from hal.parts.camera import camera_of

    return camera_of(camera, taken)


def _battery_of(file, buses):
    if not file.get("battery"):
        return None
    from hal.parts.battery import battery_of

    return battery_of(file["battery"], file["i2c"], buses)


def credentials_of():
    """The stored Wi-Fi; None without one that is good."""
    from hal import credentials

    try:
        return credentials.load()
    except ValueError as error:
        log.error("wifi", "it must be set again: %s" % error)
        return None
