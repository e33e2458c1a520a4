"""Where a construct of Markdown ends and another begins, and how much of a text is read."""

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


def test_a_text_is_kept_for_who_asks_again_but_not_where_it_may_hold_pictures():
    for length, kept in ((20, True), (65_536, True), (65_537, False)):
        words = "**a** " + "b" * (length - 6)
        assert (document(words) is document(words)) is kept, length


def test_a_text_without_markers_is_its_paragraphs():
    assert document("\none\ntwo\n\n\n \n\nthree\n").blocks == (text("one\ntwo"), text("three"))
    assert plain("\none\n\n\nthree\n") == "one\n\n\nthree"


@pytest.mark.parametrize("letters", ["b", "*b* "])
def test_a_text_is_read_to_its_limit_and_one_letter_more_is_a_line_left_out(letters):
    whole = (letters * READ_MAX)[:READ_MAX].replace(" ", "c")
    assert not any(isinstance(block, MoreBlock) for block in document(whole).blocks)
    assert document(whole + "b").blocks[-1] == MoreBlock(count=1)
    assert document(whole + "\nb\nc\n").blocks[-1] == MoreBlock(count=2)
    assert plain(whole + "b\n\nc").endswith("\n\n+3 more")
    assert document(whole + "\n ").blocks == document(whole).blocks


def test_a_text_of_which_nothing_is_left_gives_its_words_and_not_its_marks():
    assert (plain("1986.\n"), plain("[a]: https://a.example"), plain("<!-- a -->")) == (
        "1986.",
        "",
        "",
    )
    assert document("- ").blocks == ()
    assert document("[a]: https://a.example").blocks == ()
    assert document("\n1986.\n").blocks == (text("1986."),)


def test_the_hosts_of_bare_links_stand_in_blocks_and_the_links_in_plain_text():
    assert document("*a* https://a.example/x").blocks == (text("a a.example"),)
    assert plain("*a* https://a.example/x") == "a https://a.example/x"


def test_a_heading_inside_of_something_begins_no_section():
    source = "> # no\n\n# Yes\nb"
    assert list(sections(source)) == [(0, "> # no\n"), (1, "Yes"), (0, "b")]
    assert list(sections("no marks")) == [(0, "no marks")]
    assert list(sections("<div>\n# no\n</div>")) == [(0, "<div>\n# no\n</div>")]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("Go [^1].\n\n[^1]: Free", "Go (1).\n\n(1) Free"),
        ("Go [^1], [^2].\n\n[^1]: Free", "Go (1), [^2].\n\n(1) Free"),
        ("Go [^1].", "Go [^1]."),
        ("[^" + "n" * 20 + "]: Free", "(" + "n" * 20 + ") Free"),
        ("    [^1]: Free", "[^1]: Free"),
        ("   [^1]: Free", "(1) Free"),
    ],
)
def test_a_footnote_is_a_number_where_it_is_called_and_where_it_stands(source, words):
    assert plain(source) == words


@pytest.mark.parametrize(("opening", "most"), [("[", 24), ("![", 3)])
def test_twenty_four_brackets_may_be_open_at_once_and_an_image_counts_as_eight(opening, most):
    assert plain(opening * 24 + "x") == opening * 24 + "x"
    assert plain(opening * 30 + "x") == opening * most + "(" * (30 - most) + "x"
    assert plain(opening * 30 + "x] [y z") == opening * most + "(" * (30 - most) + "x] [y z"
    assert plain("![" * 2 + "[" * 24 + "x") == "![" * 2 + "[" * 8 + "(" * 16 + "x"
    assert plain("[" * 24 + "]" + "[[x") == "[" * 24 + "]" + "[(x"
    assert plain("[a] " * 200 + "*b*").count("(") == 0


