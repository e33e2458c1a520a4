"""The jitter buffer's book: rows of (at_ms, what happens, what comes of it)."""

from audio.jitter import DROPPED, END, GAP, WAIT, Jitter


def run(rows, base=100, slots=8, **limits):
    """Play rows (at_ms, "put"|"take"|"finish", argument, expected); the jitter at the end.

    `take`'s argument is what the speaker still holds in ms.
    """
    jitter = Jitter(slots, **limits)
    jitter.begin(base, 0)
    for row in rows:
        at_ms, what, argument, expected = row
        if what == "put":
            outcome = jitter.put(argument, at_ms)
        elif what == "take":
            outcome = jitter.take(at_ms, argument)
        else:
            outcome = jitter.finish(argument, at_ms)
        assert outcome == expected, (row, outcome)
    return jitter


def counts(jitter):
    return (jitter.lost, jitter.late, jitter.duplicate, jitter.stray)


def test_an_answer_that_is_no_slot_cannot_be_taken_for_one():
    assert DROPPED < 0 and max(WAIT, GAP, END) < 0 and len({WAIT, GAP, END}) == 3


def test_playing_starts_when_enough_frames_are_here():
    jitter = run(
        (
            (0, "take", 0, WAIT),
            (10, "put", 100, 4),
            (20, "put", 101, 5),
            (30, "take", 0, WAIT),
            (40, "put", 102, 6),
            (50, "take", 0, 4),
            (60, "take", 30, 5),
            (70, "take", 60, 6),
        )
    )
    assert counts(jitter) == (0, 0, 0, 0)


def test_a_short_reply_starts_as_soon_as_its_last_frame_is_known():
    run(
        (
            (10, "put", 100, 4),
            (20, "take", 0, WAIT),
            (30, "finish", 100, None),
            (40, "take", 0, 4),
            (50, "take", 40, END),
        )
    )


def test_a_slow_sender_is_not_waited_for_longer_than_the_start_limit():
    run(((10, "put", 100, 4), (169, "take", 0, WAIT), (170, "take", 0, 4)))
    run(
        (
            (10, "put", 100, 4),
            (100, "put", 101, 5),
            (169, "take", 0, WAIT),
            (170, "take", 0, 4),
        )
    )


def test_frames_in_the_wrong_order_are_played_in_the_right_one():
    jitter = run(
        (
            (0, "put", 102, 6),
            (0, "put", 100, 4),
            (0, "put", 101, 5),
            (1, "take", 0, 4),
            (1, "take", 40, 5),
            (1, "take", 80, 6),
        )
    )
    assert counts(jitter) == (0, 0, 0, 0)


def test_a_missing_frame_is_waited_for_until_the_speaker_runs_low():
    jitter = run(
        (
            (0, "put", 100, 4),
            (0, "put", 102, 6),
            (0, "put", 103, 7),
            (0, "take", 0, 4),
            (1, "take", 41, WAIT),
            (2, "take", 40, GAP),
            (3, "take", 80, 6),
            (4, "put", 101, DROPPED),
            (5, "take", 80, 7),
        )
    )
    assert counts(jitter) == (1, 1, 0, 0)


def test_a_missing_first_frame_is_a_gap_as_well():
    jitter = run(
        (
            (0, "put", 101, 5),
            (0, "put", 102, 6),
            (0, "put", 103, 7),
            (1, "take", 0, GAP),
            (2, "take", 40, 5),
        )
    )
    assert counts(jitter) == (1, 0, 0, 0)


def test_duplicates_are_dropped_before_and_after_they_were_played():
    jitter = run(
        (
            (0, "put", 100, 4),
            (0, "put", 100, DROPPED),
            (0, "finish", 100, None),
            (1, "take", 0, 4),
            (2, "put", 100, DROPPED),
        )
    )
    assert counts(jitter) == (0, 0, 2, 0)


def test_sequence_numbers_wrap():
    jitter = run(
        (
            (0, "put", 65535, 7),
            (0, "put", 0, 0),
            (0, "finish", 0, None),
            (1, "take", 0, 7),
            (1, "take", 40, 0),
            (1, "take", 80, END),
        ),
        base=65535,
    )
    assert counts(jitter) == (0, 0, 0, 0)


