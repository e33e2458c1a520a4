"""Tutor terms: which of them a card's prose holds, and where the first is (R003-13)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voxcard.cards.text.sanitize import clean, label

TERMS_MAX = 40
TERM_MAX = 80
TIP_MAX = 400
PROSE_MAX = 65_536
# Scripts that put spaces between words: a term there is a whole word, never a part of one.
_SPACED = re.compile("[\0-\u058f\u1e00-\u1fff]*\\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Term:
    term: str
    tip: str
    any_case: bool


def glossary(terms: Any, prose: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """(term, tip) of each tutor term that the prose holds, in the order of first appearance.

    The longest term is looked for first, and what it covers is no other term's place. Matching
    is case-sensitive unless the term says otherwise (R003-14).
    """
    text = "\n".join(prose)[:PROSE_MAX]
    places: list[tuple[int, _Term]] = []
    for term in sorted(_read(terms), key=lambda each: -len(each.term)):
        hit = _pattern(term).search(text)
        if hit:
            places.append((hit.start(), term))
            covered = "\0" * (hit.end() - hit.start())
            text = text[: hit.start()] + covered + text[hit.end() :]
    return tuple((term.term, term.tip) for _, term in sorted(places, key=lambda each: each[0]))


def _pattern(term: _Term) -> re.Pattern[str]:
    exact = re.escape(term.term)
    if _SPACED.match(term.term):
        exact = rf"(?<!\w){exact}(?!\w)"
    return re.compile(exact, re.IGNORECASE if term.any_case else 0)


def _read(terms: Any) -> list[_Term]:
    """The terms that are whole; of two that are the same the first."""
    by_name: dict[str, _Term] = {}
    for entry in terms[:TERMS_MAX] if isinstance(terms, list) else ():
        if not isinstance(entry, Mapping):
            continue
        term, tip = entry.get("term"), entry.get("tip")
        if isinstance(term, str) and isinstance(tip, str) and 0 < len(label(term)) <= TERM_MAX:
            any_case = entry.get("caseInsensitive") is True
            by_name.setdefault(
                label(term), _Term(term=label(term), tip=clean(tip)[:TIP_MAX], any_case=any_case)
            )
    return list(by_name.values())
