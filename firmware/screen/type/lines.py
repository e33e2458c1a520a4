"""Breaks measured words into lines."""

_LEAST_LEFT = 3  # letters of a word that is parted, on the next line
_NARROWEST = 8  # sixteenths of the room that even lines may take at the least


def broken(measured, space, widths):
    """Lines of these widths that hold all the words, or None."""
    lines, line, used = [], [], 0
    for word, wide in measured:
        if word == "\n" or (line and used + space + wide > widths[len(lines)]):
            lines.append(" ".join(line))
            line, used = [], 0
            if len(lines) == len(widths):
                return None
        if word != "\n":
            if wide > widths[len(lines)]:
                return None
            used += wide + (space if line else 0)
            line.append(word)
    lines.append(" ".join(line))
    return lines


def even(measured, space, widths, lines):
    """The same lines, as short as their number allows."""
    low, high = _NARROWEST, 16  # sixteenths of the room: `high` are enough
    while low < high:
        share = (low + high) // 2
        shorter = broken(measured, space, [wide * share // 16 for wide in widths])
        if shorter is None or len(shorter) > len(lines):
            low = share + 1
        else:
            lines, high = shorter, share
    return lines


def parted(wide, word, room):
    """The parts of a word, each no wider than that, with hyphens; `wide(text)` measures."""
    parts = []
    while wide(word) > room and len(word) > 1:
        size = len(word) - 1
        while size > 1 and wide(word[:size] + "-") > room:
            size -= 1
        size = max(1, min(size, len(word) - _LEAST_LEFT))
        parts.append(word[:size] + "-")
        word = word[size:]
    return parts + [word]


def filled(wide, clip, pieces, widths):
    """Lines of these widths; the last of them is clipped where there is more."""
    lines = [""]
    for piece in pieces:
        longer = lines[-1] + " " + piece if lines[-1] else piece
        if piece != "\n" and wide(longer) <= widths[len(lines) - 1]:
            lines[-1] = longer
        elif len(lines) == len(widths):
            lines[-1] = clip(longer.strip("\n") + "…", widths[-1])
            break
        else:
            lines.append("" if piece == "\n" else piece)
    return lines
