"""The tools of the screen."""

from screen.cells import wrap
from toolbox.registry import Content, ToolError, choice, integer, string
from voxwire.card import PAGES_MAX, Card, TextPage, layout, text_line

SIZES = ("small", "normal", "large")  # of text, as in voxwire.type.scale
TEXT_MAX = 400  # characters: what a small screen shows in a few pages


def install(registry, view, change, dimmable: bool, send_picture) -> None:
    """Declare them; `dimmable`: the panel's brightness can be set. `change(name, value)` sets a
    setting, applies and stores it; `send_picture(kind, name, picture)` is awaited for a blob's id.
    """

    @registry.tool(
        "self.screen.set_theme",
        "Set the colours of the screen: light on dark, or dark on light.",
        theme=choice(("dark", "light")),
    )
    def set_theme(theme):
        change("theme", theme)
        return "The theme is now %s." % theme

    @registry.tool(
        "self.screen.show_text",
        "Show a short text on the screen until something newer is shown.",
        text=string(TEXT_MAX, low=1),
    )
    def show_text(text):
        view.show_card(text_card(view, text))
        return "The text is on the screen."

    @registry.tool(
        "self.screen.snapshot", "Take a picture of what the screen shows.", scope="user"
    )
    async def snapshot():
        try:
            from link.blob_sender import Bytes  # as link.device_link: few devices send one

            blob = await send_picture("snapshot", "screen.pbm", Bytes(view.snapshot()))
        except MemoryError:
            raise ToolError("The screen could not be sent: not enough memory. Try again later.")
        picture = picture_block(blob, "image/x-portable-bitmap")
        return Content([picture, {"type": "text", "text": "This is the screen."}], None)

    _install_pages(registry, view)
    _install_sizes(registry, view, change, dimmable)


def _install_sizes(registry, view, change, dimmable) -> None:
    if view.own_cards is not None:
        _install_text_size(registry, view, change)
    if dimmable:
        _install_brightness(registry, change)


def _install_text_size(registry, view, change) -> None:
    @registry.tool(
        "self.screen.set_text_size",
        "Set how large the text on the screen is; larger and smaller are one step from now.",
        text_size=choice(SIZES + ("larger", "smaller")),
    )
    def set_text_size(text_size):
        before = view.screen.text_size
        if text_size not in SIZES:
            at = SIZES.index(before) + (1 if text_size == "larger" else -1)
            if not 0 <= at < len(SIZES):
                raise ToolError("The text cannot be %s than it is." % text_size)
            text_size = SIZES[at]
        change("text_size", text_size)
        return "The text is now %s." % text_size

    @registry.tool(
        "self.screen.show_text_sizes",
        "Show the sizes of text on the screen, so that the person takes one with the button.",
    )
    def show_text_sizes():
        view.show_card(view.own_cards.text_sizes(), view.screen.text_size)
        return "The sizes of text are on the screen: hold the button on one."


def _install_pages(registry, view) -> None:
    @registry.tool(
        "self.screen.turn_page",
        "Turn the page of the card on the screen, or close the card.",
        to=choice(("next", "back", "close")),
    )
    def turn_page(to):
        if not view.turn_card(to):
            raise ToolError("There is no card on the screen.")
        if to == "close":
            return "The card is closed."
        return "Here is the %s page." % ("next" if to == "next" else "previous")


def _install_brightness(registry, change) -> None:
    @registry.tool(
        "self.screen.set_brightness",
        "Set the screen brightness in percent. For a relative change call self.get_device_status"
        " first.",
        brightness=integer(0, 100, "percent; 0 is dark"),
    )
    def set_brightness(brightness):
        change("brightness", brightness)
        return "The brightness is now %d percent." % brightness


def picture_block(blob: int, mime_type: str) -> dict:
    """Image content whose data travels as a blob; the bridge puts the bytes in its place."""
    return {"type": "image", "mimeType": mime_type, "_meta": {"voxcard/blob": blob}}


def text_card(view, text: str) -> Card:
    """A text of the device's own, broken into pages; it has no id, so nobody hears of it."""
    own = view.own_cards
    return (own and own.text(text)) or _lines_card(view.screen, text)


def _lines_card(screen, text: str) -> Card:
    area = layout(screen, False).body
    lines = [text_line(line) for line in wrap(text, area.cols, PAGES_MAX * area.rows)]
    pages = [lines[at : at + area.rows] for at in range(0, max(1, len(lines)), area.rows)]
    pages = tuple([TextPage("", tuple(page), 0) for page in pages])
    return Card("", 0, pages, "", 0, 0, False, False, ())
