"""Markdown on a screen: what each construct becomes, as docs/cards.md says in its table."""

from base64 import b64encode

import pytest
from voxcard.cards.model import (
    CodeBlock,
    DividerBlock,
    ImageBlock,
    ImageRef,
    KeyValueBlock,
    ListBlock,
    ListItem,
    MoreBlock,
    TableBlock,
    TextBlock,
)
from voxcard.cards.text.markdown.document import READ_MAX, document, plain, sections


def items(*rows):
    return ListBlock(items=tuple(ListItem(title=title, **more) for title, more in rows))


def text(words):
    return TextBlock(text=words)


@pytest.mark.parametrize(
    ("source", "blocks"),
    [
        ("# One #\ntwo", [TextBlock(text="One", level=1), text("two")]),
        ("One\n---\ntwo", [TextBlock(text="One", level=2), text("two")]),
        ("one\ntwo\n\nthree", [text("one\ntwo"), text("three")]),
        ("one  \ntwo\\\nthree", [text("one\ntwo\nthree")]),
        ("- a\n- b", [items(("a", {}), ("b", {}))]),
        ("4. a\n5. b", [items(("a", {"mark": "4."}), ("b", {"mark": "5."}))]),
        ("3. a\n3. b", [items(("a", {"mark": "3."}), ("b", {"mark": "4."}))]),
        ("2) a\n9) b", [items(("a", {"mark": "2."}), ("b", {"mark": "9."}))]),
        ("- a\n  1. b", [items(("a", {}), ("b", {"mark": "1.", "level": 1}))]),
        ("- [x] a\n- [ ] b", [items(("a", {"mark": "✓"}), ("b", {"mark": "☐"}))]),
        ("1. [x] a", [items(("a", {"mark": "1. ✓"}))]),
        ("- a\n\n  more", [items(("a", {"detail": "more"}))]),
        ("- ![Lake](https://i.example/1.png)", [items(("[picture] Lake", {"image": ImageRef(
            alt="Lake", url="https://i.example/1.png")}))]),
        ("| A | B |\n|---|---|\n| 1 | a \\| b |",
         [TableBlock(columns=("A", "B"), rows=(("1", "a | b"),))]),
        ("| | |\n|---|---|\n| 1 | 2 |", [TableBlock(columns=(), rows=(("1", "2"),))]),
        ("```py\nx = *1*\n```", [CodeBlock(text="x = *1*", language="py")]),
        ("    x = 1", [CodeBlock(text="x = 1")]),
        ("```mermaid\ngraph LR\nA-->B\n```",
         [CodeBlock(text="graph LR\nA-->B", language="mermaid", summary="A → B")]),
        ("> said\n> twice", [text("“said\ntwice”")]),
        ("> [!WARNING]\n> Hot", [text("Warning: Hot")]),
        ("> - a", [items(("a", {}))]),
        ("a\n\n***\n\nb", [text("a"), DividerBlock(), text("b")]),
        ("**Gate**: 12\n**Seat:** 4\nthen go",
         [KeyValueBlock(rows=(("Gate", "12"), ("Seat", "4"))), text("then go")]),
        ("***a*** __b__ ~~c~~ `d*`", [text("a b c d*")]),
        ("2*3*4 and a_b_c", [text("2*3*4 and a_b_c")]),
        ("\\*a\\* &amp; b&nbsp;c &#8364;", [text("*a* & b c €")]),
        ("![Lake](https://i.example/1.png)",
         [ImageBlock(image=ImageRef(alt="Lake", url="https://i.example/1.png"))]),
        ("![Lake](http://i.example/1.png)", [ImageBlock(image=ImageRef(alt="Lake"))]),
        ("[a](tel:+401) [b](mailto:c@d.example)", [text("a (+401) b (c@d.example)")]),
        ("[x](javascript:alert(1)) [y](/z)", [text("x y")]),
        ("1986.", [text("1986.")]),
        ("", []),
    ],
)  # fmt: skip
def test_each_construct_becomes_what_the_table_says(source, blocks):
    assert list(document(source).blocks) == blocks


