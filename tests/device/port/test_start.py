"""What goes before every other import on the port, and what follows a board through its life."""

from fakes.port import clock  # noqa: I001  the port's clock goes before all else
import sys

import esp32
import machine
import network
import ntptime
from fakes.device.board import Flash
from fakes.port.pins import Pin
from hal import credentials, start, watchdog
from hal import esp32 as hal_esp32
from hal import clock as hal_clock
from hal.console import LINE_CHARACTERS, QUEUE, STEP_CHARACTERS, Console
from screen import font

XTENSAWIN, RV32 = 10 << 10 | 6, 11 << 10 | 6


def test_a_risc_v_chip_is_refused_before_micropython_1_28():
    text = "MicroPython 1.27 miscompiles fast code for this chip: install 1.28 or newer."
    assert start.refusal((1, 27, 0, ""), RV32) == text
    assert start.refusal((1, 28, 0, ""), RV32) == ""
    assert start.refusal((2, 0, 0, ""), RV32) == ""
    assert start.refusal((1, 26, 1, ""), XTENSAWIN) == ""


def test_the_ports_relative_path_becomes_absolute_and_fonts_are_found():
    path = ["", ".frozen", "/lib", "app_a"]
    start.make_absolute(path)
    assert path == ["/", ".frozen", "/lib", "/app_a"]
    # MicroPython joins an entry and a module with a slash, and "//" is "/".
    assert font.folder("//screen/view.py", "/somewhere") == "//fonts/"
    assert font.folder("screen/view.py", "/") == "/fonts/"


def test_the_processor_runs_as_fast_as_it_can_and_the_radio_has_its_memory():
    for chip, hz in (("esp32s3", 240000000), ("esp32", 240000000), ("esp32c3", 160000000)):
        Pin.chip = chip
        machine.hz = 80000000
        network.WLAN(0).active(False)
        path = list(sys.path)
        start.prepare()
        sys.path[:] = path
        assert machine.freq() == hz
        assert network.WLAN(0).active() is True
    Pin.chip = "esp32s3"


def test_a_board_knows_what_can_take_the_place_of_its_firmware():
    path, file = list(sys.path), hal_esp32.__file__
    try:
        assert hal_esp32._place() == (None, "")
        sys.path.insert(0, "/app_b")
        assert hal_esp32._place() == ("files", "app_b")
        sys.path[:] = path
        esp32.Partition.power_up(Flash(9, 4096), running=1)
        assert hal_esp32._place() == (None, "")  # a stock image
        hal_esp32.__file__ = "hal/esp32.py"  # frozen
        assert hal_esp32._place() == ("image", "ota_1")
        esp32.Partition.flash = None
        assert hal_esp32._place() == (None, "")  # a table with one app partition
    finally:
        sys.path[:] = path
        hal_esp32.__file__ = file


def test_the_clock_counts_from_2000_and_is_set_by_seconds_since_1970():
    clock.set_wall(0)
    assert not hal_clock.is_set()
    hal_clock.set_time(1796032800)
    assert clock.gmtime()[:5] == (2026, 11, 30, 10, 0)
    assert hal_clock.is_set()


def test_the_network_is_asked_for_the_time_where_it_is_not_set():
    clock.set_wall(0)
    ntptime.now_s = None
    assert hal_clock.ask_network() == "no time from the network (116)"
    ntptime.now_s = 1796032800 - 946684800
    assert hal_clock.ask_network() == ""
    assert hal_clock.is_set()
    ntptime.now_s = None
    assert hal_clock.ask_network() == "", "a clock that is right is left alone"


def test_a_board_that_is_not_fed_is_reset_and_one_at_the_prompt_is_left_alone():
    machine.WDT.timeout_ms = None
    watchdog.release()
    assert machine.WDT.timeout_ms is None, "nobody started it"
    watchdog.feed()
    clock.block(29000000)
    watchdog.feed()
    watchdog.release()
    clock.block(600000000)  # ten minutes
    watchdog.feed()
    assert machine.WDT.timeout_ms == watchdog.TIMEOUT_MS
    clock.block(31000000)
    try:
        watchdog.feed()
    except AssertionError as error:
        assert str(error) == "the watchdog has reset the board"
    else:
        raise AssertionError("it slept")
    machine.WDT.timeout_ms = None
    del watchdog._watchdog[:]


def test_the_wifi_is_kept_in_nvs_and_what_is_no_good_is_named():
    esp32.NVS.stored.clear()
    assert credentials.load() is None
    credentials.save(
        "home", "correct horse", "DE", ["10.0.0.9", "255.0.0.0", "10.0.0.1", "10.0.0.1"]
    )
    assert credentials.load() == (
        "home", "correct horse", "DE", ("10.0.0.9", "255.0.0.0", "10.0.0.1", "10.0.0.1"),
    )  # fmt: skip
    for wrong in (
        ("", "12345678"),
        ("x" * 33,),
        ("home", "short"),
        ("home", "", "", ["10.0.0.9"]),
    ):
        credentials.save(*wrong)
        try:
            credentials.load()
        except ValueError as error:
            assert str(error).startswith("the stored ")
        else:
            raise AssertionError(wrong)


class Line:
    """A serial line: what was written, and the longest piece."""

    def __init__(self):
        self.pieces = []

    def write(self, text):
        self.pieces.append(text)


def test_the_log_never_writes_more_than_a_step_and_loses_nothing_it_has_room_for():
    line = Line()
    console = Console(line)
    text = "1.000 info voice: " + "x" * 100 + "\n"
    console.write(text)
    assert line.pieces == []
    for _ in range(3):
        console.flush_some()
    assert "".join(line.pieces) == text
    assert max(len(each) for each in line.pieces) <= STEP_CHARACTERS


def test_lines_without_room_are_counted_and_the_count_is_said():
    line = Line()
    console = Console(line)
    for number in range(QUEUE + 5):
        console.write("%d\n" % number)
    console.flush_some()
    console.flush_all()
    kept = "".join(line.pieces).split("\n")
    assert kept[:QUEUE] == [str(number) for number in range(QUEUE)]
    console.write("later\n")
    for _ in range(4):
        console.flush_some()
    assert "".join(line.pieces).endswith("later\n5 lines of the log were dropped\n")


def test_a_traceback_is_queued_line_by_line_and_a_long_line_is_cut():
    line = Line()
    console = Console(line)
    try:
        raise ValueError("y" * 1000)
    except ValueError as error:
        sys.print_exception(error, console)
    console.flush_all()
    text = "".join(line.pieces)
    assert text.startswith("Traceback (most recent call last):\n")
    assert max(len(each) for each in text.split("\n")) <= LINE_CHARACTERS
