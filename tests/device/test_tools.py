"""The built-in tools, called as the bridge calls them."""

import asyncio

from fakes.device.board import Battery, Board, Camera, Network, Panel, Picture, View
from fakes.device.screens import screen_of
from settings import Settings
from toolbox import camera, display, sound, system
from toolbox.registry import Registry
from toolbox.rpc import Rpc


class Device:
    """The tools of a board over real settings; pictures are collected."""

    def __init__(self, board=None, picture=None):
        self.registry, self.settings, self.view = Registry(), Settings(), View()
        self.board = board or Board()
        self.pictures, self.answers, self.changes, self.restarts = [], [], [], 0
        self.full = False  # a heap without room for a picture
        sound.install(self.registry, self.change)
        if self.board.display is not None:
            display.install(self.registry, self.view, self.change, True, self.send_picture)
        if picture is not None:
            self.board.camera = Camera(picture, self.view)
            camera.install(
                self.registry,
                self.board.camera,
                self.settings,
                self.view.take_photo_sign,
                self.send_picture,
            )
        about = {"id": "kitchen", "name": "Kitchen", "firmware": "1.2.3"}
        uptime_s = lambda: 90061  # noqa: E731
        system.install(self.registry, self.board, self.settings, about, self.restart, uptime_s)
        self.rpc = Rpc(
            self.registry,
            about,
            send=self.answers.append,
            spawn=asyncio.create_task,
            limit=self.limit,
        )

    async def limit(self, coroutine):
        return await coroutine

    def change(self, name, value):
        self.settings.set(name, value)
        self.changes.append((name, value))

    async def send_picture(self, kind, name, data):
        if self.full:
            raise MemoryError
        self.pictures.append((kind, name, data))
        return 41

    def restart(self):
        self.restarts += 1

    async def call(self, name, scope="ai", **arguments):
        payload = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {
                "name": name,
                "arguments": arguments,
                "_meta": {"voxcard/scope": scope},
            },
        }
        answer = self.rpc.handle(payload)
        while answer is None:
            await asyncio.sleep(0)
            answer = self.answers.pop() if self.answers else None
        return answer

    async def text(self, name, scope="ai", **arguments):
        result = (await self.call(name, scope, **arguments))["result"]
        return result["content"][-1]["text"], result["isError"]

    def names(self):
        names, cursor = [], ""
        while cursor is not None:
            page = self.registry.page(cursor, True)
            names += [tool["name"] for tool in page["tools"]]
            cursor = page.get("nextCursor")
        return names


def board_with(**parts):
    board = Board()
    for name, part in parts.items():
        setattr(board, name, part)
    return board


async def test_set_volume_changes_the_setting():
    device = Device()
    assert await device.text("self.audio_speaker.set_volume", volume=60) == (
        "The volume is now 60 percent.",
        False,
    )
    assert device.changes == [("volume", 60)]


async def test_the_volume_has_its_range():
    answer = await Device().call("self.audio_speaker.set_volume", volume=101)
    assert answer["error"] == {
        "code": -32602,
        "message": "volume must be a whole number from 0 to 100.",
    }


async def test_the_status_holds_what_the_board_has():
    assert (await Device().call("self.get_device_status"))["result"]["structuredContent"] == {
        "audio_speaker": {"volume": 70},
        "microphone": {"mode": "button"},
    }
    board = board_with(
        display=Panel(),
        battery=Battery(),
        network=Network(),
    )
    assert (await Device(board).call("self.get_device_status"))["result"]["structuredContent"] == {
        "audio_speaker": {"volume": 70},
        "microphone": {"mode": "button"},
        "screen": {"brightness": 75, "theme": "dark"},
        "battery": {"level": 50},
        "network": {"type": "wifi", "ssid": "home", "signal": "strong"},
    }


async def test_the_status_says_whether_the_battery_is_charged_where_that_is_known():
    for battery, said in (
        (Battery(7, True), {"level": 7, "charging": True}),
        (Battery(100, False), {"level": 100, "charging": False}),
        (Battery(None, True), None),
    ):
        result = await Device(board_with(battery=battery)).call("self.get_device_status")
        assert result["result"]["structuredContent"].get("battery") == said


async def test_a_part_that_is_absent_brings_no_tools():
    assert Device().names() == [
        "self.audio_speaker.set_volume",
        "self.get_device_status",
        "self.get_system_info",
        "self.reboot",
    ]


async def test_screen_tools_act_on_the_screen():
    device = Device(board_with(display=Panel()))
    assert (await device.text("self.screen.set_brightness", brightness=20))[1] is False
    assert (await device.text("self.screen.set_theme", theme="light"))[1] is False
    assert device.changes == [("brightness", 20), ("theme", "light")]
    assert await device.text("self.screen.show_text", text="Dinner!") == (
        "The text is on the screen.",
        False,
    )
    assert [line.text for line in device.view.card.pages[0].lines] == ["Dinner!"]
    for to, text in (
        ("next", "Here is the next page."),
        ("back", "Here is the previous page."),
        ("close", "The card is closed."),
    ):
        assert await device.text("self.screen.turn_page", to=to) == (text, False)
    assert device.view.turns == ["next", "back", "close"]
    device.view.card = None
    assert await device.text("self.screen.turn_page", to="next") == (
        "There is no card on the screen.",
        True,
    )
    answer = await device.call("self.screen.set_theme", theme="pink")
    assert answer["error"]["message"] == "theme must be one of dark, light."


