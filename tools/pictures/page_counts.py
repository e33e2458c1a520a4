"""How many pages the cards of tests/golden/cards and of the gallery take on each of its panels.

    python -m tools.pictures.page_counts            adds what tests/golden/page_counts.json lacks
    python -m tools.pictures.page_counts --check    exit 1 and what takes more than one page more

Counted when pages were lines of one size. What is there stays: larger type may cost a card one
page, not more.
"""

import argparse
import asyncio
import json
import logging
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from voxcard.cards.drawing.drawer import Drawer
from voxcard.cards.fit.fit import Fitted
from voxcard.cards.model import Card
from voxcard.cards.preview import preview
from voxcard.cards.read import card_file
from voxwire.capability import Screen

from tools.checks import card_case
from tools.pictures.panels import PANELS
from tools.pictures.shots import NOW, no_web

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "golden" / "cards"
GALLERY = ROOT / "examples" / "gallery"
FILE = ROOT / "tests" / "golden" / "page_counts.json"
MORE_MAX = 1

# Case -> panel -> pages of each of its cards.
Counts = dict[str, dict[str, list[int]]]


def cases() -> dict[str, Sequence[Card]]:
    """The cards of every case that gives any, and of the gallery, by `folder/name`."""
    cards: dict[str, Sequence[Card]] = {
        f"gallery/{path.stem}": card_file.read(path.read_text(encoding="utf-8")).cards
        for path in sorted(GALLERY.glob("*.json"))
    }
    for path in sorted(CASES.rglob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        if outcome := card_case.run(case["dialect"], case["input"]).cards:
            cards[f"{path.parent.name}/{path.stem}"] = outcome
    return cards


def fitted(cards: Sequence[Card], screen: Screen, drawer: Drawer) -> list[Fitted]:
    """Cards cut to a screen, without any picture from the web."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)  # of pictures that are not fetched
    try:
        return asyncio.run(preview.fitted(cards, screen, now=NOW, fetch=no_web, drawer=drawer))
    finally:
        logging.disable(before)


def counts() -> Counts:
    """What every case takes now."""
    drawers = {name: Drawer(tuple(screen.cell)) for name, screen in PANELS.items()}
    return {
        case: {
            name: [len(each.card.pages) for each in fitted(cards, screen, drawers[name])]
            for name, screen in PANELS.items()
        }
        for case, cards in cases().items()
    }


def stored() -> Counts:
    """What is kept of how it was."""
    kept: Counts = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return kept


def too_many(now: Counts, before: Counts) -> Iterator[tuple[str, str, int, int]]:
    """(case, panel, pages before, pages now) of each card that has grown past the limit."""
    for case, panels in before.items():
        for panel, pages in panels.items():
            for old, new in zip(pages, now.get(case, {}).get(panel, ()), strict=False):
                if new > old + MORE_MAX:
                    yield case, panel, old, new


def written(all_counts: Mapping[str, Mapping[str, Sequence[int]]]) -> str:
    """The file's text: a case a line."""
    rows = (f" {json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(all_counts.items()))
    return "{\n" + ",\n".join(rows) + "\n}\n"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    now, before = counts(), stored()
    if not parser.parse_args().check:
        FILE.write_text(written(now | before), encoding="utf-8")
        return 0
    grown = list(too_many(now, before))
    print("\n".join(f"{case} on {panel}: {old} -> {new}" for case, panel, old, new in grown))
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