def test_after_an_underrun_it_fills_again_before_it_plays():
    jitter = run(
        (
            (0, "put", 100, 4),
            (160, "take", 0, 4),
            (170, "take", 30, WAIT),
            (200, "take", 0, WAIT),  # dry
            (900, "put", 101, 5),
            (901, "take", 0, WAIT),
            (902, "put", 102, 6),
            (903, "put", 103, 7),
            (904, "take", 0, 5),
        )
    )
    assert counts(jitter) == (0, 0, 0, 0)


def test_an_empty_ring_is_no_underrun_while_the_speaker_plays():
    run(
        (
            (0, "put", 100, 4),
            (160, "take", 0, 4),
            (170, "take", 30, WAIT),
            (180, "put", 101, 5),
            (181, "take", 20, 5),
        )
    )


def test_a_burst_after_a_stall_pushes_out_the_oldest():
    rows = [(0, "put", 100 + n, (100 + n) & 7) for n in range(11)]
    rows += [(1, "take", 0, 103 & 7), (1, "take", 40, 104 & 7)]
    assert counts(run(rows)) == (3, 0, 0, 0)
    again = [(2, "put", seq, DROPPED) for seq in (100, 101, 102)]
    assert counts(run(rows + again)) == (3, 0, 3, 0)


def test_a_frame_far_ahead_makes_everything_before_it_that_has_no_room_a_loss():
    jitter = run(((0, "put", 100, 4), (0, "put", 120, 0), (0, "put", 112, DROPPED)))
    assert counts(jitter) == (13, 1, 0, 0) and jitter.next_seq == 113


def test_a_frame_of_another_stream_is_dropped():
    jitter = run(
        (
            (0, "put", 100, 4),
            (0, "put", 100 + 256, DROPPED),
            (0, "put", 100 + 257, DROPPED),
            (0, "put", 40000, DROPPED),
            (0, "finish", 101, None),
            (0, "put", 102, DROPPED),
        )
    )
    assert counts(jitter) == (0, 0, 0, 4)


def test_when_the_last_frames_never_come_it_ends_all_the_same():
    jitter = run(
        (
            (0, "put", 100, 4),
            (10, "finish", 103, None),
            (20, "take", 0, 4),
            (30, "take", 0, WAIT),
            (1009, "take", 0, WAIT),
            (1010, "take", 0, END),
            (1020, "take", 0, END),
        )
    )
    assert counts(jitter) == (3, 0, 0, 0)


def test_a_late_last_frame_is_still_played():
    run(
        (
            (10, "finish", 100, None),
            (900, "take", 0, WAIT),
            (905, "put", 100, 4),
            (910, "take", 0, 4),
            (911, "take", 40, END),
        )
    )


def test_frames_before_a_known_end_are_played():
    run(
        (
            (0, "put", 100, 4),
            (0, "finish", 102, None),
            (1, "put", 101, 5),
            (1, "put", 102, 6),
            (2, "take", 0, 4),
            (2, "take", 40, 5),
            (2, "take", 80, 6),
            (2, "take", 120, END),
        )
    )


def test_of_the_last_24_frames_it_is_known_which_were_played():
    rows = [(0, "put", seq, seq & 31) for seq in range(100, 126) if seq != 110]
    rows += [(1, "take", 0, GAP if seq == 110 else seq & 31) for seq in range(100, 126)]
    for back in range(1, 27):
        played = back <= 24 and back != 16
        jitter = run(rows + [(2, "put", 126 - back, DROPPED)], slots=32)
        assert (jitter.duplicate, jitter.late) == (int(played), int(not played)), back


def test_a_late_frame_that_comes_again_is_a_duplicate():
    rows = ((0, "put", 101, 5), (0, "put", 102, 6), (0, "put", 103, 7), (1, "take", 0, GAP))
    again = tuple((2, "put", 100, DROPPED) for _ in range(3))
    assert counts(run(rows + again)) == (1, 1, 2, 0)


def test_a_frame_that_made_room_for_newer_ones_has_come():
    burst = tuple((0, "put", seq, seq & 7) for seq in (100, 101, 103, 104, 105, 106, 107, 110))
    after = tuple((1, "put", seq, DROPPED) for seq in (100, 101, 102, 102))
    assert counts(run(burst + after)) == (3, 1, 3, 0)


