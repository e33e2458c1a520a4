"""Updates of a home: what is offered, what is asked for, how it ends, what a restart finds."""

import asyncio
import json
import stat
import time
from dataclasses import replace

import pytest
from fakes.releases import FILES, FOREIGN, release
from voxcard.access.update_keys import UpdateKeys, release_key
from voxcard.errors import VoxcardError
from voxcard.releases import followers, records
from voxcard.releases.fitness import Target
from voxcard.releases.updates import Updates
from voxwire import release as wire
from voxwire.message import FROM_DEVICE, make

HALL = Target(
    id="hall", greeted=True, board="diy-s3-oled", firmware="0.1.0+aa", kind="files"
)  # fmt: skip
TOPIC = "voxcard/hall/offer"


class Home:
    """A bridge's Updates with a broker that is there, or not, and devices that take pieces."""

    def __init__(self, folder):
        self.accounts = folder / "accounts"
        self.key = UpdateKeys(self.accounts).get("hall") or UpdateKeys(self.accounts).add("hall")
        self.retained, self.told, self.sent, self.tasks = {}, [], [], set()
        self.connected = self.online = True
        self.takes, self.sending = asyncio.Event(), asyncio.Event()  # pieces
        self.takes.set()
        self.loses = False  # what is sent to it
        self.now_s = 1_796_000_000
        self.updates = Updates(
            self.accounts, "voxcard",
            publish=self.publish, send=self.send, spawn=self.spawn,
            is_online=lambda device_id: self.online, tell=self.told.append,
            now_s=lambda: self.now_s,
        )  # fmt: skip

    def publish(self, topic, payload, *, retain=False):
        assert retain
        if self.connected:
            self.retained[topic] = payload
        return self.connected

    async def send(self, device_id, name, data):
        self.sent.append((device_id, name, data))
        self.sending.set()
        if self.loses:
            raise VoxcardError("The device did not take it in time.")
        await self.takes.wait()

    def spawn(self, work, name):
        task = asyncio.create_task(work, name=name)
        self.tasks.add(task)
        return task

    async def settle(self):
        """Until nothing is under way."""
        while any(not task.done() for task in self.tasks):
            await asyncio.wait(self.tasks)
        for task in self.tasks:
            assert task.cancelled() or task.exception() is None

    def build(self, **values):
        return release(self.accounts.parent / "a", key=release_key(self.accounts), **values)

    async def offer(self, target=HALL, path=None, **values):
        await self.updates.offer(
            target, records.bring(self.accounts, path or self.build(**values))
        )

    @property
    def offered(self):
        """The offer at the broker."""
        return wire.decode_offer(self.retained[TOPIC])

    def says(self, state, **values):
        """The device says it of the standing offer."""
        message = {"serial": self.offered.serial, "state": state, **values}
        self.updates.message("hall", make(FROM_DEVICE, "update", **message))

    def fetch(self, path, at=0, size=4096, **values):
        self.says("fetch", path=path, at=at, size=size, **values)

    @property
    def states(self):
        return [progress.state for progress in self.told]


def in_home(tmp_path, talk):
    async def run():
        home = Home(tmp_path)
        await asyncio.wait_for(talk(home), 20)
        await home.settle()

    asyncio.run(run())


def test_an_offer_is_retained_and_has_the_mac_of_the_device_s_key(tmp_path):
    async def talk(home):
        await home.offer()
        offer = home.offered
        key = wire.parse_key(home.key)
        assert offer.serial == home.now_s and offer.version == "0.2.0"
        assert offer.mac == wire.offer_mac(key, "hall", offer.serial, offer.manifest_sha256)
        home.fetch("", size=offer.manifest_size)
        await home.settle()
        [(device, name, data)] = home.sent
        assert (device, name) == ("hall", f"{offer.serial}::0")
        assert wire.parse_manifest(data).version == "0.2.0"
        assert len(data) == offer.manifest_size
        assert home.key not in json.dumps([str(each) for each in home.retained.values()])

    in_home(tmp_path, talk)


def test_each_offer_has_a_higher_serial_even_where_the_clock_stands_or_goes_back(tmp_path):
    async def talk(home):
        serials = []
        for step_s in (0, 0, -1000, 5000):
            home.now_s += step_s
            await home.offer()
            serials.append(home.offered.serial)
        first = serials[0]
        assert serials == [first, first + 1, first + 2, first + 4000]

    in_home(tmp_path, talk)


