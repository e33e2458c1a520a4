"""sidetalk.card.v1: text, image and list cards, one of them at random or all as a carousel."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from voxcard.cards.dialects.context import NO_CONTEXT, Context
from voxcard.cards.model import (
    Action,
    Block,
    Card,
    CardRefused,
    Group,
    ImageRef,
    ListBlock,
    ListItem,
    Parsed,
    TextBlock,
    Warned,
)
from voxcard.cards.text.sanitize import check_size, clean, label, web_link
from voxcard.json_value import Json

SCHEMA = "sidetalk.card.v1"
TYPES = ("text", "image", "list")
MODES = ("random", "carousel")

Item = Mapping[str, Any]


def parse(source: Json, card_id: str = "card", context: Context = NO_CONTEXT) -> Parsed:
    """The cards of a response body; CardRefused when none of its items can be shown.

    Required keys are strict, the others lenient. A bad item beside a good one is dropped with a
    warning. Which item displayMode random shows hangs on `card_id` alone, so that a redraw
    shows the same item again (R002-05).
    """
    if not isinstance(source, dict):
        raise CardRefused("", "must be a JSON object with schema, cardType, displayMode and items")
    check_size(source)
    if source.get("schema") != SCHEMA:
        raise CardRefused("schema", f"must be {SCHEMA}")
    form, mode = _one_of(source, "cardType", TYPES), _one_of(source, "displayMode", MODES)
    items = source.get("items")
    if not isinstance(items, list) or not items:
        raise CardRefused("items", "must be a list with at least one card")
    warnings: list[Warned] = []
    cards = _cards(items, form, warnings)
    if mode == "random":
        index = _random(card_id).randrange(len(cards))
        return Parsed(cards=(_named(cards[index], card_id),), warnings=tuple(warnings))
    if len(cards) == 1:
        return Parsed(cards=(_named(cards[0], card_id),), warnings=tuple(warnings))
    return Parsed(cards=tuple(_carousel(cards, card_id)), warnings=tuple(warnings))


def _random(card_id: str) -> Random:
    return Random(card_id.encode("utf-8", "surrogatepass"))


def _one_of(source: Item, key: str, names: tuple[str, ...]) -> str:
    value = source.get(key)
    if not isinstance(value, str) or value not in names:
        raise CardRefused(key, f"must be {', '.join(names[:-1])} or {names[-1]}")
    return value


def _cards(items: list[Any], form: str, warnings: list[Warned]) -> list[Card]:
    """The items that can be shown, at least one."""
    cards: list[Card] = []
    refusals: list[CardRefused] = []
    for index, item in enumerate(items):
        notes: list[Warned] = []
        try:
            cards.append(_card(item, form, f"items.{index}", notes))
            warnings += notes
        except CardRefused as refused:
            refusals.append(refused)
    if not cards:
        raise refusals[0]
    warnings += [
        Warned(code="dropped", path=refusal.path, detail=refusal.reason) for refusal in refusals
    ]
    return cards


def _carousel(cards: list[Card], card_id: str) -> Iterator[Card]:
    for index, card in enumerate(cards):
        group = Group(index=index, count=len(cards), mode="carousel")
        yield _named(card, f"{card_id}.{index}", group)


def _named(card: Card, card_id: str, group: Group | None = None) -> Card:
    return Card(
        id=card_id,
        dialect="sidetalk",
        title=card.title,
        blocks=card.blocks,
        actions=card.actions,
        image=card.image,
        group=group,
    )


def _card(item: Any, form: str, path: str, warnings: list[Warned]) -> Card:
    if not isinstance(item, dict):
        raise CardRefused(path, "must be a JSON object")
    if item.get("type") != form:
        raise CardRefused(f"{path}.type", f"must be {form}, as cardType says")
    title, blocks, image = _FORMS[form](item, path, warnings)
    actions = tuple(_actions(item, path, warnings))
    if not (title or blocks or actions or image):
        raise CardRefused(path, "is empty: it has nothing to show")
    return Card(
        id="", dialect="sidetalk", title=title, blocks=blocks, actions=actions, image=image
    )


Body = tuple[str, tuple[Block, ...], ImageRef | None]


def _text_item(item: Item, path: str, warnings: list[Warned]) -> Body:
    title, description = _text(item, "title", path), _text(item, "description", path)
    return label(title), _body(description), None


def _image_item(item: Item, path: str, warnings: list[Warned]) -> Body:
    title, description = _text(item, "title", path), _text(item, "description", path)
    url = _required(item, "imageUrl", path)
    image = _image(url, label(title), f"{path}.imageUrl", warnings, _ratio(item.get("imageRatio")))
    return label(title), _body(description), image


def _ratio(hint: Any) -> float:
    """Width by height; 0 when the hint is of no use."""
    usable = isinstance(hint, int | float) and not isinstance(hint, bool) and 0 < hint < 100
    return float(hint) if usable else 0.0


def _list_item(item: Item, path: str, warnings: list[Warned]) -> Body:
    title, rows = _text(item, "headerText", path), item.get("items")
    if not isinstance(rows, list):
        raise CardRefused(f"{path}.items", "must be a list of rows")
    items: list[ListItem] = []
    refusals: list[CardRefused] = []
    for index, row in enumerate(rows):
        try:
            items.append(_row(row, f"{path}.items.{index}", warnings))
        except CardRefused as refused:
            refusals.append(refused)
    if refusals and not items:
        raise refusals[0]
    warnings += [
        Warned(code="dropped", path=refusal.path, detail=refusal.reason) for refusal in refusals
    ]
    return label(title), (ListBlock(items=tuple(items)),) if items else (), None


_FORMS: dict[str, Callable[[Item, str, list[Warned]], Body]] = {
    "text": _text_item,
    "image": _image_item,
    "list": _list_item,
}


def _row(row: Any, path: str, warnings: list[Warned]) -> ListItem:
    if not isinstance(row, dict):
        raise CardRefused(path, "must be a JSON object")
    title, detail = label(_required(row, "title", path)), _text(row, "description", path)
    link, picture = _text(row, "linkUrl", path), _text(row, "imageUrl", path)
    if link and web_link(link) is None:
        warnings.append(_no_link(f"{path}.linkUrl"))
        link = ""
    image = _image(picture, title, f"{path}.imageUrl", warnings) if picture else None
    return ListItem(title=title, detail=detail, url=link, image=image)


def _actions(item: Item, path: str, warnings: list[Warned]) -> Iterator[Action]:
    buttons = item.get("buttons")
    if buttons is None:
        return
    if not isinstance(buttons, list):
        raise CardRefused(f"{path}.buttons", "must be a list")
    for index, button in enumerate(buttons):
        at = f"{path}.buttons.{index}"
        if not isinstance(button, dict):
            raise CardRefused(at, "must be a JSON object")
        name = label(_required(button, "label", at))
        action, value = _required(button, "action", at), _required(button, "value", at)
        secure = web_link(value)
        if action == "message":
            yield Action(id=f"b{index}", label=name, kind="message", text=value)
        elif action != "url":
            warnings.append(Warned(code="unknown", path=f"{at}.action", detail="is unknown"))
        elif secure is None:
            warnings.append(_no_link(f"{at}.value"))
        else:
            yield Action(id=f"b{index}", label=name, kind="link", url=value, insecure=not secure)


def _image(
    url: str, alt: str, path: str, warnings: list[Warned], ratio: float = 0.0
) -> ImageRef | None:
    """The picture of an https link; of another one there is only what it shows in words."""
    if web_link(url):
        return ImageRef(url=url, alt=alt, ratio=ratio)
    warnings.append(Warned(code="dropped", path=path, detail="a picture that is no https link"))
    return None


def _no_link(path: str) -> Warned:
    return Warned(code="dropped", path=path, detail="is no link a browser may open")


def _body(description: str) -> tuple[Block, ...]:
    return (TextBlock(text=description),) if description.strip() else ()


def _text(item: Item, key: str, path: str) -> str:
    value = item.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise CardRefused(f"{path}.{key}", "must be text")
    return clean(value)


def _required(item: Item, key: str, path: str) -> str:
    value = _text(item, key, path)
    if not label(value):
        raise CardRefused(f"{path}.{key}", "is missing")
    return value
