"""What a person does with the page, step by step, over real sockets."""

import asyncio

from fakes.device.screens import screen_of
from fakes.device.setup import FakeNetwork, FakePoint, get, post, token
from fakes.device.view import FakeView
from provisioning import setup
from provisioning.mdns import Bridge
from settings import Settings
from wifi import Credentials

setup.LOOK_MS = 10
setup.DONE_MS = setup.DONE_MAX_MS = 100
HOME = Credentials(
    "home", "correct horse", "DE", ("10.0.0.9", "255.0.0.0", "10.0.0.1", "10.0.0.1")
)
BRIDGE = Bridge("box", "a1b2", "10.0.0.1", 1883, "", "voxcard", False, "1")
GOOD = {"pick": "home", "secret": "correct horse"}


class Board:
    name = "Test board"
    buttons = ()


class Stream:
    def close(self):
        pass


class Phone:
    """A device that is set up, and the phone that does it."""

    def __init__(self, known=None, air=None, bridges=(), brokers=(), stored=None, ports=None):
        self.board = Board()
        self.board.network = FakeNetwork(known, {"home": "correct horse"} if air is None else air)
        self.point = FakePoint()
        self.point.ports = ports or self.point.ports
        self.board.access_point = lambda: self.point
        self.settings = Settings()
        for name in stored or {}:
            self.settings.set(name, stored[name])
        self.view = FakeView(screen_of(128, 64, 1, "rect", 170, (6, 12), (), ()))
        self.bridges, self.brokers = list(bridges), brokers
        self.dialled, self.asked = [], []
        parts = (self.board, self.settings, self.view, self.settings.set)
        self.setup = setup.Setup(*parts, search=self._search, dial=self._dial)

    async def _search(self, bridge_id, root):
        self.asked.append((bridge_id, root))
        return self.bridges[0] if self.bridges else None

    async def _dial(self, host, port, tls):
        self.dialled.append((host, port))
        if (host, port) not in self.brokers:
            raise OSError("ECONNREFUSED")
        return Stream()

    async def __aenter__(self):
        self.task = asyncio.create_task(self.setup.run())
        await asyncio.sleep_ms(50)
        return self

    async def __aexit__(self, *_):
        self.task.cancel()
        await asyncio.sleep_ms(10)

    async def page(self):
        return (await get(self.point.ports[0]))[2]

    async def fill_in(self, **fields):
        fields["token"] = token(await self.page())
        assert (await post(self.point.ports[0], fields))[0] == 303
        return await self.outcome()

    async def outcome(self):
        """The page that is no longer busy."""
        for _ in range(200):
            text = await self.page()
            if "refresh" not in text:
                return text
            await asyncio.sleep_ms(10)
        raise AssertionError(text)

    def said(self):
        return " ".join(line.text for page in self.view.card.pages for line in page.lines)


async def test_the_page_lists_the_networks_and_the_screen_invites():
    async with Phone() as phone:
        assert phone.point.is_open and phone.point.scans == 1
        text = await phone.page()
        assert "<option value='home'>home (strong)</option>" in text
        assert "<option value='cafe'>cafe (weak, open)</option>" in text
        assert "Set up Voxcard-0a0b0c" in text
        assert "abcdefghjk" in phone.said() and "http://127.0.0.1" in phone.said()
        # The password of the set-up is on the screen, not in the page.
        assert "abcdefghjk" not in text


async def test_a_network_is_joined_the_bridge_found_and_all_of_it_kept():
    async with Phone(bridges=[BRIDGE]) as phone:
        text = await phone.fill_in(name="Kitchen", country="de", **GOOD)
        assert (
            "The device has joined home and found the bridge at 10.0.0.1. It restarts now; this"
            " page may be closed." in text
        )
        assert "<form" not in text and "correct horse" not in text
        assert phone.point.kept == [Credentials("home", "correct horse", "DE", None)]
        assert phone.settings.data() == {"name": "Kitchen", "bridge": "a1b2"}
        await phone.task
        assert not phone.point.is_open and phone.view.card is None


async def test_while_it_joins_the_page_says_so_and_takes_no_second_form():
    async with Phone(bridges=[BRIDGE]) as phone:
        phone.board.network.joins.clear()
        fields = dict(GOOD, token=token(await phone.page()))
        await post(phone.point.ports[0], fields)
        text = await phone.page()
        assert "Joining home…" in text and "refresh" in text
        await post(phone.point.ports[0], dict(fields, pick="cafe"))
        phone.board.network.joins.set()
        await phone.outcome()
        assert [each.ssid for each in phone.point.kept] == ["home"]