def test_pieces_are_sent_as_they_are_asked_for_and_the_end_is_kept(tmp_path):
    async def talk(home):
        await home.offer()
        for path, at in (("", 0), ("app.mpy", 0), ("app.mpy", 4096), ("voxwire/card.mpy", 0)):
            home.fetch(path, at)
            await home.settle()
        serial = home.offered.serial
        assert [(name, len(data)) for _, name, data in home.sent[1:]] == [
            (f"{serial}:app.mpy:0", 4096),
            (f"{serial}:app.mpy:4096", 904),
            (f"{serial}:voxwire/card.mpy:0", 40),
        ]
        progress = home.updates.progress("hall")
        assert (progress.state, progress.done_bytes, progress.total_bytes) == ("fetch", 5051, 5051)
        home.says("waiting")
        home.says("installed")
        home.says("confirmed")
        await home.settle()
        assert home.states == ["offered", "fetch", "waiting", "installed", "confirmed"]
        assert home.retained[TOPIC] == b""
        folder = home.accounts / "updates" / "hall"
        assert [path.name for path in folder.iterdir()] == ["record.json"]
        assert home.updates.standing("hall") is None

    in_home(tmp_path, talk)


@pytest.mark.parametrize("state", ["refused", "fell_back"])
def test_what_a_device_did_not_keep_has_its_reason_on_one_line(tmp_path, state, caplog):
    async def talk(home):
        await home.offer()
        home.says(state, reason="It is\nfull.\x1b[2J" + "x" * 400)
        await home.settle()
        progress = home.updates.progress("hall")
        assert progress.state == state
        assert progress.reason.startswith("It is full.x") and len(progress.reason) == 300
        assert home.retained[TOPIC] == b""

    in_home(tmp_path, talk)
    assert "\x1b" not in caplog.text


def test_an_offer_that_a_device_could_not_read_is_refused_by_it(tmp_path):
    async def talk(home):
        await home.offer()
        home.says("refused", serial=0, reason="offer.mac is missing")
        await home.settle()
        assert home.updates.progress("hall").state == "refused"

    in_home(tmp_path, talk)


def test_words_about_another_offer_change_nothing(tmp_path):
    async def talk(home):
        await home.offer()
        serial = home.offered.serial
        for other in (serial - 1, serial + 1):
            home.fetch("app.mpy", serial=other)
            home.says("confirmed", serial=other)
        home.says("confirmed", serial=0)
        home.updates.message(
            "attic", make(FROM_DEVICE, "update", serial=serial, state="confirmed")
        )
        await home.settle()
        assert home.sent == [] and home.states == ["offered"]
        home.says("confirmed")
        home.says("fell_back", reason="late")
        await home.settle()
        assert home.updates.progress("hall").state == "confirmed"

    in_home(tmp_path, talk)


@pytest.mark.parametrize(
    ("path", "at", "size"),
    [
        ("../hall/record.json", 0, 10),
        ("/etc/passwd", 0, 10),
        ("signature", 0, 64),
        ("files/app.mpy", 0, 10),
        ("app.mpy", 5001, 10),
        ("", 100_000, 10),
    ],
)
def test_a_question_for_what_there_is_not_is_one_line_of_the_log(tmp_path, caplog, path, at, size):
    async def talk(home):
        await home.offer()
        for _ in range(50):
            home.fetch(path, at, size)
        await home.settle()
        assert home.sent == [] and home.states == ["offered"]
        assert [row.levelname for row in caplog.records].count("WARNING") == 1

    in_home(tmp_path, talk)


def test_the_same_question_is_answered_once_while_its_piece_is_on_the_way(tmp_path):
    async def talk(home):
        await home.offer()
        home.takes.clear()
        for _ in range(100):
            home.fetch("app.mpy")
            await asyncio.sleep(0)
        await home.sending.wait()
        home.fetch("app.mpy")
        await asyncio.sleep(0)
        assert len(home.sent) == 1
        home.takes.set()
        await home.settle()
        home.fetch("app.mpy")
        await home.settle()
        assert len(home.sent) == 2

    in_home(tmp_path, talk)


