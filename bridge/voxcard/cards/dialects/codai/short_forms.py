"""Short forms for the assistant's own cards: a few arguments become the source of a codai card."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from voxcard.cards.dialects.codai import parser as codai
from voxcard.cards.dialects.codai.fields import number_of
from voxcard.cards.model import CardRefused, Parsed
from voxcard.json_value import Json

Arguments = Mapping[str, Json]

ITEMS_MAX = 50
OPTIONS_MAX = 6
POINTS_MAX = 60
TITLE_MAX = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Short:
    """One short form as a tool; `build` raises CardRefused at the argument that must change."""

    description: str
    input_schema: Mapping[str, Json]
    build: Callable[[Arguments], dict[str, Json]]


def parse(name: str, arguments: Arguments, card_id: str = "codai") -> Parsed:
    """The card of a short form. CardRefused names the argument: `items.0.url: must be ...`."""
    source = SHORT_FORMS[name].build(arguments)
    try:
        return codai.parse(source, card_id)
    except CardRefused as refused:
        raise CardRefused(refused.path.removeprefix("blocks.0."), refused.reason) from refused


def show_text(arguments: Arguments) -> dict[str, Json]:
    """`text` (Markdown) under an optional `title`."""
    return _card(arguments, {"type": "text", "text": _text(arguments, "text")})


def show_qr(arguments: Arguments) -> dict[str, Json]:
    """A code of `data` with a `caption`; `secret` keeps it off every record and out of speech."""
    block = {
        "type": "qr",
        "data": _text(arguments, "data"),
        "caption": _text(arguments, "caption"),
    }
    return _card(arguments, {**block, "secret": arguments.get("secret") is True})


def show_list(arguments: Arguments) -> dict[str, Json]:
    """`items`: texts, or objects with `title`, `detail` and an https `url`; maybe `ordered`."""
    items = [
        {"title": _text(item, "title", path), **_given(item, "detail", "url")}
        for path, item in _entries(arguments, "items", ITEMS_MAX, "title")
    ]
    ordered = arguments.get("ordered") is True
    return _card(arguments, {"type": "list", "items": items, "ordered": ordered})


def show_choices(arguments: Arguments) -> dict[str, Json]:
    """A `question` with `options`: texts, or objects with `label` and the `value` it answers."""
    options = [
        {"label": _text(option, "label", path), **_given(option, "id", "value", "description")}
        for path, option in _entries(arguments, "options", OPTIONS_MAX, "label")
    ]
    question = _text(arguments, "question")
    return _card(arguments, {"type": "choices", "question": question, "options": options})


def show_chart(arguments: Arguments) -> dict[str, Json]:
    """`points` of `label` and `value`, and a `summary` in plain words; maybe `kind`, `unit`."""
    kind = arguments.get("kind") or "bar"
    if kind not in ("bar", "line", "pie"):
        raise CardRefused("kind", "must be bar, line or pie")
    data = []
    for path, point in _entries(arguments, "points", POINTS_MAX, "label"):
        value = number_of(point.get("value"))
        if value is None:
            raise CardRefused(f"{path}value", "must be a number")
        data.append({"label": _text(point, "label", path), "value": value})
    summary = _text(arguments, "summary")
    block = {"type": "chart", "kind": kind, "summary": summary, "data": data}
    return _card(arguments, {**block, **_given(arguments, "unit")})


def ask_approval(arguments: Arguments) -> dict[str, Json]:
    """A `question` for Allow and Deny, with `details`; `danger` asks twice."""
    block = {"type": "approval", "question": _text(arguments, "question")}
    danger = arguments.get("danger") is True
    return _card(arguments, {**block, **_given(arguments, "details"), "danger": danger})


def _card(arguments: Arguments, block: dict[str, Json]) -> dict[str, Json]:
    title = arguments.get("title")
    if title is None:
        return {"blocks": [block]}
    if not isinstance(title, str):
        raise CardRefused("title", "must be text")
    if len(title) > TITLE_MAX:
        raise CardRefused("title", f"has {len(title)} characters, the limit is {TITLE_MAX}")
    return {"title": title, "blocks": [block]}


def _text(arguments: Arguments, key: str, path: str = "") -> str:
    value = arguments.get(key)
    if not isinstance(value, str):
        raise CardRefused(path + key, "is missing" if value is None else "must be text")
    if not value.strip():
        raise CardRefused(path + key, "is empty")
    return value


def _given(arguments: Arguments, *keys: str) -> dict[str, Json]:
    return {key: arguments[key] for key in keys if arguments.get(key) is not None}


def _entries(
    arguments: Arguments, key: str, limit: int, name: str
) -> list[tuple[str, Mapping[str, Json]]]:
    """The entries of a list with their paths; one that is only text is called `name`."""
    entries = arguments.get(key)
    if not isinstance(entries, list):
        raise CardRefused(key, "is missing" if entries is None else "must be a list")
    if not entries:
        raise CardRefused(key, "is empty; give at least one")
    if len(entries) > limit:
        raise CardRefused(key, f"has {len(entries)} entries, the limit is {limit}")
    pairs: list[tuple[str, Mapping[str, Json]]] = []
    for index, entry in enumerate(entries):
        entry = {name: entry} if isinstance(entry, str) else entry
        if not isinstance(entry, dict):
            raise CardRefused(f"{key}.{index}", f"must be text or an object with {name}")
        pairs.append((f"{key}.{index}.", entry))
    return pairs


def _schema(required: tuple[str, ...], **properties: Json) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": {**properties, "title": {"type": "string", "maxLength": TITLE_MAX}},
        "required": list(required),
        "additionalProperties": False,
    }


def _string(description: str) -> dict[str, Json]:
    return {"type": "string", "description": description}


def _array(limit: int, required: str, **properties: Json) -> dict[str, Json]:
    item = {"type": "object", "properties": properties, "required": [required]}
    return {"type": "array", "minItems": 1, "maxItems": limit, "items": item}


_FLAG = {"type": "boolean"}

SHORT_FORMS: dict[str, Short] = {
    "show_text": Short(
        description="Show a text on the device's screen.",
        input_schema=_schema(("text",), text=_string("Markdown")),
        build=show_text,
    ),
    "show_qr": Short(
        description="Show a QR code: a link, Wi-Fi access or any other short text.",
        input_schema=_schema(
            ("data", "caption"),
            data=_string("what the code holds; links must be https"),
            caption=_string("what the code is for"),
            secret={**_FLAG, "description": "never spoken, logged or kept"},
        ),
        build=show_qr,
    ),
    "show_list": Short(
        description="Show a list on the device's screen.",
        input_schema=_schema(
            ("items",),
            items=_array(
                ITEMS_MAX,
                "title",
                title=_string("the entry"),
                detail=_string("one more line"),
                url=_string("an https link"),
            ),
            ordered={**_FLAG, "description": "numbered"},
        ),
        build=show_list,
    ),
    "show_choices": Short(
        description="Ask a question with a few answers to choose from on the device.",
        input_schema=_schema(
            ("question", "options"),
            question=_string("what to choose"),
            options=_array(
                OPTIONS_MAX,
                "label",
                label=_string("the answer as shown, short"),
                value=_string("what is answered, if not the label"),
            ),
        ),
        build=show_choices,
    ),
    "show_chart": Short(
        description="Show numbers as a small chart on the device's screen.",
        input_schema=_schema(
            ("points", "summary"),
            points=_array(
                POINTS_MAX, "label", label=_string("short name"), value={"type": "number"}
            ),
            summary=_string("in one sentence, what the chart shows"),
            kind={"type": "string", "enum": ["bar", "line", "pie"]},
            unit=_string("of the values, e.g. kWh"),
        ),
        build=show_chart,
    ),
    "ask_approval": Short(
        description="Ask the person at the device to allow or deny something before it is done.",
        input_schema=_schema(
            ("question",),
            question=_string("what is to be allowed, as a question"),
            details=_string("what will happen"),
            danger={**_FLAG, "description": "cannot be undone: ask twice"},
        ),
        build=ask_approval,
    ),
}
