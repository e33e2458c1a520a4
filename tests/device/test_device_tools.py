"""All tools of a device together: in their order, in the heap while they are asked."""

import asyncio
import sys

from fakes.device.board import Battery, Board, Camera, Panel, View
from settings import Settings
from toolbox import device as device_tools
from toolbox.registry import size_of
from voxwire.tool import PAGE_BYTES

GROUPS = ("system", "sound", "display", "camera", "timers")
PLAIN = [
    "self.get_device_status",
    "self.get_system_info",
    "self.reboot",
    "self.audio_speaker.set_volume",
    "self.microphone.set_mode",
]
SCREEN = [
    "self.screen.set_theme",
    "self.screen.show_text",
    "self.screen.snapshot",
    "self.screen.turn_page",
    "self.screen.set_brightness",
]


class Link:
    def __init__(self):
        self.posts = []

    def post(self, kind, payload):
        self.posts.append(payload)

    async def send_blob(self, kind, name, picture):
        return 41


class Device:
    def __init__(self, roomy=False, **parts):
        self.board, self.view, self.settings = Board(), View(), Settings()
        self.view.confirm, self.link = None, Link()
        self.board.id, self.board.battery = "board", Battery()
        for name in ("display", "camera"):
            setattr(self.board, name, parts.get(name))
        device_tools.ROOMY_BYTES = 0 if roomy else 1 << 30
        self.rpc = device_tools.tools_of(
            self.board, self.settings, self.view, self.link, about={"firmware": "1.2.3"},
            change=self.settings.set, restart=None, uptime_s=lambda: 7, timers=None,
        )  # fmt: skip

    def ask(self, method, **params):
        call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self.rpc.handle(call)["result"]

    def pages(self):
        cursor, pages = "", []
        while cursor is not None:
            page = self.ask("tools/list", cursor=cursor, withUserTools=True)
            pages.append(page)
            cursor = page.get("nextCursor")
        return pages

    def names(self):
        return [tool["name"] for page in self.pages() for tool in page["tools"]]


def full(roomy=False):
    return Device(roomy, display=Panel(), camera=Camera(None, None))


def in_the_heap():
    return [name for name in GROUPS if "toolbox." + name in sys.modules]


def test_the_tools_are_those_of_the_boards_parts():
    plain, every = Device().names(), full().names()
    assert [name for name in PLAIN if name not in plain] == []
    added = [name for name in every if name not in plain]
    assert added == SCREEN + ["self.camera.take_photo"]
    assert [name for name in every if name in plain] == plain


def test_no_name_is_declared_twice_and_every_tool_fits_a_page():
    names = full().names()
    assert sorted(set(names)) == sorted(names)
    assert max(size_of(page) for page in full().pages()) <= PAGE_BYTES // 2


def test_their_modules_are_in_the_heap_no_longer_than_a_list_or_a_call():
    device = full()
    device.pages()
    assert in_the_heap() == []
    for name in PLAIN[:2] + SCREEN[:1]:
        meta = {"voxcard/scope": "user"}
        arguments = {"theme": "light"} if name == SCREEN[0] else {}
        result = device.ask("tools/call", name=name, arguments=arguments, _meta=meta)
        assert result["isError"] is False
        assert in_the_heap() == []
    assert device.settings.get("theme") == "light"


def test_a_roomy_heap_keeps_them():
    kept = full(roomy=True)
    assert kept.names() == full().names()
    assert kept.rpc._registry.tools and kept.rpc._registry.later is tuple
    assert full().rpc._registry.tools == []


async def test_a_call_that_takes_its_time_keeps_what_it_needs():
    device = full()
    payload = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    payload["params"] = {"name": "self.screen.snapshot", "_meta": {"voxcard/scope": "user"}}
    assert device.rpc.handle(payload) is None
    device.ask("tools/list", cursor="", withUserTools=True)
    for _ in range(8):
        await asyncio.sleep_ms(0)
    assert [post["result"]["isError"] for post in device.link.posts] == [False]


def test_what_was_said_once_is_still_so_for_the_next_call():
    device = Device()
    call = {"name": PLAIN[3], "arguments": {"volume": 30}}
    assert device.ask("tools/call", **call)["isError"] is False
    status = device.ask("tools/call", name=PLAIN[0])["structuredContent"]
    assert status["audio_speaker"] == {"volume": 30}