@pytest.mark.parametrize(
    ("source", "label", "url"),
    [
        ("https://a.example/" + "b" * 30, "a.example/" + "b" * 30, None),
        ("https://a.example/" + "b" * 31, "a.example", None),
        ("https://a.example/", "a.example", None),
        ("[https://b.example](https://a.example/c)", "a.example/c", "https://a.example/c"),
        ("[ ](https://a.example/c)", "a.example/c", "https://a.example/c"),
        ("(https://a.example/b)", "a.example/b", "https://a.example/b"),
        ("https://a.example/b(c)", "a.example/b(c)", "https://a.example/b(c)"),
        ("(https://a.example/b(c).)", "a.example/b(c)", "https://a.example/b(c)"),
        ("https://a.example/b).", "a.example/b", "https://a.example/b"),
        ("HTTPS://a.example/b?!", "a.example/b", "HTTPS://a.example/b"),
    ],
)
def test_a_link_without_a_name_is_called_by_its_address_or_a_long_one_by_its_host(
    source, label, url
):
    (link,) = document(source).links
    assert (link.label, link.url) == (label, url or source)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("xhttps://a.example", "xhttps://a.example"),
        ("[+40 1](tel:+40%201)", "+40 1 (+40%201)"),
        ("[Ana](mailto:a@b.example?subject=c)", "Ana (a@b.example)"),
        ("[Mail A@B.example](MAILTO:a@b.example)", "Mail A@B.example"),
        ("[Ana](sms:123)", "Ana (123)"),
        ("x <i>a</i> <c>b</c> <d> </e>", "x a b <d>"),
        ("x<ul><li>a</li></ul>", "x\n\n• a"),
        ("x <!-- no --> y", "x  y"),
        ("x <a href='tel:12'>call</a> y", "x call (12) y"),
        ("2**3**4", "2**3**4"),
        ("(**3**4) *a*5", "(34) a5"),
        ("ä*b*", "äb"),
        ("a `*b*` &nbsp;", "a *b*"),
    ],
)
def test_words_of_a_line(source, words):
    assert plain(source) == words


def test_a_picture_to_press_is_called_by_what_it_shows_and_without_words_or_source_is_none():
    link = "[![Red hat](https://i.example/h.png)](https://c.example)"
    assert document(link).blocks == (text("Red hat"),)
    assert document("a\n![](/x.png)").blocks == (text("a"),)
    assert document("<img alt='A' src='https://i.example/1.png'> b *c*").blocks == (
        text("b c"),
        ImageBlock(image=ImageRef(alt="A", url="https://i.example/1.png")),
    )
    assert document("![](DATA:image/png;base64,iVBORw0K)").blocks == (
        ImageBlock(image=ImageRef(alt="", data=b"\x89PNG\r\n")),
    )


@pytest.mark.parametrize(
    "source",
    [
        "![](/x.png)",
        "![](x.png) ![](y.png)",
        "# ![](/logo.png)",
        "> ![](/x.png)",
        "<img src='/x.png'>",
        "<p><img src='/x.png'></p>",
        "[![](/x.png)](/page)",
        "[x]: /x.png\n![][x]",
        "![](data:image/png;base64,xx)",
        "![](ftp://a.example/x.png)",
    ],
)
def test_a_text_that_is_a_picture_from_nowhere_says_that_it_is_one(source):
    assert document(source).blocks == (ImageBlock(image=ImageRef()),)
    assert plain(source) == "[picture]"
    assert document(f"Radar\n\n{source}").blocks == (text("Radar"),)


def test_a_picture_from_nowhere_keeps_the_place_of_its_item_and_cell():
    assert plain("- ![](/x.png)\n- b") == "• [picture]\n• b"
    assert plain("|a|b|\n|-|-|\n|![](/x.png)|c|") == "a · b\n[picture] · c"
    assert plain("![]()") == "" == plain("<img>")


