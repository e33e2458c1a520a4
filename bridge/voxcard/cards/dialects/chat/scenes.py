"""The scenes of an animation card as blocks: what moves becomes what is said."""

import math
from collections.abc import Callable, Iterator
from typing import Any

from voxcard.cards.model import Block, ChartBlock, CodeBlock, ListBlock, ListItem, TextBlock
from voxcard.cards.text.sanitize import clean, label
from voxcard.json_value import JsonObject

BULLETS_MAX = 50
POINTS_MAX = 60
SHAPES_MAX = 60
HEADINGS = ("heading", "title")
TEXTS = ("subtitle", "text", "body", "takeaway", "caption")
LABELS = ("label", "text", "title", "name", "id")


def scene_blocks(scene: Any, card_title: str) -> tuple[Block, ...]:
    """The blocks of one scene of any kind, in a fixed order; empty when it says nothing.

    The kind is not asked: whatever readable part a scene has is shown, so an unknown kind
    degrades to its words. A heading that repeats the card's title is left out unless it is all.
    """
    if isinstance(scene, str):
        scene = {"text": scene}
    if not isinstance(scene, dict):
        return ()
    name, *more = dict.fromkeys(filter(None, _labels(scene, HEADINGS))) or [""]
    parts: list[Block] = [TextBlock(text=text) for text in (*more, *_texts(scene))]
    for take in _PARTS:
        parts += take(scene)
    chart = chart_block(scene.get("chart"), name)
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
    return (label(each) for each in values if isinstance(each, str))


def _first(data: JsonObject, keys: tuple[str, ...]) -> str:
    """The first of `keys` that says something, on one line; maybe empty."""
    return next(filter(None, _labels(data, keys)), "")


def _bullets(scene: JsonObject) -> Iterator[Block]:
    rows = scene.get("bullets", scene.get("items"))
    texts = [
        clean(row).strip() if isinstance(row, str) else _first(row, LABELS) if _object(row) else ""
        for row in (rows[:BULLETS_MAX] if isinstance(rows, list) else ())
    ]
    items = [ListItem(title=text) for text in texts if text]
    if items:
        yield ListBlock(items=tuple(items))


def _diagram(scene: JsonObject) -> Iterator[Block]:
    """Arrows as `A → B`, one after the other where they join, then the shapes without one."""
    shapes = scene.get("shapes")
    shapes = [each for each in shapes if _object(each)] if isinstance(shapes, list) else []
    named = _names(shapes[:SHAPES_MAX])
    chains: list[list[str]] = []
    for shape in shapes[:SHAPES_MAX]:
        ends = [shape.get(key) for key in ("from", "to")]
        if all(isinstance(end, str) and label(end) for end in ends):
            start, end = (named.get(str(each), label(str(each))) for each in ends)
            if chains and chains[-1][-1] == start and end not in chains[-1]:
                chains[-1].append(end)
            else:
                chains.append([start, end])
    joined = {name for chain in chains for name in chain}
    lines = [" → ".join(chain) for chain in chains]
    lines += [name for name in dict.fromkeys(named.values()) if name not in joined]
    if lines:
        yield TextBlock(text="\n".join(lines))


def _names(shapes: list[JsonObject]) -> dict[str, str]:
    """What a shape is called, by its id or label; arrows have no place of their own."""
    named = {}
    for shape in shapes:
        name = _first(shape, LABELS)
        if name and "from" not in shape:
            key = shape.get("id")
            named[key if isinstance(key, str) else name] = name
    return named


def _code(scene: JsonObject) -> Iterator[Block]:
    text, language = scene.get("code"), scene.get("language")
    if isinstance(text, str) and text.strip():
        language = label(language)[:30] if isinstance(language, str) else ""
        yield CodeBlock(text=clean(text), language=language)


_PARTS: tuple[Callable[[JsonObject], Iterator[Block]], ...] = (_bullets, _diagram, _code)


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
    labels, values = chart.get("labels"), chart.get("values")
    if not isinstance(values, list):
        rows = chart.get("data", chart.get("points"))
        rows = [each for each in rows if _object(each)] if isinstance(rows, list) else []
        labels, values = [_first(row, LABELS) for row in rows], [row.get("value") for row in rows]
    names = labels if isinstance(labels, list) else []
    for index, value in enumerate(values):
        number = _number(value)
        name = names[index] if index < len(names) else ""
        if number is not None:
            yield label(str(name))[:60] if isinstance(name, str | int) else "", number


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
    """What of a card is read as text, code left out."""
    for block in blocks:
        if isinstance(block, TextBlock):
            yield block.text
        elif isinstance(block, ListBlock):
            yield from (item.title for item in block.items)
        elif isinstance(block, ChartBlock):
            yield from (block.title, block.summary, *(name for name, _ in block.points))
