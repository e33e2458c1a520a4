"""The announcements of one device: their order, what each waits for, and how each ends."""

import asyncio

import pytest
from fakes.bridge import run_virtual
from voxcard.announce.announcement import Announcement
from voxcard.announce.announcer import Announcer
from voxcard.announce.device_line import ATTEMPTS_MAX, DeviceLine, Obstacle
from voxcard.announce.waiting import WAITING_MAX
from voxcard.errors import Interrupted, VoxcardError

AWAY = Obstacle(text="It is away.")
QUIET = Obstacle(text="Quiet until 07:00.", stops_clock=True)
NEVER = Obstacle(text="Quiet until 07:00.", refuses=True, stops_clock=True)


class Place:
    """A device that plays for 2 s, or does what `ends` says: an outcome, or an error."""

    id = "kitchen"

    def __init__(self):
        self.away = self.quiet = None
        self.busy = False
        self.ends = []
        self.played = []
        self.cut = []

    def obstacle(self, announcement):
        return self.away or (None if announcement.urgent else self.quiet)

    def is_busy(self):
        return self.busy

    async def play(self, announcement, *, wait_s, on_begin):
        end = self.ends.pop(0) if self.ends else "played"
        if end == "busy":
            await asyncio.sleep(wait_s)
            raise VoxcardError("It is in a turn.", "Wait.")
        on_begin()
        try:
            await asyncio.sleep(2)
        except asyncio.CancelledError:
            self.cut.append(announcement.text)
            raise
        if isinstance(end, Exception):
            raise end
        if end != "again":
            self.played.append(announcement.text)
        return end


class Home:
    """An announcer over one such place, with the reports of each text."""

    def __init__(self):
        self.place = Place()
        self.tasks = []
        self.announcer = Announcer(lambda _: DeviceLine(self.place, self.spawn))
        self.reports = {}
        self.words = {}
        self.now_s = asyncio.get_running_loop().time

    def spawn(self, coroutine, name):
        self.tasks.append(asyncio.create_task(coroutine, name=name))
        return self.tasks[-1]

    def announce(self, text, **values):
        values = {"wait_s": 60.0, **values}
        told = self.reports[text] = []

        async def follow():
            announcement = Announcement(text=text, **values)
            reports = self.announcer.announce(announcement, ["kitchen"])
            try:
                async for report in reports:
                    told.append(report.state)
                    self.words[text] = report.text
            finally:
                await reports.aclose()

        return asyncio.create_task(follow())


def home(scene):
    async def conversation():
        one = Home()
        await scene(one)
        for _ in range(5):
            await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}, "nothing is left"
        return one

    return run_virtual(conversation())


def test_they_are_played_in_the_order_they_came_and_each_once():
    async def scene(one):
        await asyncio.gather(*(one.announce(text) for text in "abc"))

    one = home(scene)
    assert one.place.played == ["a", "b", "c"]
    assert one.reports == {text: ["begins", "played"] for text in "abc"}


def test_a_device_that_is_away_gets_them_in_order_when_it_is_back():
    async def scene(one):
        one.place.away = AWAY
        tasks = [one.announce(text) for text in "ab"]
        await asyncio.sleep(30)
        assert one.reports == {text: ["waits"] for text in "ab"}
        one.place.away = None
        await asyncio.gather(*tasks)

    assert home(scene).place.played == ["a", "b"]


def test_what_waits_ends_in_its_time_and_says_so():
    async def scene(one):
        one.place.away = AWAY
        short, long = one.announce("short", wait_s=10.0), one.announce("long", wait_s=100.0)
        await short
        assert one.now_s() == pytest.approx(10, abs=1.1)
        one.place.away = None
        await long

    one = home(scene)
    assert one.reports == {"short": ["waits", "expired"], "long": ["waits", "begins", "played"]}


def test_one_that_is_not_held_is_refused_at_once_by_a_device_that_is_away_or_quiet():
    async def scene(one):
        for obstacle in (AWAY, QUIET):
            one.place.away = obstacle
            await one.announce(obstacle.text, holds=False)

    one = home(scene)
    assert one.reports == {"It is away.": ["refused"], "Quiet until 07:00.": ["refused"]}


def test_quiet_hours_stop_the_clock_of_what_waits_and_an_urgent_one_passes():
    async def scene(one):
        one.place.quiet = QUIET
        waits = one.announce("later", wait_s=10.0)
        await asyncio.sleep(3600)
        await one.announce("fire", urgent=True)
        one.place.quiet = None
        await waits

    one = home(scene)
    assert one.place.played == ["fire", "later"]
    assert one.reports["later"] == ["waits", "begins", "played"]


def test_quiet_hours_that_refuse_end_it_at_once():
    async def scene(one):
        one.place.quiet = NEVER
        await one.announce("later")

    assert home(scene).reports == {"later": ["refused"]}


def test_an_urgent_one_ends_one_that_plays_which_is_played_again_as_a_whole():
    async def scene(one):
        first = one.announce("dinner")
        await asyncio.sleep(1)
        behind = one.announce("later")
        await asyncio.gather(one.announce("fire", urgent=True), first, behind)

    one = home(scene)
    assert one.place.cut == ["dinner"]
    assert one.place.played == ["fire", "dinner", "later"]
    assert one.reports["dinner"] == ["begins", "waits", "begins", "played"]


