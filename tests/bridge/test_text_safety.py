"""Foreign text for terminal, log and screen: it shows what it says, and nothing acts."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxcard.text_safety import clean, encodable, has_controls, safe_line, safe_text

LINES = [
    ("Küche 2", "Küche 2"),
    ("  two\twords \n", "two words"),
    ("a\r\nb\x0bc\u2028d", "a b c d"),
    ("\x1b[31mred\x1b[0m", "red"),
    ("a\x1b]52;c;aGk=\x07b\x1b]0;title\x1b\\c", "abc"),
    ("a\x9b2Jb\x00\x7f\x1bc", "ab"),
    ("a\x1b[31", "a[31"),
    ("2026-01-01 INFO ok\n2026-01-01 WARNING no", "2026-01-01 INFO ok 2026-01-01 WARNING no"),
    ("pay\u202ecod.live\u202c", "paycod.live"),
    ("a\u2066b\u2069c\u200e\u200f\u061cd", "abcd"),
    ("a\u206ab", "a\u206ab"),
    ("a\x0cb\x85c\u2029d", "a b c d"),
    ("a\x07\u00a0b\x9fc", "a bc"),
    ("a\ud800b", "a\ufffdb"),
    ("cafe\u0301", "café"),
    ("cafe\x07\u202e\u0301", "café"),
    ("\ufeffname", "name"),
    ("👨\u200d👩", "👨\u200d👩"),
    ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line"), LINES)
def test_a_line_is_one_line_that_acts_on_no_terminal(text, line):
    assert safe_line(text) == line


def test_a_text_keeps_its_lines_and_nothing_else_that_moves_a_cursor():
    assert safe_text("a\r\nb\x1b[2J\r\u202ec\td\ud800") == "a\nb\nc d\ufffd"
    assert safe_text("a\x0bb\x0cc\x85d\u2028e\u2029f") == "a\nb\nc\nd\ne\nf"
    assert clean("\u202eשלום\u202c\x07") == "\u202eשלום\u202c"


def test_a_long_line_is_cut_and_shows_that_it_is():
    assert safe_line("word " * 5, 24) == "word word word word word"
    assert safe_line("word " * 5, 10) == "word word…"
    assert len(safe_line("x" * 10**6, 100)) == 100
    assert safe_line("hi", 10) == "hi" and safe_line("x" * 10, 10) == "x" * 10


def test_of_a_long_line_twice_as_much_is_looked_at_as_is_kept():
    assert safe_line("a" + " " * 18 + "b", 10) == "a b"
    assert safe_line("a" + " " * 19 + "b", 10) == "a"


def test_long_runs_of_combining_marks_take_linear_time():
    """Putting n marks into order takes n² steps: 100 times as much for 10 times the text."""

    def cpu_s(pairs):
        started = time.process_time()
        clean("a" + "\u0301\u0316" * pairs)
        return time.process_time() - started

    cpu_s(1000)
    assert cpu_s(100_000) < 40 * max(cpu_s(10_000), 0.001)


def test_marks_that_a_script_needs_stay():
    word = "q\u0307\u0323"  # two marks, which NFC puts into order
    assert clean(word) == "q\u0323\u0307"


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_any_text_is_a_line_that_can_be_encoded_and_stays_as_it_is(text):
    line = safe_line(text)
    assert "\n" not in line and encodable(line) and not has_controls(line)
    assert safe_line(line) == line and unicodedata.is_normalized("NFC", line)
    assert encodable(safe_text(text))


def test_a_text_with_half_a_character_has_no_utf_8_form():
    for half in ("\ud800", "\udbff", "\udc00", "\udfff"):
        assert not encodable(f"a{half}b")
    for whole in ("\ud7ff", "\ue000", "\U0001f600", "a"):
        assert encodable(whole) and whole.encode()


def test_a_text_has_controls_where_a_line_of_it_would_be_another():
    for text in ("\u202ea", "a\u202e", "\u200f", "a\nb", "\x00", "\x9b", "\ufeffa", "a\ud800"):
        assert has_controls(text), ascii(text)
    for text in ("", "a b", "طلبك", "é", "👨\u200d👩"):
        assert not has_controls(text), ascii(text)


def test_no_source_forges_an_icon_of_ours():
    assert safe_line("a\ue001b\ue0ff") == "a\ufffdb\ufffd"
    assert clean("\ue085 done") == "\ufffd done" and has_controls("\ue000")
