"""What lies over everything on the screen: the camera's sign, a question, a notice."""

import asyncio

from screen import scenes

ALERT_MS = 15000  # a notice goes by itself after this


class Overlay:
    """At most one of each; `touch` is called when one comes or goes."""

    def __init__(self, touch):
        self._touch = touch
        self._notice, self._notice_ms = None, 0
        self._question, self._answer = None, False
        self._answered = asyncio.Event()
        self._photo = False
        self._ring, self._timers = None, ()
        self._guide = None  # page of what the button does
        self.scenes = scenes  # or a screen.type.screens.TypeScreens

    @property
    def asks(self):
        """Whether a question waits for its answer."""
        return self._question is not None

    @property
    def takes_presses(self):
        """Whether the button means something here and nothing beneath."""
        return not (self._question is self._notice is self._guide is None)

    @property
    def is_clear(self):
        """Whether nothing lies over the screen."""
        return not (self.takes_presses or self._photo or self._ring is not None)

    def show_guide(self):
        """Show what the button does, page by page; a card or a turn ends it."""
        self._guide = 0
        self._touch()

    def end_guide(self):
        """No more of it."""
        self._guide = None

    def photo(self, on):
        """Show, or end, the sign that the camera is used."""
        self._photo = on
        self._touch()

    def set_timers(self, rows):
        """Show these, ((what is left or when, what it is), ...), while the device waits."""
        if rows != self._timers:
            self._timers = rows
            self._touch()

    def face(self, screen, talk, name, device_id):
        """The picture of a voice state, or of the timers while the device waits."""
        if self.scenes is not scenes:
            return self.scenes.face(talk, name, device_id, self._timers)
        if not self._timers or talk.state not in ("ready", "offline", "connecting"):
            return scenes.state_picture(screen, talk, name, device_id)
        from timers.picture import timer_picture  # few devices have any

        return timer_picture(screen, self._timers, name, talk.state)

    def ring(self, what):
        """Show what rings, (title, words); None: nothing does."""
        if what != self._ring:
            self._ring = what
            self._touch()

    def notice(self, title, text):
        """Show a notice until a press or for ALERT_MS."""
        self._notice, self._notice_ms = (title, text), ALERT_MS
        self._touch()

    async def ask(self, question, timeout_ms):
        """True when a person holds the button; False at a press, when nobody answers, or when
        another question is up."""
        if self._question is not None:
            return False
        self._question, self._answer = question, False
        self._answered.clear()
        self._touch()
        try:
            await asyncio.wait_for_ms(self._answered.wait(), timeout_ms)
        except asyncio.TimeoutError:
            pass
        finally:
            self._question = None
            self._touch()
        return self._answer

    def press(self, long):
        """Take a press: yes (long) or no to a question, else it closes the notice or turns the
        guide."""
        if self._question is not None:
            self._answer = long
            self._answered.set()
        elif self._notice is not None:
            self._notice = None
        else:
            self._guide = None if long or self._guide > 1 else self._guide + 1

    def tick(self, elapsed_ms):
        """Let time go by."""
        if self._notice is not None:
            self._notice_ms -= elapsed_ms
            if self._notice_ms <= 0:
                self._notice = None

    def wait_ms(self):
        """Time until something goes by itself, or None."""
        return max(0, self._notice_ms) if self._notice is not None else None

    def picture(self, screen):
        """The picture of what is uppermost, or None."""
        if self._photo:
            return self.scenes.photo_picture(screen)
        if self._question is not None:
            return self.scenes.confirm_picture(screen, self._question)
        if self._ring is not None:
            return self.scenes.notice_picture(
                screen, "bell", *self._ring, paper=scenes.WARN, hint=scenes.HINT_STOP
            )
        if self._notice is not None:
            return self.scenes.notice_picture(screen, "bell", *self._notice)
        if self._guide is not None:
            return self.scenes.guide_picture(self._guide)
        return None
