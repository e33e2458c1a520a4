"""Draws cards and screens with the firmware's own screen code, under either interpreter.

    MICROPYPATH=firmware:.frozen micropython draw_card.py < request.json
    python draw_under_cpython.py firmware < request.json

A request, or each of a list of them, is one JSON object: `screen` {width, height, depth, shape,
cell}, `out` (path prefix), and `card` (the wire's card) with `blobs` [{id, kind, data (base64)}],
or `calls` [[method of the View or ("life.hold") of a part of it, argument...], ...]; optional
`theme` dark|light, `name`, `device_id`. It writes each page of the card, or the screen after the
calls, as <out>-<n>.pbm (P4) or .ppm (P6) and prints the paths. A colour screen needs
-X heapsize=2m or more on MicroPython.
"""

import asyncio
import gc
import json
import sys
from binascii import a2b_base64

from screen.view import View
from voxwire import card as wire_card


class Panel:
    """A display whose pixels stay in RAM."""

    def __init__(self, width, height, depth=1, shape="rect", cell=(6, 12), pitch_um=0,
                 picture_bytes=0):  # fmt: skip
        self.width, self.height, self.depth = width, height, depth
        self.shape, self.cell, self.pitch_um = shape, tuple(cell), pitch_um
        self.picture_bytes = picture_bytes
        self.stride = (width + 7) // 8 if depth == 1 else width * 2
        self.pixels = bytearray(self.stride * height)

    async def write(self, _x, y, _w, h, buffer):
        self.pixels[y * self.stride : (y + h) * self.stride] = buffer

    def brightness(self, percent):
        """A picture has none."""

    def save(self, out):
        """Write PBM P4 (lit is white) or PPM P6; the path."""
        path = out + (".pbm" if self.depth == 1 else ".ppm")
        with open(path, "wb") as file:
            if self.depth == 1:
                file.write(b"P4\n%d %d\n" % (self.width, self.height))
                file.write(bytes(byte ^ 0xFF for byte in self.pixels))
            else:
                file.write(b"P6\n%d %d\n255\n" % (self.width, self.height))
                for y in range(self.height):
                    file.write(self._rgb(y))
        return path

    def _rgb(self, y):
        row = bytearray()
        for at in range(y * self.stride, (y + 1) * self.stride, 2):
            value = self.pixels[at] << 8 | self.pixels[at + 1]
            red, green, blue = value >> 11, value >> 5 & 0x3F, value & 0x1F
            row.append(red << 3 | red >> 2)
            row.append(green << 2 | green >> 4)
            row.append(blue << 3 | blue >> 2)
        return row


async def draw(request):
    """Draw what a request asks for; print each path."""
    panel = Panel(**request["screen"])
    view = View(
        panel,
        name=request.get("name", ""),
        device_id=request.get("device_id", ""),
        theme=request.get("theme", "dark"),
        log=lambda text: print(text, file=sys.stderr),
    )
    for blob in request.get("blobs", ()):
        view.add_resource(blob["id"], blob["kind"], a2b_base64(blob["data"]))
    view.set_state("ready")
    count = 1
    if "card" in request:
        card = wire_card.from_data(request["card"])
        view.show_card(card)
        count = len(card.pages)
    for method, *values in request.get("calls", ()):
        called = view
        for part in method.split("."):
            called = getattr(called, part)
        called(*values)
    for page in range(count):
        await view.refresh()
        print(panel.save(f"{request['out']}-{page + 1}"))
        shown = view.page_index
        while page + 1 < count and view.page_index == shown:
            view.next_page()


async def main():
    """Draw the request or requests on the standard input."""
    requests = json.load(sys.stdin)
    for request in requests if isinstance(requests, list) else [requests]:
        await draw(request)
        gc.collect()


if __name__ == "__main__":
    asyncio.run(main())
