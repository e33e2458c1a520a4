"""The cards a device shows: which is in front, which changes in place, what is forgotten."""

from voxcard.cards.model import Action, Card
from voxcard.screen.shown_cards import REMEMBERED_MAX, ShownCards

STOP = Action(id="stop", label="Stop", kind="control", text="stop")


def card(card_id="c", revision=0):
    return Card(id=card_id, dialect="t", title=card_id, revision=revision, actions=(STOP,))


def test_a_newer_state_of_the_card_in_front_changes_where_it_is():
    shown = ShownCards()
    assert not shown.put("c", card(), 1, in_place=False)
    assert shown.put("c", card(revision=1), 2, in_place=False)
    assert (shown.front, shown.pages("c")) == ("c", 2)


def test_a_card_sent_again_unchanged_comes_to_the_front():
    shown = ShownCards()
    shown.put("c", card(), 1, in_place=False)
    shown.put("other", card("other"), 1, in_place=False)
    assert not shown.put("c", card(), 1, in_place=True)
    assert shown.front == "c"


def test_a_newer_state_of_a_card_behind_changes_in_place_only_when_it_may():
    shown = ShownCards()
    for card_id in ("c", "other"):
        shown.put(card_id, card(card_id), 1, in_place=False)
    assert shown.put("c", card(revision=1), 1, in_place=True)
    assert shown.front == "other"
    assert not shown.put("c", card(revision=2), 1, in_place=False)
    assert shown.front == "c"


def test_a_card_that_was_put_away_comes_to_the_front_again():
    shown = ShownCards()
    shown.put("c", card(), 1, in_place=False)
    shown.dismissed("another")
    assert shown.front == "c"
    shown.dismissed("c")
    assert not shown.put("c", card(revision=1), 1, in_place=False)


def test_buttons_work_until_the_card_is_forgotten():
    shown = ShownCards()
    for number in range(REMEMBERED_MAX + 1):
        shown.put(f"c{number}", card(f"c{number}"), 3, in_place=False)
    assert shown.get("c0") is None
    assert (shown.pages("c0"), shown.messaging("c0")) == (0, "")
    assert shown.action("c0", "stop") is None and shown.next_part("c0") is None
    assert shown.action("c1", "stop") == STOP
    assert shown.action("c1", "go") is None
    assert shown.messaging("c1") == "**c1**\n\n- Stop"
