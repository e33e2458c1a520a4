"""An update's steps in their order, what is refused, and when a trial is over."""

import hashlib
import json
from binascii import hexlify

from update import flow
from voxwire import release

KEY = "5a" * 32
SHA = {name: name * 64 for name in "0123456789abcdef"}
RUNNING = release.Running("0.1.0", "aaaaaaaa", "b1", "files", (1, 28))
FILES = [["app.mpy", 5000, SHA["1"]], ["main.py", 10, SHA["2"]]]


def sha256(data):
    return hexlify(hashlib.sha256(data).digest()).decode()


def manifest(**changes):
    values = {"format": 1, "version": "0.2.0", "digest": "bbbbbbbb", "board": "b1",
              "kind": "files", "micropython": [1, 26], "files": FILES}  # fmt: skip
    values.update(changes)
    return json.dumps(values).encode()


def payload(serial=7, key=KEY, device_id="kitchen", **changes):
    mac = release.offer_mac(release.parse_key(key), device_id, serial, SHA["0"])
    offer = {"type": "offer", "serial": serial, "version": "0.2.0", "manifest_size": 300,
             "manifest_sha256": SHA["0"], "mac": mac}  # fmt: skip
    offer.update(changes)
    return json.dumps(offer).encode()


def vetted(data, key=KEY, kind="files", last=(5, "confirmed")):
    verdict = flow.vet(data, "kitchen", key, kind, last)
    assert verdict.offer is not None
    return verdict.do, verdict.reason


# Offers.


def test_an_offer_with_the_right_mac_and_a_new_serial_is_taken():
    verdict = flow.vet(payload(), "kitchen", KEY, "files", (5, "confirmed"))
    assert (verdict.do, verdict.offer.serial, verdict.reason) == ("take", 7, "")
    assert vetted(payload(), last=(0, "")) == ("take", "")


def test_the_same_serial_is_not_acted_on_again_unless_it_was_not_finished():
    for state in ("confirmed", "refused", "fell_back"):
        assert vetted(payload(), last=(7, state)) == ("repeat", "")
    assert vetted(payload(), last=(7, "fetch")) == ("take", "")


def test_a_lower_serial_is_refused_as_replayed():
    for state in ("confirmed", "fetch"):
        assert vetted(payload(), last=(8, state)) == (
            "refuse",
            "The offer is older than one this device has had: offer the release again.",
        )


def test_what_is_not_signed_with_the_devices_key_is_refused():
    wrong = (
        "The offer is not signed with this device's update key: run voxcard device deploy again."
    )
    for data in (
        payload(key="5b" * 32),
        payload(device_id="bath"),
        payload(mac=SHA["0"]),
        payload(manifest_sha256=SHA["f"]),
    ):
        assert vetted(data) == ("refuse", wrong)
    other = json.loads(payload())
    other["serial"] = 8
    assert vetted(json.dumps(other).encode()) == ("refuse", wrong)


def test_a_wrong_mac_is_seen_before_the_serial():
    assert "not signed" in vetted(payload(mac=SHA["0"]), last=(9, "confirmed"))[1]
    assert "not signed" in vetted(payload(mac=SHA["0"]), last=(7, "confirmed"))[1]


def test_a_device_without_a_key_says_how_it_gets_one():
    assert vetted(payload(), key="") == (
        "refuse",
        "This device has no update key: run voxcard devices add, then voxcard device deploy with"
        " the board on its cable.",
    )
    assert vetted(payload(), key="zz") == (
        "refuse",
        "The update key of this device is no key: run voxcard device deploy again.",
    )


def test_a_device_without_slots_takes_no_release():
    assert vetted(payload(), kind=None) == (
        "refuse",
        "This device takes no releases: it does not run from a slot that it could leave.",
    )


def test_an_offer_that_cannot_be_read_is_refused_with_its_fault():
    for data, fault in (
        (b"{", "offer: is not JSON"),
        (payload(serial=7, mac="x"), "offer.mac: must be 64 hex digits"),
        (b"\xff" * 40, "offer: is not JSON"),
        (b"[" * 3000, "offer: is not JSON"),
    ):
        verdict = flow.vet(data, "kitchen", KEY, "files", (0, ""))
        assert verdict == ("refuse", None, "The offer cannot be read (%s)." % fault)


# The steps.


