"""When the gate opens and closes, as frames of voice (#) and of none (.)."""

from session.wake_gate import CLOSED, HANG_MS, LONGEST_MS, OPENED, WakeGate

HANG = HANG_MS // 40
LONGEST = LONGEST_MS // 40
# frames, and what the gate does: o opens, c closes
ROWS = (
    ("......", "      "),
    ("#.....", "      "),  # a click
    ("#....#....#", "           "),  # clicks
    ("##", " o"),
    ("#...#", "    o"),
    ("##" + "." * HANG, " o" + " " * (HANG - 1) + "c"),
    ("##" + "." * (HANG - 1) + "#" + "." * HANG, " o" + " " * (2 * HANG - 1) + "c"),
    ("##" + "." * HANG + "#.", " o" + " " * (HANG - 1) + "c  "),  # begins to count anew
    ("##" + "#" * LONGEST, " o" + " " * (LONGEST - 1) + "c"),
)


def played(frames):
    gate, did = WakeGate(40), ""
    for frame in frames:
        change = gate.update(frame == "#")
        did += {OPENED: "o", CLOSED: "c"}.get(change, " ")
    return gate, did


def test_it_opens_at_a_voice_and_closes_after_a_pause():
    for frames, expected in ROWS:
        gate, did = played(frames)
        assert did == expected, (frames, did)
        assert gate.is_open == ((expected.strip() or "c")[-1] == "o")


def test_its_times_are_the_same_for_every_length_of_frame():
    for frame_ms in (20, 40, 60):
        gate = WakeGate(frame_ms)
        gate.update(True)
        assert gate.update(True) == OPENED
        quiet = 1
        while gate.update(False) != CLOSED:
            quiet += 1
        assert quiet == HANG_MS // frame_ms
