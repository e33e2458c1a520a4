"""The whole story of a set-up on a board's fakes: the radio's, the panel's, the flash's.

Sockets are real, time is the port's: it passes only where all tasks wait.
"""

from fakes.port import clock  # noqa: I001  the port's clock goes before all else
import asyncio
import json
import os

import app
import esp32
import home
import network
import wifi
from fakes.device.announcement import announcement
from fakes.device.mdns import Responder
from fakes.device.setup import HERE, free_ports, get, post, token
from fakes.port.boards import Bench
from fakes.port.home import Home
from fakes.port.pins import Pin
from hal import credentials
from hal.esp32 import Esp32Board
from provisioning import discovery, program
from supervisor import LastWords

KNOWN = ("home", "correct horse", "DE")
FACTS = (b"v=1", b"id=a1b2", b"root=voxcard", b"tls=0")
BRIDGE = announcement(b"box", bytes((10, 0, 0, 7)), FACTS)
program.BY_HAND_MS = 25000
real_app, real_view_of = app.App, program._view_of
discovery.GROUP = (HERE, free_ports()[1])
# A test has a minute of the port's time.
wifi.LOST_MS = 15000
home.PAUSE_MS = 1000
home.ALONE_LOOKS = 10
LIMIT_MS = 50000


class Device:
    """A board with its firmware; its flash is the one of the device `before` where it has one."""

    def __init__(self, before=None, known=None, held=False):
        stored = dict(esp32.NVS.stored) if before else {}
        self.bench = Bench("diy-s3-oled")
        esp32.NVS.stored.update(stored)
        if known:
            credentials.save(*known)
        if before is None:
            network.WLAN.air = {"home": "correct horse", "cafe": None}
        network.AccessPoint.phones, network.AccessPoint.settings = [], {}
        network.AccessPoint._active = network.AccessPoint.open_to_all = False
        self.root = f"{os.getenv('TMPDIR') or '/tmp'}/voxcard-{clock.ticks_us()}"
        if before is not None:
            self.root = before.root
        else:
            os.mkdir(self.root)
        self.ports = free_ports()
        self.held, self.app, self.view = held, None, None

    async def __aenter__(self):
        self.board = Esp32Board(self.bench.file, self.root)
        self.board.line = None
        self.board.access_point = self._access_point
        self.resets = []
        self.board.reset = lambda: self.resets.append(clock.now_us())
        self.bridge = Home()
        self.dialled = []
        app.connect = self._connect
        if self.held:
            (button,) = [each for each in self.bench.file["buttons"] if each["name"] == "talk"]
            Pin.levels[button["gpio"]] = 1 if button["active"] == "high" else 0
        app.App = self._app
        program._view_of = self._set_up_view
        words = LastWords(self.root + "/crash.txt", "test")
        self._tasks = [asyncio.create_task(app.live(self.board, words))]
        self._tasks.append(asyncio.create_task(self.bridge.serve()))
        await asyncio.sleep_ms(10)
        return self

    async def __aexit__(self, *_):
        for task in self._tasks:
            task.cancel()
        await asyncio.sleep_ms(0)

    def _app(self, *arguments):
        self.app = real_app(*arguments)
        return self.app

    def _set_up_view(self, board, settings):
        self.view = real_view_of(board, settings)
        return self.view

    def _access_point(self):
        point = Esp32Board.access_point(self.board)
        point.address, point.ports = HERE, self.ports
        return point

    async def _connect(self, host, port, tls):
        self.dialled.append((host, port))
        return await self.bridge.connect(host, port, tls)

    async def until(self, condition):
        for _ in range(LIMIT_MS // 100):
            if condition():
                return
            await asyncio.sleep_ms(100)
        raise AssertionError("did not happen")

    async def ends(self):
        """It restarts."""
        await self.until(lambda: self.resets)
        return self

    def is_open(self):
        return network.AccessPoint._active

    def shown(self):
        card = self.view._pages.card
        return [line.text for page in card.pages for line in page.lines] if card else []

    async def page(self):
        for _ in range(100):
            text = (await get(self.ports[0]))[2]
            if "refresh" not in text:
                return text
            await asyncio.sleep_ms(500)
        raise AssertionError(text)

    async def fill_in(self, **fields):
        fields["token"] = token(await self.page())
        assert (await post(self.ports[0], fields))[0] == 303
        return await self.page()


def password():
    return credentials.setup_password()


def keep_host(device, host):
    with open(device.root + "/settings.json", "w") as file:
        file.write(json.dumps({"host": host}))


async def test_a_fresh_board_is_set_up_by_a_phone_and_says_hello_to_the_bridge_it_finds():
    async with Responder([BRIDGE], group=discovery.GROUP):
        async with Device() as fresh:
            await fresh.until(fresh.is_open)
            settings = network.AccessPoint.settings
            assert settings["ssid"] == "Voxcard-0a0b0c" and settings["channel"] == 6
            assert settings["security"] == network.AUTH_WPA2_PSK and len(settings["key"]) == 10
            assert not network.AccessPoint.open_to_all
            assert settings["key"] in fresh.shown(), fresh.shown()
            assert fresh.bench.panel.is_on and any(fresh.bench.panel.pixels)
            network.AccessPoint.phones.append(b"phone")
            assert "<option value='cafe'>cafe (strong, open)" in await fresh.page()
            text = await fresh.fill_in(pick="home", secret="correct horse", country="DE")
            assert "has joined home and found the bridge at 10.0.0.7" in text
            await fresh.ends()
            assert not fresh.is_open() and credentials.load()[:3] == KNOWN
        async with Device(fresh) as device:
            hello = await device.bridge.greet()
            assert hello["id"] == "voxcard-0a0b0c"
            assert device.dialled == [("10.0.0.7", 1883)]
            assert device.app._settings.get("bridge") == "a1b2"
            assert not device.is_open()


async def test_a_wrong_password_is_said_on_the_page_and_the_known_network_is_kept():
    async with Device(known=("old", "old password", "FR")) as known:
        await known.ends()
    async with Device(known) as device:
        await device.until(device.is_open)
        network.AccessPoint.phones.append(b"phone")
        assert "The Wi-Fi old is not here" in await device.page()
        text = await device.fill_in(pick="home", secret="wrong password")
        assert "The Wi-Fi home refuses the password: set it again." in text
        assert credentials.load()[:2] == ("old", "old password")
        await asyncio.sleep_ms(8000)
        assert network.WLAN.attempts[-1] == ("old", "old password")
        assert device.is_open() and not device.resets


async def test_the_portal_opens_when_the_network_is_gone_for_a_while_and_closes_when_it_is_back():
    device = Device(known=KNOWN)
    keep_host(device, "broker")
    async with device:
        await device.bridge.greet()
        network.WLAN.air = {}
        await asyncio.sleep_ms(13000)
        assert not device.resets
        await device.ends()
    async with Device(device) as portal:
        await portal.until(portal.is_open)
        assert " ".join(portal.shown()).count("Voxcard-") >= 1
        attempts = len(network.WLAN.attempts)
        await asyncio.sleep_ms(10000)
        assert len(network.WLAN.attempts) > attempts  # it keeps trying meanwhile
        network.WLAN.air = {"home": "correct horse"}
        await portal.ends()
        assert not portal.is_open() and credentials.load()[:3] == KNOWN
    async with Device(portal) as again:
        await again.bridge.greet()


async def test_in_a_network_without_a_bridge_the_portal_opens_and_closes_with_the_bridge():
    async with Device(known=KNOWN) as lonely:
        await lonely.ends()
        assert lonely.app._view._detail == "No bridge answers in this network."
    async with Device(lonely) as portal:
        await portal.until(portal.is_open)
        assert "No bridge answers in this network." in await portal.page()
        async with Responder([BRIDGE], group=discovery.GROUP):
            await portal.ends()


async def test_a_bridge_with_other_topics_is_taken_with_a_restart():
    other = announcement(b"box", bytes((10, 0, 0, 7)), (b"v=1", b"id=a1b2", b"root=house"))
    async with Responder([other], group=discovery.GROUP):
        async with Device(known=KNOWN) as device:
            await device.ends()
        async with Device(device) as again:
            await again.bridge.greet()
            assert again.app._settings.get("root") == "house"


async def test_a_bridge_that_has_moved_is_found_again_without_the_portal():
    moved = announcement(b"box", bytes((10, 0, 0, 9)), FACTS)
    house, device = Responder([BRIDGE], group=discovery.GROUP), Device(known=KNOWN)
    async with house, device:
        await device.bridge.greet()
        house.packets = [moved]

        async def refuse(host, port, tls):
            device.dialled.append((host, port))
            raise OSError(104)

        device.app._home._client._connect = refuse
        device.app._home._client._connection.fail(OSError(104))
        await device.until(lambda: ("10.0.0.9", 1883) in device.dialled)
        assert not device.resets and network.AccessPoint.settings == {}


async def test_the_talk_button_held_at_the_start_opens_the_portal():
    device = Device(known=KNOWN, held=True)
    keep_host(device, "broker")
    async with device:
        await device.until(device.is_open)
        assert "The button was held at the start." in await device.page()
        await asyncio.sleep_ms(15000)
        # All is well and nobody there, but somebody asked for it.
        assert device.board.network.status()["ssid"] == "home" and device.is_open()
        await device.ends()


async def test_a_radio_that_fails_at_first_is_tried_again():
    device = Device()
    whole, tries = device._access_point, []

    def failing():
        tries.append(clock.now_us())
        if len(tries) < 3:
            raise OSError(-1)
        return whole()

    device._access_point = failing
    async with device:
        await device.until(device.is_open)
        assert len(tries) == 3 and not device.resets


async def test_the_password_of_the_set_up_is_made_once_and_told_nobody_else():
    passwords = set()
    async with Device() as device:
        await device.until(device.is_open)
        first = network.AccessPoint.settings["key"]
        assert first not in await device.page()
        for _ in range(3):
            assert password() == first
    for _ in range(50):
        esp32.NVS.stored.clear()
        passwords.add(password())
    assert len(passwords) == 50
    for each in passwords:
        assert len(each) == 10 and not set(each) & set("il1o0OI"), each


async def test_on_a_battery_the_radio_sleeps_between_turns_alone():
    async with Device() as device:
        board, wlan = device.board, network.WLAN
        board.network.use(credentials.Credentials("home", "correct horse", "", None))
        for battery, state, pm in (
            (None, "idle", wlan.PM_NONE),
            (object(), "idle", wlan.PM_PERFORMANCE),
            (object(), "listening", wlan.PM_NONE),
            (object(), "speaking", wlan.PM_NONE),
            (object(), "idle", wlan.PM_PERFORMANCE),
        ):
            board.battery = battery
            board.observe("state", state=state)
            assert network.WLAN.settings["pm"] == pm, state
        board.battery = None
