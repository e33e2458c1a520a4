"""A microphone that its person muted stays so, whatever a hostile bridge calls."""

import app
from fakes.device.board import Panel
from fakes.device.silent_board import SilentBoard, Sound
from settings import SettingError, Settings

MODES = ("off", "button", "wake_word")
SCOPES = ("ai", "user", "admin")


class DarkPanel(Panel):
    cell = (6, 12)


def muted(display=None):
    """(a device whose microphone is off, how often that was started)."""
    board, starts = SilentBoard(), []
    board.display = display
    idle = lambda *_: 0  # noqa: E731
    board.microphone = Sound(16000, (16000, 24000), lambda *_: starts.append(1), idle, idle)
    device = app.App(board)
    device._change("microphone", "off")
    return device, starts


def call(device, name, scope, **arguments):
    meta = {"voxcard/scope": scope}
    params = {"name": name, "arguments": arguments, "_meta": meta}
    return device._tools.handle(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    )


def test_its_calls_are_refused_with_a_sentence_whatever_it_calls_itself():
    for scope in SCOPES:
        for mode in MODES:
            device, starts = muted()
            result = call(device, "self.microphone.set_mode", scope, mode=mode)["result"]
            assert result["isError"] is (mode != "off")
            if result["isError"]:
                assert "at the device alone" in result["content"][0]["text"]
            assert device._settings.get("microphone") == "off" and not starts


def test_no_other_tool_and_no_restart_lifts_it():
    device, starts = muted(DarkPanel())
    # fmt: off
    values = {"volume": 60, "on": False, "theme": "dark", "brightness": 50, "text": "x",
              "to": "close", "seconds": 5, "time": "7:00", "label": "", "which": ""}
    # fmt: on
    registry, called = device._tools._registry, 0
    for tool in list(registry.tools) + list(registry.later()):
        if tool.name not in ("self.microphone.set_mode", "self.reboot"):
            supplied = {key: values[key] for key in tool.parameters if key in values}
            call(device, tool.name, "admin", **supplied)
            called += 1
    assert called > 10
    again = app.App(device._board)
    assert device._settings.get("microphone") == again._settings.get("microphone") == "off"
    assert not starts


def test_a_stored_setting_of_another_kind_does_not_lift_it():
    settings = Settings()
    settings.set("microphone", "off")
    for wrong in (True, None, "", "On", "on ", 1, ["on"]):
        try:
            settings.set("microphone", wrong)
            raise AssertionError(wrong)
        except SettingError:
            assert settings.get("microphone") == "off"