def test_an_urgent_one_does_not_end_another():
    async def scene(one):
        first = one.announce("smoke", urgent=True)
        await asyncio.sleep(1)
        await asyncio.gather(first, one.announce("fire", urgent=True))

    one = home(scene)
    assert (one.place.cut, one.place.played) == ([], ["smoke", "fire"])


def test_one_that_a_person_cuts_off_is_over():
    async def scene(one):
        one.place.ends = ["stopped"]
        await one.announce("dinner")

    assert home(scene).reports == {"dinner": ["begins", "stopped"]}


def test_one_that_ends_before_it_spoke_is_tried_again_but_not_for_ever():
    async def scene(one):
        one.place.ends = ["again", "again"]
        await one.announce("dinner")
        one.place.ends = ["again"] * 100
        await one.announce("lunch", wait_s=10_000.0)
        assert len(one.place.ends) == 100 - ATTEMPTS_MAX

    one = home(scene)
    assert one.reports["dinner"][-1] == "played" and one.reports["lunch"][-1] == "failed"


LOST = Interrupted("The connection to the broker was lost.")


@pytest.mark.parametrize("end", ["again", LOST])
def test_a_device_that_goes_away_in_the_middle_hears_it_again_when_it_is_back(end):
    async def scene(one):
        one.place.ends = [end]
        task = one.announce("dinner")
        await asyncio.sleep(1)
        one.place.away = AWAY
        await asyncio.sleep(20)
        assert one.reports["dinner"] == ["begins", "waits"]
        one.place.away = None
        await task

    assert home(scene).place.played == ["dinner"]


@pytest.mark.parametrize("obstacle", [AWAY, QUIET])
def test_one_that_was_lost_and_is_not_held_ends_with_the_first_reason(obstacle):
    async def scene(one):
        one.place.ends = [LOST, Interrupted("The device went away.")]
        task = one.announce("dinner", holds=False)
        await asyncio.sleep(4)
        one.place.away = obstacle
        await task

    one = home(scene)
    assert one.place.ends == [] and one.reports["dinner"][-1] == "failed"
    assert one.words["dinner"] == "The connection to the broker was lost."


def test_one_that_was_lost_and_waits_longer_than_it_may_says_what_is_in_the_way_now():
    async def scene(one):
        one.place.ends = [LOST]
        task = one.announce("dinner", wait_s=10.0)
        await asyncio.sleep(1)
        one.place.away = AWAY
        await task

    one = home(scene)
    assert one.reports["dinner"] == ["begins", "waits", "expired"]
    assert one.words["dinner"] == AWAY.text


def test_quiet_hours_that_refuse_say_so_after_a_loss_too():
    async def scene(one):
        one.place.ends = [LOST]
        task = one.announce("dinner")
        await asyncio.sleep(1)
        one.place.quiet = NEVER
        await task

    one = home(scene)
    assert (one.reports["dinner"], one.words["dinner"]) == (["begins", "refused"], NEVER.text)


@pytest.mark.parametrize("error", [VoxcardError("There is no voice.", "Get one."), OSError("x")])
def test_one_that_fails_ends_alone(error):
    async def scene(one):
        one.place.ends = [error]
        await asyncio.gather(one.announce("dinner"), one.announce("later"))

    one = home(scene)
    assert one.reports == {"dinner": ["begins", "failed"], "later": ["begins", "played"]}


def test_a_turn_that_does_not_end_ends_what_waits_for_it():
    async def scene(one):
        one.place.busy, one.place.ends = True, ["busy"]
        await one.announce("dinner", wait_s=30.0)
        assert one.now_s() == pytest.approx(30, abs=1.1)

    assert home(scene).reports == {"dinner": ["waits", "expired"]}


def test_whoever_goes_takes_back_what_waits_and_what_plays():
    async def scene(one):
        plays, waits, stays = (one.announce(text) for text in ("plays", "waits", "stays"))
        await asyncio.sleep(1)
        for task in (waits, plays):
            task.cancel()
        await stays

    one = home(scene)
    assert (one.place.cut, one.place.played) == (["plays"], ["stays"])


def test_the_queue_of_a_device_has_a_limit_and_what_is_beyond_is_told():
    async def scene(one):
        one.place.away = AWAY
        tasks = [one.announce(str(number)) for number in range(WAITING_MAX + 1)]
        await tasks[-1]
        one.place.away = None
        await asyncio.gather(*tasks)

    one = home(scene)
    assert one.reports[str(WAITING_MAX)] == ["refused"]
    assert one.place.played == [str(number) for number in range(WAITING_MAX)]


def test_a_bridge_that_stops_says_what_is_lost(caplog):
    async def scene(one):
        one.place.away = AWAY
        task = one.announce("dinner")
        await asyncio.sleep(2)
        one.announcer.leave()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    home(scene)
    assert "kitchen: 1 announcements are lost" in caplog.text