@pytest.mark.parametrize(
    ("source", "blocks"),
    [
        ("#\n\n*a*", [text("a")]),
        ("### A ![B](https://i.example/1.png)",
         [TextBlock(text="A", level=3),
          ImageBlock(image=ImageRef(alt="B", url="https://i.example/1.png"))]),
        ("a\n**B**: 1\nc\n**D**: 2",
         [text("a"), KeyValueBlock(rows=(("B", "1"),)), text("c"),
          KeyValueBlock(rows=(("D", "2"),))]),
        ("**B**: 1\n![c](https://i.example/1.png)\n**D**: 2",
         [KeyValueBlock(rows=(("B", "1"),)), KeyValueBlock(rows=(("D", "2"),)),
          ImageBlock(image=ImageRef(alt="c", url="https://i.example/1.png"))]),
        ("**B**：1", [KeyValueBlock(rows=(("B", "1"),))]),
        ("**B：** 1", [KeyValueBlock(rows=(("B", "1"),))]),
        ("**B** : 1", [KeyValueBlock(rows=(("B", "1"),))]),
        ("**B**:", [text("B:")]),
        ("**B** 1", [text("B 1")]),
        ("**:** 1", [text(": 1")]),
        ("a **B**: 1", [text("a B: 1")]),
        (f"**{'B' * 80}**: 1", [KeyValueBlock(rows=(("B" * 80, "1"),))]),
        (f"**{'B' * 81}**: 1", [text("B" * 81 + ": 1")]),
        ("*a\nb* c", [text("a\nb c")]),
        ("3. a\n4. b\n4. c", [items(("a", {"mark": "3."}), ("b", {"mark": "4."}),
                                    ("c", {"mark": "5."}))]),
        ("7. a\n9. b\n12. c", [items(("a", {"mark": "7."}), ("b", {"mark": "9."}),
                                     ("c", {"mark": "12."}))]),
        ("-\n- a", [items(("a", {}))]),
        ("- [X] a", [items(("a", {"mark": "✓"}))]),
        ("- [x]a", [items(("[x]a", {}))]),
        ("- a\n  b\n  ```\n  c\n  d\n  ```", [items(("a", {"detail": "b\nc\nd"}))]),
        ("- a\n  - b\n    - c\n- d", [items(("a", {}), ("b", {"level": 1}), ("c", {"level": 2}),
                                           ("d", {}))]),
        ("- ![](https://i.example/1.png)",
         [items(("[picture] i.example", {"image": ImageRef(alt="", url="https://i.example/1.png")}))]),
        ("- ![a](https://i.example/1.png) ![b](https://i.example/2.png) c",
         [items(("c", {"image": ImageRef(alt="a", url="https://i.example/1.png")}))]),
        ("|A|\n|-|\n|b<br>c ![d](https://i.example/1.png)|\n|![](https://i.example/2.png)|",
         [TableBlock(columns=("A",), rows=(("b c [picture] d",), ("[picture] i.example",)))]),
        ("|A|", [text("|A|")]),
        ("|A|\n|-|", [TableBlock(columns=("A",), rows=())]),
        ("> a\n>\n> b", [text("“a\nb”")]),
        ("> # A\n> b", [TextBlock(text="A", level=1), text("“b”")]),
        ("> b\n>\n> - c", [text("“b”"), items(("c", {}))]),
        ("> # A", [TextBlock(text="A", level=1)]),
        ("> [!NOTE]\n> a\n>\n> b", [text("Note: a\nb")]),
        ("> [!N]\n> a", [text("“[!N]\na”")]),
        ("> [!" + "N" * 12 + "] a", [text("N" + "n" * 11 + ":  a")]),
        ("> [!" + "N" * 13 + "] a", [text("“[!" + "N" * 13 + "] a”")]),
        ("~~~ py  title\n\nx\n\n~~~", [CodeBlock(text="x", language="py")]),
        ("```\n \n```\n*a*", [text("a")]),
        ("```" + "p" * 31 + "\nx\n```", [CodeBlock(text="x", language="p" * 30)]),
        ("```LaTeX\n\\pi\n```", [CodeBlock(text="\\pi", language="LaTeX", summary="π")]),
        ("a\n\n<p>*b*</p>\n\nc", [text("a"), text("*b*"), text("c")]),
        ("- a\n\n***\n\n- b", [items(("a", {})), DividerBlock(), items(("b", {}))]),
    ],
)  # fmt: skip
def test_what_stands_at_the_edge_of_a_construct(source, blocks):
    assert list(document(source).blocks) == blocks


def test_the_links_of_headings_rows_and_cells_are_the_texts_in_order():
    source = (
        "# [a](https://a.example)\n**B**: [c](https://c.example)\n\n|[d](https://d.example)|\n|-|"
    )
    assert [link.label for link in document(source).links] == ["a", "c", "d"]


def test_quotes_are_read_fifty_nine_deep_and_below_that_their_letters_stand():
    assert plain("> " * 59 + "*a*").strip("“”") == "a"
    assert plain("> " * 60 + "*a*").endswith("> *a*")