def test_what_came_is_known_beyond_the_frames_that_are_given_up_at_the_end():
    rows = (
        (0, "put", 100, 4),
        (0, "finish", 103, None),
        (1, "take", 0, 4),
        (999, "take", 0, WAIT),
        (1000, "take", 0, END),
    )
    for seq, count in ((103, (3, 1, 0, 0)), (101, (3, 1, 0, 0)), (100, (3, 0, 1, 0))):
        assert counts(run(rows + ((1001, "put", seq, DROPPED),))) == count, seq
    far = (
        (0, "put", 100, 4),
        (0, "finish", 200, None),
        (1, "take", 0, 4),
        (1000, "take", 0, END),
    )
    assert counts(run(far + ((1001, "put", 100, DROPPED),))) == (100, 1, 0, 0)


def test_a_stream_without_a_frame_ends_at_once():
    assert run(((0, "finish", None, None), (0, "take", 0, END))).lost == 0
    assert run(((0, "finish", None, None), (0, "take", 0, END)), base=None).lost == 0
    assert run(((0, "finish", 99, None), (0, "take", 0, END))).lost == 0


def test_an_end_without_a_number_is_after_what_has_come():
    run(
        (
            (0, "put", 100, 4),
            (0, "put", 101, 5),
            (0, "finish", None, None),
            (1, "take", 0, 4),
            (1, "take", 40, 5),
            (1, "take", 80, END),
        )
    )


def test_an_end_without_a_number_is_after_the_newest_frame_wherever_one_is_missing():
    run(
        (
            (0, "put", 101, 5),
            (0, "finish", None, None),
            (1, "take", 0, GAP),
            (1, "take", 40, 5),
            (1, "take", 80, END),
        )
    )


def test_without_a_base_the_first_frame_to_come_is_the_first():
    run(((0, "put", 7, 7), (0, "finish", 7, None), (1, "take", 0, 7)), base=None)


def test_limits_hold_when_the_clock_wraps():
    wrap = 1 << 30
    run(((wrap - 10, "put", 100, 4), (20, "take", 0, WAIT), (150, "take", 0, 4)))


def test_a_new_stream_forgets_the_old_one():
    jitter = run(((0, "put", 100, 4), (0, "put", 100, DROPPED), (0, "finish", 100, None)))
    jitter.begin(4, 50)
    assert counts(jitter) == (0, 0, 0, 0)
    assert jitter.take(1000, 0) == WAIT and jitter.put(4, 1000) == 4


def test_every_frame_comes_out_once_in_order_whatever_the_arrival():
    order = (3, 0, 1, 1, 2, 6, 4, 5, 7, 2, 9, 8)
    jitter = Jitter(16)
    jitter.begin(65530, 0)
    for n in order:
        jitter.put((65530 + n) & 0xFFFF, 0)
    jitter.finish((65530 + 9) & 0xFFFF, 0)
    taken = []
    while True:
        slot = jitter.take(1, 100)
        if slot == END:
            break
        taken.append(slot)
    assert taken == [(65530 + n) & 15 for n in range(10)]
    assert counts(jitter) == (0, 0, 2, 0)


def test_a_ring_of_another_size_is_refused():
    for slots in (0, 2, 12):
        try:
            Jitter(slots)
        except ValueError as error:
            assert str(error).endswith("not %d" % slots)
        else:
            raise AssertionError(slots)


def test_frames_that_never_came_are_counted_when_the_stream_is_given_up():
    for base, last, lost in ((100, 105, 3), (65534, 2, 2), (100, 102, 0)):
        first = [(0, "put", (base + ahead) & 0xFFFF, (base + ahead) & 7) for ahead in range(3)]
        taken = [(1, "take", 0, (base + ahead) & 7) for ahead in range(3)]
        jitter = run(first + [(0, "finish", last, None)] + taken, base=base)
        if lost:
            assert jitter.take(jitter.quiet_ms - 1, 0) == WAIT
        assert jitter.take(jitter.quiet_ms, 0) == END
        assert counts(jitter) == (lost, 0, 0, 0), base
        assert jitter.take(jitter.quiet_ms, 0) == END
        assert counts(jitter) == (lost, 0, 0, 0)
        if lost:
            assert jitter.put(last, jitter.quiet_ms) == DROPPED
