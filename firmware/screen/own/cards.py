"""Cards that a device makes itself, in type: a text on pages, the sizes of text to choose from."""

from languages import say
from voxwire.card import PAGES_MAX, Card, ChoicePage, Option, text_line
from voxwire.type.drawing import Choice, DrawnPage, Text
from voxwire.type.roles import DIM, INK, PAPER
from voxwire.type.scale import SIZES, cap_px, scale

from screen.type.lines import parted

TEXT_SIZES = "self.text_sizes"  # the id of the card of sizes
_NAMES = {"small": "Small", "normal": "Normal", "large": "Large"}
_HEADLINE_LINES, _PAGES_OF_BODY = 3, 3
_PITCH, _ABOVE = 170, 125  # of capitals, in percent: a line of small type, and over its baseline
# Of a round panel, in percent: what choices take of its width, what is above a title.
_COLUMN, _ROUND_TOP = 70, 11
_ROW_MAX = 48  # px that a choice is high at the most


class OwnCards:
    """Lays cards out with the Typesetter of a panel with faces."""

    def __init__(self, setter):
        self._setter = setter

    def text(self, words):
        """The card of a text, None where the faces lack something of it."""
        pages = self.pages(words)
        return pages and _card("", pages)

    def text_sizes(self):
        """The card from which a person takes a size of text; each is written in its own size."""
        title = say("Text size")
        faces = [scale(self._setter.screen, size).body for size in SIZES]
        labels = [say(_NAMES[size]) for size in SIZES]
        if self._can_set(faces, title + "".join(labels)):
            return _card(TEXT_SIZES, (self._choices(title, labels, faces),))
        options = [Option(size, label) for size, label in zip(SIZES, labels)]
        return _card(TEXT_SIZES, (ChoicePage(title, (), 0, tuple(options)),))

    def resized(self, screen, card):
        """`card` (or None) in the size of text of another Screen; None where it is not of these.
        What is set from now on has that size."""
        self._setter.set_screen(screen)
        if card is None or card.id:
            return self.text_sizes() if card is not None and card.id == TEXT_SIZES else None
        lines = card.pages[0].lines
        return self.text(lines[0].text) if hasattr(card.pages[0], "items") and lines else None

    def pages(self, words, title="", before=0):
        """Pages of a text, as large as it fits on one; None where the faces lack something of it.

        `before`: how many other pages of the card come first.
        """
        sizes = self._setter.sizes
        if not self._can_set((sizes.headline, sizes.body, sizes.caption), words + title):
            return None
        head, top = self._title(title)
        page = None if before else self._one_page(words, top)
        pages = [page] if page else self._several(sizes.body, words, top, before)
        if len(pages) > _PAGES_OF_BODY:
            pages = self._several(sizes.caption, words, top, before)
        # The whole text is kept with them: they are laid out anew in another size.
        whole = (text_line(words),)
        return tuple([DrawnPage("", whole, 0, tuple(head + page), (), None) for page in pages])

    def _can_set(self, names, words):
        words = words.replace("\n", " ")
        known = self._setter.screen.faces
        return all(name in known and self._setter.face(name, words) == name for name in names)

    def _title(self, title):
        """(the items of a small title, "" has none; the row below it)."""
        setter, name = self._setter, self._setter.sizes.caption
        if not title:
            return [], setter.top
        top = setter.screen.height * _ROUND_TOP // 100 if setter.is_round else setter.top
        baseline = top + cap_px(name) * _ABOVE // 100
        x, room = setter.row(name, baseline)
        if setter.is_round:
            x += (room - setter.width(name, title)) // 2
        return [self._text(name, x, baseline, title, DIM)], top + cap_px(name) * _PITCH // 100

    def _one_page(self, words, top):
        """The items of a page with all the words on it, None where there is no room for them."""
        setter, sizes = self._setter, self._setter.sizes
        least, most = cap_px(sizes.body), cap_px(sizes.headline)
        names = [n for n in setter.screen.faces if n[0] == "t" and least <= cap_px(n) <= most]
        tried = [(sizes.headline, _HEADLINE_LINES)]
        tried += [(name, 99) for name in sorted(names, key=cap_px, reverse=True)]
        for name, count in tried:
            lines = setter.whole(name, setter.measured(name, words), top, setter.bottom, count)
            if lines is not None:
                return self._put(name, setter.rows(name, lines, top, setter.bottom))
        return None

    def _several(self, name, words, top, before):
        """The items of each page in a face, with its number."""
        setter = self._setter
        bottom = setter.bottom - cap_px(setter.sizes.caption) * _PITCH // 100
        count = 1
        while setter.height(name, count + 1) <= bottom - top:
            count += 1
        widths = setter.widths(name, count, top, bottom)
        measured, pages, at = self._parted(name, words, max(widths)), [], 0
        while at < len(measured) and before + len(pages) < PAGES_MAX:
            lines, at = _filled(measured, at, widths, setter.width(name, " "))
            rows = setter.rows(name, lines, top, bottom)
            if not setter.is_round:
                rows = [(setter.margin, baseline, line) for _, baseline, line in rows]
            pages.append(self._put(name, rows))
        count = before + len(pages)
        if count > 1:
            for number, page in enumerate(pages):
                page.append(self._number(before + number + 1, count))
        return pages

    def _parted(self, name, words, room):
        """[(word, px), ...] without one that is wider than a line."""
        wide, parts = lambda text: self._setter.width(name, text), []
        for word, _ in self._setter.measured(name, words):
            parts += [(part, min(room, wide(part))) for part in parted(wide, word, room)]
        return parts

    def _number(self, number, count):
        setter, name = self._setter, self._setter.sizes.caption
        words = "%d/%d" % (number, count)
        wide = setter.width(name, words)
        baseline = setter.lowest(name, wide)
        x = (setter.screen.width - wide) // 2
        if not setter.is_round:
            x = setter.screen.width - setter.margin - wide
        return self._text(name, x, baseline, words, DIM)

    def _choices(self, title, labels, faces):
        setter = self._setter
        head, top = self._title(title)
        bottom = setter.screen.height - top if setter.is_round else setter.bottom
        gap = max(2, setter.screen.height // 40)
        top += gap
        high = min(_ROW_MAX, (bottom - top + gap) // len(SIZES) - gap)
        y = top + (bottom - top - len(SIZES) * (high + gap) + gap) // 2
        wide = setter.screen.width - 2 * setter.margin
        if setter.is_round:
            wide = setter.screen.width * _COLUMN // 100
        x, options = (setter.screen.width - wide) // 2, []
        for size, label, name in zip(SIZES, labels, faces):
            face = setter.screen.faces.index(name)
            options.append(Choice(size, label, x, y, wide, high, face))
            y += high + gap
        return DrawnPage("", (), 0, tuple(head), tuple(options), None)

    def _put(self, name, rows):
        return [self._text(name, x, baseline, line) for x, baseline, line in rows if line]

    def _text(self, name, x, baseline, words, ink=INK):
        return Text(x, baseline, self._setter.screen.faces.index(name), ink, words, PAPER)


def _filled(measured, at, widths, space):
    """(lines of these px, which word comes next); a line too short for its word stays empty."""
    lines = []
    for room in widths:
        line, used = [], 0
        while at < len(measured):
            word, wide = measured[at]
            wide += space if line else 0
            if word != "\n" and used + wide > room:
                break
            at += 1
            if word == "\n":
                break
            used += wide
            line.append(word)
        lines.append(" ".join(line))
    return lines, at


def _card(card_id, pages):
    return Card(card_id, 0, pages, "", 0, 0, False, False, ())
