"""What is said, of any text, however it comes in."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from voxcard.assistants.spoken.sentences import Splitter
from voxcard.assistants.spoken.verbalise import spoken

PIECES = st.sampled_from((
    "It is", " ", "  ", ".", "...", "…", "!", "?", ",", ";", ":", "—", "\n", "9 a.m", "Dr", "e.g",
    "No", "5", "3.5", "22,1", "1.2.3", "\"", "“", "”", "(", ")", "。", "」", "।", "`", "```", "J",
    "Then", "then", "*", "x" * 300, "€", "$1,299.00", "12:30", "km/h", "-", "–", "1/2", "May",
    "St", "2026", "IV", "Louis", "%", "°C", "am", "https://a.example/b", "@", "#",
))  # fmt: skip
TABLE = Path(__file__).parents[1] / "golden" / "sentences" / "spoken.en.txt"
ROWS = [
    line.split(" => ")[0]
    for line in TABLE.read_text(encoding="utf-8").splitlines()
    if " => " in line
]
SIGNS = "0123456789.,:/-–—$€£%°²½'\"()[]{}<>+=*&^~#@_ \n\tabcdefgmkKMWhSTIVXJanpvx…。।"


@st.composite
def spliced(draw):
    """The beginning of one text of the table, something, and the end of another."""
    first, last = draw(st.sampled_from(ROWS)), draw(st.sampled_from(ROWS))
    between = draw(st.text(alphabet=SIGNS, max_size=3))
    head, tail = (draw(st.integers(0, len(row))) for row in (first, last))
    return first[:head] + between + last[tail:]


TEXTS = st.one_of(st.lists(PIECES, max_size=30).map("".join), st.text(max_size=200), spliced())


@given(TEXTS, st.data(), st.sampled_from((None, 1, 4)))
def test_pieces_are_the_text_and_do_not_depend_on_how_it_was_cut(text, data, clause_words):
    whole, streamed = (Splitter(clause_words=clause_words) for _ in range(2))
    expected = [*whole.feed(text), *whole.end()]
    pieces, at = [], 0
    while at < len(text):
        size = data.draw(st.integers(1, 40))
        pieces += streamed.feed(text[at : at + size])
        at += size
    pieces += streamed.end()
    assert "".join(expected) == text
    assert pieces == expected and all(pieces)


@given(TEXTS)
def test_letter_by_letter_is_the_whole(text):
    whole, streamed = Splitter(clause_words=3), Splitter(clause_words=3)
    pieces = [piece for letter in text for piece in streamed.feed(letter)]
    assert [*pieces, *streamed.end()] == [*whole.feed(text), *whole.end()]


@given(TEXTS)
def test_any_text_can_be_said(text):
    words = spoken(text)
    assert isinstance(words, str)
    assert words == " ".join(words.split())


@given(st.text(alphabet="0123456789.,:/-–$€%°CkmhapMay ", max_size=60))
def test_any_mixture_of_numbers_can_be_said(text):
    assert "  " not in spoken(text)