async def test_a_wrong_password_is_said_at_its_field_and_the_known_network_is_kept():
    known = Credentials("old", "old password", "DE", None)
    async with Phone(known) as phone:
        text = await phone.fill_in(pick="home", secret="wrong password", name="Kitchen")
        assert "It could not be joined. Nothing is changed." in text
        assert "aria-describedby='e-secret' aria-invalid=true autofocus>" in text
        assert "id=e-secret>The Wi-Fi home refuses the password: set it again.</p>" in text
        assert "value='Kitchen'" in text and "wrong password" not in text
        assert phone.board.network.credentials == known
        assert phone.point.kept == [] and phone.settings.data() == {}
        assert "refuses the password" in phone.said()
        # And then the right one.
        phone.bridges.append(BRIDGE)
        assert "has joined home" in await phone.fill_in(**GOOD)


async def test_a_network_that_is_not_here_is_kept_if_the_person_says_so():
    async with Phone() as phone:
        text = await phone.fill_in(ssid="summer house", secret="correct horse")
        assert "is not here" in text and "name=anyway" in text
        text = await phone.fill_in(
            ssid="summer house", secret="correct horse", anyway="1", host="box"
        )
        assert "It is kept all the same." in text
        assert phone.point.kept == [Credentials("summer house", "correct horse", "", None)]
        assert phone.settings.data() == {"host": "box"}
        await phone.task


async def test_what_is_filled_in_wrong_joins_nothing():
    async with Phone() as phone:
        before = list(phone.board.network.used)
        text = await phone.fill_in(pick="home", secret="short", port="0")
        assert "Please look at what is marked." in text
        assert "id=e-secret" in text and "id=e-port" in text
        assert phone.board.network.used == before and phone.dialled == []


async def test_a_typed_host_is_tried():
    async with Phone(brokers=[("box", 1884)]) as phone:
        text = await phone.fill_in(host="box", port="1885", **GOOD)
        assert "joined home, but it does not reach a bridge" in text
        assert (
            "Nothing answers at box:1885 (ECONNREFUSED): check that the bridge runs there." in text
        )
        # The Wi-Fi was joined: that is kept. The host is not.
        assert phone.point.kept[-1].ssid == "home" and phone.settings.data() == {}
        text = await phone.fill_in(host="box", port="1884", **GOOD)
        assert "and found the bridge at box." in text
        assert phone.settings.data() == {"host": "box", "port": 1884}


async def test_without_a_bridge_its_address_is_asked_for_or_kept_empty():
    async with Phone() as phone:
        text = await phone.fill_in(**GOOD)
        assert "No bridge answers in home: type its address." in text
        assert phone.asked == [("", "voxcard")]
        text = await phone.fill_in(anyway="1", **GOOD)
        assert "The device has joined home. No bridge answers" in text
        await phone.task


async def test_networks_are_looked_for_again():
    async with Phone() as phone:
        phone.point.networks.append(("new", -60, False))
        text = await phone.fill_in(action="scan")
        assert "new (medium)" in text and phone.point.scans == 2


async def test_a_fixed_address_stays_with_its_network():
    async with Phone(HOME, bridges=[BRIDGE]) as phone:
        # The known network is joined meanwhile, so that its password need not be typed.
        phone.board.network.lost = True
        await phone.fill_in(pick="home", country="DE")
        assert phone.point.kept == [HOME]


async def test_it_closes_when_the_known_network_is_back_and_nobody_is_there():
    async with Phone(HOME, air={}, stored={"host": "box"}) as phone:
        await asyncio.sleep_ms(50)
        assert phone.point.is_open
        phone.board.network.air = {"home": "correct horse"}
        phone.board.network.lost = False
        await asyncio.sleep_ms(50)
        assert phone.point.is_open  # a phone is there
        phone.point.phones = 0
        await phone.task
        assert not phone.point.is_open and phone.point.kept == []


async def test_a_phone_that_only_stays_joined_does_not_keep_it_open():
    quiet_ms, setup.QUIET_MS = setup.QUIET_MS, 200
    try:
        async with Phone(HOME, stored={"host": "box"}) as phone:
            phone.board.network.lost = False
            await asyncio.wait_for_ms(phone.task, 2000)
    finally:
        setup.QUIET_MS = quiet_ms


async def test_it_closes_when_the_bridge_is_there():
    async with Phone(HOME) as phone:
        phone.board.network.lost, phone.point.phones = False, 0
        setup.FIND_MS, find_ms = 30, setup.FIND_MS
        await asyncio.sleep_ms(100)
        assert phone.point.is_open and len(phone.asked) >= 2
        phone.bridges.append(BRIDGE)
        await phone.task
        setup.FIND_MS = find_ms


async def test_a_board_without_a_screen_is_set_up_all_the_same():
    phone = Phone(bridges=[BRIDGE])
    phone.setup._view = None
    async with phone:
        assert "has joined home" in await phone.fill_in(**GOOD)
        await phone.task


async def test_a_port_that_is_taken_is_an_error_of_the_set_up_and_the_wifi_is_closed():
    async with Phone() as first:
        second = Phone(ports=first.point.ports)
        try:
            await asyncio.wait_for_ms(second.setup.run(), 2000)
        except OSError as error:
            assert error.errno == 98
        else:
            raise AssertionError("it ran")
        assert not second.point.is_open
