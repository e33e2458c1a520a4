"""The scenes of an animation card as blocks; what would move becomes text."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from voxcard.cards.dialects.foreign import LOOKS, Reading, data_blocks
from voxcard.cards.model import (
    Block,
    ChartBlock,
    CodeBlock,
    ListBlock,
    ListItem,
    MoreBlock,
    TextBlock,
)
from voxcard.cards.text.data.key_values import scalar
from voxcard.cards.text.sanitize import clean, label
from voxcard.json_value import JsonObject

BULLETS_MAX = 50
POINTS_MAX = 60
SHAPES_MAX = 60
HEADINGS = ("heading", "title")
TEXTS = ("subtitle", "text", "body", "takeaway", "caption")
OTHERS = Reading(hidden=LOOKS | {"easing", "autoplay", "loop", "background", "tone"}, bare=True,
                 named=lambda key: (words_of(key), ""))  # fmt: skip
LABELS = ("label", "text", "title", "name", "id")
ARROW_LABELS = ("label", "text", "title", "name")


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_-]")


def words_of(key: str) -> str:
    """A key as words: `submitLabel` is `Submit label`."""
    name = _HUMP.sub(" ", key).strip().lower()
    return label(name[:1].upper() + name[1:])


def scene_blocks(scene: Any, card_title: str) -> tuple[Block, ...]:
    """The blocks of one scene of any kind, in a fixed order; none when it holds no text.

    The kind is not asked: whatever readable part a scene has is shown, so an unknown kind
    degrades to its words. A heading that repeats the card's title is left out unless it is all.
    """
    if isinstance(scene, str):
        scene = {"text": scene}
    if not isinstance(scene, dict):
        return ()
    name, *more = dict.fromkeys(filter(None, _labels(scene, HEADINGS))) or [""]
    parts: list[Block] = [TextBlock(text=text) for text in (*more, *_texts(scene))]
    chart = chart_block(scene.get("chart"), name)
    read = {"chart"} if chart else set()
    for keys, reader in _PARTS:
        blocks = list(reader(scene))
        read |= set(keys) if blocks else set()
        parts += blocks
    read |= {key for key in (*HEADINGS, *TEXTS) if isinstance(scene.get(key), str)}
    parts += data_blocks({key: item for key, item in scene.items() if key not in read}, OTHERS)
    if chart is not None:
        return (chart, *parts)
    return _headed("" if name == card_title and parts else name, parts)


def _headed(name: str, parts: list[Block]) -> tuple[Block, ...]:
    return (TextBlock(text=name, level=1), *parts) if name else tuple(parts)


def _texts(scene: JsonObject) -> Iterator[str]:
    for key in TEXTS:
        value = scene.get(key)
        if isinstance(value, str) and value.strip():
            yield clean(value)


def _labels(data: JsonObject, keys: tuple[str, ...]) -> Iterator[str]:
    values = (data.get(key) for key in keys)
    return (label(value) for value in values if isinstance(value, str))


def _first(data: JsonObject, keys: tuple[str, ...]) -> str:
    """The text of the first of `keys` that has one, on one line; empty when none has."""
    return next(filter(None, _labels(data, keys)), "")


def _bullets(scene: JsonObject) -> Iterator[Block]:
    """Texts in a list; a list of objects is read as other data is."""
    rows = scene.get("bullets", scene.get("items"))
    if not isinstance(rows, list) or any(isinstance(row, dict | list) for row in rows):
        return
    texts = (clean(row).strip() for row in rows if isinstance(row, str))
    items = [ListItem(title=text) for text in texts if text]
    if items:
        yield ListBlock(items=tuple(items[:BULLETS_MAX]))
    if len(items) > BULLETS_MAX:
        yield MoreBlock(count=len(items) - BULLETS_MAX)


def _diagram(scene: JsonObject) -> Iterator[Block]:
    """Arrows as `A → B`, one after the other where they join, then the shapes without one."""
    shapes = _shapes(scene)
    named = _names(shapes[:SHAPES_MAX])
    lines: list[str] = []
    chain: list[str] = []
    joined: set[str] = set()
    for shape in shapes[:SHAPES_MAX]:
        ends = _ends(shape, named)
        if not ends:
            continue
        joined.update(ends)
        said = _first(shape, ARROW_LABELS)
        if chain and chain[-1] == ends[0] and ends[1] not in chain and not said:
            chain.append(ends[1])
            continue
        lines += [" → ".join(chain)] if chain else []
        lines += [f"{ends[0]} → {ends[1]}: {said}"] if said else []
        chain = [] if said else [*ends]
    lines += [" → ".join(chain)] if chain else []
    lines += [name for name in dict.fromkeys(named.values()) if name not in joined]
    if len(shapes) > SHAPES_MAX:
        lines.append(f"+{len(shapes) - SHAPES_MAX} more")
    if lines:
        yield TextBlock(text="\n".join(lines))


def _shapes(scene: JsonObject) -> list[JsonObject]:
    """Shapes and arrows; other lists are a diagram only when an arrow is in them."""
    listed: list[JsonObject] = []
    for key in _SHAPES:
        shapes = scene.get(key)
        if isinstance(shapes, list):
            listed += [shape for shape in shapes if _object(shape)]
    return listed if "shapes" in scene or any(_ends(shape, {}) for shape in listed) else []


def _ends(shape: JsonObject, named: Mapping[str, str]) -> tuple[str, str] | tuple[()]:
    """The names of what an arrow joins; none for a shape that is no arrow."""
    for keys in (("from", "to"), ("source", "target")):
        start, end = (shape.get(key) for key in keys)
        if isinstance(start, str) and isinstance(end, str) and label(start) and label(end):
            return named.get(start, label(start)), named.get(end, label(end))
    return ()


def _names(shapes: list[JsonObject]) -> dict[str, str]:
    """What a shape is called, by its id or label; arrows have no place of their own."""
    named = {}
    for shape in shapes:
        name = _first(shape, LABELS)
        if name and not _ends(shape, {}):
            key = shape.get("id")
            named[key if isinstance(key, str) else name] = name
    return named


def _code(scene: JsonObject) -> Iterator[Block]:
    text, language = scene.get("code"), scene.get("language")
    if isinstance(text, str) and text.strip():
        language = label(language)[:30] if isinstance(language, str) else ""
        yield CodeBlock(text=clean(text), language=language)


_SHAPES = ("shapes", "elements", "nodes", "arrows", "edges", "connections")
# The keys that each reader has read when it found something.
_PARTS: tuple[tuple[tuple[str, ...], Callable[[JsonObject], Iterator[Block]]], ...] = (
    (("bullets", "items"), _bullets),
    (_SHAPES, _diagram),
    (("code", "language"), _code),
)


def chart_block(chart: Any, title: str = "") -> ChartBlock | None:
    """A chart's points, with the part it zooms into as words; None when it has no number."""
    if not _object(chart):
        return None
    points = tuple(_points(chart))[:POINTS_MAX]
    if not points:
        return None
    kind = _first(chart, ("type", "kind"))
    return ChartBlock(
        title=title or _first(chart, ("title",)),
        summary=_first(chart, ("summary", "caption")) or _zoom(chart.get("zoom")),
        points=points,
        kind=kind if kind in ("bar", "line", "pie") else "bar",
        unit=_first(chart, ("unit",))[:12],
    )


