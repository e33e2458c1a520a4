"""What a screen shows when: the voice's state, a card, or what is over everything."""

from screen import scenes
from screen.layout import page_picture
from screen.overlay import Overlay
from screen.pages import Pages

TROUBLE_MS = 6000  # an error hides a card for this long
CONFIRM_MS = 30000
# The session's own word for a device that waits.
_SAME = {"idle": "ready"}
_TURN = ("listening", "thinking", "speaking")


class Stage:
    """Setters note what is to be seen, `picture` says what that is.

    What draws it (screen.view) has three methods: `_touch` is called when something else is to be
    seen; `_settle` lets the time until now go by before a setter begins to count, so that what
    is new has all of its own; `_keep_blobs` forgets what only cards that are gone are drawn
    from. `on_card_event(event, id, rev, page, action)` gets shown, page, action, dismissed.
    """

    def __init__(self, screen, name, device_id, on_card_event):
        self.screen = screen
        self._name, self._device_id = name, device_id
        self._on_card_event = on_card_event
        self._pages = Pages()
        self._overlay = Overlay(self._touch)
        self._state, self._detail = "starting", ""
        self._transcript = self._sentence = self._progress = self._before = ""
        self._level = self._trouble_ms = self._settled = 0  # settled: words that are final
        self._fresh = False  # the card came in this turn: the voice does not hide it

    def set_state(self, state, detail=""):
        """Show a voice state (starting connecting ready listening thinking speaking offline
        error; idle is ready) with what to do or what goes on."""
        self._settle()
        state = _SAME.get(state, state)
        if state in _TURN:
            self._overlay.end_guide()
        if state == "listening":
            self._transcript = ""
            if self._state != "speaking":
                # A new talk; after a question of the assistant its card stays up.
                self._fresh = False
                self._pages.rest()
        if state != self._state:
            self._progress = self._sentence = self._before = ""
            self._level = 0
            self._trouble_ms = TROUBLE_MS if state == "error" else 0
        self._state, self._detail = state, detail
        self._touch()

    def set_transcript(self, text, partial=False):
        """Show what was understood; of a `partial` one the words that have stayed are final."""
        old, self._transcript = self._transcript, text
        self._settled = _alike(old, text) if partial else len(text)
        self._touch()

    def set_sentence(self, text):
        """Show the sentence that is spoken."""
        self._before, self._sentence = self._sentence, text
        self._touch()

    def progress(self, text):
        """Show how a tool gets on."""
        self._progress = text
        self._touch()

    def set_level(self, level):
        """Show how loud the microphone hears, 0 to 10."""
        if level != self._level and self._state == "listening":
            self._level = level
            self._touch()

    def show_card(self, card, acted=""):
        """Show a voxwire Card, `acted` its option that is taken; it may wait behind another."""
        self._settle()
        self._overlay.end_guide()
        if self._pages.show(card):
            self._opened(acted)
        self._keep_blobs()
        self._touch()

    def update_card(self, card):
        """Put a newer revision of a card in its place, on the same page."""
        self._settle()
        if self._pages.update(card):
            self._keep_blobs()
            self._touch()

    def clear_card(self, card_id=""):
        """Forget a card, or all of them."""
        self._pages.clear(card_id)
        self._keep_blobs()
        self._touch()

    def show_last_card(self):
        """Show the last card again; False when there is none."""
        self._settle()
        if not self._pages.recall():
            return False
        self._opened()
        self._touch()
        return True

    def alert(self, title, text):
        """Show a notice until a press, or for a while."""
        self._settle()
        self._overlay.notice(title, text)

    async def confirm(self, question, timeout_ms=CONFIRM_MS):
        """Ask; True when a person holds the button, False at a press or when nobody answers."""
        return await self._overlay.ask(question, timeout_ms)

    @property
    def asks(self):
        """Whether a long press acts: a question or a choice is up."""
        return self._overlay.asks or (self._card_is_up() and self._pages.option is not None)

    @property
    def offers(self):
        """Whether something waits for a choice, on the page that is shown or on another."""
        return self.asks or (self._card_is_up() and self._pages.has_choices)

    @property
    def can_turn(self):
        """Whether a short press has something to do here: close, answer no, or turn a page."""
        return self._overlay.takes_presses or (self._card_is_up() and not self._pages.at_end)

    @property
    def page_index(self):
        """Which page of the card is shown, from 0."""
        return self._pages.index

    def next_page(self):
        """A short press: no to a question, close a notice, next option or page."""
        return self._turned(self._pages.next)

    def previous_page(self):
        """A short press of a key that goes back: the option or the page before."""
        return self._turned(self._pages.previous)

    def _turned(self, turn):
        if self._overlay.takes_presses:
            self._overlay.press(long=False)
        elif not self._card_is_up() or not turn():
            return False
        else:
            self._tell("page")
        self._touch()
        return True

    def activate(self):
        """A long press: yes to a question, close a notice, take an option, dismiss a card."""
        option = self._pages.option
        if self._overlay.takes_presses:
            self._overlay.press(long=True)
        elif not self._card_is_up():
            return False
        elif option is not None:
            self._pages.acted = option.id
            self._tell("action", option.id)
        else:
            self._tell("dismissed")
            self._pages.dismiss()
        self._touch()
        return True

    def picture(self):
        """The items the screen shows now, in the order of painting."""
        above = self._overlay.picture(self.screen)
        if above is not None:
            return above
        if self._card_is_up():
            pages = self._pages
            badge = scenes.BADGES.get(self._state, "")
            return page_picture(self.screen, pages.card, pages.index, pages.highlight, badge,
                                pages.acted)  # fmt: skip
        talk = scenes.Talk(self._state, self._detail, self._transcript, self._sentence,
                           self._progress, self._level, self._settled, self._before)  # fmt: skip
        return self._overlay.face(self.screen, talk, self._name, self._device_id)

    def _wait_ms(self):
        waits = [self._pages.wait_ms(), self._overlay.wait_ms(), self._trouble_ms or None]
        waits = [wait for wait in waits if wait is not None]
        return max(1, min(waits)) if waits else None

    def _tick(self, elapsed_ms):
        self._trouble_ms = max(0, self._trouble_ms - elapsed_ms)
        self._overlay.tick(elapsed_ms)
        card, index = self._pages.card, self._pages.index
        if self._pages.tick(elapsed_ms):
            if self._pages.card is not card:
                self._opened()
            elif self._pages.index != index:
                self._tell("page")

    def _card_is_up(self):
        """Whether the card is what the screen shows, nothing else being over it."""
        if self._pages.card is None or self._trouble_ms:
            return False
        return self._fresh or self._state not in _TURN

    def _opened(self, acted=""):
        self._fresh, self._pages.acted = True, acted
        self._tell("shown")

    def _tell(self, event, action=None):
        card = self._pages.card
        # A text of the device's own has no id: nobody else knows of it.
        if card is not None and card.id and self._on_card_event:
            self._on_card_event(event, card.id, card.rev, self._pages.index, action)


def _alike(old, new):
    """How many of the first words of two texts are the same."""
    count = 0
    for before, now in zip(old.split(), new.split()):
        if before != now:
            break
        count += 1
    return count