class Steps:
    """Runs flow.install; `answers` {step's name: outcome or callable(*values)}."""

    def __init__(self, content=None, running=RUNNING, piece_bytes=4096, **answers):
        self.content = content or manifest()
        offer = release.Offer(7, "0.2.0", len(self.content), sha256(self.content), SHA["0"])
        self.steps = []
        self.state = self.reason = ""
        answers.setdefault("prepare", 0)
        answers.setdefault("has", False)
        answers.setdefault("copy", False)
        answers.setdefault("begin", 0)
        answers.setdefault("finish", True)
        self.answers = answers
        self.run(flow.install(offer, running, piece_bytes))

    def run(self, steps):
        outcome = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                self.state = end.value
                return
            except flow.RefusedError as refused:
                self.state, self.reason = "refused", refused.args[0]
                return
            outcome = self.answer(*step)

    def answer(self, what, *values):
        if what == "sha256":
            return sha256(values[0])
        self.steps.append((what,) + tuple(getattr(each, "path", each) for each in values))
        if what == "fetch":
            path, at, size = values
            return self.content[at : at + size] if path == "" else bytes(size)
        answer = self.answers.get(what)
        return answer(*values) if callable(answer) else answer

    def names(self):
        return [step[0] for step in self.steps]


def test_every_file_is_kept_copied_or_fetched_in_the_order_of_the_manifest():
    steps = Steps()
    assert steps.state == "installed"
    size = len(steps.content)
    assert [step[:2] + step[2:3] for step in steps.steps[1:3]] == [
        ("fetch", "", 0), ("prepare", steps.steps[2][1]),
    ]  # fmt: skip
    assert steps.steps[1] == ("fetch", "", 0, size)
    assert [step for step in steps.steps[3:] if step[0] not in ("write", "try")] == [
        ("has", "app.mpy"),
        ("copy", "app.mpy"),
        ("begin", "app.mpy"),
        ("fetch", "app.mpy", 0, 4096),
        ("fetch", "app.mpy", 4096, 904),
        ("finish", "app.mpy"),
        ("has", "main.py"),
        ("copy", "main.py"),
        ("begin", "main.py"),
        ("fetch", "main.py", 0, 10),
        ("finish", "main.py"),
    ]
    assert ("write", "app.mpy", 4096, bytes(904)) in steps.steps
    assert steps.names()[0] == "take" and steps.names()[-1] == "try"


def test_what_a_slot_has_already_is_not_fetched():
    kept = Steps(has=True)
    assert kept.names() == ["take", "fetch", "prepare", "has", "has", "try"]
    copied = Steps(copy=True)
    assert copied.names() == ["take", "fetch", "prepare", "has", "copy", "has", "copy", "try"]


def test_a_file_goes_on_where_it_was_cut():
    steps = Steps(begin=lambda file: 4096 if file.path == "app.mpy" else 10)
    fetched = [step for step in steps.steps if step[0] == "fetch" and step[1]]
    assert fetched == [("fetch", "app.mpy", 4096, 904)]
    assert steps.state == "installed"


def test_a_manifest_comes_in_pieces():
    content = manifest(files=[["f%03d.mpy" % at, 9, SHA["1"]] for at in range(100)])
    assert 8192 < len(content) < 12288
    steps = Steps(content, has=True)
    assert [step[2:] for step in steps.steps if step[0] == "fetch"] == [
        (0, 4096),
        (4096, 4096),
        (8192, len(content) - 8192),
    ]


def test_a_damaged_file_is_fetched_once_more_and_then_refused():
    outcomes = [False, True, True]
    steps = Steps(finish=lambda file: outcomes.pop(0))
    assert steps.state == "installed"
    assert steps.names().count("begin") == 3
    steps = Steps(finish=False)
    assert steps.state == "refused"
    assert steps.reason == "app.mpy arrived damaged twice: build the release again, and offer it."
    assert steps.names().count("begin") == 2 and "try" not in steps.names()


def test_a_manifest_that_is_another_one_or_none_is_refused():
    steps = Steps()
    steps.steps = []
    offer = release.Offer(7, "0.2.0", len(steps.content), SHA["0"], SHA["0"])
    steps.run(flow.install(offer, RUNNING, 4096))
    assert steps.reason == (
        "The manifest is not the one that was offered: offer the release again."
    )
    for content, fault in (
        (b"no", "manifest: is not JSON"),
        (manifest()[:-2], "manifest: is not JSON"),
        (manifest(files=[["../app.mpy", 1, SHA["1"]]]),
         "manifest.files[0].path: must stay in its folder, without hidden names"),
    ):  # fmt: skip
        steps = Steps(content)
        assert steps.reason == "The release cannot be read (%s): build it again." % fault
        assert steps.names() == ["take", "fetch"]


