"""The command line: what it prints, on which stream, with which exit code."""

import asyncio
import json
import logging
import os
import signal
import sys
import types

import pytest
from fakes.command_line import Command, running
from voxcard.cli.log_lines import LineFormatter
from voxcard.errors import VoxcardError

CARD = '{"title": "Order 1042"}'


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    (tmp_path / "voxcard.toml").write_text(
        '[control]\nsocket = "c.sock"\nadmin_token = "right"\n', encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VOXCARD_ADMIN_TOKEN", raising=False)
    return Command(monkeypatch, capsys, tmp_path)


@pytest.fixture
def voxcard(command):
    """The command with a bridge that runs in a thread of its own."""
    with running(command.service, command.folder / "c.sock"):
        yield command


def test_the_version_is_printed(command):
    assert command("--version") == (0, "voxcard 0.1.0\n", "")


def test_without_a_bridge_one_line_says_how_to_start_it(command):
    code, out, err = command("devices")
    assert (code, out) == (1, "")
    assert err == (
        "voxcard: The bridge is not running."
        " Start it with: voxcard run (and give both the same --config)\n"
    )


def test_a_wrong_configuration_is_one_line(command):
    (command.folder / "bad.toml").write_text("[mqtt]\nhots = 1\n")
    code, out, err = command("devices", "--config", "bad.toml")
    assert (code, out) == (1, "") and err.count("\n") == 1
    assert "[mqtt] has no key `hots`. Did you mean `host`?" in err
    code, _, err = command("run", "--config", "none.toml")
    assert code == 1 and "none.toml cannot be read" in err


class FakeApp:
    """Stands for the bridge as a whole; `act` is what happens while it runs."""

    act = staticmethod(lambda: None)

    def __init__(self, config):
        self.config = config

    async def run(self):
        self.act()
        try:
            await asyncio.Event().wait()
        finally:
            print("ended its children")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_bridge_in_good_order(command, monkeypatch, number):
    FakeApp.act = staticmethod(lambda: os.kill(os.getpid(), number))
    monkeypatch.setitem(sys.modules, "voxcard.app", types.SimpleNamespace(App=FakeApp))
    assert command("run") == (0, "ended its children\n", "")


def test_what_stops_the_bridge_is_one_line(command, monkeypatch):
    def fail():
        raise ExceptionGroup("tasks", [VoxcardError("The broker refused us.", "Check user.")])

    FakeApp.act = staticmethod(fail)
    monkeypatch.setitem(sys.modules, "voxcard.app", types.SimpleNamespace(App=FakeApp))
    assert command("run") == (1, "", "voxcard: The broker refused us. Check user.\n")


USAGE = [
    ("dance",),
    ("say", "kitchen"),
    ("say", "kitchen", ""),
    ("say", "kitchen", " \n"),
    ("ask", "kitchen"),
    ("ask", "kitchen", ""),
    ("ask", "kitchen", "  "),
    ("ask", "kitchen", "x", "--wav", "y.wav"),
    ("tool", "list", "kitchen", "--scope", "god"),
    ("tool", "call", "kitchen", "self.a", "--scope", "ai"),
]


@pytest.mark.parametrize("words", USAGE)
def test_a_command_written_wrongly_exits_with_2(command, words):
    code, out, err = command(*words)
    assert (code, out) == (2, "") and "Error: " in err


def test_devices_are_listed(voxcard):
    assert voxcard("devices") == (
        0,
        "kitchen              idle         The kitchen\n"
        "! Two devices have the id kitchen. Give one of them another id.\n",
        "",
    )
    code, out, _ = voxcard("devices", "--json")
    assert code == 0 and json.loads(out)[0]["id"] == "kitchen"


def test_say_says_nothing_itself(voxcard):
    assert voxcard("say", "kitchen", "Grüße") == (0, "", "")
    assert voxcard.service.asked == [("say", "kitchen", "Grüße")]
    code, out, err = voxcard("say", "gone", "x")
    assert (code, out) == (1, "")
    assert err == "voxcard: There is no device gone. See: voxcard devices\n"


def test_ask_prints_what_happens(voxcard):
    code, out, err = voxcard("ask", "kitchen", "what is the volume")
    assert (code, err) == (0, "")
    assert out == "transcript: what is the volume\nsentence: It is 60.\n"
    code, out, _ = voxcard("ask", "kitchen", "what is the volume", "--json")
    assert [part["kind"] for part in json.loads(out)] == ["transcript", "sentence"]


def test_ask_sends_a_recording_whole(voxcard):
    (voxcard.folder / "q.wav").write_bytes(b"RIFF\x00\xff" * 20_000)
    assert voxcard("ask", "kitchen", "--wav", "q.wav")[0] == 0
    assert voxcard.service.asked == [("ask", "kitchen", "", b"RIFF\x00\xff" * 20_000)]
    code, _, err = voxcard("ask", "kitchen", "--wav", "none.wav")
    assert code == 1 and "none.wav cannot be read" in err


def test_a_question_that_failed_exits_with_1(voxcard):
    code, out, err = voxcard("ask", "kitchen", "fail")
    assert (code, out) == (1, "transcript: fail\n")
    assert err == "voxcard: The microphone was lost.\n"


def test_a_question_that_was_not_understood_exits_with_3(voxcard):
    for words in ((), ("--json",)):
        assert voxcard("ask", "kitchen", "gibberish", *words)[::2] == (3, "")


def test_tools_are_listed_with_what_they_take(voxcard):
    assert voxcard("tool", "list", "kitchen") == (
        0,
        "self.a  [ai]\n    user\n    volume: a whole number, optional\n",
        "",
    )
    code, out, _ = voxcard("tool", "list", "kitchen", "--scope", "ai", "--json")
    assert code == 0 and json.loads(out)[0]["description"] == "ai"


def test_a_tool_is_called_with_values_read_by_its_schema(voxcard):
    code, out, err = voxcard("tool", "call", "kitchen", "self.a", "volume=60", "name=x")
    assert (code, out, err) == (0, "done\n", "half way\n")
    assert voxcard.service.asked == [("self.a", {"volume": 60, "name": "x"}, "user")]
    code, out, _ = voxcard("tool", "call", "kitchen", "self.a", "--json")
    assert json.loads(out)["result"] == {"content": [], "_meta": {"a": 1}}


def test_a_value_of_the_wrong_kind_is_a_usage_error(voxcard):
    for word in ("volume=loud", "volume", "=5"):
        code, out, _ = voxcard("tool", "call", "kitchen", "self.a", word)
        assert (code, out) == (2, "")
    assert voxcard.service.asked == []


def test_the_admin_token_may_come_from_the_environment(voxcard, monkeypatch):
    words = ("tool", "call", "kitchen", "self.reboot", "--scope", "admin")
    code, _, err = voxcard(*words)
    assert code == 0 and err.startswith("Confirm this on the device's screen.\n")
    assert voxcard(*words, "--admin-token", "right")[2] == "half way\n"
    monkeypatch.setenv("VOXCARD_ADMIN_TOKEN", "right")
    assert voxcard(*words)[2] == "half way\n"
    assert [scope for _, _, scope in voxcard.service.asked] == ["user", "admin", "admin"]


def test_a_tool_that_fails_exits_with_1_and_its_sentence(voxcard):
    code, out, err = voxcard("tool", "call", "kitchen", "self.fails")
    assert (code, out) == (1, "") and err.endswith("voxcard: The lamp is unplugged.\n")
    code, out, err = voxcard("tool", "call", "kitchen", "self.fails", "--json")
    assert code == 1 and json.loads(out)["is_error"] is True


def test_a_card_is_shown_from_its_file(voxcard):
    (voxcard.folder / "card.json").write_text(CARD)
    assert voxcard("card", "show", "kitchen", "card.json") == (0, "Shown: c1\n", "")
    assert voxcard.service.asked == [("card", {"title": "Order 1042"})]
    assert json.loads(voxcard("card", "show", "kitchen", "card.json", "--json")[1]) == {"id": "c1"}


@pytest.mark.parametrize(("text", "problem"), [("{", "is not JSON"), ("[]", "holds no JSON obj")])
def test_a_file_that_is_no_card_is_one_line(voxcard, text, problem):
    (voxcard.folder / "card.json").write_text(text)
    code, out, err = voxcard("card", "show", "kitchen", "card.json")
    assert (code, out) == (1, "") and problem in err and err.count("\n") == 1


def test_no_text_in_a_log_line_forges_another_or_commands_the_terminal():
    formatter = LineFormatter("%(levelname)s %(message)s")
    record = logging.LogRecord(
        "voxcard", logging.INFO, "", 0, "kitchen: %s", ("a\x1b[2J\n2026 WARNING forged",), None
    )
    assert formatter.format(record) == "INFO kitchen: a 2026 WARNING forged"


def test_a_traceback_keeps_its_lines():
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        record = logging.LogRecord("voxcard", 40, "", 0, "failed", (), sys.exc_info())
    lines = LineFormatter("%(message)s").format(record).splitlines()
    assert lines[0] == "failed" and lines[-1] == "ZeroDivisionError" and len(lines) > 3
