"""`voxcard announce`: what it asks the bridge, what it prints, its exit codes."""

import json

import pytest
from fakes.command_line import Command, running


@pytest.fixture
def voxcard(monkeypatch, capsys, tmp_path):
    (tmp_path / "voxcard.toml").write_text('[control]\nsocket = "c.sock"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    command = Command(monkeypatch, capsys, tmp_path)
    with running(command.service, tmp_path / "c.sock"):
        yield command


def asked(voxcard):
    [(_, announcement, devices)] = voxcard.service.asked
    return announcement, devices


def test_a_line_for_each_device_says_what_happened(voxcard):
    code, out, err = voxcard("announce", "Dinner.", "--to", "kitchen", "--to", "study")
    assert (code, out, err) == (0, "kitchen: played\nstudy: played\n", "")
    announcement, devices = asked(voxcard)
    assert (announcement.text, devices) == ("Dinner.", ["kitchen", "study"])
    assert (announcement.urgent, announcement.chime, announcement.wait_s) == (False, True, -1)


def test_one_that_was_not_played_is_told_by_the_exit_code_and_named(voxcard):
    code, out, err = voxcard("announce", "Dinner.", "--to", "kitchen", "--to", "away")
    assert code == 1
    assert out == (
        "kitchen: played\n"
        "away: waits: away is not online.\n"
        "away: not played in time: away is not online.\n"
    )
    assert err == "voxcard: It was not played on away.\n"


def test_json_is_a_list_of_the_ends(voxcard):
    code, out, _ = voxcard("announce", "x", "--to", "kitchen", "--to", "away", "--json")
    assert code == 1
    assert json.loads(out) == [
        {"device": "kitchen", "state": "played", "text": "", "delivered": True},
        {"device": "away", "state": "expired", "text": "away is not online.", "delivered": False},
    ]


def test_all_a_sound_a_card_how_urgent_and_how_long(voxcard):
    (voxcard.folder / "gong.mp3").write_bytes(b"sound")
    (voxcard.folder / "card.json").write_text('{"title": "Menu"}')
    words = "--all --audio gong.mp3 --card card.json --urgent --wait 0"
    code, out, _ = voxcard("announce", *words.split())
    assert (code, out) == (0, "kitchen: played\nstudy: played\n")
    announcement, devices = asked(voxcard)
    assert (announcement.text, announcement.audio, devices) == ("", b"sound", [])
    assert announcement.card["title"] == "Menu"
    assert (announcement.urgent, announcement.wait_s) == (True, 0)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("Dinner.", "Give either --to ID"),
        ("Dinner. --all --to kitchen", "Give either --to ID"),
        ("--all", "Give TEXT, --audio FILE or --card FILE"),
        ("Dinner. --all --wait -1", "--wait"),
    ],
)
def test_a_command_that_was_written_wrongly_ends_with_2(voxcard, words, problem):
    code, _, err = voxcard("announce", *words.split())
    assert code == 2 and problem in err
    assert voxcard.service.asked == []


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("x --to gone", "There is no device gone. See: voxcard devices"),
        ("--all --audio none.mp3", "none.mp3 cannot be read: No such file"),
        ("--all --audio empty.mp3", "empty.mp3 is empty."),
        ("--all --audio long.mp3", "long.mp3 is larger than 10 MB."),
        ("--all --card none.json", "none.json"),
    ],
)
def test_an_error_is_one_line(voxcard, words, problem):
    (voxcard.folder / "empty.mp3").write_bytes(b"")
    with (voxcard.folder / "long.mp3").open("wb") as file:
        file.truncate((10 << 20) + 1)
    code, out, err = voxcard("announce", *words.split())
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert problem in err


def test_say_may_be_urgent(voxcard):
    assert voxcard("say", "kitchen", "Fire!", "--urgent") == (0, "", "")
    assert voxcard.service.asked == [("say", "kitchen", "Fire!")]
