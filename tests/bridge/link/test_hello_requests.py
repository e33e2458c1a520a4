"""Who is asked for a hello, and when."""

import json

from voxcard.link.hello_requests import PER_LOOK, HelloRequests


class Home:
    """Devices without a session, and the clock."""

    def __init__(self, *lost):
        self.lost, self.sessions, self.asked = list(lost), set(), []
        self.now_s = 0.0
        self.takes = True
        self.requests = HelloRequests(
            lost=lambda: self.lost,
            has_session=self.sessions.__contains__,
            root="home",
            publish=self.publish,
            now_s=lambda: self.now_s,
        )

    def publish(self, topic, payload):
        assert json.loads(payload) == {"type": "system", "command": "hello"}
        if self.takes:
            self.asked.append(
                (round(self.now_s), topic.removeprefix("home/").removesuffix("/down"))
            )
        return self.takes

    def until(self, now_s):
        while self.now_s < now_s:
            self.now_s += 1.0
            self.requests.look()
        return self.asked


def test_a_device_that_says_hello_by_itself_is_not_asked():
    home = Home()
    home.requests.lost("kitchen")
    home.until(1)
    home.sessions.add("kitchen")
    home.requests.greeted("kitchen")
    assert home.until(100) == []


def test_a_device_that_has_a_session_by_then_is_not_asked():
    home = Home()
    home.requests.lost("kitchen")
    home.sessions.add("kitchen")
    assert home.until(100) == []


def test_a_device_that_does_not_answer_is_asked_less_and_less_often():
    home = Home("kitchen")
    home.requests.lost("kitchen", after_s=0.0)
    times = [at_s for at_s, _ in home.until(7200)]
    assert times == [0, 30, 90, 210, 450, 930, 1890, 3690, 5490]


def test_whoever_speaks_again_and_again_is_asked_no_more_often():
    home = Home("kitchen")
    for second in range(100):
        home.requests.lost("kitchen")
        home.until(second + 1)
    assert home.asked == [(2, "kitchen"), (32, "kitchen"), (92, "kitchen")]


def test_everybody_who_is_online_is_looked_through_now_and_then():
    home = Home("attic", "kitchen")
    assert home.until(149) == []
    assert home.until(150) == [(150, "attic"), (150, "kitchen")]


def test_a_look_that_comes_late_is_a_round_too_and_the_next_one_comes_as_long_after():
    home = Home("attic")
    home.now_s = 151.0
    home.requests.look()
    assert home.asked == [(151, "attic")]
    home.lost = ["garden"]
    assert ("garden" in dict(map(reversed, home.until(300)))) is False
    assert home.until(301)[-1] == (301, "garden")


def test_a_session_that_was_doubted_just_before_a_round_is_not_asked_for_again_after_it():
    home = Home()
    home.sessions.add("kitchen")
    for now_s in (140, 151, 169, 170):
        home.until(now_s)
        home.requests.doubt("kitchen")
    assert home.asked == [(140, "kitchen"), (170, "kitchen")]


def test_a_stranger_that_was_asked_in_vain_and_is_not_online_is_forgotten():
    home = Home()
    home.requests.lost("ghost")
    assert home.until(600) == [(2, "ghost"), (32, "ghost"), (92, "ghost")]


def test_a_large_home_is_asked_part_by_part():
    home = Home(*(f"d{index}" for index in range(250)))
    for device_id in home.lost:
        home.requests.lost(device_id, after_s=0.0)
    assert len(home.asked) == PER_LOOK == 100
    assert len(home.until(1)) == 200
    assert len(home.until(2)) == 250
    assert len({device_id for _, device_id in home.asked}) == 250


def test_what_could_not_be_sent_is_sent_later():
    home = Home("kitchen")
    home.takes = False
    home.requests.lost("kitchen", after_s=0.0)
    home.until(5)
    home.takes = True
    assert home.until(6) == [(6, "kitchen")]


def test_a_doubted_session_is_asked_for_at_once_but_not_again_and_again():
    home = Home()
    home.sessions.add("kitchen")
    for second in range(62):
        home.requests.doubt("kitchen")
        home.until(second + 1)
    assert home.asked == [(0, "kitchen"), (30, "kitchen"), (60, "kitchen")]


def test_without_a_broker_nobody_is_waited_for():
    home = Home()
    home.requests.lost("kitchen")
    home.requests.clear()
    assert home.until(100) == []
