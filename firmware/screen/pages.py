"""Which page of which card is shown: paging, scenes that play, time to live, recall.

No clock: `tick(elapsed_ms)` takes the time that has passed, `wait_ms()` says when the next is due.
"""

from voxwire.card import QrPage

# How long a page of a playing card shows when it does not say.
PAGE_MS = 4000
_AGE_MS_MAX = 1 << 29  # six days, in a word of a 32-bit heap


class _Entry:
    """A card with what is left of its time; `left_ms` None lives on."""

    def __init__(self, card):
        self.card, self.age_ms = card, 0
        self.left_ms = card.ttl_s * 1000 if card.ttl_s > 0 else None

    def tick(self, elapsed_ms):
        """True when its time is over."""
        self.age_ms = min(self.age_ms + elapsed_ms, _AGE_MS_MAX)
        if self.left_ms is None:
            return False
        self.left_ms -= elapsed_ms
        return self.left_ms <= 0


def _last_played(pages):
    """Index of the last page that plays by itself: what follows the scenes waits for a button."""
    for index in range(len(pages) - 1, 0, -1):
        if pages[index].ms:
            return index
    return len(pages) - 1


def _options(page):
    """What can be chosen on a page."""
    return getattr(page, "options", ())


class Pages:
    """The cards of a device: one shown, one waiting behind a more important one, the last one."""

    def __init__(self):
        self._shown = None
        self._waiting = None
        self._last = None
        self._page_ms = None  # left of the page of a playing card; None: it does not play
        self.index = 0
        self.highlight = 0
        self.acted = ""  # the option of the page that was taken

    @property
    def card(self):
        """The card shown, or None."""
        return self._shown.card if self._shown else None

    @property
    def last(self):
        """(the last card, its age in ms), None without one."""
        return (self._last.card, self._last.age_ms) if self._last else None

    @property
    def page(self):
        """The page shown, or None."""
        return self._shown.card.pages[self.index] if self._shown else None

    @property
    def option(self):
        """The highlighted option of a choice page, or None."""
        options = _options(self.page)
        return options[self.highlight] if options else None

    @property
    def has_choices(self):
        """Whether a page of the shown card is one of choices."""
        return any(_options(page) for page in self.card.pages)

    @property
    def qr(self):
        """Whether a QR code is up: nothing may be redrawn then."""
        page = self.page
        return isinstance(page, QrPage) or getattr(page, "code", None) is not None

    @property
    def at_end(self):
        """Whether a short press has nothing more to show: last page, last option, or no card."""
        if not self._shown:
            return True
        last_option = self.highlight >= len(_options(self.page)) - 1
        return self.index == len(self.card.pages) - 1 and last_option

    def show(self, card):
        """Show a card from its first page; False when it waits behind a more important one."""
        entry = _Entry(card)
        if self._shown and card.priority < self.card.priority and card.id != self.card.id:
            self._waiting = entry
            return False
        self._last = entry
        self._open(entry)
        return True

    def update(self, card):
        """Put a newer revision in a card's place, on the same page; False when it is none."""
        done = False
        entry = _Entry(card)
        if self._waiting and self._newer(card, self._waiting):
            self._waiting, done = entry, True
        if self._last and self._newer(card, self._last):
            shown = self._last is self._shown
            self._last, done = entry, True
            if shown:
                self._shown = entry
                self.index = min(self.index, len(card.pages) - 1)
                self.highlight = max(0, min(self.highlight, len(_options(self.page)) - 1))
        return done

    @staticmethod
    def _newer(card, entry):
        return card.id == entry.card.id and card.rev >= entry.card.rev

    def clear(self, card_id):
        """Forget a card wherever it is ("" forgets all); True when the screen changes."""
        if self._waiting and card_id in ("", self._waiting.card.id):
            self._waiting = None
        if self._last and card_id in ("", self._last.card.id):
            self._last = None
        if self._shown and card_id in ("", self._shown.card.id):
            self._close()
            return True
        return False

    def dismiss(self):
        """Take the shown card away, it stays recallable; the card, or None."""
        card = self.card
        if card:
            self._close()
        return card

    def recall(self):
        """Show the last card again from its first page; False when there is none."""
        if not self._last:
            return False
        self._open(self._last)
        return True

    def next(self):
        """A short press: the next option, then the next page, round and round; stops playing."""
        if self.highlight < len(_options(self.page)) - 1:
            return self._step(0, self.highlight + 1)
        return self._step(1, 0)

    def previous(self):
        """The same the other way round; a page is shown with its first option."""
        return self._step(0, self.highlight - 1) if self.highlight else self._step(-1, 0)

    def _step(self, pages, highlight):
        if not self._shown:
            return False
        self._page_ms = None
        self._turn((self.index + pages) % len(self.card.pages))
        self.highlight = highlight
        return True

    def rest(self):
        """The highlight back on the first option, as a person finds it after a talk."""
        self.highlight = 0

    def tick(self, elapsed_ms):
        """Let time go by; True when the screen changes."""
        if self._waiting and self._waiting.tick(elapsed_ms):
            self._waiting = None
        if self._last and self._last is not self._shown and self._last.tick(elapsed_ms):
            self._last = None
        if not self._shown:
            return False
        if self._shown.tick(elapsed_ms):
            if self._last is self._shown:
                self._last = None
            self._close()
            return True
        return self._play(elapsed_ms)

    def resources(self):
        """Ids of the blobs that the cards kept here need."""
        ids = set()
        for entry in (self._shown, self._waiting, self._last):
            if entry:
                ids.update(entry.card.resources)
        return ids

    def wait_ms(self):
        """Time until something here happens by itself, or None."""
        waits = [self._page_ms] if self._page_ms is not None else []
        for entry in (self._shown, self._waiting):
            if entry and entry.left_ms is not None:
                waits.append(entry.left_ms)
        return max(0, min(waits)) if waits else None

    def _play(self, elapsed_ms):
        if self._page_ms is None:
            return False
        self._page_ms -= elapsed_ms
        if self._page_ms > 0:
            return False
        if self.index < _last_played(self.card.pages):
            self._turn(self.index + 1)
        elif self.card.loop:
            self._turn(0)
        else:
            self._page_ms = None
            return False
        self._page_ms = self.page.ms or PAGE_MS
        return True

    def _turn(self, index):
        self.index = index
        self.highlight = 0
        self.acted = ""

    def _open(self, entry):
        self._shown = entry
        self._turn(0)
        playing = entry.card.auto and len(entry.card.pages) > 1
        self._page_ms = (self.page.ms or PAGE_MS) if playing else None

    def _close(self):
        self._shown = None
        self._page_ms = None
        self._turn(0)
        if self._waiting:
            entry, self._waiting = self._waiting, None
            self._last = entry
            self._open(entry)
