"""Polling the buttons: bounces are no presses, a press does what the policy says."""

from session.buttons import ACTIONS
from session.presses import Presses


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
        self.button = Button()
        actions = {}
        for name in ACTIONS:
            actions[name] = lambda name=name: self.done.append((self.now_ms, name))
        # The ticks wrap in the first press.
        ticks_ms = lambda: (self.now_ms - 100) % (1 << 30)  # noqa: E731
        self.presses = Presses((self.button,), lambda: shown, actions, ticks_ms)

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


def test_a_card_is_paged_by_a_short_press():
    assert Hand("more").poll(100, True).poll(100, False).done == [(110, "next_page")]


def test_an_offer_is_accepted_by_a_long_press():
    assert Hand("offer").poll(1000, True).poll(100, False).done == [(710, "activate")]
