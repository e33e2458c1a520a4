"""Mutants that no test can notice, each with the reason why it is the same program."""

import re

from tools.checks.mutants import same_bridge, same_firmware

# A line of any module -> why no change of its own tokens is another program.
EVERYWHERE: tuple[tuple[str, str], ...] = (
    (r"@dataclass\(", "frozen, slots and kw_only hold for who writes the code: mypy sees to them"),
    (r"(@cache|@cached_property|@lru_cache)\b.*", "the same again, only slower"),
)
# module -> (the line, the line of the mutant or "" for any that is alive, why they do the same)
SAME: dict[str, tuple[tuple[str, str, str], ...]] = {
    **same_firmware.SAME,
    **same_bridge.SAME,
    "bridge/voxcard/assistants/offline/intents/meanings.py": (
        (
            "return numbers[0] if len(numbers) == 1 else None",
            "return numbers[ -1] if len(numbers) == 1 else None",
            "of one number the first is the last",
        ),
    ),
    "bridge/voxcard/assistants/offline/speech/endpoint.py": tuple(
        ("_NEVER_MS = 1 << 30", f"_NEVER_MS = {other}", "nobody holds a button for so many days")
        for other in ("1 << 29", "1 << 31", "2 << 30")
    ),
    "bridge/voxcard/assistants/spoken/markup.py": (
        (
            "return is_picture or (0x2190 <= code < 0x3000 and not character.isalnum())",
            "return is_picture or ( 8591 <= code < 0x3000 and not character.isalnum())",
            "U+218F is no character",
        ),
    ),
    "bridge/voxcard/assistants/offline/intents/sentences/sentence_files.py": tuple(
        (
            'or type(source.get("least", 0)) is not int',
            f'or type(source.get("least", {other})) is not int',
            "only its type is looked at",
        )
        for other in (" 1", " -1", "1", "-1")
    ),
    "bridge/voxcard/assistants/offline/intents/sentences/sentence_trie.py": (
        (
            "ends_open = bool(path.spans) and path.spans[-1][1] == len(self.request.words)",
            "ends_open = bool(path.spans) and path.spans[-1][1] >= len(self.request.words)",
            "no value has words after the last",
        ),
    ),
    "bridge/voxcard/cards/fit/carousel.py": (
        (
            "while len(slides) > 1 and not within(_whole(card, slides).card):",
            "while len(slides) != 1 and not within(_whole(card, slides).card):",
            "a carousel has a slide",
        ),
    ),
    "bridge/voxcard/cards/fit/plan.py": (
        (
            "unseen -= len(last.lines) < self.room.rows",
            "unseen -= len(last.lines) != self.room.rows",
            "no page has more lines than rows",
        ),
    ),
    "bridge/voxcard/cards/fit/fit.py": (
        (
            "while most - fewest > 1:",
            "while most - fewest != 1:",
            "they are far apart at first: what is between them is halved down to 1",
        ),
    ),
    "bridge/voxcard/cards/fit/qr_code.py": (
        (
            'return side * 707 // 1000 if screen.shape == "round" else side',
            'return side * 707 // 1000 if screen.shape >= "round" else side',
            "the only other shape is rect, which is before it",
        ),
        *(
            (
                "for scale in range(min(SCALE_MAX, side // (modules + 2)), least - 1, -1)",
                "for scale in range"
                f"(min(SCALE_MAX, side {operator} (modules + 2)), least - 1, -1)",
                "a scale too large is left out below",
            )
            for operator in "+-*"
        ),
    ),
    "bridge/voxcard/cards/text/data/foreign_text.py": (
        (
            'if value is None and inner[:1] == "{" and "\\n" in inner:',
            'if value is None and inner[:1] >= "{" and "\\n" in inner:',
            "it begins with a bracket or a quote, which come before",
        ),
    ),
    "bridge/voxcard/cards/text/age.py": tuple(
        (
            f'return f"{{int(seconds // {unit})}}{letter}"',
            f'return f"{{int(seconds / {unit})}}{letter}"',
            "int cuts off what // does",
        )
        for unit, letter in (("60", "m"), ("3600", "h"), ("86_400", "d"))
    ),
    "bridge/voxcard/cards/live/merge_patch.py": (
        (
            "elif key not in before or old != value or type(old) is not type(value):",
            "elif key not in before or old != value or type(old) != type(value):",
            "types are equal when they are the same",
        ),
    ),
    "bridge/voxcard/cards/text/diagrams.py": (
        (
            "pairs = [entry for entry in zip(nodes, labels, strict=True) if entry[0]]",
            "pairs = [entry for entry in zip(nodes, labels, strict=False) if entry[0]]",
            "each arrow adds one to both, which have one more",
        ),
    ),
    "bridge/voxcard/cards/text/markdown/data_uris.py": (
        (
            'return match[0].replace(match[1], "[file]")',
            'return match[0].replace(match[ 0], "[file]")',
            "the group is all that is matched",
        ),
    ),
    "bridge/voxcard/cards/text/markdown/reader.py": (
        (
            "while end < len(tokens) and (",
            "while end != len(tokens) and (",
            "it goes up one by one",
        ),
    ),
    "bridge/voxcard/cards/text/cells.py": (
        ('line, used = "", 0', 'line, used = "", -1', "an empty line is no line either way"),
    ),
}


def _plain(text: str) -> str:
    return " ".join(text.split())


def reason(module: str, difference: str) -> str:
    """Why the mutant of this difference is the same program; empty for one that is not listed."""
    lines = difference.splitlines()
    removed = _plain(" ".join(line[1:] for line in lines if line.startswith("-")))
    added = _plain(" ".join(line[1:] for line in lines if line.startswith("+")))
    for pattern, why in EVERYWHERE:
        if re.match(pattern, removed):
            return why
    for before, after, why in SAME.get(module, ()):
        if _plain(before) == removed and _plain(after) in ("", added):
            return why
    return ""
