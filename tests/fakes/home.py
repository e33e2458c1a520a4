"""The tools of a home: one device with a screen and a camera, one order server."""

from datetime import UTC, datetime
from typing import Any

from voxcard.assistants import Facts
from voxcard.toolhub.model import ToolSpec

PERCENT = {"type": "integer", "minimum": 0, "maximum": 100}
ORDER = {"type": "integer", "description": "order number"}


def tool(name: str, *sentences: str, source: str = "device", **properties: Any) -> ToolSpec:
    return ToolSpec(
        name=name,
        description="",
        input_schema={"type": "object", "properties": properties, "required": list(properties)},
        source=source,
        sentences={"en": sentences},
    )


STATUS = tool("self.get_device_status")
VOLUME = tool("self.audio_speaker.set_volume", volume=PERCENT)
BRIGHTNESS = tool("self.screen.set_brightness", brightness=PERCENT)
THEME = tool("self.screen.set_theme", theme={"type": "string", "enum": ["dark", "light"]})
TEXT = tool("self.screen.show_text", text={"type": "string", "minLength": 1, "maxLength": 400})
TEXT_SIZES = ["small", "normal", "large", "larger", "smaller"]
TEXT_SIZE = tool("self.screen.set_text_size", text_size={"type": "string", "enum": TEXT_SIZES})
SHOW_SIZES = tool("self.screen.show_text_sizes")
PAGE = tool("self.screen.turn_page", to={"type": "string", "enum": ["next", "back", "close"]})
PHOTO = tool("self.camera.take_photo", question={"type": "string", "default": ""})
CARD = tool("bridge.show_last_card", source="bridge")
FIND = tool(
    "orders.where_is_order",
    "(where is|where's|what about) [my] order {order}",
    "track [my] order {order}",
    source="orders",
    order=ORDER,
)
CANCEL = tool("orders.cancel_order", "cancel [my] order {order}", source="orders", order=ORDER)


def place() -> Facts:
    """The kitchen on a Monday morning."""
    now = datetime(2026, 5, 4, 9, 41, tzinfo=UTC)
    return Facts(device="kitchen", name="Kitchen", locale="en", now=now, screen=(128, 64))


SCREEN = (BRIGHTNESS, THEME, TEXT, TEXT_SIZE, SHOW_SIZES)
TOOLS = (STATUS, VOLUME, *SCREEN, PHOTO, CARD, FIND, CANCEL)