def test_links_are_found_in_every_form_and_named_by_their_words():
    source = (
        "[Guide][g], <https://a.example/x>, https://b.example/y_z. and "
        "[![Red hat](https://i.example/h.png)](https://c.example)\n\n"
        '| [Plan](https://d.example) |\n|---|\n\n[g]: http://g.example "About"'
    )
    parsed = document(source)
    assert [(link.label, link.url, link.insecure) for link in parsed.links] == [
        ("Guide", "http://g.example", True),
        ("a.example/x", "https://a.example/x", False),
        ("b.example/y_z", "https://b.example/y_z", False),
        ("Red hat", "https://c.example", False),
        ("Plan", "https://d.example", False),
    ]
    assert parsed.blocks[0].text == "Guide, a.example, b.example. and Red hat"


def test_the_first_link_of_an_entry_is_its_own_and_the_others_are_the_texts():
    parsed = document(
        "- [a](https://a.example) [b](https://b.example)\n  - [c](https://c.example)"
    )
    assert [item.url for item in parsed.blocks[0].items] == [
        "https://a.example",
        "https://c.example",
    ]
    assert [link.url for link in parsed.links] == ["https://b.example"]


def test_plain_text_keeps_bare_links_for_those_who_leave_them_out():
    assert plain("See https://a.example/x, *now*") == "See https://a.example/x, now"


def test_tags_are_words_only_where_html_is_read():
    source = "<b>Hi</b><br>you <name> <a href='https://a.example'>there</a>"
    assert document(source).blocks == (text("Hi\nyou <name> there"),)
    assert document(source).links[0].url == "https://a.example"
    literal = "<b>Hi</b> *you* <br>"
    assert document(literal, html=False).blocks == (text("<b>Hi</b> you <br>"),)


def test_inline_pictures_are_pictures_and_no_letters():
    png = b"\x89PNG\r\n\x1a\n" * 3000
    uri = f"data:image/png;base64,{b64encode(png).decode()}"
    parsed = document(f"![Use]({uri})\nIt fell. {uri}")
    assert parsed.blocks == (
        text("It fell. [picture]"),
        ImageBlock(image=ImageRef(alt="Use", data=png)),
    )


def test_more_than_a_screen_holds_is_counted_in_lines():
    parsed = document("word *one*\n" * 3000)
    assert parsed.blocks[-1] == MoreBlock(count=3000 - READ_MAX // 11)


def test_sections_are_the_headings_and_what_is_between_them():
    source = "in *tro*\n\n# A\n```\n# no\n```\nB\n=\n- c"
    assert [(level, part) for level, part in sections(source) if part.strip()] == [
        (0, "in *tro*\n"),
        (1, "A"),
        (0, "```\n# no\n```"),
        (1, "B"),
        (0, "- c"),
    ]


@pytest.mark.parametrize("part", ["[", "![", "[a](", "]", "*a **", "> ", "- ", "`", "<a ", "&"])
def test_text_made_to_confuse_gives_its_words(part):
    assert plain(part * 9000 + "end") is not None
    paragraph = " ".join(f"![b](https://i.example/{number}.png)" for number in range(40))
    assert len(document(paragraph).blocks) == 40


def test_a_link_says_up_to_eighty_characters():
    for length, kept in ((80, 80), (81, 80)):
        (link,) = document("[" + "x" * length + "](https://a.example/)").links
        assert link.label == "x" * kept


def test_a_text_of_any_length_is_read_once_and_the_same():
    for length in (20, 3000, 16_000):
        words = "**a** " + "b " * (length // 2)
        assert plain(words) == "a " + ("b " * (length // 2)).strip()
        (block,) = document(words).blocks
        assert block.text == plain(words)


def test_open_brackets_are_counted_in_each_paragraph_alone():
    assert plain("[a\n\n" * 300).count("[a") == 300
    assert 0 < plain("[a " * 300).count("(a") < 300
