"""Slots of 32 bits become pcm16: shifted, free of DC, clamped; the same on every word size."""

from hal.sound.pcm import narrow


def slots(*values):
    return b"".join((value & 0xFFFFFFFF).to_bytes(4, "little") for value in values)


def signed(pcm):
    words = [int.from_bytes(pcm[at : at + 2], "little") for at in range(0, len(pcm), 2)]
    return [word - 65536 if word & 0x8000 else word for word in words]


def narrowed(values, shift, first=0, stride=1, dc=0):
    count = len(values) // stride
    pcm = bytearray(count * 2)
    dc = narrow(slots(*values), first, stride, count, shift, pcm, dc)
    return signed(pcm), dc


def test_a_slot_goes_down_by_the_shift():
    # 256ths of the DC that one sample leaves behind stay below 1 here.
    assert narrowed([100 << 16, -100 << 16], 16)[0] == [100, -100]
    assert narrowed([100 << 12, -100 << 12], 12)[0] == [100, -100]
    assert narrowed([100 << 9], 9)[0] == [100]


def test_what_is_too_loud_is_clamped():
    assert narrowed([0x7FFFFFFF], 12)[0] == [32767]
    assert narrowed([-0x80000000], 12)[0] == [-32768]


def test_the_second_slot_is_taken_from_stereo():
    assert narrowed([1 << 16, 50 << 16, 1 << 16, 60 << 16], 16, first=1, stride=2)[0] == [50, 60]


def test_a_constant_is_gone_after_a_tenth_of_a_second():
    dc = 0
    for _ in range(10):
        pcm, dc = narrowed([2000 << 12] * 160, 12, dc=dc)
    assert pcm[-1] < 2000 // 20
    for _ in range(20):
        pcm, dc = narrowed([2000 << 12] * 160, 12, dc=dc)
    assert -2 <= pcm[-1] <= 2


def test_the_dc_of_the_loudest_microphone_keeps_within_a_small_integer():
    _, dc = narrowed([-0x80000000] * 4000, 12)
    assert -(1 << 29) < dc < 0
    # A first sample of full scale the other way.
    assert narrowed([0x7FFFFFFF], 12, dc=dc)[0] == [32767]


def test_at_the_loudest_shift_no_swing_leaves_a_word_of_32_bits():
    dc = 0
    for _ in range(30):
        _, dc = narrowed([-0x80000000] * 160, 9, dc=dc)
    assert -(1 << 30) <= dc < -0.999 * (1 << 30)
    pcm, after = narrowed([0x7FFFFFFF] * 4, 9, dc=dc)
    assert pcm == [32767] * 4
    # Four steps of 1/512 of the whole swing, up.
    assert 16_600_000 < after - dc < 16_777_216
