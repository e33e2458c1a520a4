"""Cards on the bridge: parse and fit of the golden cases, codes, glyphs and strips."""

import json
import random
import string
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from voxcard.cards.drawing.drawer import Drawer
from voxcard.cards.drawing.smooth import SmoothDrawer
from voxcard.cards.fit import qr_code
from voxcard.cards.fit.fit import fit
from voxcard.cards.model import Card
from voxcard.cards.preview import screens
from voxcard.package_files import boards, firmware
from voxwire.capability import BLOCKS, Screen

from tools.bench.relay.measured import quantile
from tools.bench.rows import Row
from tools.checks import card_case

CASES = Path(__file__).parents[2] / "tests" / "golden" / "cards"
FONT = ((32, 0x52F), (0x1E00, 0x1EFF), (0x2022, 0x2026))
PANELS = {
    "128x64": Screen(128, 64, 1, "rect", 230, (6, 12), FONT, BLOCKS),
    "240x240": Screen(240, 240, 16, "rect", 116, (8, 16), FONT, BLOCKS),
}
IN_TYPE = ("240x240", "240x240-round")  # panels with faces of type, for which pages are composed
CARD_MS, CODE_MS = 2.0, 5.0
# Of pages in type, which are tried in several sizes, one in twenty may take longer.
TYPE_P95_MS = 5.0
SMOOTH_GLYPH_MS, SMOOTH_LINE_MS = 0.3, 2.0
SMOOTH_FACE = "t20"
CODE_CHARACTERS = (30, 53, 100, 192)
CODES = 20
GLYPHS = "订单已发货明天送达配送中请稍候お届け予定주문배송"
STRIPS = ("طلبك في الطريق إليك", "आपका ऑर्डर रास्ते में है", "ההזמנה בדרך אליך")


def rows() -> list[Row]:
    """Everything with its budget."""
    return [*_cards(), *_codes(), *_ink(), *_smooth()]


def _cards() -> list[Row]:
    cases = [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted(CASES.rglob("*.json"))
    ]
    parsed = [card_case.run(case["dialect"], case["input"]) for case in cases]
    smooth = SmoothDrawer()
    # A second round: what the process loads once is no card's time.
    parse_ms = [_timed(card_case.run, case["dialect"], case["input"]) for case in cases]
    rows = []
    for name, panel in (*PANELS.items(), *_in_type()):
        both_ms = [
            (ms + sum(_fit_ms(card, panel, smooth) for card in outcome.cards))
            / max(1, len(outcome.cards))
            for outcome, ms in zip(parsed, parse_ms, strict=True)
        ]
        p95_ms = TYPE_P95_MS if panel.faces else CARD_MS
        rows += _spread(f"parse and fit, {len(cases)} cases, {name}", both_ms, CARD_MS, p95_ms)
    return rows


def _in_type() -> Iterator[tuple[str, Screen]]:
    for name in IN_TYPE:
        yield f"{name} in type", screens.named(name, boards(), firmware() / "fonts")


def _fit_ms(card: Card, panel: Screen, smooth: SmoothDrawer) -> float:
    options: dict[str, Any] = {
        "now": card_case.NOW,
        "next_blob": count(1).__next__,
        "smooth": smooth,  # draws for panels in type alone
    }
    fit(card, panel, **options)
    return _timed(fit, card, panel, **options)


def _codes() -> list[Row]:
    chance = random.Random(1)
    rows = []
    for characters in CODE_CHARACTERS:
        times = []
        for _ in range(CODES):
            start = "https://example.com/"
            rest = "".join(chance.choices(string.ascii_letters, k=characters - len(start)))
            times.append(_timed(qr_code.fit_code, start + rest, PANELS["240x240"]))
        rows += _spread(f"code of {characters} characters, never seen", times, CODE_MS)
    return rows


def _ink() -> list[Row]:
    drawer = Drawer((8, 16))
    for text in (GLYPHS[0], *STRIPS):  # opens the fonts
        drawer.strip(text, 240)
    glyphs = [_timed(drawer.glyph, ord(each)) for each in GLYPHS]
    strips = [_timed(drawer.strip, text + " ", 240) for text in STRIPS for _ in range(10)]
    return [*_spread("glyph drawn", glyphs), *_spread("line shaped and drawn", strips)]


def _smooth() -> list[Row]:
    drawer = SmoothDrawer()
    for text in ("文", *STRIPS):  # opens the fonts
        drawer.line(SMOOTH_FACE, text, 240)
    glyphs = [_timed(drawer.glyph, SMOOTH_FACE, ord(each)) for each in GLYPHS]
    lines = [
        _timed(drawer.line, SMOOTH_FACE, f"{text} {number}", 240)
        for text in STRIPS
        for number in range(10)
    ]
    return [
        *_spread("smoothed glyph drawn", glyphs, SMOOTH_GLYPH_MS)[:1],
        *_spread("smoothed line shaped and drawn", lines, SMOOTH_LINE_MS)[:1],
    ]


def _timed(function: Callable[..., object], *arguments: Any, **more: Any) -> float:
    began = time.thread_time()  # who else uses the core is not the card's doing
    function(*arguments, **more)
    return (time.thread_time() - began) * 1000


def _spread(
    name: str, times_ms: list[float], limit: float | None = None, p95_limit: float | None = None
) -> list[Row]:
    """Median and p95; `p95_limit` is the median's where there is none."""
    ordered = sorted(times_ms)
    return [
        Row(name=f"{name}, {what}", value=round(quantile(ordered, share), 3), unit="ms",
            limit=most)
        for what, share, most in (("median", 0.5, limit), ("p95", 0.95, p95_limit or limit))
    ]  # fmt: skip
