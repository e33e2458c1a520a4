"""Cards that a model wrote into its text: fenced blocks with the language codai-card (R001-05)."""

import re

LANGUAGE = "codai-card"
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)\Z")


def split(text: str) -> tuple[list[str], str]:
    """Splits a text into the contents of its card fences and the text without them.

    A fence inside another fence is a sample and stays; one that is not closed ends with the text.
    Takes one pass over the lines.
    """
    cards: list[list[str]] = []
    rest: list[str] = []
    mark, into = "", rest
    for line in text.split("\n"):
        match = _FENCE.match(line.rstrip("\r"))
        if not mark and match:
            mark, first = match[1], _first_line(match[2].strip())
            if first is None:
                rest.append(line)
                continue
            cards.append([first.rstrip("`~")])
            mark, into = ("", rest) if first.endswith(mark) else (mark, cards[-1])
        elif mark and match and not match[2].strip() and match[1].startswith(mark):
            if into is rest:
                rest.append(line)
            mark, into = "", rest
        else:
            into.append(line)
    if not cards:
        return [], text
    return ["\n".join(lines).strip() for lines in cards], "\n".join(rest).strip("\n")


def _first_line(info: str) -> str | None:
    """What stands of a card behind the language of its fence; None for another language."""
    name, first = info[: len(LANGUAGE)].lower(), info[len(LANGUAGE) :]
    if name != LANGUAGE or first[:1] not in ("", " ", "\t", "{"):
        return None
    return first.strip()
