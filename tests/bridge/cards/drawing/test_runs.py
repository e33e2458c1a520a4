"""A line's runs: from left to right, what one font shapes and what the device writes itself."""

import pytest
from voxcard.cards.drawing.runs import runs

OWN = set(map(ord, "abcxA0123456789 .:()…é"))


def shown(text, rtl=False):
    """(the name of the font, or `device`; its text, of the device's from left to right)."""
    return [
        (run.font.file.partition("[")[0][8:], run.text) if run.font else ("device", run.letters)
        for run in runs(text, rtl, OWN)
    ]


@pytest.mark.parametrize(
    ("text", "rtl", "expected"),
    [
        ("abc 12", False, [("device", "abc 12")]),
        ("中文 abc", False, [("device", "中文 abc")]),
        ("a ทน 1", False, [("device", "a "), ("Thai", "ทน "), ("device", "1")]),
        ("سعر 12", True, [("device", "12"), ("Arabic", "سعر ")]),
        ("(א)", True, [("device", "("), ("Hebrew", "א"), ("device", ")")]),
        ("א: ab", True, [("device", "ab"), ("device", " :"), ("Hebrew", "א")]),
        ("คำ मैं", False, [("Thai", "คำ "), ("Devanagari", "मैं")]),
    ],
)
def test_runs_are_in_visual_order(text, rtl, expected):
    assert shown(text, rtl) == expected


def test_a_mark_takes_its_letter_out_of_the_device_s_run():
    assert shown("abx\u0302c") == [("device", "ab"), ("", "x\u0302"), ("device", "c")]
    assert shown("e\u0301") == [("device", "é")]


def test_joined_emoji_are_shaped_together_and_selectors_left_out():
    assert [run.text for run in runs("👩\u200d💻a", False, OWN)] == ["👩\u200d💻", "a"]
    assert [run.text for run in runs("中👍🏽", False, OWN)] == ["中", "👍🏽"]
    assert shown("中\ufe0f\u200b\u200f文") == [("device", "中文")]


def test_joiners_stay_inside_shaped_text():
    assert shown("می\u200cخواهم", True) == [("Arabic", "می\u200cخواهم")]
    assert shown("क्\u200dष") == [("Devanagari", "क्\u200dष")]
