"""What a card's pages do at a button, with time, and beside other cards."""

from screen.pages import Pages
from voxwire.card import Card, ChoicePage, Option, QrPage, TextPage, text_line


def text(word, ms=0):
    return TextPage("", (text_line(word),), ms)


def choices(*labels):
    return ChoicePage("", (), 0, tuple(Option(label.lower(), label) for label in labels))


def card(card_id, *pages, **more):
    values = {"rev": 0, "foot": "", "ttl_s": 0, "priority": 0, "auto": False, "loop": False}
    values.update(more)
    return Card(id=card_id, pages=pages, resources=(), **values)


def showing(*cards):
    pages = Pages()
    for each in cards:
        pages.show(each)
    return pages


def word(pages):
    return pages.page.lines[0].text if pages.page else None


def test_a_short_press_turns_pages_round_and_round():
    pages = showing(card("a", text("one"), text("two")))
    assert word(pages) == "one" and not pages.at_end
    assert pages.next() and word(pages) == "two" and pages.at_end
    assert pages.next() and word(pages) == "one"


def test_a_key_that_goes_back_turns_them_the_other_way_round():
    pages = showing(card("a", text("one"), choices("Yes", "No"), text("three")))
    assert pages.previous() and word(pages) == "three"
    assert pages.previous() and pages.option.id == "yes"
    assert pages.next() and pages.option.id == "no"
    assert pages.previous() and pages.option.id == "yes"
    assert pages.previous() and word(pages) == "one"


def test_no_page_turns_without_a_card():
    pages = Pages()
    assert not pages.previous() and pages.index == 0
    assert not pages.next() and pages.page is None and pages.at_end
    assert not pages.tick(1)
    assert pages.dismiss() is None and not pages.recall() and pages.wait_ms() is None


def test_on_a_choice_page_the_highlight_moves_first():
    pages = showing(card("a", choices("Yes", "No"), text("two")))
    assert pages.option.id == "yes"
    pages.next()
    assert pages.option.id == "no" and not pages.at_end
    pages.next()
    assert word(pages) == "two" and pages.option is None


def test_the_last_option_of_the_last_page_is_the_end():
    pages = showing(card("a", text("one"), choices("Yes", "No")))
    pages.next()
    assert not pages.at_end
    pages.next()
    assert pages.at_end
    pages.rest()
    assert pages.option.id == "yes"


def test_a_newer_card_takes_the_place_of_the_shown_one():
    pages = showing(card("a", text("one")), card("b", text("two")))
    assert word(pages) == "two"
    assert pages.dismiss().id == "b" and pages.page is None


def test_a_less_important_card_waits_until_the_other_is_gone():
    pages = Pages()
    assert pages.show(card("fire", text("fire"), priority=5))
    assert not pages.show(card("post", text("post")))
    assert word(pages) == "fire"
    pages.dismiss()
    assert word(pages) == "post"
    assert pages.show(card("flood", text("flood"), priority=9)) and word(pages) == "flood"


def test_a_card_that_waits_is_updated_where_it_waits():
    pages = showing(card("fire", text("fire"), priority=5), card("post", text("post"), rev=1))
    assert pages.update(card("post", text("parcel"), rev=2)) and word(pages) == "fire"
    pages.dismiss()
    assert word(pages) == "parcel"


def test_a_dismissed_card_can_be_recalled_from_its_first_page():
    pages = showing(card("a", text("one"), text("two")))
    pages.next()
    pages.dismiss()
    assert pages.recall() and word(pages) == "one"


def test_an_update_redraws_in_place_on_the_same_page():
    pages = showing(card("a", text("one"), text("two"), rev=1))
    pages.next()
    assert pages.update(card("a", text("eins"), text("zwei"), rev=2))
    assert word(pages) == "zwei"
    assert pages.update(card("a", text("ein"), rev=3)) and word(pages) == "ein"


def test_an_update_without_options_forgets_which_was_highlighted():
    pages = showing(card("a", choices("Yes", "No"), rev=1))
    pages.next()
    pages.update(card("a", choices("Sure", "Never", "Later"), rev=2))
    assert pages.option.id == "never"
    pages.update(card("a", text("wait"), rev=3))
    pages.update(card("a", choices("Yes", "No"), rev=4))
    assert pages.option.id == "yes"


