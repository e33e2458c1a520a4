"""Who the device is and what it can do, as its hello says it."""

from binascii import hexlify

from voxwire import PROTOCOL, capability

try:
    from build_digest import DIGEST  # of a compiled or frozen build: it names the sources
except ImportError:
    DIGEST = "source"

FIRMWARE = "0.1.0+" + DIGEST
FRAME_MS = 40
BUFFER_MS = 400  # of speaker frames in the ring; the bridge sends no further ahead


def device_id_of(board, settings) -> str:
    """The id that was set, else the board's own, else one from the chip."""
    chip = "voxcard-" + str(hexlify(board.unique_id()), "ascii")[-6:]
    return settings.get("id") or board.device_id or chip


def about(board, settings, device_id: str) -> dict:
    """What tools report of the device itself."""
    return {
        "id": device_id,
        "name": settings.get("name") or board.name,
        "firmware": FIRMWARE,
    }


def capability_of(board, settings, device_id: str, screen, boot: str) -> capability.Capability:
    """The hello of the device; `screen` is the view's or None, `boot` names this start."""
    modes = ("auto", "manual")
    rate_hz, rates_hz = board.microphone.rate_hz, board.speaker.rates_hz
    sound = capability.Sound(board.formats, rate_hz, FRAME_MS, rates_hz, BUFFER_MS, board.duplex)
    name = settings.get("name") or board.name
    buttons = tuple([button.name for button in board.buttons])
    return capability.Capability(
        device_id, name, FIRMWARE, board.id, sound, screen, buttons, board.camera is not None,
        modes, settings.get("locale"), settings.get("cards"), PROTOCOL, boot, board.update,
    )  # fmt: skip
