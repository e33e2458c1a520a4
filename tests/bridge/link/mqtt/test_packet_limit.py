"""Too large a message is cut while it arrives; every other byte passes as it came."""

import random

import pytest
from voxcard.link.mqtt.packet_limit import MESSAGE_MAX, PACKET_MAX, PacketLimit


def length(size):
    out = bytearray()
    while True:
        size, byte = size >> 7, size & 0x7F
        out.append(byte | 0x80 if size else byte)
        if not size:
            return bytes(out)


def publish(size, *, first=0x32):
    """A PUBLISH of QoS 1 on v/a/up with packet id 7, whose payload has `size` bytes."""
    body = b"\0\x06v/a/up\0\x07" + bytes(size)
    return bytes((first,)) + length(len(body)) + body


def cut(packet):
    """`packet` as it is when it is too large."""
    head = 1 + len(length(len(packet) - 5))
    return packet[:1] + length(PACKET_MAX) + packet[head : head + PACKET_MAX]


def passed(data, size):
    """What passes of `data` when it comes `size` bytes at a time."""
    limit = PacketLimit()
    return b"".join(limit.take(data[at : at + size]) for at in range(0, len(data), size))


SMALL = b"\xd0\0" + publish(0) + b"\x40\x02\0\x07" + publish(8192) + publish(MESSAGE_MAX)
LARGE = publish(PACKET_MAX + 1)
HUGE = publish(200_000)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 4096, 65536])
def test_messages_within_the_limit_pass_byte_for_byte(size):
    assert passed(SMALL, size) == SMALL


@pytest.mark.parametrize("size", [1, 5, 1000, 65536, 10_000_000])
def test_a_message_over_the_limit_is_cut_and_those_round_it_are_whole(size):
    data = SMALL + LARGE + SMALL + HUGE + HUGE + SMALL
    whole = SMALL + cut(LARGE) + SMALL + cut(HUGE) * 2 + SMALL
    assert passed(data, size) == whole


def test_what_is_left_of_it_is_still_more_than_a_message_may_have():
    rest = passed(HUGE, 65536)
    assert len(rest) == 1 + 3 + PACKET_MAX
    assert len(rest) - 4 - len(b"\0\x06v/a/up\0\x07") > MESSAGE_MAX


def test_other_packets_are_never_cut():
    answer = b"\x90" + length(PACKET_MAX + 10) + bytes(PACKET_MAX + 10)
    assert passed(answer, 1000) == answer


def test_no_more_than_one_read_is_held_of_a_message_of_256_megabytes():
    limit = PacketLimit()
    held = len(limit.take(b"\x32\xff\xff\xff\x7f"))
    held += sum(len(limit.take(bytes(65536))) for _ in range(4096))
    assert held <= 5 + PACKET_MAX


def test_any_bytes_in_any_pieces_pass_alike():
    chance = random.Random(7)
    for _ in range(30):
        data = chance.randbytes(200) + publish(chance.choice((5, 70_000))) + chance.randbytes(50)
        assert passed(data, chance.randint(1, 50)) == passed(data, len(data))
