"""The text pages of a card, in the largest style that suits what it holds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from voxwire.card import PAGES_MAX
from voxwire.type import drawing
from voxwire.type.scale import cap_px

from voxcard.cards.compose.chrome import DOTS_MAX, Chrome
from voxcard.cards.compose.entries import StepRow, TableRow
from voxcard.cards.compose.look import Look
from voxcard.cards.compose.options import CardChoices, OptionRows
from voxcard.cards.compose.paging import Leaf, pack
from voxcard.cards.fit.contents import Contents
from voxcard.cards.fit.entries import Entry
from voxcard.cards.fit.plan import page_times
from voxcard.cards.text.sanitize import label as clean_label
from voxcard.cards.type.setting import Style

_PAGES_USUAL = 2  # of a text that is set in the usual size; a longer one is set denser

Segments = Sequence[tuple[list[Entry], int]]  # entries that share a time, and that in ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """A card's text pages in one style: their leaves, and the time of each in ms."""

    style: Style
    chrome: Chrome
    leaves: tuple[Leaf, ...]
    times_ms: tuple[int, ...]
    entries: tuple[Entry, ...]


class TextPages:
    """What a card says, for one screen; each number of codes is laid out once."""

    def __init__(self, look: Look, contents: Contents, choices: CardChoices) -> None:
        self._look, self._contents, self._choices = look, contents, choices
        self._sets: dict[tuple[int, bool], Set] = {}

    def set(self, codes: int, buttons: bool) -> Set:
        """Its pages before `codes` QR pages and, with `buttons`, the choices."""
        key = (codes, buttons)
        if key not in self._sets:
            self._sets[key] = self._best(codes, buttons)
        return self._sets[key]

    def options(self, buttons: bool) -> list[tuple[str, str]]:
        """(id, label) of what can be chosen on pages of type."""
        return self._choices.named if buttons and self._choices.drawn else []

    def below(
        self, leaves: Sequence[Leaf], style: Style, codes: int
    ) -> tuple[drawing.Choice, ...]:
        """All options under the text of the last page, which `codes` pages follow; none where
        they do not fit there."""
        options = self.options(True)
        if not options or not leaves or leaves[-1].picture is not None:
            return ()
        rows = OptionRows(options=options, setting=self._look.setting, style=style)
        frame = self._look.chrome(style).frame(len(leaves) + codes)
        height, y = rows.height(len(options)), leaves[-1].end + style.gap
        if y + height > frame.bottom:
            return ()
        y = y if frame.round else max(y, frame.bottom - height)
        return tuple(rows.place(options, frame, y))

    def _best(self, codes: int, buttons: bool) -> Set:
        """In the largest style in which all is on one page, else in the usual one; a text of
        many pages in the dense one."""
        segments = [
            (list(segment.entries), segment.ms)
            for segment in self._contents.segments(codes, buttons)
        ]
        title = clean_label(self._look.card.title)
        if title and not any(entries for entries, _ in segments):
            self._look.title_alone = True
            segments = [([Entry(text=title)], 0)]
        each = self._look.styles
        tries = [*([each.short] if self._is_short(segments) else ()), *each.larger, each.usual]
        for style in (*tries, *self._tighter(each.usual)) if len(segments) == 1 else ():
            tried = self._in_style(segments, style, 1 + codes, pages_max=1)
            if self._on_one_page(tried, codes, buttons) and not self._torn(tried):
                return self._centred(tried, segments, 1 + codes)
        return self._over_pages(segments, codes + len(self.options(buttons)))

    def _over_pages(self, segments: Segments, others: int) -> Set:
        """More than one page: in the usual style, in a smaller one where that takes many."""
        most = max(_PAGES_USUAL, len(segments))  # scenes have pages of their own
        each = self._look.styles
        if not _is_first(self._in_style(segments, each.usual, 2, pages_max=1)):
            segments = [(_from_now(entries), ms) for entries, ms in segments]
        styles = [each.dense] if self._look.wide_table else [each.usual, *each.smaller]
        for style in styles:
            whole = self._in_style(segments, style, 2, pages_max=most)
            if len(whole.leaves) <= most:
                break
        else:
            whole = self._in_style(segments, styles[-1], 2)
        if len(whole.leaves[-1].rows) == 1:
            tight = replace(whole.style, gap=whole.style.gap // 2)
            tried = self._in_style(segments, tight, 2)
            whole = tried if len(tried.leaves) < len(whole.leaves) else whole
        if len(whole.leaves) + others > DOTS_MAX:
            whole = self._in_style(segments, whole.style, DOTS_MAX + 1)
        return whole

    def _tighter(self, usual: Style) -> list[Style]:
        """The usual style with less air, for a card about one value with smaller figures too."""
        tight = replace(usual, gap=usual.gap // 2)
        if not self._look.is_value:
            return [tight]
        caps = [cap_px(face) for face in self._look.target.screen.faces if face[0] == "d"]
        return [
            replace(tight, faces=usual.faces._replace(hero=f"d{cap}"))
            for cap in sorted(caps, reverse=True)
            if cap <= cap_px(usual.faces.hero)
        ]

    def _is_short(self, segments: Segments) -> bool:
        """Whether a card is a sentence that stands alone."""
        entries = [entry for entries, _ in segments for entry in entries]
        titled = self._look.card.title and not self._look.title_alone
        alone = len(entries) == 1 and not titled
        return alone and entries[0].part is None and entries[0].picture is None

    def _on_one_page(self, tried: Set, codes: int, buttons: bool) -> bool:
        """Whether the text is on one page, with the options under it."""
        if len(tried.leaves) != 1:
            return False
        rows = tried.leaves[0].rows
        if not rows or not self.options(buttons):
            return True
        return bool(self.below(tried.leaves, tried.style, codes))

    def _torn(self, tried: Set) -> bool:
        """Whether large type had to cut a cell or a word."""
        sheet = self._look.sheet(tried.style, 1)
        parts = [entry.part for entry in tried.entries]
        if any(isinstance(part, TableRow) and not part.fits(sheet) for part in parts):
            return True
        face, words = sheet.face("body"), " ".join(entry.text for entry in tried.entries).split()
        room = sheet.frame.column(sheet.frame.top, face.pitch)[1] - face.cap
        width = self._look.setting.width
        return any(width(face, word) > room for word in words if word.isalpha())

    def _centred(self, tried: Set, segments: Segments, pages: int) -> Set:
        """The page of a round panel laid out again around its middle, where rows are longer."""
        frame = tried.chrome.frame(pages)
        spare = frame.bottom - tried.leaves[0].end
        if not frame.round or spare < 4 or self._choices.named:
            return tried
        again = self._in_style(segments, tried.style, pages, lower=spare // 2)
        return again if len(again.leaves) == 1 else tried

    def _in_style(
        self,
        segments: Segments,
        style: Style,
        pages: int,
        *,
        lower: int = 0,
        pages_max: int = PAGES_MAX,
    ) -> Set:
        """The text pages in one style on a card of `pages`, the first row `lower` px further
        down; what follows more than `pages_max` of them is not laid out."""
        sheet = self._look.sheet(style, pages)
        frame = replace(sheet.frame, top=sheet.frame.top + lower)
        sheet = replace(sheet, frame=frame, pages_max=pages_max)
        leaves: list[Leaf] = []
        times: list[int] = []
        done = 0
        for number, (entries, ms) in enumerate(segments):
            if not entries and leaves:
                continue
            frame = replace(sheet.frame, top=sheet.frame.next_top) if number else sheet.frame
            packed = pack(self._look.parts(entries), replace(sheet, frame=frame))
            for leaf in packed:
                leaf.parts += done
            done += len(entries)
            if packed[-1].rows or packed[-1].picture is not None or not leaves:
                leaves += packed
                times += page_times(ms, len(packed))
            if len(leaves) > pages_max:
                break
        return Set(
            style=style,
            chrome=self._look.chrome(style),
            leaves=tuple(leaves),
            times_ms=tuple(times),
            entries=tuple(entry for entries, _ in segments for entry in entries),
        )


def _is_now(entry: Entry) -> bool:
    return isinstance(entry.part, StepRow) and entry.part.state == "now"


def _is_first(whole: Set) -> bool:
    """Whether the step that is under way, if there is one, is on the first page."""
    place = next((at for at, entry in enumerate(whole.entries) if _is_now(entry)), -1)
    return place < whole.leaves[0].parts


def _from_now(entries: list[Entry]) -> list[Entry]:
    """Steps told from the one before that which is under way, the past ones after them."""
    now = next((at for at, entry in enumerate(entries) if _is_now(entry)), 0)
    first = next((at for at, entry in enumerate(entries) if isinstance(entry.part, StepRow)), 0)
    begin = max(first, now - 1)
    past = [
        replace(entry, part=replace(entry.part, last=at == begin - 1))
        for at, entry in enumerate(entries[first:begin], start=first)
    ]
    return [*entries[:first], *entries[begin:], *past] if past else entries
