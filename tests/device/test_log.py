"""The device's log: what a line says, and that it never costs more than itself."""

import log
import micropython
from fakes.device.log_lines import lines


def test_a_line_has_level_area_and_text():
    log.warning("mqtt", "gone")
    assert lines()[-1] == "warning mqtt: gone"


def test_details_are_written_on_request_only():
    log.debug("test", "hidden")
    log.verbose(True)
    log.debug("test", "shown")
    log.verbose(False)
    assert lines()[-1] == "debug test: shown"
    assert "debug test: hidden" not in lines()


def test_a_fault_is_one_line_with_its_kind():
    try:
        {}["volume"]
    except KeyError as error:
        log.exception("task", "sound", error)
    assert lines()[-1] == "error task: sound failed: KeyError: volume"


def test_a_line_without_heap_is_dropped():
    problem, failed = ValueError("no band"), None
    micropython.heap_lock()
    try:
        log.warning("mqtt", "gone")
        log.exception("task", "sound", problem)
    except MemoryError as error:
        failed = error
    finally:
        micropython.heap_unlock()
    assert failed is None
