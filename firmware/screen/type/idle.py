"""The idle face in type: the time, the date, what rings next, the last card."""

from collections import namedtuple

from languages import say
from voxwire.type.roles import ACCENT, BAD_INK, BAR, DIM, INK, PAPER, RAISED, WARN_INK
from voxwire.type.scale import cap_px

from screen.layout import Item
from screen.type import clock, icons
from screen.type.notice import notice_picture

# What it shows. `now` is (local day, minute) or None; `timers` ((what is left or when, what it
# is), ...); `card` a Strip or None; `words` what the device asks for.
Idle = namedtuple("Idle", ("now", "locale", "name", "timers", "card", "words"))
# Of the last card: an icon of its own or "", its title, more words or "", how old it is.
Strip = namedtuple("Strip", ("icon", "title", "more", "minutes"))

MISSED = "missed"
_HIGH = 200  # rows from which on the box of the last card has two lines


def idle_picture(setter, idle):
    """The whole screen."""
    sizes, timers = setter.sizes, idle.timers
    if idle.now is None and not timers:
        return notice_picture(setter, icons.MICROPHONE, idle.name or "Voxcard", idle.words, BAR)
    foot, bottom = _foot(setter, idle)
    if not foot and idle.words:
        return notice_picture(setter, icons.MICROPHONE, idle.name or "Voxcard", idle.words, BAR)
    blocks = [_line(setter, sizes.caption, idle.name, DIM)] if idle.name else []
    if idle.now is not None:
        blocks += _time(setter, idle)
    else:
        blocks += _next(setter, timers[0], sizes.hero)
        timers = timers[1:]
    for row in timers[:1]:
        blocks += _next(setter, row, sizes.body)
    if idle.name and not _has_room(setter, blocks, bottom):
        blocks.pop(0)
    if idle.card and timers and not _has_room(setter, [blocks[0], blocks[-1]], bottom):
        foot, bottom = [], setter.bottom  # what rings is more than what has been
    while len(blocks) > 1 and not _has_room(setter, blocks, bottom):
        blocks.pop(1)  # the date, or what it is that is timed
    return setter.column(blocks, setter.top, bottom) + foot


