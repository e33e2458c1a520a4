"""The page of a simulated device: what it serves, to whom, and what its button does."""

import asyncio
import base64
import io
from urllib.parse import urlsplit

import httpx2
import pytest
from PIL import Image
from voxcard.sim.reports import DeviceEndedError
from voxcard.sim.window.page_server import Window

SCREEN = {"width": 8, "height": 2, "depth": 1, "shape": "rect"}
LIMIT_S = 60


class Button:
    """Keeps what is done to it; one that is `gone` takes nothing."""

    def __init__(self):
        self.done, self.gone = [], False

    async def press(self):
        if self.gone:
            raise DeviceEndedError("it is gone")
        self.done.append("press")

    async def hold(self):
        self.done.append("hold")

    async def release(self):
        self.done.append("release")


class Visit:
    """A window at `panel`, and who asks for its parts."""

    def __init__(self, window, panel, button, client):
        self.window, self.panel, self.button, self._client = window, panel, button, client

    async def get(self, part=""):
        return await self._client.get(self.window.address + part)

    async def post(self, part):
        return (await self._client.post(self.window.address + part)).status_code


@pytest.fixture
def visit(tmp_path):
    """`visit(look)` is the result of `look` at an open window."""

    def run(look, name="sim-1", **screen):
        async def visited():
            panel, button = tmp_path / "panel", Button()
            panel.write_bytes(b"\x80\x01")
            async with (
                Window(name, button, panel, {**SCREEN, **screen}, look_s=0.001) as window,
                httpx2.AsyncClient() as client,
                asyncio.timeout(LIMIT_S),
            ):
                return await look(Visit(window, panel, button, client))

        return asyncio.run(visited())

    return run


def lit(png):
    with Image.open(io.BytesIO(png)) as image:
        grey = image.convert("L")
        return [
            (x, y)
            for y in range(grey.height)
            for x in range(grey.width)
            if grey.getpixel((x, y)) == 255
        ]


def test_the_page_names_the_device_as_text_and_loads_nothing_from_elsewhere(visit):
    answer = visit(lambda at: at.get(), name="<b>", shape="round")
    assert answer.status_code == 200
    assert "<title>&lt;b&gt;</title>" in answer.text and "<b>" not in answer.text
    assert 'class="round" data-width="8" data-height="2"' in answer.text
    assert "://" not in answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; ")


def test_it_is_on_this_computer_alone_behind_a_path_nobody_guesses(visit):
    async def look(at):
        own = urlsplit(at.window.address)
        port = own.port
        async with httpx2.AsyncClient() as client:
            others = [
                (await client.get(f"http://127.0.0.1:{port}{path}")).status_code
                for path in ("/", "/frames", "/x/", own.path[:-2] + "/")
            ]
            posted = (await client.post(f"http://127.0.0.1:{port}/x/button/press")).status_code
        return own, others, posted, at.button.done

    own, others, posted, done = visit(look)
    assert own.hostname == "127.0.0.1" and len(own.path) == 24  # 128 bits
    assert (others, posted, done) == ([404] * 4, 404, [])
    again = visit(look)[0]
    assert again.path != own.path


def test_a_frame_comes_at_once_and_one_for_each_change(visit):
    async def look(at):
        frames = at.window.frames()
        first = await anext(frames)
        at.panel.write_bytes(b"\x80")  # a device that starts again makes the panel anew
        waiting = asyncio.ensure_future(anext(frames))
        for _ in range(3):
            await asyncio.wait({waiting}, timeout=0.002)
        early = waiting.done()
        at.panel.write_bytes(b"\x01\x80")
        second = await waiting
        await frames.aclose()
        return lit(first), early, lit(second)

    assert visit(look) == ([(0, 0), (7, 1)], False, [(7, 0), (0, 1)])


def test_the_frames_are_events_of_the_page_and_end_with_the_window(visit):
    async def look(at):
        lines = []
        async with (
            httpx2.AsyncClient() as client,
            client.stream("GET", at.window.address + "frames", timeout=LIMIT_S) as answer,
        ):
            kind = answer.headers["content-type"]
            closing = None
            async for line in answer.aiter_lines():
                lines.append(line)
                if closing is None:
                    closing = asyncio.ensure_future(at.window.__aexit__())
        await closing
        return kind, lines

    kind, lines = visit(look)
    assert kind.startswith("text/event-stream")
    name, _, data = lines[0].partition(": ")
    assert (name, lit(base64.b64decode(data))) == ("data", [(0, 0), (7, 1)])
    assert lines[1:] == [""]


def test_the_button_is_pressed_held_and_let_go(visit):
    async def look(at):
        codes = [await at.post(f"button/{each}") for each in ("press", "hold", "release")]
        codes += [await at.post("button/stop"), (await at.get("button/press")).status_code]
        done = list(at.button.done)
        at.button.gone = True
        return codes, done, await at.post("button/press")

    assert visit(look) == ([204, 204, 204, 404, 405], ["press", "hold", "release"], 503)
