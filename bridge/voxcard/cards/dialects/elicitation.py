"""The question an unfinished MCP result waits with: choices that buttons can answer."""

from collections.abc import Mapping
from typing import Any

from voxcard.cards.model import Action, Card, NoCard, Parsed, Question
from voxcard.cards.text.fixed_words import WORDS
from voxcard.cards.text.sanitize import clean, label, web_link

OPTIONS_MAX = 40  # a page of choices holds fewer and says how many are left


def question(requests: Any, card_id: str) -> Parsed:
    """The first elicitation that a small screen can ask: an enum's choices, or a link to open."""
    for key, request in requests.items() if isinstance(requests, dict) else ():
        params = request.get("params") if isinstance(request, dict) else None
        if not isinstance(params, dict) or request.get("method") != "elicitation/create":
            continue
        message = params.get("message")
        title = clean(message)[:500] if isinstance(message, str) else ""
        field, choices = _options(params.get("requestedSchema"))
        options = tuple(_option(index, *choice) for index, choice in enumerate(choices))
        actions = _link_option(params) or options
        if actions:
            answers = {
                value.id: answer for value, (answer, _) in zip(options, choices, strict=True)
            }
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
    return (Action(id="open", label=WORDS["open"], kind="link", url=str(url)),)


def _options(schema: Any) -> tuple[str, list[tuple[Any, str]]]:
    """The first property with an enum (or yes and no), and its choices as (what the form wants,
    what is shown); none when the form requires more than that one answer."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required") if isinstance(schema, dict) else None
    wanted = required if isinstance(required, list) else []
    for name, field in properties.items() if isinstance(properties, dict) else ():
        choices = _choices(field) if isinstance(field, dict) else []
        if choices and all(entry == name for entry in wanted):
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
    if field.get("type") == "array" and isinstance(field.get("items"), dict):
        field, several = field["items"], True  # a button chooses one of them
    values, names = field.get("enum"), field.get("enumNames")
    titled = field.get("oneOf", field.get("anyOf"))
    if isinstance(values, list):
        names = names if isinstance(names, list) and len(names) == len(values) else values
        pairs = list(zip(values, names, strict=True))
    elif isinstance(titled, list):
        pairs = [
            (entry.get("const"), entry.get("title")) for entry in titled if isinstance(entry, dict)
        ]
    else:
        return (
            [(True, WORDS["yes"]), (False, WORDS["no"])] if field.get("type") == "boolean" else []
        )
    return [
        ([value] if several else value, str(name) if _is_text(name) else clean(value))
        for value, name in pairs
        if _is_text(value) and label(value)
    ][:OPTIONS_MAX]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)
