"""Abbreviations as a voice should say them."""

import re
from collections.abc import Callable

Form = str | Callable[[re.Match[str]], str]
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
ABBREVIATIONS: tuple[tuple[re.Pattern[str], Form], ...] = (
    (re.compile(r"\b[Nn]o\.[ ]?(?=\d)"), "number "),
    (re.compile(r"\bMr\."), "Mister"),
    (re.compile(r"\bMrs\."), "Missus"),
    (re.compile(r"\bMs\."), "Ms"),
    (re.compile(r"\bDr\.(?= [A-Z])"), "Doctor"),
    (re.compile(r"\bProf\."), "Professor"),
    (re.compile(r"\bSt\.(?= [A-Z])"), "Saint"),
    (re.compile(r"(?<=[a-z] )St\.$"), "Street."),
    (re.compile(r"(?<=[a-z] )St\."), "Street"),
    (re.compile(r"\bJr\.?(?!\w)"), "Junior"),
    (re.compile(r"\bSr\.(?!\w)"), "Senior"),
    (re.compile(r"\bvs\.?(?!\w)"), "versus"),
    (re.compile(r"\be\.g\.,?"), "for example"),
    (re.compile(r"\bi\.e\.,?"), "that is"),
    (re.compile(r"\betc\.(?=\s+\S)"), "et cetera"),
    (re.compile(r"\betc\."), "et cetera."),
    (re.compile(r"\b[Aa]pprox\."), "approximately"),
    (re.compile(r"\bU\.S\.A?\.?"), "U S"),
    (re.compile(r"\bU\.K\."), "U K"),
    (re.compile(r"\bWHO\b"), "W H O"),
    (re.compile(r"\bIT\b"), "I T"),
    (re.compile(r"\b[Mm]ax\. "), "maximum "),
    (re.compile(r"\b[Mm]in\. (?=\d)"), "minimum "),
    (re.compile(r"\b(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\."),
     lambda match: next(month for month in MONTHS if month.startswith(match[1][:3]))),
)  # fmt: skip
