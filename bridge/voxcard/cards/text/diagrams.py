"""Diagrams and formulas in words: what a Mermaid or LaTeX source says without being drawn."""

import re
from collections.abc import Iterator
from itertools import pairwise

LINES_MAX = 64
LINE_MAX = 300
FORMULA_MAX = 2000

DRAWN = ("mermaid", "latex", "math", "tex", "katex")  # languages shown by their words

# An arrow of Mermaid with its label: `-->|yes|`, `-- yes -->`, `-. maybe .->`, `== yes ==>`.
_ARROW = re.compile(
    r"<?(?:--[ \t]([^|<>]{1,120}?)[ \t]?-{2,9}|==[ \t]([^|<>]{1,120}?)[ \t]?={2,9}"
    r"|-\.[ \t]?([^|<>.-][^|<>]{0,119}?)[ \t]?\.{1,9}-|-{2,9}|={2,9}|-\.{1,9}-)"
    r"(?:>>|[>xo)])?(?:[ \t]?\|([^|]{0,120})\|)?"
)
_NODE = re.compile(r"([\w.-]{1,60})[ \t]*[\[({>]{1,3}[/\"]?([^\[\](){}\"]{1,120})")
# Of a sequence; a colon in the label of an arrow or node makes no message.
_MESSAGE = re.compile(
    r"([^-:<>]{1,60})-{1,2}[>)x]{1,2}[+-]?"
    r"(?![ \t]?\||[ \t]?[\w.-]{1,60}[\[({])([^:<>]{1,60}):(.{1,200})"
)
_NOTE = re.compile(r"note [^:]{1,120}:(.{1,200})", re.IGNORECASE)
_ALIAS = re.compile(r"(?:participant|actor) ([\w.-]{1,60}) as (.{1,120})", re.IGNORECASE)
_ENDS = re.compile(r"^[|o}{<]{1,2}[ \t]|[ \t][|o}{<]{1,2}$|^[|<]{1,2}")  # of an arrow
_STYLE = re.compile(r":::\w{1,60}")
_SLICE = re.compile(r"\"([^\"]{1,120})\"[ \t]*:[ \t]*(.{1,60})")
# What begins a line that says nothing by itself.
_SILENT = ("%%", "---", "classdef ", "class ", "style ", "linkstyle ", "click ", "direction ",
           "subgraph ", "dateformat ", "axisformat ", "excludes ", "todaymarker ")  # fmt: skip
_KINDS = ("graph", "flowchart", "sequencediagram", "classdiagram", "statediagram",
          "statediagram-v2", "erdiagram", "gantt", "pie", "mindmap", "journey", "timeline",
          "gitgraph", "quadrantchart", "end")  # fmt: skip
_TITLES = ("title ", "section ", "participant ", "actor ")

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


def drawing_words(language: str, source: str) -> str:
    """What a drawing's source says in words; empty for a language of programs."""
    if language == "mermaid":
        return diagram_words(source)
    return math_words(source) if language in DRAWN else ""


def diagram_words(source: str) -> str:
    """Each arrow of a Mermaid source on a line, `Phone → Cloud` or `Hot? → Fan on: yes`; of a
    source without arrows its titles and labels, "A diagram" when there are none."""
    names: dict[str, str] = {}
    source = source.replace(";", "\n")
    lines = [line.strip()[:LINE_MAX] for line in source.split("\n", LINES_MAX)[:LINES_MAX]]
    phrases = [words for line in lines for words in _arrows(line, names)]
    if not phrases:
        phrases = [words for line in lines if (words := _labels(line))]
    left = source.count("\n") + 1 - LINES_MAX
    return "\n".join([*phrases, f"+{left} more"] if left > 0 else phrases) or "A diagram"


def _arrows(line: str, names: dict[str, str]) -> Iterator[str]:
    message = _MESSAGE.fullmatch(line)
    if message:
        sender, receiver = (_name(message[part], names, part - 1) for part in (1, 2))
        yield f"{sender} → {receiver}: {message[3].strip()}"
        return
    if alias := _ALIAS.fullmatch(line):
        names[alias[1]] = alias[2].strip()
        return
    if note := _NOTE.fullmatch(line):
        yield note[1].strip()
        return
    nodes, labels, at = [], [""], 0
    for arrow in _ARROW.finditer(line):
        nodes.append(line[at : arrow.start()])
        labels.append(next((group for group in arrow.groups() if group), "").strip().strip('"'))
        at = arrow.end()
    last, _, text = line[at:].partition(" : ")
    if text and len(labels) > 1:
        labels[-1] = labels[-1] or text.strip()
    nodes = [_name(value, names, index) for index, value in enumerate([*nodes, last])]
    pairs = [entry for entry in zip(nodes, labels, strict=True) if entry[0]]
    if len(pairs) < 2:
        return
    if not any(label for _, label in pairs[1:]):
        yield " → ".join(node for node, _ in pairs)
        return
    for (before, _), (node, label) in pairwise(pairs):
        yield f"{before} → {node}: {label}" if label else f"{before} → {node}"


def _name(part: str, names: dict[str, str], place: int) -> str:
    """What a node is called: its label, or the one it had before; several are joined."""
    part = _ENDS.sub("", _STYLE.sub("", part).strip()).strip()
    if part == "[*]":
        return "End" if place else "Start"
    if " & " in part:
        return " & ".join(_name(entry, names, place) for entry in part.split(" & ")[:8])
    node = _NODE.match(part)
    if node:
        names[node[1]] = node[2].strip()
        return names[node[1]]
    return names.get(part, part)


def _labels(line: str) -> str:
    """What a line without an arrow says; nothing when it only describes how to draw."""
    low = line.lower().rstrip(";")
    if not line or low.startswith(_SILENT) or low.split(" ", 1)[0] in _KINDS:
        return line[4:].removeprefix("title ").strip() if low.startswith("pie title ") else ""
    for title in _TITLES:
        if low.startswith(title):
            return line[len(title) :].rpartition(" as ")[2].strip()
    if part := _SLICE.fullmatch(line):
        return f"{part[1]}: {part[2].strip()}"
    node = _NODE.match(line)
    if node and line[-1] in ")]}":
        return node[2].strip()
    return line.partition(" :")[0].strip() if " :" in line else line.strip('()[]{}" ')


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
