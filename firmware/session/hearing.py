"""What the microphone does, as its person and the bridge want it: off, a press, a wake word."""

import time


class Hearing:
    """Follows the settings `microphone` and `wake`; `change(name, value)` stores one."""

    def __init__(self, settings, voice, link, view, capture, change, ticks_ms=time.ticks_ms):
        self._settings = settings
        self._parts = voice, link, view, capture
        self._ticks_ms = ticks_ms
        self._bridge_wakes = False
        voice.on_unmute = lambda: change("microphone", "on")
        voice.on_hello = self._hello
        update = self._update
        settings.watch("wake", update)
        settings.watch("microphone", update)

    def _hello(self, bridge_wakes):
        """A new session; whether its bridge looks for wake words."""
        self._bridge_wakes = bridge_wakes
        self._update(None)

    def _update(self, _):
        on = self._settings.get("microphone") == "on"
        wakes = on and self._bridge_wakes and self._settings.get("wake") == "on"
        self._wait_for_word(bool(wakes))
        self._parts[0].mute(not on)

    def _wait_for_word(self, wanted):
        voice = self._parts[0]
        if wanted and voice.wake is None:
            # Its heap is the others' on a device that does not wait for a word.
            from session.wake import Wake

            voice.wake = Wake(*self._parts, guard_ms=voice.guard_ms, ticks_ms=self._ticks_ms)
            self._parts[1].on("wake", voice.wake.heard)
        if voice.wake is not None:
            voice.wake.want(wanted)
