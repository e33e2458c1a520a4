"""Screens other than cards in type, under the names that module scenes has them under."""

from languages import say
from voxwire.type.drawing import Text
from voxwire.type.roles import BAD, BAR, WARN

from screen.scenes import HINT_CLOSE, HINT_CONFIRM, STATES
from screen.type import icons
from screen.type.clock import Clock, time_of_day
from screen.type.idle import Idle, Strip, idle_picture
from screen.type.notice import (
    GUIDE,
    guide_picture,
    missing_picture,
    notice_picture,
    photo_picture,
    start_picture,
)
from screen.type.talk import talk_picture

_ICONS = {"bell": icons.BELL, "question": icons.QUESTION}


class TypeScreens:
    """Draws with a Typesetter; `last_card()` gives (voxwire Card, its age in ms) or None."""

    def __init__(self, setter, last_card):
        self.setter = setter
        self.clock, self.locale = Clock(), "en"
        self._last_card = last_card

    def notice_picture(self, _screen, icon, title, words, paper=BAR, hint=HINT_CLOSE):
        """A message over everything else, and what a press does to it."""
        return notice_picture(self.setter, _ICONS[icon], say(title), say(words), paper, say(hint))

    def confirm_picture(self, screen, question):
        """A question to be answered with the button."""
        return self.notice_picture(screen, "question", "Please confirm", question, WARN,
                                   HINT_CONFIRM)  # fmt: skip

    def photo_picture(self, _screen):
        """The sign that the camera is used."""
        return photo_picture(self.setter)

    def guide_picture(self, index):
        """A page of what the button does; None after the last."""
        return guide_picture(self.setter, index) if index < len(GUIDE) else None

    def face(self, talk, name, device_id, timers):
        """The picture of a voice state."""
        state = talk.state if talk.state in STATES else "ready"
        words = say(talk.detail or STATES[state][3])
        if state in ("listening", "thinking", "speaking"):
            return talk_picture(self.setter, talk)
        if state == "error":
            return notice_picture(self.setter, icons.WARNING, say("Problem"), words, BAD)
        if timers or state == "ready":
            return self._idle(talk, state, name, timers)
        if state == "offline":
            return missing_picture(self.setter, say("No connection"), words, self._time())
        return start_picture(self.setter, words, device_id)

    def _time(self):
        now = self.clock.now
        return " ".join(time_of_day(now[1], self.locale)).strip() if now else ""

    def _idle(self, talk, state, name, timers):
        words = talk.detail
        if state != "ready":
            words = say("No connection" if state == "offline" else "Connecting")
        elif self.clock.now is None and not timers:
            words = talk.detail or STATES["ready"][3]
        card = None if words else self._strip()
        now = self.clock.now
        return idle_picture(self.setter, Idle(now, self.locale, name, timers, card, say(words)))

    def _strip(self):
        last = self._last_card()
        if last is None:
            return None
        card, age_ms = last
        page, icon = card.pages[0], ""
        words = [line.text for line in page.lines if getattr(line, "text", "")]
        for item in () if words else getattr(page, "items", ()):  # what the lines say already
            if type(item) is not Text:
                continue
            if self.setter.screen.faces[item.face][0] == "i":
                icon = icon or item.text
            else:
                words.append(item.text)
        if isinstance(page.title, str) and page.title:
            words = [page.title] + [each for each in words if each != page.title]
        words += ["", ""]
        return Strip(icon, words[0] or "Voxcard", words[1], age_ms // 60000)
