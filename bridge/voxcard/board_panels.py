"""What the file of a board says of its panel."""

from voxwire.type import scale

from voxcard.json_value import JsonObject

# Panels whose controller knows black and white only.
_MONO = ("ssd1306", "sh1106", "sh1107")


def depth(display: JsonObject) -> int:
    """Bits a pixel of a board's `display`."""
    return 1 if str(display.get("driver", "")).startswith(_MONO) else 16


def faces(board: JsonObject) -> tuple[str, ...]:
    """The faces of smoothed type that the board's screen needs.

    None on a panel without colour, and where the firmware is in the image: memory is short there.
    """
    display = board.get("display") or {}
    if "image" in board.get("firmware", {}) or "width" not in display or depth(display) == 1:
        return ()
    shape, pitch_um = display.get("shape", "rect"), display.get("pitch_um", 0)
    return scale.faces(scale.Panel(display["width"], display["height"], shape, pitch_um))
