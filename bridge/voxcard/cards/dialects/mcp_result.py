"""Plain MCP results: links, pictures and questions of a tools/call result that has no card."""

from base64 import b64decode
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from voxcard.cards.dialects.context import NO_CONTEXT, Context
from voxcard.cards.model import (
    Action,
    Block,
    Card,
    CardRefused,
    ImageBlock,
    ImageRef,
    NoCard,
    Parsed,
    Question,
    TextBlock,
    Warned,
)
from voxcard.cards.text.sanitize import clean, label, web_link
from voxcard.json_value import Json

CONTENT_MAX = 100  # entries of a result that are looked at
LINKS_MAX = 6
OPTIONS_MAX = 12
PICTURES_MAX = 4
TEXT_MAX = 16_000
TEXT_TYPES = ("text/plain", "text/markdown")
PICTURE_BYTES_MAX = 5 << 20


def parse(source: Json, card_id: str = "card", context: Context = NO_CONTEXT) -> Parsed:
    """A card of a result's https resource links, pictures, or the question it waits with.

    NoCard when there is none of these: the text alone answers (R-MCP-1).
    """
    if not isinstance(source, dict):
        raise NoCard("", "no card: a result must be a JSON object")
    kind = source.get("resultType")
    if kind is not None and kind not in ("complete", "input_required"):
        raise CardRefused("resultType", "is unknown to MCP, so the result is invalid")
    if kind == "input_required":
        return _question(source.get("inputRequests"), card_id)
    warnings: list[Warned] = []
    links = tuple(_links(source, warnings))
    pictures = tuple(_pictures(source, warnings))
    if not links and not pictures:
        raise NoCard("", "no card")
    text = visible_text(source)
    blocks: list[Block] = [TextBlock(text=text[:TEXT_MAX])] if text else []
    blocks += [ImageBlock(image=picture) for picture in pictures[1:]]
    card = Card(
        id=card_id,
        dialect="mcp_result",
        title=links[0].label if links else "",
        blocks=tuple(blocks),
        actions=links,
        image=pictures[0] if pictures else None,
        warnings=tuple(warnings),
    )
    return Parsed(cards=(card,), warnings=tuple(warnings))


def visible_text(result: Mapping[str, Any]) -> str:
    """The text blocks meant for the user, a line break between them (R-MCP-4), else the plain
    text of embedded resources; maybe empty."""
    texts = [entry["text"] for entry in _content(result, "text") if _is_text(entry.get("text"))]
    return clean("\n".join(texts or _embedded(result)))


def _embedded(result: Mapping[str, Any]) -> Iterator[str]:
    for resource in _resources(result):
        if _mime(resource) in TEXT_TYPES and _is_text(resource.get("text")):
            yield resource["text"]