def test_a_flood_of_questions_makes_no_flood_of_pieces(tmp_path):
    async def talk(home):
        await home.offer()
        began_s = time.monotonic()
        for index in range(3000):
            home.fetch("app.mpy", index % 5000)
            await asyncio.sleep(0)
        took_s = time.monotonic() - began_s
        await home.settle()
        assert 1 <= len(home.sent) <= took_s * 50 + 2
        assert home.sent[-1][1].endswith(":2999")

    in_home(tmp_path, talk)


def test_a_piece_that_did_not_arrive_is_sent_when_it_is_asked_for_again(tmp_path):
    async def talk(home):
        await home.offer()
        home.loses = True
        for _ in range(2):
            home.fetch("app.mpy")
            await home.settle()
        assert len(home.sent) == 2 and home.updates.progress("hall").state == "fetch"

    in_home(tmp_path, talk)


def test_a_restart_goes_on_with_the_offer_and_the_files(tmp_path):
    async def first(home):
        await home.offer()
        home.fetch("app.mpy")

    async def second(home):
        home.connected = False
        await home.updates.load()
        assert home.retained == {}
        home.connected = True
        home.updates.offers.link(True)
        home.fetch("app.mpy", 4096)
        await home.settle()
        assert home.sent[0][2] == FILES["app.mpy"][4096:]
        home.says("confirmed")

    async def third(home):
        await home.updates.load()
        home.updates.offers.link(True)
        assert home.retained == {}
        assert home.updates.progress("hall").state == "confirmed"
        home.now_s -= 100
        await home.offer()
        assert home.offered.serial == 1_796_000_001

    for talk in (first, second, third):
        in_home(tmp_path, talk)


def test_an_offer_taken_back_without_a_broker_is_taken_back_after_a_restart(tmp_path):
    async def first(home):
        await home.offer()
        home.connected = False
        await home.updates.cancel("hall")
        assert home.retained[TOPIC] != b""

    async def second(home):
        await home.updates.load()
        assert home.retained == {TOPIC: b""}

    async def third(home):
        await home.updates.load()
        home.updates.offers.link(True)
        assert home.retained == {}  # it may be another bridge's by now

    for talk in (first, second, third):
        in_home(tmp_path, talk)


def test_a_broker_that_forgot_gets_the_offer_again_and_so_does_a_device_that_comes(tmp_path):
    async def talk(home):
        await home.offer()
        offered = home.retained.pop(TOPIC)
        home.updates.offers.link(False)
        home.updates.offers.look()
        assert home.retained == {}
        home.updates.offers.link(True)
        assert home.retained.pop(TOPIC) == offered
        home.updates.greeted("attic")
        home.updates.greeted("hall")
        assert home.retained == {TOPIC: offered}

    in_home(tmp_path, talk)


def test_what_the_broker_does_not_take_at_once_is_tried_again(tmp_path):
    async def talk(home):
        home.connected = False
        await home.offer()
        home.connected = True
        home.updates.offers.look()
        assert home.offered.version == "0.2.0"
        home.retained.clear()
        home.updates.offers.look()
        assert home.retained == {}

    in_home(tmp_path, talk)


@pytest.mark.parametrize("damage", ["removed", "cut", "changed"])
def test_a_damaged_copy_is_offered_no_more_and_the_bridge_starts(tmp_path, damage):
    async def first(home):
        await home.offer()

    async def second(home):
        file = home.accounts / "updates" / "hall" / "offered.voxrelease"
        if damage == "removed":
            file.unlink()
        elif damage == "cut":
            file.write_bytes(file.read_bytes()[:3000])
        else:
            file.write_bytes(file.read_bytes().replace(b"aaaa", b"aaab"))
        await home.updates.load()
        assert home.updates.progress("hall").state == "lost"
        assert home.retained == {TOPIC: b""} and home.states == ["lost"]

    in_home(tmp_path, first)
    in_home(tmp_path, second)


@pytest.mark.parametrize("text", ["", "[]", '{"serial": 1}', "[" * 100000])
def test_a_damaged_record_costs_its_device_alone(tmp_path, caplog, text):
    async def talk(home):
        folder = home.accounts / "updates" / "attic"
        folder.mkdir(parents=True)
        (folder / "record.json").write_text(text)
        await home.offer()
        again = Home(tmp_path)
        await again.updates.load()
        assert list(again.retained) == [TOPIC]
        assert "its device is offered nothing" in caplog.text

    in_home(tmp_path, talk)


