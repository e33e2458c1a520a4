"""The links of a card: the primary first, each target once, and where its text says it."""

from voxcard.cards.model import (
    Action,
    Card,
    ListBlock,
    ListItem,
    MapBlock,
    MediaBlock,
    Pin,
    TextBlock,
)
from voxcard.cards.text.links import links


def link(label, url=None, **more):
    return Action(
        id=label, label=label, kind="link", url=url or f"https://{label}.example", **more
    )


def card(*blocks, actions=(), **more):
    return Card(id="c", dialect="x", blocks=blocks, actions=actions, **more)


def found(card):
    return [each.label + "!" * each.insecure + "=" * each.row for each in links(card)]


def test_the_primary_link_is_first_and_the_others_stay_in_order():
    styles = ("danger", "secondary", "primary")
    actions = tuple(link(style, style=style) for style in styles)
    assert found(card(actions=actions)) == ["primary", "danger", "secondary"]
    message = Action(id="m", label="m", kind="message", url="https://m.example")
    assert found(card(actions=(message, link("a")))) == ["a"]


def test_a_target_is_there_once_by_its_first_name():
    actions = (link("a"), link("b", "https://a.example"), link("c", ""))
    assert found(card(actions=actions)) == ["a", "c"]
    items = ListBlock(items=(ListItem(title="a", url="https://a.example"), ListItem(title="none")))
    assert found(card(items, actions=(link("b", "https://a.example"),))) == ["b"]


def test_links_of_every_block_are_found_and_those_that_a_row_says():
    blocks = (
        ListBlock(items=(ListItem(title="item", url="https://i.example"),)),
        MapBlock(
            pins=(Pin(letter="A", label="pin", url="https://p.example"),),
            links=(("map", "https://m.example"),),
        ),
        MediaBlock(kind="video", title="film", url="http://f.example"),
        TextBlock(text="[plain](https://n.example)"),
        TextBlock(text="[text](https://t.example)\n- [row](https://r.example)", markdown=True),
        TextBlock(text="[old](http://o.example)\n- [old](http://q.example)", markdown=True),
    )
    assert found(card(*blocks)) == ["item=", "pin", "map", "film!=", "text", "row="]


def test_the_links_of_slides_come_before_those_of_blocks():
    slides = (card(actions=(link("one"),)), card(actions=(link("two", "HTTP://two.example"),)))
    block = ListBlock(items=(ListItem(title="item", url="https://i.example"),))
    assert found(card(block, slides=slides, actions=(link("a"),))) == ["a", "one", "two!", "item="]
