"""Codes on screens: each device its own, for a while; and who is let in."""

import json
import logging

import pytest
from voxcard.access.accounts import EmbeddedAccounts, PairedDevices
from voxcard.access.admission import Admission
from voxcard.access.broker_access import asks_nobody, has_passwords, is_loopback, pairs
from voxcard.access.pairing import CODE_S, WAITING_MAX, Pairing, new_code
from voxcard.config import parse
from voxcard.errors import VoxcardError


class Clock:
    def __init__(self):
        self.now_s = 0.0

    def __call__(self):
        return self.now_s


def pairing(*codes):
    clock = Clock()
    return Pairing(clock, iter(codes).__next__ if codes else new_code), clock


def test_a_device_keeps_its_code_as_long_as_it_holds_and_gets_another_then():
    waiting, clock = pairing("111111", "222222")
    assert waiting.code("kitchen") == "111111"
    clock.now_s = CODE_S - 1
    assert waiting.code("kitchen") == "111111"
    clock.now_s = CODE_S
    assert waiting.take("111111") is None
    assert waiting.code("kitchen") == "222222"


def test_no_two_devices_show_the_same_code():
    waiting, _ = pairing("111111", "111111", "111111", "222222")
    assert [waiting.code("kitchen"), waiting.code("attic")] == ["111111", "222222"]
    assert waiting.take("222222") == "attic"
    assert waiting.take("222222") is None
    assert list(waiting.waiting()) == ["kitchen"]


def test_so_many_wait_at_a_time_and_the_longest_makes_room():
    waiting, _ = pairing()
    for number in range(WAITING_MAX + 5):
        waiting.code(f"stranger-{number}")
    assert list(waiting.waiting()) == [f"stranger-{n}" for n in range(5, WAITING_MAX + 5)]


def test_a_code_is_six_digits():
    codes = {new_code() for _ in range(200)}
    assert all(len(code) == 6 and code.isdigit() for code in codes) and len(codes) > 190


class Home:
    """An Admission whose codes are 1, 2, 3; `shown` is what the devices were told."""

    def __init__(self, folder, *, pairs=True, configured=()):
        self.shown = []
        self.accounts = EmbeddedAccounts(folder)
        codes = (str(number) for number in range(1, 100))
        self.admission = Admission(
            self.accounts,
            PairedDevices(folder),
            pairs=pairs,
            configured=configured,
            pairing=Pairing(lambda: 0.0, lambda: next(codes)),
            root="home",
            publish=self.publish,
        )

    def publish(self, topic, payload):
        notice = json.loads(payload)
        device_id, code = topic.split("/")[1], notice["status"].removeprefix("Code ")
        assert topic == f"home/{device_id}/down" and notice["type"] == "alert"
        assert notice["message"] == f"At the bridge's computer: voxcard devices pair {code}"
        self.shown.append((device_id, code))


def test_a_device_shows_its_code_until_a_person_types_it_and_is_let_in_for_good(tmp_path, caplog):
    home = Home(tmp_path)
    assert not home.admission.admits("kitchen")
    with caplog.at_level(logging.WARNING):
        home.admission.turn_away("kitchen")
        home.admission.turn_away("kitchen")
        home.admission.look()
    assert home.shown == [("kitchen", "1")] * 3 and len(caplog.records) == 1
    assert "1" not in caplog.text.split("kitchen waits")[1]
    assert home.admission.way("kitchen") == "waits"
    assert home.admission.pair(" 1 ") == "kitchen"
    assert home.admission.admits("kitchen") and home.admission.way("kitchen") == "paired"
    assert Home(tmp_path).admission.admits("kitchen")


def test_a_wrong_code_lets_nobody_in(tmp_path):
    home = Home(tmp_path)
    home.admission.turn_away("kitchen")
    for code in ("2", "", "kitchen", "1 1"):
        with pytest.raises(VoxcardError, match=r"No device shows that code\. Read it from"):
            home.admission.pair(code)
    assert not home.admission.admits("kitchen")


def test_devices_with_a_password_or_a_section_of_their_own_need_no_code(tmp_path):
    home = Home(tmp_path, configured=["hall"])
    home.admission.turn_away("kitchen")
    home.accounts.add("kitchen")
    assert not home.admission.admits("kitchen")
    home.admission.changed()
    assert home.admission.admits("kitchen") and home.admission.admits("hall")
    assert home.admission.way("kitchen") == "password"
    home.accounts.remove("kitchen")
    home.admission.changed()
    assert not home.admission.admits("kitchen")


def test_without_pairing_every_device_is_let_in_and_those_of_the_home_are_known(tmp_path):
    home = Home(tmp_path, pairs=False, configured=["hall"])
    assert home.admission.admits("stranger") and not home.admission.is_known("stranger")
    assert home.admission.is_known("hall")


def mqtt(**values):
    return parse({"mqtt": values}, environ={}).mqtt


BROKERS = [
    ({}, False, False, True),
    ({"listen": "0.0.0.0"}, True, False, False),
    ({"listen": "192.168.1.10"}, True, False, False),
    ({"host": "192.168.1.10"}, False, True, False),
    ({"host": "192.168.1.10", "user": "bridge"}, False, False, False),
    ({"host": "192.168.1.10", "pairing": "off"}, False, False, True),
    ({"host": "127.0.0.1"}, False, False, True),
    ({"host": "localhost", "pairing": "on"}, False, True, False),
    ({"pairing": "on"}, False, True, False),
]


@pytest.mark.parametrize(("values", "passwords", "paired", "nobody"), BROKERS, ids=str)
def test_passwords_and_codes_are_asked_for_where_others_reach_the_broker(
    values, passwords, paired, nobody
):
    broker = mqtt(**values)
    assert (has_passwords(broker), pairs(broker)) == (passwords, paired)
    assert asks_nobody(broker) is nobody


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "[::1]", "localhost"])
def test_addresses_that_only_this_computer_reaches(host):
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "localhost.lan", "home", ""])
def test_addresses_that_others_reach(host):
    assert not is_loopback(host)
