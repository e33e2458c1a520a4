"""What is measured on pages that were laid out in type: sizes, places, what is cut.

A measure gives a Fault for everything below its limit. Lengths are px unless they say mm.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

from screen.type.page import drawn_picture
from voxcard.cards.type.metrics import Metrics, metrics
from voxwire.capability import Screen
from voxwire.type import roles, scale
from voxwire.type.drawing import DrawnPage

BODY_MM, CAPTION_MM = 1.86, 1.40  # 16' and 12' of arc at 40 cm
# Of a line of 12 letters: 0.55 em each, capitals are 0.73 em high.
CHARACTERS, LETTER, CAPITAL = 12, 0.55, 0.73
USED_MIN, SHORT = 0.35, 40  # of the height, by a first page of so few characters
MODULE_MM = 0.46
DOT = 12  # px of the largest dot
LINE = 4  # a picture of more than that part of the panel's height is no line of text
_AMOUNT = r"[+−-]?[\d.,]+\s?\S{0,4}"
_DEEP = frozenset("gjpqy,;()[]{}Qç")


class Fault(NamedTuple):
    """Something that is not as it must be; `where` is found on `page` (from 1) of a card."""

    measure: str
    card: str
    panel: str
    page: int
    detail: str


class Run(NamedTuple):
    """A text in one line: its face, colours, and the box of its letters."""

    text: str
    face: str
    ink: int
    paper: int
    x: int
    baseline: int

    @property
    def metrics(self) -> Metrics:
        return metrics(self.face)

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom of the letters, without what stands above capitals."""
        cap = scale.cap_px(self.face)
        below = cap * 3 // 10 if _DEEP & set(self.text) else 0
        right = self.x + self.metrics.width(self.text.rstrip())
        return self.x, self.baseline - cap, right, self.baseline + below


def items(page: DrawnPage, screen: Screen) -> list[Any]:
    """What the firmware paints of a page, its first choice marked."""
    return list(drawn_picture(screen, page))  # type: ignore[no-untyped-call]  # firmware


def runs(page: DrawnPage, screen: Screen) -> list[Run]:
    """The texts of a page and of its choices; icons are none."""
    return [
        run
        for item in items(page, screen)
        if item.kind == "type" and not (run := _run(item, screen)).face.startswith("i")
    ]


def _run(item: Any, screen: Screen) -> Run:
    index, words = item.what
    face = screen.faces[index]
    baseline = item.y + scale.cap_px(face) * 3 // 2
    return Run(words, face, item.ink, item.paper, item.x, baseline)


def pitch_mm(screen: Screen) -> float:
    return scale.pitch_um(screen) / 1000


def least_mm(screen: Screen, wanted_mm: float) -> float:
    """What capitals must be high: as wanted, or the highest there is with 12 letters in a line."""
    room = screen.width * 9 // 10 if screen.shape == "round" else screen.width
    widest = room * CAPITAL / (CHARACTERS * LETTER)
    heights = [height for height in scale.TEXT if height <= widest] or [scale.TEXT[0]]
    return min(wanted_mm, heights[-1] * pitch_mm(screen))


def small_type(page: DrawnPage, screen: Screen) -> Iterator[tuple[Run, float]]:
    """(text, mm) where dim text is less than a caption or any other less than body."""
    for run in runs(page, screen):
        wanted = CAPTION_MM if run.ink == roles.DIM else BODY_MM
        height = scale.cap_px(run.face) * pitch_mm(screen)
        if height < least_mm(screen, wanted) - 0.001:
            yield run, height


def _small(page: DrawnPage, screen: Screen, kind: str) -> Iterator[str]:
    """Of one kind, the first text that is too small, and how many there are on the page."""
    found = [each for each in small_type(page, screen) if _kind(each[0], page) == kind]
    if found:
        run, height = found[0]
        yield f"{run.face} of {height:.2f} mm: {run.text[:24]!r} and {len(found) - 1} more"


def _kind(run: Run, page: DrawnPage) -> str:
    """What a text is: a title, the label of a code or of a value in a chart, or running text."""
    if run.face.startswith("b"):
        return "title"
    return "label" if page.code or re.fullmatch(_AMOUNT, run.text) else "text"


def pairs(page: DrawnPage, screen: Screen) -> set[tuple[int, int]]:
    """(ink, paper) of the page's texts, icons and pictures of text."""
    kinds = ("type", "smooth")
    return {(item.ink, item.paper) for item in items(page, screen) if item.kind in kinds}


