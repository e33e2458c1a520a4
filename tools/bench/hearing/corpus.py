"""What is said in the gates: commands, commands in two halves, numbers, other people's talk."""

from tools.bench.offline_corpus import COMMANDS, HELD_OUT, VOLUME, Command

_SENTENCES = (
    "set the volume to sixty",
    "set the volume to fifteen",
    "what is the volume",
    "take a photo",
    "where is my order ten forty two",
)
_COMMANDS = {command[0]: command for command in COMMANDS}
SENTENCES: tuple[Command, ...] = (
    *(_COMMANDS[text] for text in _SENTENCES),
    ("mute", VOLUME, {"volume": 0}, ""),
)
# The first half is no sentence, so nobody may be taken to have finished there.
_HALVES = (
    ("set the volume", "to sixty"),
    ("set the volume to", "fifteen"),
    ("set the", "brightness to forty"),
    ("set the brightness to", "seventy five"),
    ("turn the volume", "up"),
    ("turn the volume down to", "ten"),
    ("what is", "the volume"),
    ("what is the", "battery level"),
    ("switch to", "dark mode"),
    ("show me", "the last result"),
    ("take a", "photo"),
    ("where is my order", "ten forty two"),
    ("cancel my order", "ten forty two"),
)
HALVES = (
    *((*halves, _COMMANDS[" ".join(halves)]) for halves in _HALVES),
    ("please", "make it louder", _COMMANDS["make it louder"]),
)
_NUMBERS = {
    "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
    "nineteen": 19, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
NUMBERS: tuple[Command, ...] = tuple(
    (f"set the volume to {word}", VOLUME, {"volume": number}, "")
    for word, number in _NUMBERS.items()
)
OTHER_TALK = tuple(sorted(HELD_OUT)[:16])
