"""companion.skill_card: order, scope, placeholders, and a skill's Markdown as blocks."""

from itertools import count

import pytest
from fakes.device.screens import screen_of
from voxcard.cards import model
from voxcard.cards.dialects.companion import ordered, parse, stripped
from voxcard.cards.fit.fit import fit
from voxcard.cards.model import CardRefused
from voxcard.cards.read.reading import read
from voxcard.cards.text.twins import complete
from voxwire.capability import BLOCKS

SMALL = screen_of(128, 64, 1, "rect", 230, (6, 8), ((32, 0x2FF),), BLOCKS)
FLIGHT = """\
## Zbor RO 371

**Poarta**: 12
**Ora:** 18:40

- Pleacă la **18:40**
- Vezi [harta](https://air.example.ro/harta)

| Zi | Max |
|---|---|
| Lu | 9° |

```py
print("[no](https://code.example)")
```
---
> atenție la [site](https://air.example.ro) și http://old.example.ro/a.
![Radar](https://i.example.com/r.png)
"""


def event(markdown, seq=1, **payload):
    payload = {"markdown": markdown, **payload}
    return {"type": "companion.skill_card", "seq": seq, "payload": payload}


def message(text, seq):
    return {"type": "companion.message", "seq": seq, "payload": {"text": text}}


def card(markdown, **payload):
    (parsed_card,) = parse([event(markdown, **payload)]).cards
    return parsed_card


def test_events_come_in_the_order_of_seq_each_once():
    late = {"type": "companion.message", "payload": {"text": "no seq"}}
    events = [message("b", 8), late, event("card", 7), event("card again", 7), message("c", 9)]
    assert [each.get("seq") for each in ordered(events)] == [7, 8, None, 9]
    assert [each.twin.text for each in parse(events).cards] == ["card"]


def test_several_cards_are_numbered_in_their_order_and_a_bad_one_is_dropped():
    parsed = parse([event("second", 5), event("", 6), event("first", 4)], "c")
    assert [(each.id, each.twin.text, each.extra["seq"]) for each in parsed.cards] == [
        ("c.0", "first", 4),
        ("c.1", "second", 5),
    ]
    assert [(warned.code, warned.path) for warned in parsed.warnings] == [
        ("dropped", "payload.markdown")
    ]


@pytest.mark.parametrize("scopes", [[], ["chat.read"], "skills.execute", None])
def test_a_session_without_the_scope_gets_no_card(scopes):
    with pytest.raises(CardRefused, match=r"lacks the scope skills\.execute"):
        parse({"scopes": scopes, "events": [event("secret")]})
    held = {"scopes": ["chat.read", "skills.execute"], "events": [event("mine")]}
    assert parse(held).cards[0].twin.text == "mine"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Price: {{price}} lei", "Price: lei"),
        ("Hi {{ user.name }}!", "Hi!"),
        ("{{{raw}}}{{a}}{{b}}.", "."),
        ("{{#each {x} y}}row{{/each}}", "row"),
        ("{{a{{b}}c}}", ""),
        ("JSON {a:1} stays", "JSON {a:1} stays"),
        ("{{never closed", "{{never closed"),
    ],
)
def test_placeholders_nobody_filled_are_never_shown(text, left):
    assert stripped(text) == left


def test_placeholders_nested_without_end_are_gone_in_bounded_time():
    left = stripped("{{" * 30_000 + "x" + "}}" * 30_000)
    assert "{{" not in left or "}}" not in left


def test_the_markdown_of_a_skill_becomes_blocks():
    parsed_card = card(FLIGHT, skill="flights")
    assert (parsed_card.title, parsed_card.trust, parsed_card.provenance.source) == (
        "Zbor RO 371",
        "author",
        "flights",
    )
    assert parsed_card.blocks == (
        model.KeyValueBlock(rows=(("Poarta", "12"), ("Ora", "18:40"))),
        model.ListBlock(
            items=(
                model.ListItem(title="Pleacă la 18:40"),
                model.ListItem(title="Vezi harta", url="https://air.example.ro/harta"),
            )
        ),
        model.TableBlock(columns=("Zi", "Max"), rows=(("Lu", "9°"),)),
        model.CodeBlock(text='print("[no](https://code.example)")', language="py"),
        model.DividerBlock(),
        model.TextBlock(text="“atenție la site și old.example.ro.”"),
        model.ImageBlock(image=model.ImageRef(url="https://i.example.com/r.png", alt="Radar")),
    )
    assert [(link.label, link.url, link.insecure) for link in parsed_card.actions] == [
        ("site", "https://air.example.ro", False),
        ("old.example.ro/a", "http://old.example.ro/a", True),
    ]


def test_the_text_twin_is_the_markdown_and_the_speech_its_first_words():
    parsed_card = complete(card(FLIGHT))
    assert parsed_card.twin.text == FLIGHT
    assert parsed_card.twin.speak == "Zbor RO 371. Poarta, 12; Ora, 18:40."


@pytest.mark.parametrize(
    ("markdown", "title", "texts"),
    [
        ("Intro\n\n# Later", "Later", ["Intro", "Later"]),
        ("**Result**\nTwo lines", "Result", ["Two lines"]),
        ("One line alone.", "", ["One line alone."]),
        ("x" * 81 + "\nmore", "", ["x" * 81 + "\nmore"]),
        ("# C #\ntext", "C", ["text"]),
        ("1. Phở bò\n2. Bún chả", "", []),
    ],
)
def test_the_title_is_the_first_heading_else_a_short_first_line(markdown, title, texts):
    parsed_card = card(markdown)
    assert parsed_card.title == title
    blocks = (block for block in parsed_card.blocks if isinstance(block, model.TextBlock))
    assert [block.text for block in blocks] == texts


def test_a_numbered_list_with_more_lines_keeps_them_as_details():
    (block,) = card("1. Phở bò\n   with beef\n2. Bún chả").blocks
    assert [(item.mark, item.title, item.detail) for item in block.items] == [
        ("1.", "Phở bò", "with beef"),
        ("2.", "Bún chả", ""),
    ]


def test_html_is_text_on_the_screen():
    fitted_card = fit(
        card("<b>Hi</b>\n<script>alert(1)</script>"),
        SMALL,
        now=0,
        next_blob=count(1).__next__,
    ).card
    (page,) = fitted_card.pages
    assert (page.title, [line.text for line in page.lines]) == (
        "<b>Hi</b>",
        ["<script>alert(1)</", "script>"],
    )


def test_events_in_a_result_are_found():
    events = {"events": [message("Here.", 8), event("**Gate** 12", 7)]}
    parsed = read({"content": [], "structuredContent": events}, call_id="1")
    assert [(each.dialect, each.twin.speak) for each in parsed.cards] == [
        ("companion", "Gate 12.")
    ]


def test_a_text_too_long_is_cut_and_says_so():
    parsed = parse([event("word " * 20_000)])
    assert len(parsed.cards[0].twin.text) == 65_536
    assert [warned.code for warned in parsed.warnings] == ["truncated"]
