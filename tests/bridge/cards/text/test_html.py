"""HTML in a tool's text: its words, links, lists and tables."""

import pytest
from voxcard.cards.text.markdown.document import document, plain
from voxcard.cards.text.markdown.html import is_html, markdown_of


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
