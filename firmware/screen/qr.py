"""Draws a QR code from its packed rows: black on white, whatever the theme."""

from voxwire.card import row_bytes


def draw(canvas, page, x, y, top, bottom, black, white):
    """Draw a QrPage's light square with its corner at x, y (canvas px), rows `top` to `bottom`.

    `canvas` is a FrameBuffer; black and white are its colours. Rows outside are not drawn.
    """
    side = (page.modules + 2 * page.quiet) * page.scale
    canvas.fill_rect(x, y, side, side, white)
    stride = row_bytes(page.modules)
    x += page.quiet * page.scale
    y += page.quiet * page.scale
    first = max(0, (top - y) // page.scale)
    last = min(page.modules, -((y - bottom) // page.scale))
    for row in range(first, last):
        _row(canvas, page, row * stride, x, y + row * page.scale, black)


def _row(canvas, page, at, x, y, black):
    """One row of modules, dark runs at once: a fill per module would cost three times as much."""
    rows, scale = page.rows, page.scale
    begin = -1
    for module in range(page.modules + 1):
        dark = module < page.modules and rows[at + (module >> 3)] & (0x80 >> (module & 7))
        if dark and begin < 0:
            begin = module
        elif begin >= 0 and not dark:
            canvas.fill_rect(x + begin * scale, y, (module - begin) * scale, scale, black)
            begin = -1
