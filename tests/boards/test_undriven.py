"""What a board's file names and nothing drives is said, and what is driven is not."""

from tools.boards import files, undriven
from tools.boards.files import ROOT

BOARDS = files.every()


def test_a_board_of_which_all_is_driven_is_not_in_the_table():
    for name in ("m5-atom-echos3r", "xmini-c3", "xmini-c3-v3", "esp32-s3-box-lite"):
        assert undriven.parts(BOARDS[name]) == [], name
        assert f"| {name} |" not in undriven.table(BOARDS)


def test_what_nothing_drives_is_named():
    assert undriven.parts(BOARDS["m5-cores3"]) == [
        "power (AXP2101)", "camera (GC0308 makes no JPEG)", "BM8563", "BMI270", "LTR553",
    ]  # fmt: skip
    assert undriven.parts(BOARDS["waveshare-s3-touch-lcd-1.85"]) == [
        "screen (QSPI: no such bus)", "touch panel (its chip or address is not known)", "power",
        "TCA9554",
    ]  # fmt: skip
    assert "microphone (PDM)" in undriven.parts(BOARDS["xiao-s3-sense-round"])
    assert undriven.parts(BOARDS["lilygo-t-circle-s3"]) == ["rotary switch"]


def test_keys_are_named_by_the_firmwares_own_rule():
    keys = [{"name": name, "gpio": at} for at, name in enumerate(("power", "mute", "talk"))]
    board = {**BOARDS["diy-s3-lcd"], "buttons": keys, "extra": {}}
    assert undriven.parts(board) == ["power", "mute"]
    for others in ([], [{"name": "vol_up", "gpio": 9}]):
        board["buttons"] = keys[:1] + others
        assert undriven.parts(board) == [], "the only key talks"


def test_the_chips_that_count_as_driven_are_in_the_firmware():
    parts = ROOT / "firmware" / "hal" / "parts"
    touch, power = ((parts / name).read_text() for name in ("touch.py", "power_chip.py"))
    assert all(f'("{chip}", ' in touch for chip in undriven._TOUCH)
    assert touch.count('", _') == len(undriven._TOUCH)
    assert all(f'"{chip}": ' in power for chip in undriven._POWER_CHIPS)