def test_what_is_not_for_this_device_touches_no_slot():
    for changes, word in (
        ({"board": "b2"}, "board b2"),
        ({"kind": "image", "files": FILES[:1]}, "kind image"),
        ({"micropython": [9, 9]}, "MicroPython 9.9"),
        ({"version": "0.0.9"}, "older"),
    ):
        steps = Steps(manifest(**changes))
        assert steps.state == "refused" and word in steps.reason
        assert steps.names() == ["take", "fetch"]


def test_the_digest_that_runs_is_confirmed_at_once():
    steps = Steps(manifest(digest="aaaaaaaa"))
    assert (steps.state, steps.names()) == ("confirmed", ["take", "fetch"])
    assert Steps(manifest(digest="aaaaaaaa", board="b2")).state == "refused"


def test_a_full_flash_is_refused_before_anything_is_written():
    for missing, said in ((1, 1), (1024, 1), (5000, 5)):
        steps = Steps(prepare=missing)
        assert steps.reason == (
            "The release needs %d KB more than the flash has free: remove files from it." % said
        )
        assert steps.names() == ["take", "fetch", "prepare"]


# Pieces.


def test_a_piece_is_asked_for_again_after_10_s_and_after_a_reconnect():
    request = flow.Request(7, "app.mpy", 4096, 904)
    assert request.values == {
        "serial": 7, "state": "fetch", "path": "app.mpy", "at": 4096, "size": 904,
    }  # fmt: skip
    assert not request.is_due(0, False)
    assert request.is_due(1000, True)
    assert not request.is_due(10999, True)
    assert request.is_due(11000, True)
    assert not request.is_due(12000, True)
    assert not request.is_due(12100, False)
    assert request.is_due(12200, True)
    assert not request.is_due(12300, True)


def test_only_the_piece_that_was_asked_for_is_taken():
    request = flow.Request(7, "app.mpy", 4096, 904)
    assert request.takes("7:app.mpy:4096", 904)
    for name, size in (
        ("8:app.mpy:4096", 904),
        ("7:main.py:4096", 904),
        ("7:app.mpy:0", 904),
        ("7:app.mpy:4096", 903),
        ("7:app.mpy:4096", 905),
        ("", 904),
    ):
        assert not request.takes(name, size)


# After a start.


def test_a_trial_is_confirmed_after_60_s_with_a_session():
    health = flow.Health(0)
    assert health.verdict(30000, False, 0) == ""
    assert health.verdict(89999, True, 0) == ""
    assert health.verdict(90000, True, 0) == "confirm"


def test_a_session_that_is_lost_or_a_task_that_ends_begins_the_60_s_anew():
    health = flow.Health(0)
    assert health.verdict(59000, True, 0) == ""
    assert health.verdict(59500, False, 0) == ""
    assert health.verdict(119000, True, 0) == ""
    assert health.verdict(119200, True, 1) == ""
    assert health.verdict(179199, True, 1) == ""
    assert health.verdict(179200, True, 1) == "confirm"


def test_a_start_that_is_not_confirmed_in_10_minutes_is_over():
    health = flow.Health(0)
    assert health.verdict(599999, False, 0) == ""
    assert health.verdict(600000, False, 0) == "restart"


def trial(slot, tries):
    return {"slot": slot, "tries": tries, "serial": 7, "digest": "d"}


def test_what_a_start_finds():
    for found, slot, confirmed, kind, what in (
        (None, "app_a", "app_a", "files", ""),
        (trial("app_b", 2), "app_b", "app_a", "files", "trial"),
        (trial("app_b", 0), "app_b", "app_a", "files", "trial"),
        (trial("app_b", 2), "app_b", "app_b", "files", "confirmed"),
        (trial("app_b", 0), "app_a", "app_a", "files", "fell_back"),
        (trial("app_b", 3), "app_a", "app_a", "files", "fell_back"),
        (trial("ota_1", 2), "ota_1", "", "image", "trial"),
        (trial("ota_1", 1), "ota_0", "", "image", "retry"),
        (trial("ota_1", 0), "ota_0", "", "image", "fell_back"),
    ):
        assert flow.after_start(found, slot, confirmed, kind) == what


def test_why_the_firmware_from_before_runs():
    assert flow.fallen(0) == (
        "In 3 starts the release had no session for a minute: the one before runs."
    )
    assert flow.fallen(3).startswith("The release was not started: its starts cannot be counted.")
