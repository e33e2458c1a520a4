"""A person at a real Chromium, with a chip on the cable."""

import asyncio
import base64
import contextlib
import os
import shutil
from pathlib import Path

import pytest
from fakes.browser.chip import Chip
from playwright.async_api import async_playwright

LIMIT_S = 120.0  # of what is waited for
SERIAL_PORT = Path(__file__).with_name("serial_port.js")
# A page is only trusted with serial ports from localhost and by https; this name is neither.
UNTRUSTED = "installer.test"


def chromium():
    """The browser of this computer; its absence is a failure."""
    path = shutil.which("chromium")
    if path is None:
        pytest.exit("chromium is missing; run: tools/install_chromium.sh", returncode=3)
    return path


class Visitor:
    """`page` is what the person sees, `chip` what is on the cable, `requests` what was fetched.

    `log`: what the page complained of.
    """

    def __init__(self, page, chip, received):
        self.page, self.chip = page, chip
        self.requests, self.log = [], []
        self.pull_at = None  # of the bytes to the chip, the one with which the cable is pulled
        self._written = 0
        self._received = received
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.log.append(str(error)))
        page.on("console", self._said)

    def _said(self, message):
        if message.type == "error":
            self.log.append(message.text)

    async def plug_in(self):
        """The chip is at the browser's serial port."""

        async def write(_, text):
            """Whether the cable is still plugged in."""
            data = base64.b64decode(text)
            self._written += len(data)
            if self.pull_at is not None and self._written >= self.pull_at:
                self.chip.close()
                return False
            self.chip.write(data)
            return True

        async def signals(_, lines):
            self.chip.signals(lines.get("dataTerminalReady"), lines.get("requestToSend"))

        await self.page.expose_binding("serialWrite", write)
        await self.page.expose_binding("serialSignals", signals)
        await self.page.add_init_script(path=SERIAL_PORT)

    async def carry(self):
        """What the chip says reaches the browser; endless."""
        while True:
            text = base64.b64encode(await self._received.get()).decode()
            await self.page.evaluate("text => window.serialPort?.receive(text)", text)

    async def press(self, name):
        """A button of the page or of its window."""
        await self.page.get_by_role("button", name=name, exact=True).click()

    async def choose(self, name):
        """A row of the window's list."""
        await self.page.locator("ew-list-item").get_by_text(name, exact=True).click()

    async def open_wifi(self):
        """The form for the Wi-Fi of a device that was installed before."""
        rows = self.page.locator("ew-list-item")
        wifi = rows.get_by_text("Connect to Wi-Fi", exact=True)
        while True:
            await self.press("Connect and install")
            await rows.first.wait_for()
            if await wifi.count():
                await wifi.click()
                return
            # The device did not answer within 1.5 s: this computer is busy.
            await self.page.locator("ew-icon-button").click()
            await self.page.locator("ewt-install-dialog").wait_for(state="detached")

    async def read(self, text):
        """Wait until the window says it."""
        await self.page.locator("ewt-page-message", has_text=text).wait_for()


@contextlib.asynccontextmanager
async def visitor(chip="esp32s3", program=None, *, serial=True, **options):
    """A person before a new page; `options` are those of the browser's window."""
    loop, received = asyncio.get_running_loop(), asyncio.Queue()

    def send(data):
        if data:
            loop.call_soon_threadsafe(received.put_nowait, data)

    async with async_playwright() as playwright:
        arguments = [f"--host-resolver-rules=MAP {UNTRUSTED} 127.0.0.1"]
        if os.getuid() == 0:
            arguments.append("--no-sandbox")
        browser = await playwright.chromium.launch(executable_path=chromium(), args=arguments)
        page = await browser.new_page(**options)
        page.set_default_timeout(LIMIT_S * 1000)
        person = Visitor(page, Chip(chip, program, send), received)
        if serial:
            await person.plug_in()
        carrying = asyncio.ensure_future(person.carry())
        try:
            yield person
        finally:
            carrying.cancel()
            person.chip.close()
            await browser.close()