@pytest.mark.parametrize(
    ("target", "values", "problem"),
    [
        (HALL, {"board": "m5-atom-echo"}, "for the board m5-atom-echo, this is diy-s3-oled"),
        (HALL, {"version": "0.0.9"}, "0.0.9 is older than the 0.1.0 that runs"),
        (replace(HALL, kind=""), {}, "takes no updates over the network"),
        (replace(HALL, id="attic"), {}, "attic has no key for updates.*devices key attic"),
    ],
)
def test_what_is_refused_leaves_what_was_offered(tmp_path, target, values, problem):
    async def talk(home):
        await home.offer()
        offered = home.offered
        with pytest.raises(VoxcardError, match=problem):
            await home.offer(target, **values)
        assert home.offered == offered
        home.fetch("main.py")
        await home.settle()
        assert home.sent[0][2] == FILES["main.py"]

    in_home(tmp_path, talk)


def test_a_release_of_another_home_or_with_another_file_is_refused(tmp_path):
    async def talk(home):
        foreign = release(tmp_path / "foreign", key=FOREIGN)
        with pytest.raises(VoxcardError, match="signed by another home"):
            await home.offer(path=foreign)
        path = home.build()
        path.write_bytes(path.read_bytes().replace(b"aaaa", b"aaab"))
        with pytest.raises(VoxcardError, match=r"app\.mpy has another content"):
            await home.offer(path=path)
        for name in ("../../x", "", "a/b"):
            with pytest.raises(VoxcardError):
                await home.updates.offer(HALL, name)
        assert home.retained == {}

    in_home(tmp_path, talk)


def test_an_offer_is_taken_back_once(tmp_path):
    async def talk(home):
        await home.offer()
        assert (await home.updates.cancel("hall")).state == "cancelled"
        assert home.retained[TOPIC] == b""
        with pytest.raises(VoxcardError, match="hall is offered no update"):
            await home.updates.cancel("hall")
        with pytest.raises(VoxcardError, match="attic was offered no update yet"):
            home.updates.progress("attic")

    in_home(tmp_path, talk)


def test_a_new_key_is_used_for_the_offer_that_stands(tmp_path):
    async def talk(home):
        await home.offer()
        before = home.offered
        key = UpdateKeys(home.accounts).add("hall")
        home.updates.accounts_changed("")
        after = home.offered
        assert after.serial == before.serial and after.mac != before.mac
        assert after.mac == wire.offer_mac(
            wire.parse_key(key), "hall", after.serial, after.manifest_sha256
        )

    in_home(tmp_path, talk)


def test_a_removed_device_is_offered_nothing_and_nothing_of_it_is_kept(tmp_path):
    async def talk(home):
        await home.offer()
        UpdateKeys(home.accounts).remove("hall")
        home.updates.accounts_changed("hall")
        assert home.retained[TOPIC] == b""
        assert not (home.accounts / "updates" / "hall").exists()
        await home.settle()
        assert not (home.accounts / "updates" / "hall").exists()

    in_home(tmp_path, talk)


def test_what_is_kept_is_its_user_s_alone(tmp_path):
    async def talk(home):
        await home.offer()
        folder = home.accounts / "updates" / "hall"
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
        assert modes == {"record.json": 0o600, "offered.voxrelease": 0o600}
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert list((home.accounts / "updates" / "_incoming").iterdir()) == []

    in_home(tmp_path, talk)


def test_who_follows_hears_of_every_step_and_of_silence(tmp_path, monkeypatch):
    monkeypatch.setattr(followers, "SILENT_S", 0.0)

    async def talk(home):
        await home.offer()
        heard, following = [], home.updates.follow("hall")
        heard.append(await anext(following))
        heard.append(await anext(following))
        home.fetch("app.mpy")
        heard.append(await anext(following))
        home.says("confirmed")
        await home.settle()
        heard.append(await anext(following))
        with pytest.raises(StopAsyncIteration):
            await anext(following)
        assert [(each.state, each.is_silent) for each in heard] == [
            ("offered", False),
            ("offered", True),
            ("fetch", False),
            ("confirmed", False),
        ]
        assert len(home.updates._followers) == 0

    in_home(tmp_path, talk)
