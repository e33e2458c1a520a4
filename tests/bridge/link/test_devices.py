"""The registry: who is online, in which session."""

import json
import logging

import pytest
from voxcard.link.devices import DeviceLog, Devices, Once
from voxwire.errors import WireError

HELLO = {"type": "hello", "id": "kitchen", "version": 1, "sound": {"formats": ["ima-adpcm"]}}


def registry():
    ids = iter(("s1", "s2", "s3"))
    return Devices(lambda: 100.0, lambda: next(ids))


def hello(**more):
    return json.dumps({**HELLO, **more}).encode()


def test_a_status_makes_a_device_known_and_a_hello_opens_a_session():
    devices = registry()
    known = devices.status("kitchen", b'{"online":true,"firmware":"0.1"}')
    assert (known.online, known.session_id, known.capability) == (True, "", None)
    greeted = devices.hello("kitchen", hello(name="Kitchen"))
    assert (greeted.name, greeted.session_id) == ("Kitchen", "s1")
    assert greeted.capability.sound.rate_hz == 16000
    assert devices.hello("kitchen", hello()).session_id == "s2"
    assert devices.all() == (devices.get("kitchen"),)


def test_going_offline_ends_the_session_and_keeps_the_capability():
    devices = registry()
    devices.hello("kitchen", hello())
    gone = devices.status("kitchen", b'{"online":false}')
    assert (gone.online, gone.session_id) == (False, "")
    assert gone.capability.id == "kitchen"
    assert devices.status("kitchen", b"").online is False


def test_a_repeated_status_keeps_the_session():
    devices = registry()
    devices.hello("kitchen", hello())
    assert devices.status("kitchen", b'{"online":true}').session_id == "s1"


def test_a_device_that_comes_back_is_online_again():
    devices = registry()
    for online in (True, False, True):
        known = devices.status("kitchen", json.dumps({"online": online}).encode())
        assert known.online is online and devices.get("kitchen") is known


def test_what_a_device_says_of_itself_is_cut():
    long = {"name": "n" * 49, "board": "b" * 65, "firmware": "f" * 65}
    known = registry().hello("kitchen", hello(**long))
    assert known.name == "n" * 47 + "…"
    assert known.capability.board == "b" * 63 + "…"
    assert known.capability.firmware == "f" * 63 + "…"
    whole = {"name": "n" * 48, "board": "b" * 64, "firmware": "f" * 64}
    known = registry().hello("kitchen", hello(**whole))
    assert (known.name, known.capability.board) == ("n" * 48, "b" * 64)


def test_the_id_of_a_session_is_16_hex_digits_that_nobody_guesses():
    devices = Devices(lambda: 100.0)
    ids = {devices.hello("kitchen", hello()).session_id for _ in range(20)}
    assert len(ids) == 20
    assert all(len(each) == 16 and int(each, 16) >= 0 for each in ids)


def test_the_last_32_ids_are_remembered():
    once = Once()
    assert all(once.first(str(number)) for number in range(32))
    assert not once.first("0")
    assert once.first("32") and not once.first("1") and once.first("0")


def test_a_lost_link_ends_every_session():
    devices = registry()
    devices.hello("kitchen", hello())
    devices.link_lost()
    assert devices.get("kitchen").session_id == "" and not devices.get("kitchen").online


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        (b"{}", "status.online: is missing"),
        (b'{"online":"yes"}', "status.online: must be true or false"),
        (b"\xff", "status: is not JSON"),
        (b"[" * 9000, "status: is 9000 bytes, the limit is 8192"),
    ],
)
def test_a_garbled_status_is_refused_and_changes_nothing(payload, text):
    devices = registry()
    with pytest.raises(WireError) as caught:
        devices.status("kitchen", payload)
    assert str(caught.value) == text and devices.all() == ()


def test_a_device_cannot_say_hello_for_another():
    with pytest.raises(WireError) as caught:
        registry().hello("kitchen", hello(id="bedroom"))
    assert str(caught.value) == "hello.id: is bedroom, the topic says kitchen"


def test_an_id_counts_once_while_it_is_among_the_last():
    once = Once(size=2)
    assert [once.first(name) for name in "abab"] == [True, True, False, False]
    assert once.first("c") and once.first("a")


def test_log_lines_name_the_device_and_its_session(caplog):
    device = registry().hello("kitchen", hello())
    with caplog.at_level(logging.INFO):
        DeviceLog(logging.getLogger("voxcard.test"), device).info("%s -> %s", "idle", "listening")
    record = caplog.records[0]
    assert record.getMessage() == "kitchen/s1: idle -> listening"
    assert (record.device, record.session) == ("kitchen", "s1")


def test_only_the_same_hello_again_keeps_its_session():
    devices = registry()
    first = devices.hello("kitchen", hello(), is_repeat=True)
    assert first.session_id == "s1"
    assert devices.hello("kitchen", hello(), is_repeat=True) is first
    assert devices.hello("kitchen", hello(board="other"), is_repeat=True).session_id == "s2"
    devices.status("kitchen", b'{"online":false}')
    assert devices.hello("kitchen", hello(board="other"), is_repeat=True).session_id == "s3"
