"""Sets words on a panel: breaks them into lines, chooses their face and their place."""

from voxwire.type import scale as typography
from voxwire.type.roles import INK, PAPER
from voxwire.type.scale import cap_px

from screen.layout import Item
from screen.type.lines import broken, even, filled, parted
from screen.type.ruler import Ruler

# Of the height of capitals: from line to line, and what hangs below the last.
_PITCH, _DESCENT = 170, 34
_LEAST_ADVANCE = 50  # of letters and spaces, in running text: 62 to 80


class Typesetter(Ruler):
    """`sizes` are the names of the panel's faces, `texts` those for text of any length, of which
    the largest that holds it is taken."""

    def __init__(self, screen, faces):
        Ruler.__init__(self, screen, faces)
        self.is_round = screen.shape == "round"
        # What stays free at the edge; on a round panel the rim covers some of it.
        self.margin = max(2, screen.width // (40 if self.is_round else 24))
        inset = screen.height // 14 if self.is_round else self.margin
        self.top, self.bottom = inset, screen.height - inset
        self.set_screen(screen)

    def set_screen(self, screen):
        """Take the capability of the same panel with another size of text."""
        self.screen = screen
        sizes = typography.scale(screen, screen.text_size)
        self.sizes = typography.Scale(*[self._nearest(name) for name in sizes])
        large = self.largest("t", cap_px(self.sizes.body) * 3 // 2)
        self.texts = (large, self.sizes.body, self.sizes.caption, self.largest("t", 0))

    def _nearest(self, name):
        """The face of that name, or of the nearest height of its kind that the panel carries."""
        names = self.screen.faces
        if name in names:
            return name
        alike = [each for each in names if each[0] == name[0]] or list(names)
        return min(alike, key=lambda each: abs(cap_px(each) - cap_px(name)))

    def largest(self, kind, most):
        """The largest face of a kind that is at most so high, or the smallest."""
        names = [name for name in self.screen.faces if name[0] == kind]
        if not names:
            return self.sizes.caption
        fitting = [name for name in names if cap_px(name) <= most]
        return max(fitting, key=cap_px) if fitting else min(names, key=cap_px)

    def room(self, top, bottom):
        """(x, px) of what is lit in all of the rows from `top` to `bottom`, less the margin."""
        width = self.screen.width
        if not self.is_round:
            return self.margin, width - 2 * self.margin
        away = max(abs(2 * top - width), abs(2 * bottom - width)) / 2
        radius = width / 2 - self.margin
        half = int((radius * radius - away * away) ** 0.5) if away < radius else 0
        return width // 2 - half, 2 * half

    def height(self, name, lines=1):
        """Px of so many lines, from the top of capitals to what hangs below."""
        return cap_px(name) * (100 + _DESCENT + (lines - 1) * _PITCH) // 100

    def middle(self, name, baseline, words, ink=INK, paper=PAPER):
        """One line in the middle of the panel, cut to the room there."""
        name = self.face(name, words)
        words = self.clip(name, words, self.row(name, baseline)[1])
        x = (self.screen.width - self.width(name, words)) // 2
        return self.line(name, x, baseline, words, ink, paper)

    def lowest(self, name, wide):
        """The lowest baseline of a line so wide; on a round panel half way up at the most."""
        baseline, highest = self.bottom - cap_px(name) // 3, self.screen.height // 2
        while self.is_round and baseline > highest and self.row(name, baseline)[1] < wide:
            baseline -= 2
        return baseline

    def row(self, name, baseline):
        """The room of a line."""
        cap = cap_px(name)
        return self.room(baseline - cap * 5 // 4, baseline + cap // 3)

    def widths(self, name, count, top, bottom):
        """The room of each of so many lines in the middle of the rows."""
        return [self.row(name, baseline)[1] for baseline in self._rows(name, count, top, bottom)]

    def _rows(self, name, count, top, bottom):
        cap, pitch = cap_px(name), cap_px(name) * _PITCH // 100
        first = top + (bottom - top - self.height(name, count)) // 2 + cap
        return range(first, first + count * pitch, pitch)

    def fit(self, names, words, top, bottom, most=99):
        """(face, lines) of the first of some faces in which all the words fit into the rows, cut
        in the last one otherwise."""
        arguments = names, words, top, bottom, most
        return self.kept(arguments, self._fit, *arguments)

    def _fit(self, names, words, top, bottom, most):
        for name in names:
            name = self.face(name, words)
            room = self.screen.width * min(most, self._count(name, top, bottom))
            if len(words) * cap_px(name) * _LEAST_ADVANCE > 100 * room:
                continue  # not even measured: that takes its time on a device
            lines = self.whole(name, self.measured(name, words), top, bottom, most)
            if lines is not None:
                return name, lines
        count = max(1, min(most, self._count(name, top, bottom)))
        return name, self.cut(name, words, self.widths(name, count, top, bottom))

    def _count(self, name, top, bottom):
        """How many lines the rows hold."""
        count = 1
        while self.height(name, count + 1) <= bottom - top:
            count += 1
        return count

    def whole(self, name, measured, top, bottom, most=99):
        """Lines of about the same length that hold all the words, None where there is no room."""
        space = self.width(name, " ")
        if self.height(name) > bottom - top:
            return None
        used = sum([wide for _, wide in measured])
        least = max(1, used // (self.screen.width - 2 * self.margin))
        for count in range(least, min(most, self._count(name, top, bottom)) + 1):
            widths = self.widths(name, count, top, bottom)
            lines = broken(measured, space, widths)
            if lines is not None:
                return even(measured, space, widths, lines)
        return None

    def cut(self, name, words, widths):
        """Lines of these widths; words longer than a line are parted, what is too much is cut."""
        name = self.face(name, words)
        wide, pieces = lambda text: self._px(name, text), []
        for word, _ in self.measured(name, words):
            pieces += parted(wide, word, max(1, min(widths)))
        return filled(wide, lambda text, room: self.clip(name, text, room), pieces, widths)

    def put(self, name, lines, top, bottom, ink=INK, paper=PAPER):
        """Lines in the middle of the rows."""
        rows = self.rows(name, lines, top, bottom)
        return [self.line(name, x, y, line, ink, paper) for x, y, line in rows if line]

    def rows(self, name, lines, top, bottom):
        """[(x, baseline, line), ...] of lines in the middle of the rows."""
        width = self.screen.width
        return [
            ((width - self.width(name, line)) // 2, baseline, line)
            for baseline, line in zip(self._rows(name, len(lines), top, bottom), lines)
        ]

    def fitted(self, names, words, top, bottom, ink=INK, paper=PAPER, most=99):
        """Words in the middle of the rows, as large as some faces allow."""
        name, lines = self.fit(names, words, top, bottom, most)
        return self.put(name, lines, top, bottom, ink, paper)

    def column(self, blocks, top, bottom):
        """Blocks, (px, function of their top that gives items), with even space between them."""
        gap = (bottom - top - sum([height for height, _ in blocks])) // (len(blocks) + 1)
        items, y = [], top + gap
        for height, draw in blocks:
            items += draw(y)
            y += height + gap
        return items

    def disc(self, icon, y, side, ink, paper):
        """(an icon on a round of its own colour in the middle, its px: at most `side`)."""
        face = self.largest("i", side * 3 // 4)
        cap = cap_px(face)
        side = cap * 4 // 3
        x, left = (self.screen.width - side) // 2, (side - cap) // 2
        items = [
            Item("box", x, y, side, side, side // 2, paper, PAPER),
            self.line(face, x + left, y + left + cap, icon, ink, paper),
        ]
        return items, side
