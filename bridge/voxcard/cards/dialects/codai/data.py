"""The codai blocks that hold data: table, metric, weather, products, timeline, chart."""

from collections.abc import Iterator

from voxcard.cards.dialects.codai.fields import Fields, moment, number_of, words
from voxcard.cards.dialects.codai.sky import symbol_words
from voxcard.cards.model import (
    Block,
    CardRefused,
    ChartBlock,
    KeyValueBlock,
    ListBlock,
    ListItem,
    MetricBlock,
    Step,
    TableBlock,
    TextBlock,
    TimelineBlock,
)
from voxcard.cards.text.sanitize import label
from voxcard.json_value import Json

_DONE = {"done", "completed", "complete", "delivered", "success", "ok", "finished"}
_CURRENT = {"current", "active", "in progress", "inprogress", "ongoing", "now", "doing",
            "started", "running"}  # fmt: skip
_TABLE_CELLS_MAX = 4000


def table(fields: Fields) -> Iterator[Block]:
    """Columns are names or `{key, label}`; rows are lists of cells, or objects by column key."""
    columns = [
        entry if isinstance(entry, dict) else {"label": entry}
        for entry in fields.listed("columns", "headers")
    ]
    rows = fields.listed("rows", "data")
    if fields.get("rows", "data") is None:
        raise fields.refused("rows", "is missing")
    if not columns and rows and isinstance(rows[0], dict):
        columns = [{"key": key, "label": key} for key in rows[0]]
    names = [label(words(column)) for column in columns]
    keys = [str(column.get("key") or column.get("id") or words(column)) for column in columns]
    cells = tuple(_row(row, keys, f"{fields.path}.rows.{index}") for index, row in enumerate(rows))
    if sum(map(len, cells)) > _TABLE_CELLS_MAX:
        raise fields.refused("rows", f"has more than {_TABLE_CELLS_MAX} cells")
    if title := fields.line("title", "caption"):
        yield TextBlock(text=title, level=1)
    yield TableBlock(columns=tuple(names), rows=cells)


def comparison(fields: Fields) -> Iterator[Block]:
    """Things beside each other: as a table is written, or as items with the same attributes."""
    if fields.data.get("rows") is not None:
        yield from table(fields)
        return
    items = list(fields.objects("items", "options", "columns"))
    names = [item.line("label", "title", "name") for item in items]
    attributes: dict[str, list[str]] = {}
    for index, item in enumerate(items):
        inner = item.inner("attributes", "values", "features", "fields", "specs")
        for name, value in inner.data.items() if inner.data else item.rest():
            cells = attributes.setdefault(label(name), [""] * len(items))
            cells[index] = label(words(value))
        for side in ("pros", "cons"):
            if listed := ", ".join(label(words(entry)) for entry in item.listed(side)):
                cells = attributes.setdefault(side.capitalize(), [""] * len(items))
                cells[index] = listed
    rows = tuple((name, *cells) for name, cells in attributes.items())
    yield from titled(fields, TableBlock(columns=("", *names), rows=rows))


def titled(fields: Fields, block: Block) -> Iterator[Block]:
    """A block under its title, where it has one."""
    if title := fields.line("title", "heading"):
        yield TextBlock(text=title, level=1)
    yield block


def _row(row: Json, keys: list[str], path: str) -> tuple[str, ...]:
    if isinstance(row, dict):
        cells = row.get("cells")
        row = cells if isinstance(cells, list) else [row.get(key) for key in keys]
    if not isinstance(row, list):
        raise CardRefused(path, "must be a list of cells")
    return tuple(label(words(cell)) for cell in row)


def metric(fields: Fields) -> Iterator[Block]:
    """One number, or the several of `items`."""
    for entry in list(fields.objects("items", "metrics")) or [fields]:
        value = entry.text("value", "amount")
        if not value:
            raise entry.refused("value", "is missing")
        yield MetricBlock(
            label=entry.line("label", "title", "name"),
            value=label(value),
            unit=entry.line("unit", "currency"),
            delta=_delta(entry),
        )
        if note := entry.line("caption", "note", "description"):
            yield TextBlock(text=note)


def _delta(entry: Fields) -> str:
    """A change with its sign in front."""
    delta = entry.get("delta", "change", "trend")
    if isinstance(delta, int | float) and not isinstance(delta, bool) and delta > 0:
        return f"+{words(delta)}"
    return label(words(delta))


def weather(fields: Fields) -> Iterator[Block]:
    """Place and what it is like now, then highs, rain and wind, then the days or hours ahead."""
    now = fields.inner("current", "now")
    place = fields.line("place", "location", "name", "city")
    sky = _sky(fields) or _sky(now)
    temperature = _degrees(fields) or _degrees(now)
    now_words = ", ".join(part for part in (temperature, sky) if part)
    head = f"{place}: {now_words}" if place and now_words else place or now_words
    if head:
        yield TextBlock(text=head)
    rows = (*fields.rest(), *now.rest())
    if rows:
        yield KeyValueBlock(rows=rows)
    ahead = [
        entry
        for names in (("days", "daily", "forecast"), ("hours", "hourly"))
        for entry in fields.objects(*names)
    ]
    if ahead:
        yield ListBlock(items=tuple(_ahead(entry) for entry in ahead))