def wrong_paper(page: DrawnPage, screen: Screen) -> Iterator[str]:
    """A text whose paper is not what lies under it stands in a box of another colour."""
    boxes: list[Any] = []
    for item in items(page, screen):
        if item.kind == "box":
            boxes.append(item)
        elif item.kind == "type":
            run = _run(item, screen)
            left, top, right, bottom = run.box
            middle = ((left + right) // 2, (top + bottom) // 2)
            under = [box.ink for box in boxes if _holds(box, *middle)] or [roles.PAPER]
            if under[-1] != run.paper:
                yield f"{run.text[:24]!r} has paper {run.paper} on {under[-1]}"


def _holds(box: Any, x: int, y: int) -> bool:
    return bool(box.x <= x < box.x + box.width and box.y <= y < box.y + box.height)


def outside(page: DrawnPage, screen: Screen) -> Iterator[str]:
    """Texts and boxes past the panel's edge, on a round one past its circle."""
    for run in runs(page, screen):
        if not _inside(run.box, screen):
            yield f"{run.text[:24]!r} at {run.box}"
    for item in items(page, screen):
        if item.kind in ("smooth", "image", "qr") or (
            item.kind == "box" and screen.shape != "round"
        ):
            box = _box(item)
            whole = (0, 0, screen.width, screen.height)
            if box[0] < 0 or box[1] < 0 or box[2] > whole[2] or box[3] > whole[3]:
                yield f"{item.kind} at {box}"


def _inside(box: Sequence[int], screen: Screen) -> bool:
    left, top, right, bottom = box
    if left < 0 or top < 0 or right > screen.width or bottom > screen.height:
        return False
    if screen.shape != "round":
        return True
    centre, radius = (screen.width - 1) / 2, screen.width / 2 - 1
    # Of a line of letters the corners are free: they are round, and low letters are not all of it.
    middle = (top + bottom) / 2
    return all((x - centre) ** 2 + (middle - centre) ** 2 <= radius**2 for x in (left, right - 1))


def overlaps(page: DrawnPage, screen: Screen) -> Iterator[str]:
    """Pairs of texts of which one runs into the other."""
    for one, other in combinations(runs(page, screen), 2):
        if one.text.strip() and other.text.strip() and _cross(one.box, other.box):
            yield f"{one.text[:20]!r} {one.box} and {other.text[:20]!r} {other.box}"


def dots_in_text(page: DrawnPage, screen: Screen) -> Iterator[str]:
    """Dots, of the pages or of a timeline, that stand in a line of text."""
    shown = items(page, screen)
    texts = [run.box for run in runs(page, screen)]
    high = screen.height // LINE
    texts += [_box(item) for item in shown if item.kind == "smooth" and item.height < high]
    for item in shown:
        if item.kind == "box" and max(item.width, item.height) <= DOT:
            for box in texts:
                if _cross(_box(item), box):
                    yield f"dot at {_box(item)} in {box}"


def choices_alike(page: DrawnPage, screen: Screen) -> Iterator[str]:
    """Choices of which two are cut to the same words."""
    labels = [each.label for each in page.options if isinstance(each.label, str)]
    for label in sorted({label for label in labels if labels.count(label) > 1}):
        yield repr(label)


def cut_numbers(page: DrawnPage, screen: Screen) -> Iterator[str]:
    """Numbers that end in an ellipsis: what is left of them is another number."""
    for run in runs(page, screen):
        if re.fullmatch(r"[+−-]?[\d.,:]*\d[.,:]*…", run.text.strip()):
            yield repr(run.text)


def _box(item: Any) -> tuple[int, int, int, int]:
    return item.x, item.y, item.x + item.width, item.y + item.height


def _cross(one: Sequence[int], other: Sequence[int]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def small_code(code: Any, screen: Screen) -> Iterator[str]:
    """A code of modules too small for a phone, where larger ones have room on the panel."""
    module_mm = code.scale * pitch_mm(screen)
    side = (code.modules + 2 * code.quiet) * (code.scale + 1)
    room = min(screen.width, screen.height)
    if screen.shape == "round":
        room = int(room / math.sqrt(2))
    if module_mm < MODULE_MM and side <= room:
        yield f"modules of {module_mm:.2f} mm"


def characters(page: DrawnPage, screen: Screen) -> int:
    """How many a page shows."""
    return sum(len(run.text.strip()) for run in runs(page, screen))


# What needs no drawing.
MEASURES: dict[str, Callable[[DrawnPage, Screen], Iterator[str]]] = {
    "small title": partial(_small, kind="title"),
    "small label": partial(_small, kind="label"),
    "small text": partial(_small, kind="text"),
    "wrong paper": wrong_paper,
    "outside": outside,
    "overlap": overlaps,
    "cut number": cut_numbers,
    "dot in text": dots_in_text,
    "choices alike": choices_alike,
}
