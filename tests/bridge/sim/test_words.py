"""What happens on a device, told in lines a person reads."""

import pytest
from voxcard.sim import words


def told(kind, text="", **detail):
    return words.happening({"device": "d", "kind": kind, "text": text, "detail": detail})


def test_a_tools_json_is_told_as_names_and_values():
    status = '{"audio_speaker": {"volume": 70}, "parts": [{"on": true}, null], "name": "Kitchen"}'
    line = told("tool", status, name="self.get_device_status", arguments={})
    assert line == (
        "tool   self.get_device_status → "
        "audio speaker volume 70, parts 1 on true, parts 2 null, name Kitchen"
    )


def test_a_tools_words_and_arguments_are_told_as_they_are():
    line = told("tool", "It is 60 now.", name="set_volume", arguments={"volume": 60, "to": "x"})
    assert line == "tool   set_volume volume=60 to=x → It is 60 now."


@pytest.mark.parametrize("text", ["[]", "{}", "60", "[" * 5000, '{"a": ', ""])
def test_what_is_no_object_or_list_stays_as_it_is(text):
    assert words.result(text) == text


def test_deep_json_ends_in_its_text():
    assert words.result('{"a": {"b": {"c": {"d": {"e": {"f": 1}}}}}}') == 'a b c d e {"f": 1}'


def test_a_line_is_one_cut_line_that_commands_no_terminal():
    line = told("card", "a\nb\x1b[2J" + "x" * 1000)
    assert line.startswith("card   a b") and "\x1b" not in line
    assert len(words.cut("x" * 1000)) == words.LONGEST and words.cut("x" * 1000).endswith("…")


def test_silence_is_heard_as_nothing_and_bookkeeping_is_not_told():
    assert told("transcript") == "heard  nothing"
    assert [told(kind) for kind in ("turn", "tools", "watching")] == ["", "", ""]


# Four rows of eight pixels: 0 is lit.
PBM = b"P4\n8 4\n" + bytes([0b01111111, 0b11111111, 0b11111110, 0b11111110])


def test_a_screen_that_fits_is_drawn_in_half_blocks():
    assert words.screen(PBM, 8) == "▀       \n       █"


def test_a_screen_that_is_wider_than_the_terminal_is_drawn_in_braille():
    assert words.screen(PBM, 7) == "⠁⠀⠀⢠"
