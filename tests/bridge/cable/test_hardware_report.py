"""What the tests of a board's parts mean."""

import pytest
from voxcard.cable.hardware import report

PHOTO = {"photo_bytes": 20000, "photo_ms": 900, "first": "ffd8", "last": "ffd9"}
METER = {"rate_hz": 16010, "loudest": 900, "quietest": 20, "offset": -40}


@pytest.mark.parametrize(
    ("result", "verdict", "said"),
    [
        (report.microphone(METER), report.OK, "16010 samples a second, loudness 20 to 900"),
        (report.microphone({**METER, "rate_hz": 8000}), report.FAILED, "16000 are exp"),
        (report.microphone({**METER, "rate_hz": 15680}), report.OK, "15680 samples"),
        (report.microphone({**METER, "rate_hz": 15679}), report.FAILED, "16000 are exp"),
        (report.microphone({**METER, "loudest": 2}), report.FAILED, "no sound comes"),
        (report.microphone({**METER, "offset": 9000}), report.FAILED, "gain_shift"),
        (report.microphone({**METER, "quietest": 32700}), report.FAILED, "noise"),
        (report.speaker({"speaker_ms": 1120}, 1000, True), report.OK, "is heard"),
        (report.speaker({"speaker_ms": 1120}, 1000, False), report.FAILED, "amplifier"),
        (report.speaker({"speaker_ms": 2000}, 1000, True), report.FAILED, "clock pins"),
        (report.button("talk", {"pressed": True, "released": True}), report.OK, "let go"),
        (report.button("talk", {"pressed": True, "released": False}), report.FAILED, "`active`"),
        (report.button("talk", {"pressed": False, "released": False}), report.FAILED, "No press"),
        (report.camera({**PHOTO}), report.OK, "A photo of 20000 bytes in 900 ms."),
        (report.camera({**PHOTO, "first": "0000"}), report.FAILED, "begins with 0000"),
        (report.camera({**PHOTO, "last": "ffd8"}), report.FAILED, "ends with ffd8"),
        (report.camera({**PHOTO, "photo_bytes": 0, "first": "", "last": ""}), report.FAILED,
         "begins with nothing"),
        (report.battery({"percent": 64, "charging": None}), report.OK, "64 %."),
        (report.battery({"percent": 64, "charging": True}), report.OK, "64 %, being charged."),
        (report.battery({"percent": 0, "charging": False}), report.OK, "0 %, not being charged."),
        (report.battery({"percent": None, "charging": None}), report.FAILED, "no value"),
        (
            report.memory({"gc_pause_us": 9000, "heap_free_bytes": 4000000,
                           "system_free_bytes": 90000, "system_largest_bytes": 53248}),
            report.OK, "collected in 9.0 ms, 90000 for the network, 53248 in one piece",
        ),
        (
            report.memory({"gc_pause_us": 9000, "heap_free_bytes": 4000,
                           "system_free_bytes": 9000, "system_largest_bytes": 8000}),
            report.FAILED, "8000 in one piece",
        ),
        (report.memory({"gc_pause_us": 90000, "heap_free_bytes": 1}), report.FAILED, "90.0 ms"),
    ],
)  # fmt: skip
def test_a_measurement_is_judged_with_what_to_look_at(result, verdict, said):
    assert result.verdict == verdict and said in result.text


def test_a_report_is_a_page_of_rows():
    rows = [report.absent("display"), report.failed("network", "OSError: no Wi-Fi")]
    assert report.page("diy-s3-oled", "MicroPython 1.28.0", rows) == (
        "Board: diy-s3-oled\nRuns: MicroPython 1.28.0\n\n"
        "absent  display          The board's file has none.\n"
        "failed  network          OSError: no Wi-Fi\n"
    )