def test_an_older_or_foreign_update_changes_nothing():
    pages = showing(card("a", text("one"), rev=2))
    assert not pages.update(card("a", text("old"), rev=1))
    assert not pages.update(card("b", text("other"), rev=9))
    assert word(pages) == "one"


def test_a_card_goes_when_its_time_is_over_and_is_not_recalled():
    pages = showing(card("a", text("one"), ttl_s=3))
    assert pages.wait_ms() == 3000
    assert showing(card("a", text("one"), ttl_s=1)).wait_ms() == 1000
    assert not pages.tick(2999) and word(pages) == "one"
    assert pages.tick(1) and pages.page is None and not pages.recall()


def test_a_card_that_was_taken_away_can_run_out_of_time_and_is_not_recalled():
    pages = showing(card("a", text("one"), ttl_s=3))
    pages.dismiss()
    assert not pages.tick(2999) and pages.recall() and word(pages) == "one"
    pages.dismiss()
    assert not pages.tick(1) and not pages.recall()


def test_a_waiting_card_can_run_out_of_time_unseen():
    pages = showing(card("a", text("one"), priority=1), card("b", text("two"), ttl_s=2))
    pages.tick(2000)
    pages.dismiss()
    assert pages.page is None


def test_scenes_play_by_their_own_time_and_stop_at_the_last():
    pages = showing(card("a", text("one", 1000), text("two", 500), auto=True))
    assert pages.wait_ms() == 1000
    assert not pages.tick(400) and not pages.tick(599) and pages.wait_ms() == 1
    assert pages.tick(1) and word(pages) == "two" and pages.wait_ms() == 500
    assert not pages.tick(500) and word(pages) == "two" and pages.wait_ms() is None


def test_a_loop_starts_again():
    pages = showing(card("a", text("one", 100), text("two", 100), auto=True, loop=True))
    pages.tick(100)
    assert pages.tick(100) and word(pages) == "one"


def test_pages_after_the_last_scene_wait_for_a_button():
    scenes = (text("one", 100), text("two", 100), text("glossary"))
    once = showing(card("a", *scenes, auto=True))
    assert [once.tick(100) and once.index for _ in range(3)] == [1, False, False]
    looping = showing(card("a", *scenes, auto=True, loop=True))
    assert [looping.tick(100) and looping.index for _ in range(4)] == [1, 0, 1, 0]


def test_every_scene_that_has_a_time_is_played_and_the_last_page_at_least():
    three = showing(card("a", text("one", 100), text("two", 100), text("three", 100), auto=True))
    assert [three.tick(100) and word(three) for _ in range(3)] == ["two", "three", False]
    first = showing(card("a", text("one", 100), text("two"), auto=True))
    assert first.tick(100) and word(first) == "two"


def test_pages_without_a_time_are_all_played_and_then_it_stops():
    pages = showing(card("a", text("one"), text("two"), auto=True))
    assert pages.tick(4000) and word(pages) == "two"
    assert not pages.tick(4000) and word(pages) == "two" and pages.wait_ms() is None


def test_a_card_of_one_page_does_not_play():
    assert showing(card("a", text("one", 100), auto=True)).wait_ms() is None


def test_a_page_without_a_time_plays_for_four_seconds():
    assert showing(card("a", text("one"), text("two"), auto=True)).wait_ms() == 4000


def test_a_button_stops_the_play():
    pages = showing(card("a", text("one", 100), text("two", 100), auto=True, loop=True))
    pages.next()
    assert word(pages) == "two" and pages.wait_ms() is None
    assert not pages.tick(1000) and word(pages) == "two"


def test_clearing_forgets_a_card_for_good():
    pages = showing(card("a", text("one")))
    assert not pages.clear("b") and word(pages) == "one"
    assert pages.clear("a") and pages.page is None and not pages.recall()
    pages.show(card("c", text("three")))
    assert pages.clear("") and not pages.recall()


def test_a_shown_code_is_known():
    pages = showing(card("a", QrPage("", (), 0, 21, bytes(63), 2, 1), text("two")))
    assert pages.qr
    pages.next()
    assert not pages.qr