class Sizes:
    """A view of a panel with faces, as far as the size of its text goes."""

    def __init__(self, device):
        self.own_cards, self._device, self.shown = self, device, []

    @property
    def screen(self):
        size = self._device.settings.get("text_size")
        return screen_of(240, 240, 16, faces=("t20",), text_size=size)

    def text_sizes(self):
        return "the card of sizes"

    def show_card(self, card, acted=""):
        self.shown.append((card, acted))


async def test_the_size_of_text_is_set_by_name_or_a_step_where_there_are_faces():
    device = Device(board_with(display=Panel()))
    assert "self.screen.set_text_size" not in device.names()
    device.view = Sizes(device)
    device.registry.tools = []
    display.install(device.registry, device.view, device.change, True, None)
    for asked, found in (
        ("larger", "large"), ("smaller", "normal"), ("smaller", "small"), ("large", "large"),
        ("normal", "normal"),
    ):  # fmt: skip
        answer = await device.text("self.screen.set_text_size", text_size=asked)
        assert answer == ("The text is now %s." % found, False)
        assert device.changes[-1] == ("text_size", found)
    for size, beyond in (("large", "larger"), ("small", "smaller")):
        device.settings.set("text_size", size)
        answer = await device.text("self.screen.set_text_size", text_size=beyond)
        assert answer == ("The text cannot be %s than it is." % beyond, True)
    assert (await device.text("self.screen.show_text_sizes"))[1] is False
    assert device.view.shown == [("the card of sizes", "small")]


async def test_the_status_says_the_size_of_text_where_there_are_faces():
    device, settings = Device(board_with(display=Panel())), Settings()
    settings.set("text_size", "large")
    for faces, said in ((("t20",), "large"), ((), None)):
        screen = screen_of(240, 240, 16, faces=faces)
        registry = Registry()
        about, nothing = {"id": "kitchen", "name": "", "firmware": ""}, lambda: 0
        system.install(registry, device.board, settings, about, nothing, nothing, screen)
        status = registry.find("self.get_device_status").call()
        assert status["screen"].get("text_size") == said


async def test_a_snapshot_is_the_users_and_travels_as_a_blob():
    device = Device(board_with(display=Panel()))
    assert (await device.call("self.screen.snapshot"))["error"]["code"] == -32001
    answer = await device.call("self.screen.snapshot", "user")
    assert answer["result"]["content"][0] == {
        "type": "image",
        "mimeType": "image/x-portable-bitmap",
        "_meta": {"voxcard/blob": 41},
    }
    [(kind, name, picture)] = device.pictures
    assert (kind, name, len(picture)) == ("snapshot", "screen.pbm", 8)
    sent = bytearray(8)
    picture.read(0, sent)
    assert sent == b"P4\n8 1\n\xff"


async def test_a_photo_travels_as_a_blob_and_a_sign_is_shown_meanwhile():
    picture = Picture(b"\xff\xd8jpeg")
    device = Device(picture=picture)
    answer = await device.call("self.camera.take_photo", question="what is it?")
    assert answer["result"]["content"] == [
        {"type": "image", "mimeType": "image/jpeg", "_meta": {"voxcard/blob": 41}},
        {"type": "text", "text": "The photo was taken. The question was: what is it?"},
    ]
    assert device.pictures == [("photo", "photo.jpg", picture)]
    assert picture.closed
    assert device.board.camera.shown is True
    assert device.view.signs == [True, False]


async def test_without_memory_a_picture_is_a_sentence():
    picture = Picture(b"\xff\xd8jpeg")
    device = Device(board_with(display=Panel()), picture)
    device.full = True
    assert await device.text("self.camera.take_photo") == (
        "The photo could not be taken: not enough memory. Try again later.",
        True,
    )
    assert picture.closed
    assert await device.text("self.screen.snapshot", "user") == (
        "The screen could not be sent: not enough memory. Try again later.",
        True,
    )


async def test_without_consent_there_is_no_photo():
    device = Device(picture=Picture(b"\xff\xd8jpeg"))
    device.settings.set("camera", "off")
    assert await device.text("self.camera.take_photo") == (
        "The camera is switched off: set camera to on in the settings.",
        True,
    )
    assert device.view.signs == [] and device.pictures == []


async def test_a_camera_that_fails_leaves_no_sign():
    device = Device(picture=OSError("no frame"))
    assert await device.text("self.camera.take_photo") == (
        "The camera gave no picture (no frame). Try again.",
        True,
    )
    assert device.view.signs == [True, False]


async def test_a_frame_that_is_empty_or_no_jpeg_is_a_failure_in_words():
    for data in (b"", b"\xff", b"\xff\xd8", b"\0\0\0\0", b"\xd8\xff\xd8", b"GIF89a"):
        picture = Picture(data)
        device = Device(picture=picture)
        assert await device.text("self.camera.take_photo") == (
            "The camera gave no picture. Try again.",
            True,
        ), data
        assert device.pictures == [] and picture.closed and device.view.signs == [True, False]


async def test_system_info_is_for_people():
    device = Device()
    assert (await device.call("self.get_system_info"))["error"]["code"] == -32001
    info = (await device.call("self.get_system_info", "user"))["result"]["structuredContent"]
    assert (info["id"], info["board"], info["firmware"]) == ("kitchen", "test-board", "1.2.3")
    assert info["free_bytes"] > 10000 and info["uptime_s"] == 90061


async def test_reboot_needs_admin():
    device = Device()
    assert (await device.call("self.reboot", "user"))["error"]["code"] == -32001
    assert device.restarts == 0
    assert await device.text("self.reboot", "admin") == ("The device restarts.", False)
    assert device.restarts == 1
