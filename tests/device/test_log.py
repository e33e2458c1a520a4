"""The device's log: the last lines are kept, shortened."""

import log


def test_a_line_has_level_area_and_text():
    log.warning("mqtt", "gone")
    assert log.lines()[-1].split(" ", 1)[1] == "warning mqtt: gone"


def test_only_the_last_lines_are_kept_and_long_ones_cut():
    for number in range(30):
        log.info("test", "%d " % number + "x" * 300)
    kept = log.lines()
    assert len(kept) == 12 and " 18 x" in kept[0] and len(kept[-1]) == 160


def test_details_are_written_on_request_only():
    log.debug("test", "hidden")
    log.verbose(True)
    log.debug("test", "shown")
    log.verbose(False)
    assert log.lines()[-1].endswith("debug test: shown")
    assert not any("hidden" in line for line in log.lines())


def test_a_fault_is_one_line_with_its_kind():
    try:
        {}["volume"]
    except KeyError as error:
        log.exception("task", "sound failed", error)
    assert log.lines()[-1].endswith("error task: sound failed: KeyError: volume")
