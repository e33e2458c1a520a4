"""The cards of the set-up."""

from fakes.device.screens import screen_of
from provisioning.screens import invitation, note, scale_of, wifi_text

OLED = screen_of(128, 64, 1, "rect", 170, (6, 12), (), ())
SQUARE = screen_of(240, 240, 16, "rect", 0, (8, 16), (), ())
ROUND = screen_of(240, 240, 16, "round", 0, (8, 16), (), ())
SSID, PASSWORD = "Voxcard-0a0b0c", "abcdefghjk"


def words(card):
    return [" ".join(line.text for line in page.lines) for page in card.pages]


def test_the_text_of_the_code_is_what_phones_read():
    assert wifi_text(SSID, PASSWORD) == "WIFI:T:WPA;S:Voxcard-0a0b0c;P:abcdefghjk;;"
    assert wifi_text('a;b,c:d"e', "\\") == 'WIFI:T:WPA;S:a\\;b\\,c\\:d\\"e;P:\\\\;;'


def test_the_code_is_as_large_as_its_words_let_it_be():
    assert scale_of(OLED) == (2, 1)
    assert scale_of(SQUARE) == (5, 2)
    assert scale_of(ROUND) == (4, 2)


def test_the_first_page_is_the_code_with_name_and_password_the_others_say_it_in_words():
    card = invitation(OLED, SSID, PASSWORD, "192.168.4.1", "No Wi-Fi is set.")
    assert [line.text for line in card.pages[0].lines] == ["Voxcard-", "0a0b0c", "abcdefghjk"]
    text = " ".join(words(card)[1:])
    assert text.startswith("No Wi-Fi is set.") and SSID in text and PASSWORD in text
    assert "http://192.168.4.1" in text


def test_on_a_round_screen_the_password_is_below_the_code():
    card = invitation(ROUND, SSID, PASSWORD, "192.168.4.1")
    assert [line.text for line in card.pages[0].lines] == [PASSWORD]
    assert SSID in " ".join(words(card)[1:])


def test_a_note_has_as_many_pages_as_it_needs():
    assert len(note(SQUARE, "Joining home").pages) == 1
    assert len(note(OLED, "The Wi-Fi home refuses the password: set it again. " * 2).pages) > 1
