"""HTML in a tool's text: its words, links, lists and tables."""

import pytest
from voxcard.cards.text.markdown.document import document, plain
from voxcard.cards.text.markdown.html import is_html, markdown_of, tag_of


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("<p>Water &amp; gas</p><p>on</p>", "Water & gas\n\non"),
        ("<h2>Bins</h2><div>Out on <b>Monday</b></div>", "Bins\n\nOut on Monday"),
        ("<ul><li>a<li>b</ul>", "• a\n• b"),
        ("<ol><li>a<ul><li>b</ul><li>c</ol>", "1. a\n  • b\n2. c"),
        ("<table><tr><th>A<th>B<tr><td>1<td>2</table>", "A · B\n1 · 2"),
        ("<pre>x  = 1\ny</pre>", "x  = 1\ny"),
        ("<p>a<br/>b</p>", "a\nb"),
        ("<style>p{}</style><p>seen</p><script>let a = '<p>'</script>", "seen"),
        ("<p>2*3 _x_ [y]</p>", "2*3 _x_ [y]"),
        ("<p>use <name> here</p>", "use <name> here"),
        ("<p><item>known by its end</item></p>", "known by its end"),
        ("<!-- note --><p>x</p>", "x"),
        ("<img src='https://i.example/1.png' alt='Lake'>", "[picture] Lake"),
        ("<title>Pool</title><p>Open", "Pool\n\nOpen"),
    ],
)
def test_html_says_its_words(source, words):
    assert plain(markdown_of(source), html=False) == words


def test_links_of_html_are_links():
    (link,) = document(
        '<p>Fill in <a href="https://f.example/a_b?c=d&amp;e">the form</a></p>'
    ).links
    assert (link.label, link.url) == ("the form", "https://f.example/a_b?c=d&e")


@pytest.mark.parametrize(
    "source",
    [
        "<script>a(1)</script>See [the map](https://m.example/x)",
        "<!-- note --> See [the map](https://m.example/x)",
        "<div>First</div>\nSee [the map](https://m.example/x)",
        "Before\n\n<style>p{}</style> See [the map](https://m.example/x)\n\n- after",
    ],
)
def test_markdown_goes_on_after_a_block_of_html(source):
    read = document(source)
    assert "See the map" in plain(source) and "](" not in plain(source)
    assert [link.url for link in read.links] == ["https://m.example/x"]


def test_a_text_is_html_when_it_begins_and_ends_as_html_does():
    assert is_html("<!DOCTYPE html><html></html>") and is_html("\n<p>x</p>\n")
    for source in ("<name> is asked", "<p>x", "x <p>", "<name>", "a < b", ""):
        assert not is_html(source)


@pytest.mark.parametrize("part", ["<a ", '<a b="', "<!--", "</p>", "<x>", "<ul><li>", "<td>", "<"])
def test_html_without_end_ends(part):
    assert isinstance(markdown_of(part * 6000 + ">"), str)


def test_the_headings_of_html_keep_their_levels():
    for level in range(1, 7):
        assert markdown_of(f"<h{level}>Bins</h{level}>").strip() == "#" * level + " Bins"
    assert markdown_of("<title>Bins</title>").strip() == "# Bins"


@pytest.mark.parametrize(
    ("source", "markdown"),
    [
        ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b"),
        ("<ol start=3><li>a<li value=7>b<li>c</ol>", "3. a\n7. b\n8. c"),
        ("<ol start=123456789><li>a</ol>", "123456789. a"),
        ("<ol start=1234567890><li>a</ol>", "1. a"),
        ("<ol start=-2><li>a</ol>", "1. a"),
        ("<ul start=3><li value=7>a</ul>", "- a"),
        ("<li>a", "- a"),
        ("<ul><li>a<ul><li>b</ul></ul><p>c", "- a\n   - b\n\n\n\n\nc"),
        ("<p>a<hr>b", "a\n\n---\n\nb"),
        ("<dl><dt>a<dd>b</dl>", "a\nb"),
        ("a<div>b</div>c", "a\n\nb\n\nc"),
        ("<ul><li><div>a</div></ul>", "- \na"),
        ("<input type=checkbox checked> a <input type=checkbox> b <input> c", "[x]  a [ ]  b  c"),
        ("<pre>*a*\n  b</pre>*c*", "```\n*a*\n  b\n```\n\n\\*c\\*"),
        ("<table><caption>C</caption><tr><td>a|b</tr></table>d",
         "C\n\n\n| a\\|b |\n|---|\n\nd"),
        ("<table><thead><tr><th>A<th>B</thead><tr><td> 1 \n 2<td></tr></table>",
         "| A | B |\n|---|---|\n| 1 2 |  |"),
        ("<table><tr><td>b</table><table><tr><td>c</table>",
         "| b |\n|---|\n\n\n\n\n\n| c |\n|---|"),
        ("<a href='https://a.example/<b>'>c</a>", "[c](<https://a.example/%3Cb%3E>)"),
        ("<a>c</a> d</a>", "[c](<>) d"),
        ("<img alt='[a]' src='x\ny'>", "![\\[a\\]](<xy>)"),
        ("<pre>a<span>b</span>c</pre>", "```\nabc\n```"),
        ("a<script>b<style>c</style>d</script>e", "ae"),
        ("a</script>b", "ab"),
        ("<svg><p>a</p><a href=b>c</a></svg>d", "d"),
        ("<p>  a \n b&nbsp;c</p>", "a b c"),
        ("<b>a</b> < c", "a \\< c"),
    ],
)  # fmt: skip
def test_each_element_of_html_has_its_markdown(source, markdown):
    assert markdown_of(source) == markdown


def test_lists_in_lists_stand_in_by_three_cells_each_eight_times_at_most():
    text = markdown_of("<ul><li>a" * 12)
    indents = [line.index("-") for line in text.split("\n")]
    assert indents == [0, 3, 6, 9, 12, 15, 18, 21, 24, 24, 24, 24]


def test_html_is_read_to_65536_letters():
    assert len(markdown_of("a" * 65_537)) == 65_536


@pytest.mark.parametrize(
    ("source", "html"),
    [
        (" " * 200 + "<p>x</p>", True),
        (" " * 201 + "<p>x</p>", False),
        ("<!-- a --><p>x</p>", True),
        ("<P>x</P>", True),
        ("<p>x</p>\n\n<p>y</p>", True),
        ("<p>x</p>\n\nand <b>y</b>", False),
        ("<p>x</p>\n\nand\n\n    <b>y</b>", True),
        ("<style>\n\na{}</style>", True),
        ("<p>x</p>\n\nand <body>", True),
    ],
)
def test_markdown_after_a_blank_line_is_no_html(source, html):
    assert is_html(source) is html


def test_the_one_tag_of_a_text_is_the_first():
    tag = tag_of("<a href='b' hidden></a>")
    assert (tag.name, tag.closing, dict(tag.attributes)) == (
        "a",
        False,
        {"href": "b", "hidden": ""},
    )
    assert (tag_of("</p><b>").name, tag_of("</p><b>").closing) == ("p", True)
    assert tag_of("<!-- a -->") is None
