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
            mark, info = match[1], match[2].strip()
            name, first = info[: len(LANGUAGE)].lower(), info[len(LANGUAGE) :]
            language = name == LANGUAGE and first[:1] in ("", " ", "\t", "{")
            into = [] if language else rest
            if language:
                cards.append(into)
                first = first.strip()
                mark, into = ("", rest) if first.endswith(mark) else (mark, into)
                cards[-1].append(first.rstrip("`~"))
            else:
                rest.append(line)
        elif mark and match and not match[2].strip() and match[1].startswith(mark):
            mark = ""
            if into is rest:
                rest.append(line)
            into = rest
        else:
            into.append(line)
    if not cards:
        return [], text
    return ["\n".join(lines).strip() for lines in cards], "\n".join(rest).strip("\n")
