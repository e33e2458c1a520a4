"""A view on a panel with faces of type, and what its pictures are made of."""

from fakes.device.display import Display
from screen.type.typesetter import Typesetter
from screen.view import View

# width, height, shape, cell, pitch in um
PANELS = (
    (240, 240, "rect", (8, 16), 98),
    (240, 240, "round", (8, 16), 135),
    (320, 240, "rect", (8, 16), 152),
    (240, 135, "rect", (8, 16), 104),
    (128, 128, "rect", (6, 12), 119),
    (80, 160, "rect", (6, 12), 135),
)
SQUARE, ROUND, NARROW = PANELS[0], PANELS[1], PANELS[5]
DAY = 20787  # Monday, 2026-11-30
EVENING_S = DAY * 86400 + 22 * 3600 + 41 * 60


class Watched:
    """A view with faces on a panel in RAM."""

    def __init__(self, panel=SQUARE, theme="dark"):
        width, height, shape, cell, pitch_um = panel
        self.display = Display(width, height, 16, shape, cell, pitch_um)
        self.now_ms = 0
        self.view = View(self.display, name="Kitchen", device_id="kitchen-1", theme=theme,
                         clock=lambda: self.now_ms)  # fmt: skip
        self.view.set_locale("en-GB")
        self.setter = Typesetter(self.view.screen, self.view._faces)

    async def sent(self, elapsed_ms=0):
        """(first row, row after the last) that one refresh sent, None for nothing."""
        self.display.forget()
        await self.view.refresh(elapsed_ms)
        writes = self.display.writes
        return (writes[0][0], max([y + rows for y, rows in writes])) if writes else None

    def items(self, kind):
        return [item for item in self.view.picture() if item.kind == kind]

    def texts(self):
        """[(words, ink), ...] of the picture, without icons."""
        faces = self.view.screen.faces
        return [
            (item.what[1] if item.kind == "type" else item.what, item.ink)
            for item in self.view.picture()
            if item.kind in ("text", "big")
            or (item.kind == "type" and faces[item.what[0]][0] != "i")
        ]

    def words(self):
        """All the words of the picture."""
        return " ".join([words for words, _ in self.texts()])

    def icons(self):
        """The icons of the picture."""
        faces = self.view.screen.faces
        return [item.what[1] for item in self.items("type") if faces[item.what[0]][0] == "i"]

    def wide(self, item):
        """Px that an item takes in a row."""
        return self.view._faces.width(*item.what) if item.kind == "type" else item.width
