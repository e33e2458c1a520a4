"""How `make demo` ends: with a reason, the log's name, and the record of what was played."""

import json

import pytest
from PIL import Image
from voxcard.sim.patience import StalledError

from tools.sim import __main__ as sim
from tools.sim.demo import __main__ as demo
from tools.sim.demo.checks import DemoError, check_turn
from tools.sim.demo.keepsakes import sound_after_ms
from tools.sim.demo.script import VOLUME
from tools.sim.speech import write


@pytest.fixture
def ended(tmp_path, monkeypatch, capsys):
    """`ended(error)` is what main returns and prints when the conversation raises it."""

    def run(error):
        async def played(self):
            self._turns.append({"name": "1", "said": "a", "reply": "b", "stages_ms": {}})
            if error:
                raise error

        monkeypatch.setattr("sys.argv", ["demo"])
        monkeypatch.setattr(demo, "OUT", tmp_path / "demo")
        monkeypatch.setattr(demo.Demo, "run", played)
        return demo.main(), capsys.readouterr().out

    return run


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (TimeoutError(), "The demo failed: TimeoutError"),
        (OSError(), "The demo failed: OSError"),
        (
            DemoError("3-order", "the tool", "[no]"),
            "The demo failed: turn 3-order, the tool: [no]",
        ),
        (StalledError("the bridge did not come."), "The demo failed: the bridge did not come."),
    ],
)
def test_a_failure_has_a_reason_and_names_the_log(ended, tmp_path, error, reason):
    status, printed = ended(error)
    assert status == 1
    assert printed.splitlines()[-2:] == [
        reason,
        f"See {tmp_path}/demo/ and the bridge's log, {tmp_path}/demo/state/bridge.log",
    ]
    assert (tmp_path / "demo" / "summary.txt").read_text().startswith(reason + "\n")


@pytest.mark.parametrize("program", [demo, sim])
def test_without_micropython_one_line_says_so_before_anything_is_started(
    program, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("MICROPYTHON", "/nowhere")
    monkeypatch.setattr("sys.argv", ["sim"])
    monkeypatch.setattr(program, "OUT" if program is demo else "FOLDER", tmp_path / "out")
    assert program.main() == 1
    said = "".join(capsys.readouterr())
    assert "MICROPYTHON names /nowhere, which is no program. Correct it." in said
    assert "tarting" not in said


def test_an_interruption_is_told_and_keeps_what_was_played(ended, tmp_path):
    status, printed = ended(KeyboardInterrupt())
    assert status == 130 and "The demo was interrupted." in printed
    [turn] = json.loads((tmp_path / "demo" / "turns.json").read_text())
    assert turn["name"] == "1"


def test_success_names_the_folder_alone(ended, tmp_path):
    status, printed = ended(None)
    assert status == 0 and printed.splitlines()[-1] == f"See {tmp_path}/demo/"


RECORD = {
    "error": "",
    "transcript": "Set the volume to 60.",
    "tools": [{"name": VOLUME.tool, "arguments": {"volume": 60}, "text": "", "is_error": False}],
    "reply": "The volume is now 60 percent.",
    "frames_lost": 0,
    "last_seq_played": 7,
    "last_seq_sent": 7,
    "interrupted": False,
}


def test_a_turn_that_is_right_passes():
    check_turn(VOLUME, RECORD)


@pytest.mark.parametrize(
    ("change", "stage"),
    [
        ({"error": "no"}, "the turn"),
        ({"transcript": "Set the volume to 16."}, "recognition"),
        ({"tools": []}, "the tool call"),
        ({"tools": [{**RECORD["tools"][0], "is_error": True}]}, "the tool"),
        ({"reply": "Done."}, "the answer"),
        ({"frames_lost": 1}, "the microphone"),
        ({"last_seq_played": 6}, "the speaker"),
    ],
)
def test_what_is_wrong_with_a_turn_is_named_by_its_stage(change, stage):
    with pytest.raises(DemoError, match=f"turn 1-volume, {stage}: "):
        check_turn(VOLUME, RECORD | change)


def test_sound_after_the_press_is_measured_in_the_speakers_file(tmp_path):
    pcm = b"\1\0" * 1600 + b"\0\0" * 1600
    write(tmp_path / "speaker.wav", pcm)
    marks = [{"state": "start", "samples": 0}, {"state": "stop", "samples": 3200}]
    assert sound_after_ms(800, tmp_path / "speaker.wav", marks) == 50
    assert sound_after_ms(2000, tmp_path / "speaker.wav", marks) == 0


def test_a_screen_is_kept_at_its_size_and_larger(tmp_path):
    keepsakes = demo.Keepsakes(tmp_path / "kept")
    image = keepsakes.screen("a", b"P4\n8 2\n\x7f\xff")
    assert image.size == (8, 2) and image.getpixel((0, 0)) == 255
    with Image.open(tmp_path / "kept" / "screen-a@4x.png") as larger:
        assert larger.size == (32, 8)
    assert sorted(path.name for path in keepsakes.folder.iterdir()) == [
        "screen-a.png",
        "screen-a@4x.png",
    ]
