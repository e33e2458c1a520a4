"""The one card model every dialect is read into (reference: cards, section 7.1)."""

from dataclasses import dataclass, field
from typing import Literal

from voxcard.json_value import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned:
    """Something that was dropped or mended on the way in."""

    code: str  # truncated, unknown, dropped, insecure, ...
    path: str
    detail: str = ""


class CardRefused(ValueError):  # noqa: N818 - the field says a card is refused
    """A source that gives no card. `path` is where, `reason` says what to change."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason


class NoCard(CardRefused):
    """A valid source that holds no card; there is nothing to correct."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A button: `link` opens `url`, `message` sends `text` as the user's next message,
    `copy` offers `text`, `control` is a session control (stop, allow, deny) named by `text`."""

    id: str
    label: str
    kind: Literal["link", "message", "copy", "control"]
    url: str = ""
    text: str = ""
    style: str = ""  # "", primary, secondary, danger
    confirm: str = ""  # question to ask before acting
    insecure: bool = False  # an http link of a dialect that does not forbid it


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageRef:
    """A picture: https `url` or inline `data` (bytes), with what it shows in words."""

    alt: str = ""
    url: str = ""
    data: bytes = b""
    ratio: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBlock:
    text: str
    level: int = 0  # 0 body, 1.. heading
    markdown: bool = False  # markers are meant as Markdown; else every character is literal


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyValueBlock:
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListItem:
    """An entry of a list. `mark` stands before it: a number (`4.`), ✓ or ☐ of a task; without
    one it has a bullet. `level` counts the lists around its own."""

    title: str
    detail: str = ""
    url: str = ""
    image: ImageRef | None = None
    mark: str = ""
    level: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ListBlock:
    items: tuple[ListItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBlock:
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricBlock:
    label: str
    value: str
    unit: str = ""
    delta: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartBlock:
    """`series` holds (label, value) points; `kind` is bar, line or pie."""

    summary: str
    points: tuple[tuple[str, float], ...]
    kind: str = "bar"
    unit: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    letter: str
    label: str
    detail: str = ""
    latitude: float | None = None
    longitude: float | None = None
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapBlock:
    """`links`: (label, url) of pages that show all of it; `note` is said below the pins."""

    pins: tuple[Pin, ...]
    note: str = ""
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QrBlock:
    data: str
    caption: str = ""
    local_only: bool = False  # a secret: never spoken, logged or kept


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageBlock:
    image: ImageRef


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaBlock:
    kind: Literal["video", "audio"]
    title: str
    url: str
    poster: ImageRef | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBlock:
    text: str
    language: str = ""
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """`current`: the step that is under way."""

    what: str
    when: str = ""
    done: bool = False
    current: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineBlock:
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputBlock:
    """A form field whose value is shown, never edited."""

    label: str
    value: str
    secret: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VisualBlock:
    """Something a small screen cannot run; its summary stands for it."""

    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DividerBlock:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreBlock:
    """How many more things the source had than the card holds."""

    count: int


Block = (
    TextBlock
    | KeyValueBlock
    | ListBlock
    | TableBlock
    | MetricBlock
    | ChartBlock
    | MapBlock
    | QrBlock
    | ImageBlock
    | MediaBlock
    | CodeBlock
    | TimelineBlock
    | InputBlock
    | VisualBlock
    | DividerBlock
    | MoreBlock
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """What stands for the card in words: `text` plain or Markdown, `speak` 1 or 2 sentences.

    `authored` names the parts that came with the card; the others are built (cards.twins)."""

    text: str = ""
    speak: str = ""
    markdown: bool = False
    authored: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    source: str
    url: str = ""
    attribution: str = ""
    licence: str = ""
    fetched_at: str = ""  # ISO 8601


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One of several cards that belong together."""

    index: int
    count: int
    mode: Literal["carousel", "random", "parts", "surfaces"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """Blocks in timed scenes: scene i shows `scenes[i]` blocks for `durations_ms[i]`."""

    scenes: tuple[tuple[Block, ...], ...]
    durations_ms: tuple[int, ...]
    auto: bool = True
    loop: bool = False


MORE_ID = "parts.more"  # the option that asks for a card's next part


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Which part of a card this is; `next_call` holds the arguments that give the next one from
    the tool in the card's `extra["tool"]`."""

    current: int
    total: int
    has_more: bool
    next_call: JsonObject | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The card waits for an answer: `kind` approval, choice or form; its options are actions."""

    kind: Literal["approval", "choice", "form"]
    prompt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card. Actions come in the author's order; the first link or message is the primary one."""

    id: str
    dialect: str
    title: str = ""
    subtitle: str = ""
    blocks: tuple[Block, ...] = ()
    actions: tuple[Action, ...] = ()
    image: ImageRef | None = None
    icon: ImageRef | None = None
    twin: Twin = Twin()
    label: str = ""  # accessibility label
    summary: str = ""  # accessibility summary
    provenance: Provenance | None = None
    live_key: str = ""
    revision: int = 0
    group: Group | None = None
    slides: "tuple[Card, ...]" = ()  # the cards of a carousel, which this one stands for
    play: Play | None = None
    glossary: tuple[tuple[str, str], ...] = ()
    parts: Parts | None = None
    question: Question | None = None
    direction: Literal["ltr", "rtl"] = "ltr"  # of the first strong character (twins.complete)
    locale: str = ""
    ttl_s: int = 0  # how long the screen keeps it, 0 = until a newer card
    priority: int = 0
    trust: Literal["author", "tool", "model"] = "tool"
    warnings: tuple[Warned, ...] = ()
    extra: JsonObject = field(default_factory=dict)  # what only its own dialect reads again


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What a dialect made of a source."""

    cards: tuple[Card, ...]
    warnings: tuple[Warned, ...] = ()