def _has_room(setter, blocks, bottom):
    """Whether blocks stand apart from each other."""
    gap = max(4, setter.margin * 3 // 4)
    used = sum([height for height, _ in blocks]) + gap * (len(blocks) + 1)
    return used <= bottom - setter.top


def age(minutes):
    """How old something is: "2m", "3h", "1d"; "" for what is new."""
    if minutes < 1:
        return ""
    if minutes < 60:
        return "%dm" % minutes
    return "%dh" % (minutes // 60) if minutes < 1440 else "%dd" % (minutes // 1440)


def _line(setter, name, words, ink=INK):
    """A block of one line."""

    def draw(y):
        return [setter.middle(name, y + cap_px(name), words, ink)]

    return cap_px(name), draw


def _time(setter, idle):
    """Blocks of the time and the date."""
    sizes, screen = setter.sizes, setter.screen
    day, minute = idle.now
    time, half = clock.time_of_day(minute, idle.locale)
    figures = _figures(setter, time)
    # On a narrow panel the minutes stand under the hours.
    is_tall = figures[0] != "d" and screen.height > screen.width
    if is_tall:
        figures = _figures(setter, "00")
    beside = setter.width(figures, time) + setter.margin + setter.width(sizes.caption, half)
    dates = [clock.date(day, idle.locale, short) for short in (False, True)]
    if half and not is_tall and beside > _wide(setter):
        dates, half = [half + " · " + date for date in dates], ""
    most = screen.width * 11 // 16 if setter.is_round else screen.width - 2 * setter.margin
    names = setter.texts + (setter.cells,)
    for name, date in [(name, date) for date in dates for name in names[:2]] + [
        (name, dates[1]) for name in names[2:]
    ]:
        if setter.width(name, date) <= most:
            break

    if is_tall:
        return [_tall(setter, figures, time, half), _line(setter, name, date, DIM)]

    def draw(y):
        return _clock(setter, figures, y + cap_px(figures), time, half)

    return [(cap_px(figures), draw), _line(setter, name, date, DIM)]


def _tall(setter, figures, time, half):
    """A block of the hours over the minutes over the half of the day."""
    rows = [_line(setter, figures, part) for part in time.split(":")]
    rows += [_line(setter, setter.sizes.caption, half, DIM)] if half else []
    gap = cap_px(figures) // 2
    high = sum([height for height, _ in rows]) + gap * (len(rows) - 1)
    return high, lambda y: setter.column(rows, y - gap, y + high + gap)


def _wide(setter):
    """Px that the time may take; on a round panel it is near the middle."""
    return setter.screen.width * (7 if setter.is_round else 9) // 8 - 2 * setter.margin


def _figures(setter, time):
    """The largest face that the time fits in."""
    names = [name for name in setter.screen.faces if name[0] in "db"]
    names.sort(key=lambda name: -cap_px(name))
    most = min(_wide(setter), setter.screen.width - 2 * setter.margin)
    for name in names:
        if cap_px(name) <= setter.screen.height * 3 // 8 and setter.width(name, time) <= most:
            return name
    return setter.sizes.caption


def _clock(setter, name, baseline, time, half):
    wide, caption = setter.width(name, time), setter.sizes.caption
    more = setter.margin + setter.width(caption, half) if half else 0
    x = (setter.screen.width - wide - more) // 2
    items = [setter.line(name, x, baseline, time, INK)]
    if half:
        items.append(setter.line(caption, x + wide + setter.margin, baseline, half, DIM))
    return items


def _next(setter, row, figures):
    """Blocks of a timer: what is left with what it is beside it, or under it where it is large."""
    sizes = setter.sizes
    when, label = say(row[0]), say(row[1])
    ink = BAD_INK if row[0] == MISSED else WARN_INK if row[0].startswith("|") else ACCENT
    if figures == sizes.hero and setter.width(figures, when) < setter.screen.width * 7 // 8:
        return [_line(setter, figures, when, ink), _line(setter, sizes.body, label)]
    return [_beside(setter, icons.TIMER, sizes.title, when, ink, sizes.body, label)]


def _beside(setter, icon, bold, value, ink, name, words):
    """A block of an icon, a value and words in one line."""
    face = setter.largest("i", cap_px(bold) * 3 // 2)
    side, gap = cap_px(face), cap_px(bold) // 2
    high = max(side, cap_px(bold))

    def draw(y):
        baseline = y + (high + cap_px(bold)) // 2
        room = setter.row(bold, baseline)[1]
        first = side + (gap + setter.width(bold, value) if value else 0)
        rest = setter.clip(name, words, room - first - gap) if words else ""
        wide = first + (gap + setter.width(name, rest) if rest else 0)
        x = (setter.screen.width - wide) // 2
        items = [setter.line(face, x, y + (high + side) // 2, icon, ink)]
        if value:
            items.append(setter.line(bold, x + side + gap, baseline, value, ink))
        if rest:
            items.append(setter.line(name, x + first + gap, baseline, rest, INK))
        return items

    return high, draw


def _foot(setter, idle):
    """(the last card at the foot, or what the device asks for; the row above it)."""
    if idle.words:
        return _asks(setter, idle)
    if idle.card is None:
        return [], setter.bottom
    return (_chord if setter.is_round else _box)(setter, idle.card)


def _asks(setter, idle):
    """Words about the device itself, in as many lines as they need; nothing where these would
    take more than half of the panel."""
    name = setter.sizes.caption
    high, draw = _beside(setter, icons.WARNING, name, "", WARN_INK, name, idle.words)
    wide = setter.width(name, idle.words) + 3 * cap_px(name)
    top = setter.lowest(name, wide) - high
    if wide <= setter.row(name, top + high)[1]:
        return draw(top), top
    measured = setter.measured(setter.face(name, idle.words), idle.words)
    for count in range(1, 7):
        top = setter.bottom - setter.height(name, count)
        if setter.is_round:
            top -= 2 * setter.margin
        if 2 * top < setter.screen.height:
            break
        lines = setter.whole(name, measured, top, setter.bottom, count)
        if lines is not None:
            return setter.put(name, lines, top, setter.bottom, WARN_INK), top
    return [], setter.bottom


def _chord(setter, card):
    """Title and age in the middle of a line."""
    name, old = setter.sizes.body, age(card.minutes)
    room = setter.screen.width * 11 // 16
    words = _age_kept(setter, name, card.title, old, room)
    wide = setter.width(name, words) + 5 * cap_px(name) // 2
    high = cap_px(setter.largest("i", cap_px(name) * 3 // 2))
    y = setter.lowest(name, wide) - (high + cap_px(name)) // 2
    icon = card.icon or icons.DOCUMENT
    return _beside(setter, icon, name, "", ACCENT, name, words)[1](y), y


def _box(setter, card):
    """A raised box with an icon, the title, and how old it is."""
    sizes, screen, old = setter.sizes, setter.screen, age(card.minutes)
    cap, low = cap_px(sizes.title), cap_px(sizes.caption)
    pad = cap // 2
    is_high = screen.height >= _HIGH and (card.more or old)
    high = cap + low + 7 * pad // 2 if is_high else cap * 5 // 2
    x, wide = setter.margin, screen.width - 2 * setter.margin
    y, right = setter.bottom - high, x + wide - pad
    items = [Item("box", x, y, wide, high, cap // 2, RAISED, PAPER)]
    face = setter.largest("i", cap * 3 // 2)
    side, left = cap_px(face), x + pad
    beside = 0 if is_high or not old else setter.width(sizes.caption, old) + pad
    if left + side + pad + setter.width(sizes.title, card.title) + beside <= right or is_high:
        icon = card.icon or icons.DOCUMENT
        items.append(setter.line(face, left, y + (high + side) // 2, icon, ACCENT, RAISED))
        left += side + pad
    baseline = y + pad + cap if is_high else y + (high + cap) // 2
    if is_high:
        more = _age_kept(setter, sizes.caption, card.more, old, right - left)
        items.append(setter.line(sizes.caption, left, y + high - pad, more, DIM, RAISED))
    elif old:
        right -= beside
        items.append(setter.line(sizes.caption, right + pad, baseline, old, DIM, RAISED))
    room = right - left
    name = sizes.title if setter.width(sizes.title, card.title) <= room else sizes.caption
    name = setter.face(name if not is_high else sizes.title, card.title)
    title = setter.clip(name, card.title, room)
    return items + [setter.line(name, left, baseline, title, INK, RAISED)], y


def _age_kept(setter, name, words, old, room):
    """Words and an age in one line, of which the age is whole."""
    if not (words and old):
        return setter.clip(name, words or old, room)
    return setter.clip(name, words, room - setter.width(name, " · " + old)) + " · " + old
