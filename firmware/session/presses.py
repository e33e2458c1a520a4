"""Looks at the buttons and does what their presses mean."""

import asyncio
import time

from session.buttons import LONG_MS, SPENT, UP, WAITING, role_of, step
from voxwire.session import IDLE, LISTENING, SPEAKING, THINKING
from voxwire.ticks import elapsed_ms

POLL_MS = 10
VOLUME_STEP = 10  # percent a press
HOLD_SHOWN_MS = 150  # a press is no tap any more: the screen shows how far it is
_HOLD_PERCENT = 7  # a step of what it shows
_TURN = (LISTENING, THINKING, SPEAKING)


class _Watched:
    """One button with where its press stands."""

    def __init__(self, button, role) -> None:
        self.button, self.role = button, role
        self.state = UP
        self.down = self.last = False
        self.since_ms = 0
        self.percent = 0  # of the time to hold, as it is shown


class Presses:
    """`run` polls `buttons`; `shown()` says what the screen shows (module buttons).

    `actions` are the callables of buttons.ACTIONS by name. `silence()` is called at each press:
    whether it silenced something, which was all that the press is for. `life` is that of a screen
    (screen.type.life) or None: it is told of presses, and how far one is that is held.
    """

    def __init__(
        self, buttons, shown, actions, silence, ticks_ms=time.ticks_ms, life=None
    ) -> None:
        names = [button.name for button in buttons]
        self._watched = [_Watched(button, role_of(button.name, names)) for button in buttons]
        self._shown = shown
        self._actions = actions
        self._silence, self._life = silence, life
        self._ticks_ms = ticks_ms

    async def run(self) -> None:
        """Looks every 10 ms; never ends."""
        while True:
            for watched in self._watched:
                self.look(watched)
            await asyncio.sleep_ms(POLL_MS)

    def look(self, watched) -> None:
        """One look at one button; allocates nothing while it is up."""
        down = watched.button.pressed()
        settled = down == watched.last  # contacts bounce: two looks must agree
        watched.last = down
        if settled and down != watched.down:
            watched.down = down
            watched.since_ms = self._ticks_ms()
            if self._life is not None:
                self._life.wake()
        if not settled or (watched.state == UP and not watched.down):
            return  # a first look that is late says nothing of how long it is held
        if watched.state == UP and self._silence():
            watched.state = SPENT
        held_ms = elapsed_ms(self._ticks_ms(), watched.since_ms)
        shown = self._shown()
        watched.state, action = step(watched.role, watched.state, watched.down, held_ms, shown)
        if self._life is not None:
            percent = 0 if watched.state != WAITING else hold_percent(watched.role, held_ms, shown)
            if percent != watched.percent:
                watched.percent = percent
                self._life.hold(percent)
        if action:
            self._actions[action]()


def hold_percent(role: str, held_ms: int, shown: str) -> int:
    """How much of the time that a press is to be held has gone, in steps; 0: nothing comes of
    it, or it may be a tap yet."""
    acts = shown in ("choice", "offer") or (shown == "more" and role in ("page", "back"))
    if not acts or held_ms < HOLD_SHOWN_MS:
        return 0
    percent = (held_ms - HOLD_SHOWN_MS) * 100 // (LONG_MS - HOLD_SHOWN_MS)
    return min(100, percent // _HOLD_PERCENT * _HOLD_PERCENT + _HOLD_PERCENT)


def presses_of(buttons, voice, view, change_volume, silence) -> Presses:
    """The Presses of a device whose buttons act on its voice, its view and its volume.

    `change_volume(percent)` makes it so much louder; `silence()` as of Presses.
    """

    def tap():
        voice.talk_down()
        voice.talk_up()

    def act():
        # A long press with nothing to act on brings the last card back.
        if not view.activate() and voice.state == IDLE:
            view.show_last_card()

    actions = {
        "talk_down": voice.talk_down,
        "talk_held": voice.talk_held,
        "talk_up": voice.talk_up,
        "tap": tap,
        "next_page": view.next_page,
        "previous_page": view.previous_page,
        "activate": act,
        "louder": lambda: change_volume(VOLUME_STEP),
        "softer": lambda: change_volume(-VOLUME_STEP),
    }
    look = lambda: shown(voice.state, view)  # noqa: E731
    return Presses(buttons, look, actions, silence, life=view.life)


def shown(state: str, view) -> str:
    """What a view shows in a state of the session, as far as buttons care (module buttons)."""
    # A question that a turn put on the screen is answered there; else a press is for the turn.
    if state in _TURN and not (state == THINKING and view.offers):
        return ""
    if view.asks:
        return "choice" if view.can_turn else "offer"
    return "more" if view.can_turn else ""
