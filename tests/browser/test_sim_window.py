"""`make sim WINDOW=1` in a real Chromium: the screen of the device, its button, the keyboard."""

import asyncio
import base64
import io

import zxingcpp
from fakes.browser.visitor import visitor
from fakes.sim.process import made
from PIL import Image
from voxcard.sim import pixels

PANEL = {"width": 240, "height": 240, "depth": 16}


async def shown(page, wanted):
    """What `wanted(frame, picture)` finds on the page as soon as it finds something.

    `frame` is the PNG the page was sent last, `picture` what Chromium makes of it.
    """
    screen, frames = page.locator("#screen"), "#screen[src]"
    while True:
        # The page lets no text be run as code, which other ways of waiting do.
        await page.locator(frames).wait_for()
        source = await screen.get_attribute("src")
        frame = base64.b64decode(source.removeprefix("data:image/png;base64,"))
        picture = await screen.screenshot()
        found = wanted(image(frame), image(picture))
        if found:
            return found
        frames = f'#screen[src]:not([src="{source}"])'


def image(png):
    with Image.open(io.BytesIO(png)) as opened:
        return opened.convert("RGB")


def codes(frame, picture):
    """The texts of the codes that can be read from the page."""
    return [code.text for code in zxingcpp.read_barcodes(picture)]


def test_the_page_shows_the_screen_and_its_button_and_keys_are_the_devices(tmp_path):
    async def used():
        process, at = await made(tmp_path, "--screen", "240x240", "--window")
        address = (await at.until("The screen is at")).split()[-1]
        await at.until("Ready")
        async with visitor(serial=False) as person:
            page = person.page
            await page.goto(address)
            await page.keyboard.down("Space")
            await at.until("device listening")
            await page.keyboard.up("Space")
            await at.until("device idle")
            await at.type("where is my order 1042")
            await at.until("page 1 of the card")
            await at.until("device idle")

            def as_on_the_panel(frame, picture):
                memory = (tmp_path / "sim-1" / "panel").read_bytes()
                return frame.tobytes() == pixels.of_panel(memory, PANEL).tobytes()

            assert await shown(page, as_on_the_panel)
            assert codes(None, image(await page.screenshot())) == []
            await page.get_by_role("button", name="Press").click()
            await at.until("page 2 of the card")
            [link] = await shown(page, codes)
            await page.keyboard.press("Enter")
            await at.until("page 3 of the card")
            await page.get_by_role("button", name="Hold").click(delay=1500)  # of the mouse
            await at.until("tool ")
            await at.type("quit")
            await page.get_by_text("The simulation is not running.").wait_for()
            assert await process.wait() == 0
            return link, address, person

    link, address, person = asyncio.run(used())
    assert link.lower() == "https://orders.example.com/1042"
    assert person.requests[0] == address
    assert all(url.startswith((address, "data:")) for url in person.requests)