def _zoom(zoom: Any) -> str:
    ends = [zoom.get(key) for key in ("from", "to")] if _object(zoom) else []
    named = [label(end) for end in ends if isinstance(end, str)]
    return " – ".join(named) if len(named) == 2 and all(named) else ""


def _points(chart: JsonObject) -> Iterator[tuple[str, float]]:
    """The (name, value) pairs of a chart's values, or of each of its several series."""
    names = _list(chart, ("labels", "categories"))
    lanes = [part for part in _list(chart, ("series", "datasets")) if _object(part)] or [chart]
    for lane in lanes:
        series = _first(lane, ARROW_LABELS) if len(lanes) > 1 else ""
        for index, entry in enumerate(_list(lane, ("values", "data", "points"))):
            name = names[index] if index < len(names) else ""
            if isinstance(entry, dict):
                name = next((entry[key] for key in ("x", *LABELS) if key in entry), name)
                entry = next((entry[key] for key in ("y", "value") if key in entry), None)
            number = _number(entry)
            if number is not None:
                shown = label(scalar(name)) if isinstance(name, str | int | float) else ""
                yield f"{series} {shown}".strip()[:60], number


def _list(data: JsonObject, keys: tuple[str, ...]) -> list[Any]:
    """The first of `keys` that is a list."""
    return next((data[key] for key in keys if isinstance(data.get(key), list)), [])


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _object(value: Any) -> bool:
    return isinstance(value, dict)


def prose(blocks: tuple[Block, ...]) -> Iterator[str]:
    """The texts of blocks that are prose; code is left out."""
    for block in blocks:
        if isinstance(block, TextBlock):
            yield block.text
        elif isinstance(block, ListBlock):
            yield from (item.title for item in block.items)
        elif isinstance(block, ChartBlock):
            yield from (block.title, block.summary, *(name for name, _ in block.points))