def _degrees(fields: Fields, *names: str) -> str:
    value = fields.measured(*(names or ("temp", "temperature")))
    return f"{value} °C" if number_of(value) is not None else value


def _sky(fields: Fields) -> str:
    condition = fields.line("condition", "conditions", "summary", "description", "text")
    symbol = fields.line("symbol", "symbolCode", "symbol_code", "weatherSymbol")
    words = symbol_words(condition)
    return (
        (words if words.lower() != condition else condition)
        or condition
        or symbol_words(symbol)
        or symbol
    )


def _ahead(entry: Fields) -> ListItem:
    when = entry.when("day", "date", "time", "hour", "label", "name")
    high = _degrees(entry, "high", "hi", "max", "tempMax", "maxTemp", "maxTemperature")
    low = _degrees(entry, "low", "lo", "min", "tempMin", "minTemp", "minTemperature")
    heat = f"{low} – {high}" if high and low else high or low or _degrees(entry)
    rain = entry.measured("rain", "precipitation", "precip", "rainChance", "precipitationChance")
    wet = f"rain {rain}" if rain else ""
    return ListItem(
        title=when, detail=", ".join(part for part in (heat, _sky(entry), wet) if part)
    )


def products(fields: Fields) -> Iterator[Block]:
    """Each with price, old price, rating and where to buy it; one may be the block itself."""
    entries = list(fields.objects("items", "products"))
    yield ListBlock(items=tuple(_product(entry) for entry in entries or [fields]))


def _product(entry: Fields) -> ListItem:
    currency = entry.line("currency", "priceCurrency")
    price, old = entry.line("price"), entry.line("oldPrice", "originalPrice", "listPrice")
    if price and currency not in price:
        price = f"{price} {currency}"
    rating, reviews = entry.line("rating"), entry.line("reviews", "reviewCount", "ratingCount")
    stars = f"★ {rating}" + (f" ({reviews})" if reviews else "") if rating else ""
    seller = entry.line("seller", "brand", "store")
    detail = (
        price,
        f"(old {old})" if old else "",
        stars,
        seller,
        entry.line("availability", "badge"),
    )
    return ListItem(
        title=entry.line("name", "title", "label"),
        detail=" · ".join(part for part in detail if part),
        url=entry.link("url", "link", "href"),
        image=entry.image("image", "imageUrl", "thumbnail"),
    )


def timeline(fields: Fields) -> Iterator[Block]:
    """Steps with their time; done is said outright or by a status."""
    steps = [
        Step(
            what=_what(entry),
            when=entry.when("time", "when", "date", "at", "timestamp"),
            done=entry.get("done", "completed") is True or _status(entry) in _DONE,
            current=entry.get("current", "active", "isCurrent") is True
            or _status(entry) in _CURRENT,
        )
        for entry in fields.objects("items", "events", "steps", "entries")
    ]
    if title := fields.line("title", "label"):
        yield TextBlock(text=title, level=1)
    yield TimelineBlock(steps=tuple(steps))


def _status(entry: Fields) -> str:
    return entry.line("status", "state").lower().replace("_", " ").replace("-", " ")


def _what(entry: Fields) -> str:
    title = entry.line("title", "label", "what", "name", "text", "status")
    detail = entry.line("description", "detail", "location", "place")
    return f"{title} ({detail})" if title and detail else title or detail


def chart(fields: Fields) -> Iterator[Block]:
    """A chart must say in plain language what it shows (R001-32)."""
    summary = label(fields.required("summary", why="; say in one sentence what the chart shows"))
    if not summary:
        raise fields.refused("summary", "is empty; say in one sentence what the chart shows")
    yield ChartBlock(
        summary=summary,
        points=tuple(_points(fields)),
        kind=fields.line("kind", "chartType", "variant")[:20] or "bar",
        unit=fields.line("unit", "yUnit"),
        title=fields.line("title"),
    )


def _points(fields: Fields) -> Iterator[tuple[str, float]]:
    names = [label(words(part)) for part in fields.listed("labels", "categories", "x")]
    series = list(fields.objects("series", "datasets"))
    for lane in series or [fields]:
        prefix = lane.line("name", "label") if len(series) > 1 else ""
        for index, entry in enumerate(lane.listed("data", "points", "values", "y")):
            name, value = _point(entry)
            if value is not None:
                name = name or (names[index] if index < len(names) else str(index + 1))
                yield f"{prefix} {name}".strip(), value


def _point(entry: Json) -> tuple[str, float | None]:
    if isinstance(entry, dict):
        names = (entry.get(key) for key in ("x", "label", "name", "key", "date", "time"))
        name = next((part for part in names if part is not None), "")
        values = (number_of(entry.get(key)) for key in ("y", "value", "v", "count"))
        return moment(label(words(name))), next(
            (value for value in values if value is not None), None
        )
    if isinstance(entry, list) and len(entry) == 2:
        return moment(label(words(entry[0]))), number_of(entry[1])
    return "", number_of(entry)
