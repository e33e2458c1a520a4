"""What is said in the demo, and what must come of it."""

from dataclasses import dataclass, field
from typing import Any

from tools.sim import speech


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A spoken turn and what must come of it.

    `hold` is push to talk; else a short press, and the bridge hears the end of speech.
    """

    name: str
    text: str
    voice: str = "joe"
    snr_db: float = speech.QUIET_DB
    hold: bool = False
    transcript: str
    tool: str = ""  # "": none is called
    arguments: dict[str, Any] = field(default_factory=dict)
    reply: str  # must be in what is spoken


VOLUME = Said(
    name="1-volume",
    text="set the volume to sixty",
    transcript="set the volume to 60",
    tool="self.audio_speaker.set_volume",
    arguments={"volume": 60},
    reply="60",
)
STATUS = Said(
    name="2-status",
    text="what is the volume",
    voice="espeak",
    snr_db=20,
    transcript="what is the volume",
    tool="self.get_device_status",
    arguments={},
    reply="60",
)
ORDER = Said(
    name="3-order",
    text="where is my order ten forty two",
    transcript="where is my order 1042",
    tool="orders.where_is_order",
    arguments={"order": 1042},
    reply="on its way",
)
PHOTO = Said(
    name="5-photo",
    text="take a photo",
    hold=True,
    transcript="take a photo",
    tool="self.camera.take_photo",
    arguments={},
    reply="photo",
)
INTERRUPTED = Said(
    name="6-interrupted",
    text="where is my order ten forty three",
    hold=True,
    transcript="where is my order 1043",
    tool="orders.where_is_order",
    arguments={"order": 1043},
    reply="packed",
)
AFTER = Said(
    name="7-after",
    text="what is the volume",
    transcript="what is the volume",
    tool="self.get_device_status",
    arguments={},
    reply="60",
)

ALL = (VOLUME, STATUS, ORDER, PHOTO, INTERRUPTED, AFTER)
