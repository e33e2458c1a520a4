"""`voxcard update`: offers a release, shows how far it is, and says how it ended."""

import json

import pytest
from fakes.command_line import Command, running
from fakes.releases import release
from voxcard.cli.releases import update_command
from voxcard.control.service import DeviceRow


@pytest.fixture
def home(monkeypatch, capsys, tmp_path):
    """The command line in a folder with a configuration, a release and a bridge that runs."""
    monkeypatch.chdir(tmp_path)
    text = '[mqtt]\naccounts = "accounts"\n[control]\nsocket = "c.sock"\n'
    (tmp_path / "voxcard.toml").write_text(text, encoding="utf-8")
    release(tmp_path / "a.voxrelease")
    command = Command(monkeypatch, capsys, tmp_path)
    monkeypatch.setenv("VOXCARD_ADMIN_TOKEN", "right")
    with running(command.service, tmp_path / "c.sock"):
        yield command


def test_an_update_is_followed_to_its_end(home):
    code, out, err = home("update", "kitchen", "a.voxrelease")
    assert code == 0 and out == "kitchen runs 0.2.0+1f3a9c2e.\n"
    assert err.splitlines() == [
        "kitchen is offered 0.2.0+1f3a9c2e and has not asked for it yet.",
        "kitchen fetches 0.2.0+1f3a9c2e: 34 %.",
        "kitchen has 0.2.0+1f3a9c2e whole and starts it on trial.",
    ]
    assert home.service.asked == [("update", "kitchen", True)]


def test_on_a_terminal_a_bar_grows(home, monkeypatch):
    class Terminal(update_command._Shown):
        def __init__(self, device, *, quiet):
            super().__init__(device, quiet=quiet)
            self._is_terminal = True

    monkeypatch.setattr(update_command, "_Shown", Terminal)
    _, _, err = home("update", "kitchen", "a.voxrelease")
    assert "\rkitchen ██████████░░░░░░░░░░░░░░░░░░░░  34 % of 100 bytes\n" in err


def test_a_program_gets_the_end_as_json_alone(home):
    code, out, err = home("update", "kitchen", "a.voxrelease", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["state"] == "confirmed"


def test_a_device_that_fell_back_is_an_error_with_its_reason(home):
    code, out, err = home("update", "bad", "a.voxrelease")
    assert (code, out) == (1, "")
    assert err.splitlines()[-1] == (
        "voxcard: bad went back from 0.2.0+1f3a9c2e to what it had. It did not start."
    )


def test_for_a_device_that_is_away_the_offer_waits(home):
    code, out, _ = home("update", "away", "a.voxrelease")
    assert (code, out) == (0, "away is offline; the offer of 0.2.0+1f3a9c2e waits for it.\n")


def test_ctrl_c_leaves_the_offer_and_says_what_to_do_with_it(home, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(update_command._Shown, "report", stopped)
    code, out, err = home("update", "kitchen", "a.voxrelease")
    assert (code, out) == (130, "")
    assert err.splitlines() == [
        "The offer stands. See how it goes: voxcard update kitchen",
        "Take it back: voxcard update kitchen --cancel",
    ]


def test_what_the_bridge_refuses_is_one_line(home):
    code, out, err = home("update", "attic", "a.voxrelease")
    assert (code, out) == (1, "")
    assert err == "voxcard: attic has no key for updates. Make one.\n"
    assert list((home.folder / "accounts" / "updates" / "_incoming").iterdir()) == []


@pytest.mark.parametrize("text", [b"", b"PK\3\4 cut", b"\xe9 an image"])
def test_a_file_that_is_no_release_is_refused_before_the_bridge_is_asked(home, text):
    (home.folder / "b.voxrelease").write_bytes(text)
    code, _, err = home("update", "kitchen", "b.voxrelease")
    assert code == 1 and "is no release, or is damaged" in err and err.count("\n") == 1
    assert home.service.asked == []


def test_without_a_file_the_state_is_said(home):
    assert home("update", "kitchen")[:2] == (0, "kitchen fetches 0.2.0+1f3a9c2e: 34 %.\n")
    assert json.loads(home("update", "kitchen", "--json")[1])["done_bytes"] == 34


def test_an_offer_is_taken_back(home):
    assert home("update", "kitchen", "--cancel")[:2] == (
        0,
        "The offer of 0.2.0+1f3a9c2e to kitchen was taken back.\n",
    )
    assert home.service.asked == [("update_cancel", "kitchen")]
    assert home("update", "kitchen", "a.voxrelease", "--cancel")[0] == 2


@pytest.mark.parametrize("words", [("a.voxrelease",), ("--cancel",)])
def test_where_the_home_has_an_admin_token_it_is_needed(home, monkeypatch, words):
    monkeypatch.setenv("VOXCARD_ADMIN_TOKEN", "wrong")
    code, _, err = home("update", "kitchen", *words)
    assert code == 1 and "needs the admin token" in err and "wrong" not in err
    assert home.service.asked == []


def test_all_devices_of_the_board_are_offered_it_and_who_is_not_is_named(home):
    home.service.devices = lambda: [
        DeviceRow(id=name, name=name, online=True, board=board)
        for name, board in (
            ("kitchen", "diy-s3-oled"), ("attic", "diy-s3-oled"), ("echo", "m5-atom-echo"),
            ("hall", "diy-s3-oled"),
        )
    ]  # fmt: skip
    code, out, err = home("update", "all", "a.voxrelease")
    assert code == 1 and err == "voxcard: attic has no key for updates. Make one.\n"
    assert out.splitlines() == [
        "kitchen is offered it.", "hall is offered it.", "See how they go: voxcard devices",
    ]  # fmt: skip
    assert [row[1] for row in home.service.asked] == ["kitchen", "attic", "hall"]


def test_no_device_of_the_board_is_an_error(home):
    code, _, err = home("update", "all", "a.voxrelease")
    assert code == 1 and "No device of the board diy-s3-oled has been here." in err
