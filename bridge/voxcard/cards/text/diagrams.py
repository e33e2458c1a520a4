"""Diagrams and formulas in words: what a Mermaid or LaTeX source says without being drawn."""

import re
from collections.abc import Iterator

LINES_MAX = 64
LINE_MAX = 300
FORMULA_MAX = 2000

_ARROW = re.compile(r"[ \t]*<?(?:-{2,9}|={2,9}|-\.{1,9}-)[>xo]?(?![>)])[ \t]*(?:\|[^|]*\|)?[ \t]*")
_NODE = re.compile(r"([\w.-]{1,60})[ \t]*[\[({>]{1,3}[/\"]?([^\[\](){}\"]{1,120})")
_MESSAGE = re.compile(r"([^-:<>]{1,60})-{1,2}[>)x]{1,2}[+-]?([^:]{1,60}):(.{1,200})")

_FRACTION = re.compile(r"\\[dt]?frac\s?\{([^{}]{0,200})\}\s?\{([^{}]{0,200})\}")
_ROOT = re.compile(r"\\sqrt\s?\{([^{}]{0,200})\}")
_NAMED = re.compile(r"\\(?:text|mathrm|mathbf|mathit|operatorname)\s?\{([^{}]{0,200})\}")
_RAISED = re.compile(r"([\^_])(?:\{([0-9+\-n]{1,9})\}|([0-9n]))")
_COMMAND = re.compile(r"\\([A-Za-z]{1,20}|[,;:! ])")
_HIGH = str.maketrans("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ")
_LOW = str.maketrans("0123456789+-n", "₀₁₂₃₄₅₆₇₈₉₊₋ₙ")
_SYMBOLS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "theta": "θ",
    "lambda": "λ", "mu": "μ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ",
    "omega": "ω", "Delta": "Δ", "Sigma": "Σ", "Omega": "Ω", "Phi": "Φ", "times": "×", "cdot": "·",
    "div": "÷", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠",
    "approx": "≈", "infty": "∞", "sum": "∑", "prod": "∏", "int": "∫", "partial": "∂", "to": "→",
    "rightarrow": "→", "Rightarrow": "⇒", "in": "∈", "degree": "°", "circ": "°", "left": "",
    "right": "", "displaystyle": "", "quad": " ", ",": " ", ";": " ", ":": " ", "!": "", " ": " ",
}  # fmt: skip


def diagram_words(source: str) -> str:
    """Each arrow of a Mermaid source on a line: `Phone → Cloud`; "A diagram" without any."""
    names: dict[str, str] = {}
    lines = [line.strip()[:LINE_MAX] for line in source.split("\n", LINES_MAX)[:LINES_MAX]]
    arrows = [arrow for line in lines for arrow in _arrows(line, names)]
    return "\n".join(arrows) or "A diagram"


def _arrows(line: str, names: dict[str, str]) -> Iterator[str]:
    message = _MESSAGE.fullmatch(line)
    if message:
        sender, receiver, text = (part.strip() for part in message.groups())
        yield f"{sender} → {receiver}: {text}"
        return
    parts = [_name(part.strip().rstrip(";"), names) for part in _ARROW.split(line)]
    parts = [part for part in parts if part]
    if len(parts) > 1:
        yield " → ".join(parts)


def _name(part: str, names: dict[str, str]) -> str:
    """What a node is called: its label, or the one it had before."""
    match = _NODE.match(part)
    if match:
        names[match[1]] = match[2].strip()
        return names[match[1]]
    return names.get(part, part)


def math_words(source: str) -> str:
    """A LaTeX formula on one line: fractions with a slash, powers raised, symbols as signs."""
    text = source[:FORMULA_MAX].replace("$", "")
    for _ in range(6):  # of nested braces the innermost go first
        before = text
        text = _NAMED.sub(r"\1", _ROOT.sub(r"√(\1)", _FRACTION.sub(_slashed, text)))
        if text == before:
            break
    text = _RAISED.sub(_raised, text)
    text = _COMMAND.sub(lambda match: _SYMBOLS.get(match[1], match[1]), text)
    return " ".join(text.replace("{", "").replace("}", "").replace("\\", " ").split())


def _slashed(match: re.Match[str]) -> str:
    over, under = (part if part.isalnum() else f"({part})" for part in match.groups())
    return f"{over}/{under}"


def _raised(match: re.Match[str]) -> str:
    return (match[2] or match[3]).translate(_HIGH if match[1] == "^" else _LOW)
