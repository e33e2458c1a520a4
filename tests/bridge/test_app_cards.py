"""Cards through the whole bridge: short links that work, pictures that fail without a trace."""

import asyncio
from base64 import b64decode

import zxingcpp
from fakes.bridge import HELLO, FakeAssistant, WireDevice
from PIL import Image
from voxcard import config
from voxcard.app import App
from voxcard.control.server import request
from voxcard.link.embedded_broker import free_port

LIMIT_S = 60
LONG = "https://shop.example.com/orders/1042?token=" + "x" * 100


def run(conversation):
    async def limited():
        async with asyncio.timeout(LIMIT_S):
            await conversation()

    asyncio.run(limited())


class Bridge:
    """An App with its own files; with a `web_port` it makes short links."""

    def __init__(self, folder, port, web_port=0):
        self.socket = folder / "control.sock"
        told = {
            "mqtt": {"listen_port": port},
            "history": {"path": str(folder / "history.sqlite3")},
            "control": {"socket": str(self.socket)},
        }
        if web_port:
            told["web"] = {"public_url": "https://c.example.org", "port": web_port}
        self.app = App(config.parse(told, environ={}), assistant=FakeAssistant())

    async def __aenter__(self):
        self.task = asyncio.create_task(self.app.run())
        await self.app.ready.wait()
        return self

    async def __aexit__(self, *_):
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    async def show(self, source):
        values = {"device": "kitchen", "source": source}
        await request(self.socket, "card_show", values, lambda report: None)


def read(page):
    """What a phone reads from a QR page."""
    side, stride, rows = page["n"], (page["n"] + 7) // 8, b64decode(page["d"])
    image = Image.new("L", (side + 8, side + 8), 255)
    for y in range(side):
        for x in range(side):
            if rows[y * stride + x // 8] << x % 8 & 128:
                image.putpixel((x + 4, y + 4), 0)
    (found,) = zxingcpp.read_barcodes(image.resize((4 * (side + 8),) * 2, 0))
    return found.text


async def ask(port, path):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: c.example.org\r\nConnection: close\r\n\r\n".encode()
    )
    head = (await reader.read()).decode().partition("\r\n\r\n")[0]
    writer.close()
    return head.split("\r\n")[0], dict(
        line.lower().split(": ", 1) for line in head.split("\r\n")[1:]
    )


def test_the_code_of_a_long_link_leads_over_the_bridge_to_where_the_card_said(tmp_path):
    card = {"v": 1, "title": "Order", "fallback_text": "On its way.",
            "actions": [{"label": "Track", "kind": "url", "url": LONG}]}  # fmt: skip

    async def conversation():
        port, web_port = free_port("127.0.0.1"), free_port("127.0.0.1")
        async with Bridge(tmp_path, port, web_port) as bridge, WireDevice(port) as device:
            await device.until("hello")
            await bridge.show(card)
            shown = (await device.until("card"))["card"]
            (page,) = (page for page in shown["pages"] if page["k"] == "q")
            text = read(page)
            base, _, short_id = text.rpartition("/")
            assert base == "HTTPS://C.EXAMPLE.ORG/S"
            status, headers = await ask(web_port, f"/S/{short_id}")
            assert (status, headers["location"]) == ("HTTP/1.1 302 Found", LONG)
        assert await _refused(web_port)

    run(conversation)


def test_a_picture_from_this_computer_is_left_out_and_its_card_is_shown(tmp_path, caplog):
    card = {"v": 1, "title": "Order", "fallback_text": "On its way.", "text": "It comes.",
            "image_url": "https://127.0.0.1:8123/secret.png"}  # fmt: skip

    async def conversation():
        port = free_port("127.0.0.1")
        async with Bridge(tmp_path, port) as bridge, WireDevice(port) as device:
            await device.until("hello")
            screen = {**HELLO["screen"], "blocks": ["text", "image"]}
            device.publish("hello", **{**HELLO, "screen": screen})
            await device.until("hello")
            await bridge.show(card)
            shown = (await device.until("card"))["card"]
            assert [page["k"] for page in shown["pages"]] == ["t", "i"]
            shown = (await device.until("card"))["card"]
            assert [page["k"] for page in shown["pages"]] == ["t", "t"]
            assert shown["pages"][1]["l"] == ["[picture]"]
        assert "127.0.0.1 is no public address." in caplog.text

    run(conversation)


async def _refused(port):
    """Nobody listens any more."""
    try:
        await asyncio.open_connection("127.0.0.1", port)
    except ConnectionRefusedError:
        return True
    return False
