"""The pictures of docs/pictures/sim: a real `make sim`, in a terminal and in a browser.

    python -m tools.sim.pictures

It needs Chromium and DejaVu Sans Mono, which tools/install_chromium.sh installs. Look at a
picture before committing it.
"""

import asyncio
import fcntl
import os
import re
import shutil
import struct
import sys
import termios
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from playwright.async_api import async_playwright

from tools.sim.stage import ROOT

TARGET = ROOT / "docs" / "pictures" / "sim"
FONT = "DejaVuSansMono.ttf"
QUESTION = "where is my order 1042"
COLUMNS, ROWS = 120, 90
CELL = (7, 14)  # px of a character; a half block is square
FOREGROUND, BACKGROUND = (216, 222, 233), (22, 24, 27)
WINDOW = {"width": 900, "height": 760}
LIMIT_S = 120.0  # of one thing that is waited for
_ESCAPE = re.compile(r"\x1b\[([0-9;]*)m")

Colour = tuple[int, int, int]


class Terminal:
    """`make sim` in a terminal of true colour; `text` is what it has printed."""

    def __init__(self) -> None:
        self.text = ""
        self._mine, self._its = os.openpty()
        fcntl.ioctl(self._its, termios.TIOCSWINSZ, struct.pack("4H", ROWS, COLUMNS, 0, 0))
        self._news = asyncio.Event()
        self._raw = b""

    async def run(self, *options: str) -> asyncio.subprocess.Process:
        """Start it."""
        asyncio.get_running_loop().add_reader(self._mine, self._read)
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tools.sim", *options),
            stdin=self._its,
            stdout=self._its,
            stderr=self._its,
            cwd=ROOT,
            env={**os.environ, "COLORTERM": "truecolor", "TERM": "xterm-256color", "NO_COLOR": ""},
        )

    def type(self, line: str) -> None:
        """As a person does."""
        os.write(self._mine, line.encode() + b"\n")

    async def until(self, pattern: str) -> str:
        """The match of `pattern` in what it prints."""
        async with asyncio.timeout(LIMIT_S):
            while (match := re.search(pattern, self.text, re.DOTALL)) is None:
                self._news.clear()
                await self._news.wait()
        return match[0]

    def _read(self) -> None:
        self._raw += os.read(self._mine, 65536)
        self.text = self._raw.decode(errors="ignore").replace("\r\n", "\n")
        self._news.set()


def terminal_picture(text: str) -> Image.Image:
    """Lines with colours of 24 bits, as a terminal shows them."""
    lines = text.splitlines()
    image = Image.new("RGB", (COLUMNS * CELL[0], len(lines) * CELL[1]), BACKGROUND)
    draw, font = ImageDraw.Draw(image), ImageFont.truetype(FONT, CELL[1] - 3)
    for row, line in enumerate(lines):
        colours = {"38": FOREGROUND, "48": BACKGROUND}
        column = 0
        for index, part in enumerate(_ESCAPE.split(line)):
            if index % 2:
                _take(part, colours)
                continue
            for character in part:
                _put(draw, font, (column * CELL[0], row * CELL[1]), character, colours)
                column += 1
    return image


def _take(code: str, colours: dict[str, Colour]) -> None:
    """Keep the colour that a code sets, or those of the start."""
    which, _, rest = code.partition(";2;")
    if rest:
        red, green, blue = map(int, rest.split(";"))
        colours[which] = (red, green, blue)
    else:
        colours.update({"38": FOREGROUND, "48": BACKGROUND})


def _put(
    draw: ImageDraw.ImageDraw,
    font: ImageFont.FreeTypeFont,
    at: tuple[int, int],
    character: str,
    colours: dict[str, Colour],
) -> None:
    x, y = at
    right, middle, bottom = x + CELL[0] - 1, y + CELL[1] // 2, y + CELL[1] - 1
    if character == "▀":
        draw.rectangle((x, y, right, middle - 1), colours["38"])
        draw.rectangle((x, middle, right, bottom), colours["48"])
    else:
        draw.text((x, y), character, colours["38"], font)


async def window_picture(address: str, path: Path) -> None:
    """The page as Chromium shows it."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is missing; run: tools/install_chromium.sh")
    arguments = ["--no-sandbox"] if os.getuid() == 0 else []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=arguments)
        page = await browser.new_page(viewport=WINDOW)  # type: ignore[arg-type]
        await page.goto(address)
        await page.locator("#screen[src]").wait_for()
        await page.evaluate("document.getElementById('screen').decode()")
        await page.screenshot(path=path)
        await browser.close()


async def main() -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    terminal = Terminal()
    process = await terminal.run("--screen", "240x240", "--window")
    address = (await terminal.until(r"The screen is at \S+/\n")).split()[-1]
    await terminal.until("Ready")
    terminal.type(QUESTION)
    shown = await terminal.until(f"{QUESTION}.*page 1 of the card.*▀.*device idle")
    terminal_picture(shown).save(TARGET / "terminal.png", optimize=True)
    await window_picture(address, TARGET / "window.png")
    terminal.type("quit")
    await process.wait()


if __name__ == "__main__":
    asyncio.run(main())
