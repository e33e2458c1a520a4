"""The voice's states in type: what is heard, what is done, what is said."""

from languages import say
from voxwire.type.roles import BAR_INK, DIM, GOOD_INK, INK, PAPER, WARN_INK
from voxwire.type.scale import cap_px

from screen.layout import Item
from screen.scenes import LEVELS, STATES
from screen.type import icons

_ICONS = {
    "listening": icons.MICROPHONE,
    "thinking": icons.GEAR,
    "speaking": icons.VOLUME,
}
# Of a voice as loud as it gets: percent of the room that each bar of the meter takes.
_SHAPE = (16, 31, 55, 80, 100, 84, 58, 36, 24)
# A voice in a room is at five or six of the ten steps: percent for each of them.
_SHARE = (0, 6, 14, 24, 36, 50, 64, 78, 90, 96, 100)


def talk_picture(setter, talk):
    """The screen while it listens, thinks or speaks; `talk` is a scenes.Talk."""
    _, headline, paper, hint = STATES[talk.state]
    icon, title = _ICONS[talk.state], say(headline)
    is_tool = talk.state == "thinking" and talk.progress
    if is_tool:
        icon = icons.TOOL
        if _room_of_pill(setter) >= setter.width(setter.sizes.caption, talk.progress):
            title = talk.progress
    items, top = pill(setter, icon, title, paper)
    if talk.state == "speaking":
        return items + _spoken(setter, talk, top, setter.bottom)
    name = setter.face(setter.sizes.body, talk.transcript)
    lines = 2 if setter.bottom - top >= 5 * setter.height(name) else 1
    below = setter.bottom - setter.height(name, lines) - setter.margin // 2
    if talk.state == "listening":
        items += _meter(setter, talk.level, top + setter.margin, below - setter.margin)
    elif not is_tool:
        items += _dots(setter, top, below)
    else:
        words = "" if title == talk.progress else talk.progress
        items += _tool(setter, words, top + setter.margin // 2, below - setter.margin // 2)
    if talk.transcript:
        key = "heard", talk.transcript, talk.settled, below
        return items + setter.kept(key, _heard, setter, talk, below, setter.bottom)
    return items + setter.fitted(setter.texts[1:], say(hint), below, setter.bottom, DIM)


def pill(setter, icon, words, paper):
    """(a band of a colour with an icon and words at the top, the row below it)."""
    sizes, (x, top, room, high) = setter.sizes, _place(setter)
    face = setter.largest("i", high * 3 // 4)
    side, gap = cap_px(face), high // 4
    most = _room_of_pill(setter)
    for name in (sizes.title, sizes.caption, setter.cells):
        name = setter.face(name, words)
        if setter.width(name, words) <= most:
            break
    words = setter.clip(name, words, most)
    inside = side + gap + setter.width(name, words)
    wide = min(room, inside + high)
    x += (room - wide) // 2
    items = [Item("box", x, top, wide, high, min(high, wide - inside) // 2 + 2, paper, PAPER)]
    x += (wide - inside) // 2
    items.append(setter.line(face, x, top + (high + side) // 2, icon, BAR_INK, paper))
    baseline = top + (high + cap_px(name)) // 2
    items.append(setter.line(name, x + side + gap, baseline, words, BAR_INK, paper))
    return items, top + high


def _place(setter):
    """Where the pill may be: x, y, width, height; on a small panel from edge to edge."""
    high = cap_px(setter.sizes.title) * 2
    if setter.is_round:
        top = setter.top + setter.margin
        x, room = setter.room(top + high // 3, top + high)
        return x, top, room, high
    return setter.margin // 2, setter.top, setter.screen.width - setter.margin // 2 * 2, high


def _room_of_pill(setter):
    """Px for its words."""
    _, _, room, high = _place(setter)
    return room - cap_px(setter.largest("i", high * 3 // 4)) - high // 4 * 3


def bars(level):
    """Percent of the room for each bar of the meter."""
    share = _SHARE[max(0, min(level, LEVELS))]
    return [share * each // 100 for each in _SHAPE]


def _meter(setter, level, top, bottom):
    """Round bars about a middle line, as high as the voice is loud."""
    high = bottom - top
    room = setter.room(top, bottom)[1] if setter.is_round else setter.room(top, bottom)[1] * 4 // 5
    wide = max(3, min(room * 3 // (5 * len(_SHAPE)), high // 5))
    pitch = wide * 5 // 3
    x = (setter.screen.width - pitch * (len(_SHAPE) - 1) - wide) // 2
    items = []
    for share in bars(level):
        tall = wide + (high - wide) * share // 100
        y = top + (high - tall) // 2
        items.append(Item("box", x, y, wide, tall, wide // 2, GOOD_INK, PAPER))
        x += pitch
    return items


def _dots(setter, top, bottom):
    """Three dots: something is thought about."""
    side = min((bottom - top) // 4, setter.screen.width // 10)
    x = (setter.screen.width - 5 * side) // 2
    y = (top + bottom - side) // 2
    return [
        Item("box", x + 2 * side * index, y, side, side, side // 2, WARN_INK, PAPER)
        for index in range(3)
    ]


def _tool(setter, words, top, bottom):
    """A tool runs: its icon, and what it does where that stands nowhere else."""
    high = bottom - top
    face = setter.largest("i", high // 2 if words else high * 4 // 5)
    side, names = cap_px(face), setter.texts[1:] + (setter.cells,)
    blocks = []
    if side <= high:

        def draw_icon(y):
            x = (setter.screen.width - side) // 2
            return [setter.line(face, x, y + side, icons.TOOL, WARN_INK)]

        blocks.append((side, draw_icon))
    if words:
        name, lines = setter.fit(names, words, top + side, bottom)
        if lines[-1].endswith("…"):
            return setter.fitted(names, words, top, bottom, WARN_INK)
        tall = setter.height(name, len(lines))
        blocks.append((tall, lambda y: setter.put(name, lines, y, y + tall, WARN_INK)))
    return setter.column(blocks, top, bottom)


def _heard(setter, talk, top, bottom):
    """The words as they are understood, the last of them where all are too many; those that may
    still change are dim."""
    name = setter.face(setter.sizes.body, talk.transcript)
    words = talk.transcript.split()
    # What is far too much is not even measured.
    before = max(0, len(words) - 2 * setter.screen.width // cap_px(name))
    measured = setter.measured(name, " ".join(words[before:]))
    first = _first(measured, setter, name, top, bottom)
    lines = setter.whole(name, _from(measured, first, before), top, bottom)
    while lines is None and first + 1 < len(measured):
        first += 1
        lines = setter.whole(name, _from(measured, first, before), top, bottom)
    if lines is None:
        return setter.fitted((name,), words[-1], top, bottom)
    items, left = [], talk.settled - before - first
    for x, baseline, line in setter.rows(name, lines, top, bottom):
        words = line.split(" ")
        bright, dim = " ".join(words[: max(0, left)]), " ".join(words[max(0, left) :])
        left -= len(words)
        if bright:
            items.append(setter.line(name, x, baseline, bright, INK))
        if dim:
            x += setter.width(name, bright + " ") if bright else 0
            items.append(setter.line(name, x, baseline, dim, DIM))
    return items


def _first(measured, setter, name, top, bottom):
    """The first word that may fit if the last one is shown."""
    room, index = 0, len(measured)
    while setter.height(name, room + 1) <= bottom - top:
        room += 1
    room *= setter.screen.width
    while index and room > 0:
        index -= 1
        room -= measured[index][1]
    return index


def _from(measured, first, before):
    """Those words, the first of them with a sign of what went before."""
    if not first + before:
        return measured
    word, wide = measured[first]
    return [("…" + word, wide + wide // max(1, len(word)))] + measured[first + 1 :]


def _spoken(setter, talk, top, bottom):
    """The sentence that is spoken as large as it fits, the one before it dim above it."""
    sizes = setter.sizes
    names = (sizes.headline, sizes.title) + setter.texts[1:] + (setter.cells,)
    caption, items = sizes.caption, []
    if talk.before:
        name, lines = setter.fit(names[:3], talk.sentence, top, bottom)
        free = bottom - top - setter.height(name, len(lines)) - 2 * setter.margin
        count = 2 if free >= setter.height(caption, 2) else 1
        if free >= setter.height(caption, count):
            end = top + setter.margin + setter.height(caption, count)
            items = setter.fitted(
                (caption,), talk.before, top + setter.margin, end, DIM, most=count
            )
            top = end
    return items + setter.fitted(names, talk.sentence, top + setter.margin // 2, bottom)
