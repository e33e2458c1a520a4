"""Polling the buttons: bounces are no presses, a press does what the policy says."""

from session.buttons import ACTIONS
from session.presses import Presses, presses_of, shown


class Button:
    name = "talk"

    def __init__(self):
        self.down = False

    def pressed(self):
        return self.down


class Hand:
    """Presses one button in virtual time; keeps what was done and when."""

    def __init__(self, shown=""):
        self.now_ms, self.done = 0, []
        self.rings = False
        self.button = Button()
        actions = {}
        for name in ACTIONS:
            actions[name] = lambda name=name: self.done.append((self.now_ms, name))
        # The ticks wrap in the first press.
        ticks_ms = lambda: (self.now_ms - 100) % (1 << 30)  # noqa: E731
        self.presses = Presses((self.button,), lambda: shown, actions, self.silence, ticks_ms)

    def silence(self):
        rings, self.rings = self.rings, False
        return rings

    def poll(self, ms, down):
        self.button.down = down
        for _ in range(ms // 10):
            self.presses.look(self.presses._watched[0])
            self.now_ms += 10
        return self


def test_a_bounce_is_no_press():
    hand = Hand()
    for _ in range(5):
        hand.poll(10, True).poll(10, False)
    assert hand.done == []


def test_a_press_talks_after_two_looks():
    assert Hand().poll(100, True).poll(100, False).done == [(10, "talk_down"), (110, "talk_up")]


def test_a_press_that_ends_before_a_late_look_is_a_short_one():
    hand = Hand("more").poll(50, True)
    hand.now_ms += 1000  # the device was busy
    assert hand.poll(100, False).done == [(1060, "next_page")]


def test_a_card_is_paged_by_a_short_press():
    assert Hand("more").poll(100, True).poll(100, False).done == [(110, "next_page")]


def test_an_offer_is_accepted_by_a_long_press():
    assert Hand("offer").poll(1000, True).poll(100, False).done == [(710, "activate")]


def test_a_press_that_silences_is_for_nothing_else():
    for shows in ("", "more", "choice"):
        for ms in (100, 500, 1000):
            hand = Hand(shows)
            hand.rings = True
            assert hand.poll(ms, True).poll(100, False).done == []
    assert hand.poll(1000, True).done != [], "the next one is"


class Screen:
    """A view with something to press for; `done` is what was asked of it."""

    def __init__(self, asks=False, can_turn=False, offers=False, acts=False):
        self.asks, self.can_turn, self.offers = asks, can_turn, offers or asks
        self.acts, self.done, self.life = acts, [], None

    def next_page(self):
        self.done.append("page")

    def previous_page(self):
        self.done.append("page before")

    def activate(self):
        self.done.append("activate")
        return self.acts

    def show_last_card(self):
        self.done.append("last card")


class InState:
    """A voice in a state of the session; `done` is what was asked of it."""

    def __init__(self, state):
        self.state, self.done = state, []

    def talk_down(self):
        self.done.append("down")

    def talk_up(self):
        self.done.append("up")

    def talk_held(self):
        self.done.append("held")


def test_buttons_see_the_screen_outside_a_turn_and_the_questions_of_one():
    for state, up, expected in (
        ("idle", (True, True), "choice"),
        ("idle", (True, False), "offer"),
        ("idle", (False, True), "more"),
        ("idle", (False, False), ""),
        ("offline", (False, True), "more"),
        ("listening", (True, True), ""),
        ("thinking", (True, True), "choice"),
        ("thinking", (True, False), "offer"),
        ("thinking", (False, True), ""),
        ("thinking", (False, True, True), "more"),
        ("speaking", (True, True), ""),
    ):
        assert shown(state, Screen(*up)) == expected, state


def test_a_long_press_with_nothing_to_act_on_brings_the_last_card_back_outside_a_turn():
    for state, acts, done in (
        ("idle", False, ["activate", "last card"]),
        ("idle", True, ["activate"]),
        ("thinking", False, ["activate"]),
    ):
        view = Screen(acts=acts)
        presses_of((), InState(state), view, None, None)._actions["activate"]()
        assert view.done == done, state


def test_a_tap_is_a_whole_press():
    voice = InState("idle")
    presses_of((), voice, Screen(), None, None)._actions["tap"]()
    assert voice.done == ["down", "up"]


def test_the_keys_of_the_volume_change_it_by_ten_percent():
    changes = []
    actions = presses_of((), InState("idle"), Screen(), changes.append, None)._actions
    actions["louder"]()
    actions["softer"]()
    assert changes == [10, -10]


class Life:
    """What a screen hears of presses."""

    def __init__(self):
        self.told = []

    def wake(self):
        self.told.append("wake")

    def hold(self, percent):
        self.told.append(percent)


def held(role, shows, ms):
    """What a screen hears of a press of so many ms."""
    hand = Hand(shows)
    hand.presses._life = life = Life()
    hand.presses._watched[0].role = role
    hand.poll(ms, True).poll(100, False)
    return life.told


def test_a_press_that_acts_when_it_is_held_fills_a_bar():
    for role, shows in (("only", "choice"), ("only", "offer"), ("page", "more")):
        told = held(role, shows, 1000)
        assert told[0] == "wake" and told[-2:] == [0, "wake"], role
        assert told[1] == 7 and told[1:-2] == sorted(told[1:-2]), role
        assert len(told) <= 19, "steps, not every look"


def test_a_press_shorter_than_a_hold_takes_the_bar_away_and_a_tap_shows_none():
    assert held("only", "choice", 400)[-2:] == ["wake", 0]
    assert held("only", "choice", 100) == ["wake", "wake"]


def test_a_press_that_nothing_comes_of_shows_no_bar():
    for role, shows in (("only", ""), ("only", "more"), ("talk", "choice"), ("page", "")):
        assert held(role, shows, 1000) == ["wake", "wake"], role
