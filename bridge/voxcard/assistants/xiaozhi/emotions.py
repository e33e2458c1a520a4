"""Emotions of the xiaozhi protocol; pure.

Names: 78/xiaozhi-esp32, docs/websocket.md and its emoji set; the emoji that stand for them:
xinnan-tech/xiaozhi-esp32-server, core/utils/textUtils.py.
"""

NEUTRAL = "neutral"
_OF_EMOJI = {
    "😂": "funny",
    "😭": "crying",
    "😠": "angry",
    "😔": "sad",
    "😍": "loving",
    "😲": "surprised",
    "😱": "shocked",
    "🤔": "thinking",
    "😌": "relaxed",
    "😴": "sleepy",
    "😜": "silly",
    "🙄": "confused",
    "😶": NEUTRAL,
    "🙂": "happy",
    "😆": "laughing",
    "😳": "embarrassed",
    "😉": "winking",
    "😎": "cool",
    "🤤": "delicious",
    "😘": "kissy",
    "😏": "confident",
}
NAMES = frozenset(_OF_EMOJI.values())


def emotion(name: str, text: str) -> str:
    """One of NAMES: `name` if it is one, else what an emoji in `text` stands for, else neutral."""
    if name in NAMES:
        return name
    return next((_OF_EMOJI[each] for each in text if each in _OF_EMOJI), NEUTRAL)
