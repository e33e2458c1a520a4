"""Emoji as icons: those that mean the same thing, and the one a text begins with."""

import re

# Without U+FE0F, which only asks for colour, and without skin tones.
_EMOJI = {
    "sun": "☀🌞", "cloud": "☁", "partly_cloudy": "⛅🌤🌥", "rain": "🌧☔☂", "showers": "🌦",
    "snow": "❄🌨☃⛄", "storm": "⛈", "storm_dry": "🌩", "fog": "🌫", "wind": "💨🌬",
    "night": "🌙🌛🌜🌚🌃", "sunrise": "🌅🌄", "sunset": "🌇🌆",
    "parcel": "📦", "truck": "🚚🚛", "calendar": "📅📆🗓", "money": "💵💶💷💴💰💸🪙",
    "person": "👤🧑👩👨", "people": "👥👪👭👫👬", "place": "📍📌🗺", "phone": "📞☎📱📲",
    "mail": "✉📧📨📩📬📫📭📪", "warning": "⚠🚨", "error": "🛑", "check": "✅✔✓",
    "cross": "❌❎✖✗✘", "check_box": "☑", "box": "☐",
    "music": "🎵🎶🎼♪♫", "video": "🎥🎬📹🎦", "photo": "🖼", "camera": "📷📸",
    "timer": "⏱⏲⏳⌛", "alarm": "⏰", "clock": "🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛🕰⌚", "bell": "🔔🛎",
    "bell_off": "🔕", "light": "💡", "lock": "🔒🔐", "lock_open": "🔓", "key": "🔑🗝",
    "thermometer": "🌡", "water": "💧", "battery": "🔋", "plug": "🔌", "bolt": "⚡", "fire": "🔥",
    "home": "🏠🏡", "car": "🚗🚙🚘🚕🚖", "train": "🚆🚄🚅🚂🚇🚉🚊", "plane": "✈🛫🛬🛩",
    "bus": "🚌🚍🚎", "bike": "🚲🚴", "walk": "🚶", "boat": "⛴🚢", "food": "🍽🍴",
    "coffee": "☕", "cart": "🛒", "bag": "🛍", "chart": "📊", "trend_up": "📈", "trend_down": "📉",
    "list": "📋", "question": "❓❔", "info": "ℹ", "link": "🔗", "document": "📄📃📑🧾📝",
    "star": "⭐★🌟", "heart": "❤♥💙💚💛💜🧡🖤🤍💗", "search": "🔍🔎", "sport": "🏀⚽🏈⚾🎾🏐",
    "health": "🩺🏥⚕", "medicine": "💊", "volume": "🔊", "volume_low": "🔉🔈", "volume_off": "🔇",
    "microphone": "🎤🎙", "wifi": "📶", "tool": "🔧🛠", "gear": "⚙", "gift": "🎁",
    "book": "📖📚📕📗📘📙", "news": "📰🗞", "message": "💬🗨", "plant": "🌱🪴🌿", "pet": "🐾",
    "party": "🎉🎊🥳", "game": "🎮🕹", "work": "💼", "school": "🎓🏫", "globe": "🌍🌎🌏🌐",
    "card": "💳", "ticket": "🎫🎟", "bed": "🛏", "computer": "💻🖥", "folder": "📁📂🗂",
    "attach": "📎", "delete": "🗑", "edit": "✏", "print": "🖨", "eye": "👁", "add": "➕",
    "brightness": "🔆🔅",
}  # fmt: skip
_SEQUENCES = {
    "people": ("👨‍👩‍👧", "👨‍👩‍👦", "👨‍👩‍👧‍👦", "👨‍👩‍👦‍👦", "👨‍👩‍👧‍👧"),
    "heart": ("❤‍🔥", "❤‍🩹"),
}
_ICON_OF = {
    emoji: icon
    for table in (_EMOJI, _SEQUENCES)
    for icon, list_of_emoji in table.items()
    for emoji in list_of_emoji
}
# A man or a woman who walks or rides: the sign of the sex adds nothing to the picture.
_SEX = re.compile("\u200d[♀♂]")
_COLOUR = re.compile("[\ufe0f\U0001f3fb-\U0001f3ff]")
_SIGN = "[\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
_WHOLE = f"{_SIGN}[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]*"
_FIRST = re.compile(f"(?:[\U0001f1e6-\U0001f1ff]{{2}}|{_WHOLE}(?:\u200d{_WHOLE})*)")


def leading_emoji(text: str) -> tuple[str, str]:
    """The one emoji or sign that `text` begins with, and what follows it; ("", text) without one.

    A row of several (★★★☆☆) is no single sign and stays text.
    """
    match = _FIRST.match(text)
    if match is None or _FIRST.match(text, match.end()):
        return "", text
    return match[0], text[match.end() :].lstrip()


def emoji_icon(text: str) -> str | None:
    """The icon of one emoji or sign; None for others and for text."""
    return _ICON_OF.get(_COLOUR.sub("", _SEX.sub("", text[:20])))