def _resources(result: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for entry in _content(result, "resource"):
        resource = entry.get("resource")
        if isinstance(resource, dict):
            yield resource


def _mime(entry: Mapping[str, Any]) -> str:
    return str(entry.get("mimeType")).partition(";")[0].strip().lower()


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _content(result: Mapping[str, Any], kind: str) -> Iterator[Mapping[str, Any]]:
    content = result.get("content")
    for entry in content[:CONTENT_MAX] if isinstance(content, list) else ():
        if isinstance(entry, dict) and entry.get("type") == kind and is_for_user(entry):
            yield entry


def is_for_user(entry: Mapping[str, Any]) -> bool:
    """Whether a content entry is not meant for the assistant alone (R-MCP-4)."""
    annotations = entry.get("annotations")
    audience = annotations.get("audience") if isinstance(annotations, dict) else None
    return not isinstance(audience, list) or not audience or "user" in audience


def _links(result: Mapping[str, Any], warnings: list[Warned]) -> Iterator[Action]:
    count = 0
    for entry in _content(result, "resource_link"):
        url = entry.get("uri")
        if not web_link(url):
            warnings.append(
                Warned(code="dropped", path="content", detail="a link that is no https")
            )
        elif count == LINKS_MAX:
            warnings.append(Warned(code="truncated", path="content", detail="more links"))
            return
        else:
            name = next((entry[key] for key in ("title", "name") if _is_text(entry.get(key))), "")
            name = label(name) or label(unquote(str(url).rsplit("/", 1)[-1])) or "Link"
            yield Action(id=f"l{count}", label=name[:80], kind="link", url=str(url))
            count += 1


def _pictures(result: Mapping[str, Any], warnings: list[Warned]) -> Iterator[ImageRef]:
    for index, data in enumerate(_picture_data(result)):
        if not isinstance(data, str) or not data:
            warnings.append(
                Warned(code="dropped", path="content", detail="a picture without data")
            )
        elif index >= PICTURES_MAX or len(data) > PICTURE_BYTES_MAX * 4 // 3 + 4:
            warnings.append(Warned(code="truncated", path="content", detail="a picture too many"))
        else:
            try:
                yield ImageRef(data=b64decode(data))
            except ValueError:
                warnings.append(Warned(code="dropped", path="content", detail="no base64"))


def _picture_data(result: Mapping[str, Any]) -> Iterator[Any]:
    """The base64 of pictures, then of embedded resources that are pictures."""
    yield from (entry.get("data") for entry in _content(result, "image"))
    for resource in _resources(result):
        if _mime(resource).startswith("image/"):
            yield resource.get("blob")


def _question(requests: Any, card_id: str) -> Parsed:
    """The first elicitation that a small screen can ask: an enum's choices, or a link to open."""
    for key, request in requests.items() if isinstance(requests, dict) else ():
        params = request.get("params") if isinstance(request, dict) else None
        if not isinstance(params, dict) or request.get("method") != "elicitation/create":
            continue
        message = params.get("message")
        title = clean(message)[:500] if isinstance(message, str) else ""
        field, choices = _options(params.get("requestedSchema"))
        options = tuple(_option(index, *each) for index, each in enumerate(choices))
        actions = _link_option(params) or options
        if actions:
            answers = {each.id: answer for each, (answer, _) in zip(options, choices, strict=True)}
            card = Card(
                id=card_id,
                dialect="mcp_result",
                title=label(title),
                actions=actions,
                question=Question(kind="choice", prompt=title),
                extra={"request": str(key), "field": field, "answers": answers},
            )
            return Parsed(cards=(card,))
    raise NoCard("inputRequests", "no card: has no question with choices")


def _link_option(params: Mapping[str, Any]) -> tuple[Action, ...]:
    url = params.get("url")
    if params.get("mode") != "url" or not web_link(url):
        return ()
    return (Action(id="open", label="Open", kind="link", url=str(url)),)


def _options(schema: Any) -> tuple[str, list[tuple[Any, str]]]:
    """The first property with an enum (or yes and no), and its choices as (what the form wants,
    what is shown); none when the form requires more than that one answer."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required") if isinstance(schema, dict) else None
    wanted = required if isinstance(required, list) else []
    for name, field in properties.items() if isinstance(properties, dict) else ():
        choices = _choices(field) if isinstance(field, dict) else []
        if choices and all(each == name for each in wanted):
            return str(name), choices
    return "", []


def _option(index: int, answer: Any, shown: str) -> Action:
    value = answer[0] if isinstance(answer, list) else answer
    text = clean(value) if isinstance(value, str) else shown
    return Action(
        id=f"o{index}", label=label(shown)[:80] or text[:80], kind="message", text=text[:200]
    )


def _choices(field: Mapping[str, Any]) -> list[tuple[Any, str]]:
    several = False
    if field.get("type") == "array" and _object(field.get("items")):
        field, several = field["items"], True  # a button chooses one of them
    values, names = field.get("enum"), field.get("enumNames")
    titled = field.get("oneOf", field.get("anyOf"))
    if isinstance(values, list):
        names = names if isinstance(names, list) and len(names) == len(values) else values
        pairs = list(zip(values, names, strict=True))
    elif isinstance(titled, list):
        pairs = [(each.get("const"), each.get("title")) for each in titled if _object(each)]
    else:
        return [(True, "Yes"), (False, "No")] if field.get("type") == "boolean" else []
    return [
        ([value] if several else value, str(name) if _is_text(name) else clean(value))
        for value, name in pairs
        if _is_text(value) and label(value)
    ][:OPTIONS_MAX]


def _object(value: Any) -> bool:
    return isinstance(value, dict)
