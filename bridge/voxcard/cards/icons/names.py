"""Names of icons as sources give them: A2UI's, Material's (`mdi:`), weather codes, emoji."""

import re

from voxcard.cards.icons.emoji import emoji_icon
from voxcard.cards.icons.sky import sky_icon
from voxcard.cards.icons.table import ICONS

# The icons of A2UI's basic catalog, v0.8 to v1.0, that have another name in our table.
_A2UI = {
    "accountCircle": "person", "arrowBack": "back", "arrowForward": "forward",
    "attachFile": "attach", "calendarToday": "calendar", "call": "phone", "event": "calendar",
    "favorite": "heart", "favoriteOff": "heart_off", "help": "question", "locationOn": "place",
    "moreVert": "more", "moreHoriz": "more", "notifications": "bell",
    "notificationsOff": "bell_off", "payment": "card", "settings": "gear", "shoppingCart": "cart",
    "skipNext": "next", "skipPrevious": "previous", "visibility": "eye",
    "visibilityOff": "eye_off", "volumeDown": "volume_low", "volumeMute": "volume_off",
    "volumeUp": "volume",
}  # fmt: skip
_PICTURES = {icon.picture: icon.name for icon in ICONS.values()}
# Variants of one picture: mdi:lightbulb-on is a light as mdi:lightbulb-outline is.
_VARIANT = re.compile(r"-(?:outline|variant|on)(?=-|\Z)")
_PLAIN: dict[str, str] = {}
for _picture, _name in _PICTURES.items():
    _PLAIN.setdefault(_VARIANT.sub("", _picture), _name)


def icon_of_text(text: str) -> str | None:
    """The icon of a whole `text` that is an emoji, a weather code or the name of an icon; None for
    everything else: words of a sentence are never looked at."""
    text = text.strip()
    if not text or len(text) > 60:
        return None
    if text.lower().startswith("mdi:"):
        return _material(text[4:].strip().lower())
    return emoji_icon(text) or _named(text) or sky_icon(text)


def _named(text: str) -> str | None:
    """`shoppingCart`, `shopping_cart` and `shopping-cart` are one name."""
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])|-", "_", text).lower()
    camel = re.sub(r"_([a-z])", lambda letter: letter[1].upper(), snake)
    return _A2UI.get(camel) or (snake if snake in ICONS else None)


def _material(picture: str) -> str | None:
    if picture.startswith("weather-"):
        return sky_icon(picture[8:]) or _PICTURES.get(picture)
    return _PICTURES.get(picture) or _PLAIN.get(_VARIANT.sub("", picture)) or _named(picture)
