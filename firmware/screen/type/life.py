"""What of a screen goes on by itself: its clock, its light, the bar of a press that is held."""

from screen.type.notice import bar
from screen.type.screens import TypeScreens
from screen.type.typesetter import Typesetter

DIM_MS = 60000  # the idle face is dark after this
DIM_PERCENT = 30  # of the brightness that is set


class Life:
    """`screens` is a TypeScreens, `light(percent)` sets the panel's or is None; `touch` and
    `settle` are those of the view; `show_guide()` that of its overlay."""

    def __init__(self, screens, light, touch, settle, show_guide):
        self._screens, self.setter = screens, screens.setter
        self._light, self._percent, self._is_dim = light, None, False
        self._touch, self._settle = touch, settle
        self._idle_ms = self._held = 0
        self.show_guide = show_guide

    def set_time(self, local_s):
        """It is so many seconds after 1970-01-01 here."""
        self._settle()
        self._screens.clock.set(local_s)
        self._touch()

    def set_locale(self, locale):
        """Write the time and the date as there."""
        self._screens.locale = locale

    def set_brightness(self, percent):
        """The brightness of a screen that is looked at."""
        self._percent, self._is_dim = percent, False
        self._idle_ms = 0
        self._shine(percent)

    def wake(self):
        """A person is here."""
        self._idle_ms = 0
        if self._is_dim:
            self._is_dim = False
            self._shine(self._percent)

    def hold(self, percent):
        """A press is held: so much of the time until it acts has gone; 0: it is not held."""
        if percent != self._held:
            self._held = percent
            self._touch()

    def bar(self):
        """The items of a press that is held."""
        return bar(self.setter, self._held) if self._held else []

    def tick(self, elapsed_ms, is_idle):
        """Let time go by; `is_idle`: the idle face is up, and nothing rings."""
        self._screens.clock.tick(elapsed_ms)
        if not is_idle:
            self.wake()
            return
        self._idle_ms = min(DIM_MS, self._idle_ms + elapsed_ms)
        if self._idle_ms == DIM_MS and not self._is_dim and self._percent is not None:
            self._is_dim = True
            self._shine(max(1, self._percent * DIM_PERCENT // 100) if self._percent else 0)

    def wait_ms(self, is_idle):
        """Until something is to be seen of it, or None."""
        if not is_idle:
            return None
        clock = self._screens.clock
        waits = [clock.wait_ms()] if clock.now is not None else []
        if self._idle_ms < DIM_MS and self._percent is not None:
            waits.append(DIM_MS - self._idle_ms)
        return min(waits) if waits else None

    def _shine(self, percent):
        if self._light is not None:
            self._light(percent)


def life_of(screen, faces, last_card, overlay, light, touch, settle):
    """The Life of a panel with faces; the overlay's scenes are in type from now on."""
    overlay.scenes = TypeScreens(Typesetter(screen, faces), last_card)
    return Life(overlay.scenes, light, touch, settle, overlay.show_guide)
