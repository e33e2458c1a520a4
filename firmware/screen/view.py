"""Draws what a stage shows on a display, and keeps what cards are drawn from."""

import asyncio
import os
import time

import framebuf
from languages import use
from voxwire.capability import BLOCKS, Screen
from voxwire.ticks import elapsed_ms

from screen import font
from screen.bands import BAND_BYTES, Bands, changed_rows
from screen.draw import Painter
from screen.glyphs import Glyphs
from screen.resources import Resources
from screen.stage import Stage

FONTS = font.folder(__file__, os.getcwd())
_SLEEP_MS_MAX = 3600000  # far below where the clock's ticks wrap


class View(Stage):
    """The screen of a device. Setters only note what is to be seen; `run` draws what changed.

    `on_drawn(count, page, card_id)` is called after each drawing; `log(text)` once per missing
    character, and for each card that has no room for what it is drawn from.
    """

    own_cards = None  # on a panel with faces: screen.own.cards.OwnCards

    def __init__(self, display, *, name="", device_id="", theme="dark", fonts=FONTS,
                 band_bytes=None, on_card_event=None, on_drawn=None, log=None,
                 clock=time.ticks_ms):  # fmt: skip
        screen = Screen(display.width, display.height, display.depth, display.shape,
                        display.pitch_um, tuple(display.cell), (), BLOCKS, (),
                        "normal", getattr(display, "picture_bytes", 0))  # fmt: skip
        self._faces = None
        if display.depth > 1:
            screen = self._with_faces(screen, fonts[:-6] + "faces/")
        self._wake = asyncio.Event()
        Stage.__init__(self, screen, name, device_id, on_card_event)
        overlay = self._overlay
        self.set_timers, self.set_ring = overlay.set_timers, overlay.ring
        self.take_photo_sign = overlay.photo  # shows, or ends, the sign that the camera is used
        self._display = display
        self._on_drawn, self._log = on_drawn, log
        self._font = "%%s%dx%d.font" % tuple(display.cell)
        self._fonts, self._language = fonts, None
        self._glyphs = Glyphs(fonts + self._font % "", self._missing)
        self._resources = Resources(self._glyphs, self._say, self._faces,
                                    screen.picture_bytes)  # fmt: skip
        self._painter = self._new_painter(display.depth, theme)
        band_bytes = band_bytes or getattr(display, "band_bytes", BAND_BYTES)
        self._bands = Bands(display, self._painter, band_bytes)
        self.theme = theme
        self._drawn = None  # the picture on the panel; None: nothing is known of it
        self._count = 0
        self._clock, self._last_ms = clock, clock()
        self.life = self._new_life() if screen.faces else None  # a screen.type.life.Life
        self.set_locale("en")

    def _with_faces(self, screen, folder):
        """The screen with the faces in a folder; there is none on a board without PSRAM."""
        try:
            os.stat(folder)
        except OSError:
            return screen
        from voxwire.type.scale import faces

        from screen.type.faces import Faces

        self._faces = Faces(folder, faces(screen), self._missing)
        blocks = BLOCKS + ("drawn",) if self._faces.names else BLOCKS
        return Screen(*(screen[:7] + (blocks, self._faces.names) + screen[9:]))

    def _new_life(self):
        from screen.own.cards import OwnCards
        from screen.type.life import life_of

        parts = self._overlay, self._display.brightness, self._touch, self._settle
        life = life_of(self.screen, self._faces, lambda: self._pages.last, *parts)
        self.own_cards = OwnCards(life.setter)
        return life

    def _is_idle(self):
        """Whether the screen shows that the device waits."""
        waits = self._state in ("ready", "offline", "connecting")
        return waits and self._overlay.is_clear and not self._card_is_up()

    def picture(self):
        """The items the screen shows now, in the order of painting."""
        items = Stage.picture(self)
        # Nothing is redrawn while a code is up.
        if self.life is not None and not (self._pages.qr and self._card_is_up()):
            items = items + self.life.bar()
        return items

    def _tick(self, elapsed_ms):
        Stage._tick(self, elapsed_ms)
        if self.life is not None:
            self.life.tick(elapsed_ms, self._is_idle())

    def _wait_ms(self):
        wait_ms = Stage._wait_ms(self)
        more_ms = self.life.wait_ms(self._is_idle()) if self.life is not None else None
        if more_ms is None or wait_ms is None:
            return wait_ms if more_ms is None else more_ms
        return min(wait_ms, more_ms)

    def _new_painter(self, depth, theme):
        return Painter(depth, self._glyphs, self._resources, theme, self._faces)

    def add_resource(self, blob_id, kind, data):
        """Take a blob that a card will need (see Resources.add)."""
        self._resources.add(blob_id, kind, data)
        self._touch()

    def image_arrives(self, blob_id, data, count):
        """Take the first `count` bytes of an image: its rows are drawn as they come."""
        self._resources.arrive(blob_id, data, count)
        self._touch()

    def set_theme(self, theme):
        """Draw in the colours of `dark` or `light` from now on."""
        self._painter.set_theme(theme)
        self.theme = theme
        self._drawn = None
        self._touch()

    def set_text_size(self, text_size):
        """Set type in another size from now on; the bridge is to send its cards anew."""
        self.screen = Screen(*(self.screen[:9] + (text_size,) + self.screen[10:]))
        card = self.own_cards.resized(self.screen, self._pages.card)
        if card is not None:
            self.update_card(card)
        self._touch()

    def turn_card(self, to):
        """Turn to the "next" page of the card or "back", or "close" it; False without a card."""
        pages = self._pages
        if pages.card is None:
            return False
        if to == "close":
            self._tell("dismissed")
            pages.dismiss()
        else:
            pages.next() if to == "next" else pages.previous()
            self._fresh = True
            self._tell("page")
        self._touch()
        return True

    def set_locale(self, locale):
        """Show the fixed words in the language of a locale, as far as there are any."""
        if self.life is not None:
            self.life.set_locale(locale)
            self._touch()
        language = use(locale)
        if language != self._language:
            self._language = language
            self._glyphs.add_font(self._fonts + self._font % (language + "_"))
            self._drawn = None
            self._touch()

    def capability(self):
        """`screen` as a hello says it: with the font's code points, for the bridge alone."""
        return Screen(*(self.screen[:6] + (self._glyphs.ranges(),) + self.screen[7:]))

    def snapshot(self):
        """What the screen shows as PBM P4; lit is white. Images of a colour panel are frames."""
        return pbm(self.screen, self._new_painter(1, self.theme), self.picture())

    async def refresh(self, elapsed_ms=0):
        """Let time go by and draw what changed."""
        self._tick(elapsed_ms)
        picture = self.picture()
        height = self.screen.height
        old, self._drawn = self._drawn, picture
        come = self._resources.take_spans(picture)
        spans = [(0, height)] if old is None else changed_rows(old, picture, height) + come
        if not spans:
            return
        await self._bands.send(picture, spans)
        self._painter.rest()
        self._count += 1
        if self._on_drawn:
            card = self._pages.card if self._card_is_up() else None
            self._on_drawn(self._count, self._pages.index, card.id if card else None)

    async def run(self):
        """Draw for ever; asleep while nothing changes."""
        while True:
            self._wake.clear()
            self._settle()
            await self.refresh()
            wait_ms = self._wait_ms()
            if wait_ms is None:
                await self._wake.wait()
                continue
            try:
                await asyncio.wait_for_ms(self._wake.wait(), min(wait_ms, _SLEEP_MS_MAX))
            except asyncio.TimeoutError:
                pass

    def _settle(self):
        now_ms = self._clock()
        passed_ms, self._last_ms = elapsed_ms(now_ms, self._last_ms), now_ms
        self._tick(passed_ms)

    def _keep_blobs(self):
        self._resources.keep(self._pages.resources())

    def _missing(self, code):
        self._say("no glyph for U+%04X" % code)

    def _say(self, text):
        if self._log:
            self._log(text)

    def _touch(self):
        self._wake.set()


def pbm(screen, painter, picture):
    """A picture as PBM P4; lit is white."""
    width, height = screen.width, screen.height
    head = b"P4\n%d %d\n" % (width, height)
    stride = (width + 7) // 8
    data = bytearray(len(head) + stride * height)
    data[: len(head)] = head
    rows = memoryview(data)[len(head) :]
    canvas = framebuf.FrameBuffer(rows, stride * 8, height, framebuf.MONO_HLSB)
    painter.paint(canvas, picture, 0, height)
    for at in range(len(rows)):
        rows[at] ^= 0xFF
    return bytes(data)
