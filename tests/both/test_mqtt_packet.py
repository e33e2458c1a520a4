"""MQTT 3.1.1 packets: literal bytes of the standard, and what is not of it."""

from mqtt import packet
from mqtt.inflight import Inflight
from mqtt.writer import Writer
from voxwire.errors import WireError


def reader_of(data, size=64):
    reader = packet.Reader(size)
    reader.room()[: len(data)] = data
    reader.filled(len(data))
    return reader


def packets_of(data, step, size=64, limit=0):
    """(kind, topic, payload, packet id, oversized) of each packet, read `step` bytes at a time."""
    reader, packets = packet.Reader(size, limit), []
    while data:
        room = reader.room()
        count = min(step, len(room), len(data))
        room[:count] = data[:count]
        reader.filled(count)
        data = data[count:]
        while reader.next():
            if reader.kind == packet.PUBLISH:
                topic, payload = bytes(reader.topic()), bytes(reader.payload())
                payload = b"" if reader.oversized else payload
                packets.append((reader.kind, topic, payload, reader.packet_id, reader.oversized))
            else:
                packets.append((reader.kind, bytes(reader.body())))
    return packets


def refused(data, size=64):
    try:
        reader = reader_of(data, size)
        while reader.next():
            pass
    except WireError as error:
        return str(error)
    raise AssertionError("was taken: %r" % data)


def test_connect_asks_for_a_clean_session():
    assert packet.connect("cam", 30) == b"\x10\x0f\x00\x04MQTT\x04\x02\x00\x1e\x00\x03cam"


def test_connect_carries_will_user_and_password():
    will = packet.Will(b"v/cam/status", b"off", 1, True)
    assert packet.connect("cam", 60, will, "anna", "pw") == (
        b"\x10\x2c\x00\x04MQTT\x04\xee\x00\x3c\x00\x03cam"
        b"\x00\x0cv/cam/status\x00\x03off\x00\x04anna\x00\x02pw"
    )


def test_subscribe_lists_topics_with_their_qos():
    assert packet.subscribe(10, ((b"a/b", 1), (b"c", 0))) == (
        b"\x82\x0c\x00\x0a\x00\x03a/b\x01\x00\x01c\x00"
    )


def test_publish_is_written_up_to_its_payload():
    buffer = bytearray(16)
    end = packet.put_publish(buffer, b"a/b", 5, 0, 0)
    assert bytes(buffer[:end]) == b"\x30\x0a\x00\x03a/b"
    end = packet.put_publish(buffer, b"a/b", 5, packet.QOS1 | packet.DUP | packet.RETAIN, 258)
    assert bytes(buffer[:end]) == b"\x3b\x0c\x00\x03a/b\x01\x02"


def test_a_remaining_length_has_one_to_four_bytes():
    for value, expected in (
        (0, b"\x00"),
        (127, b"\x7f"),
        (128, b"\x80\x01"),
        (16383, b"\xff\x7f"),
        (16384, b"\x80\x80\x01"),
        (268435455, b"\xff\xff\xff\x7f"),
    ):
        buffer = bytearray(4)
        assert bytes(buffer[: packet.put_length(buffer, 0, value)]) == expected


def test_puback_names_the_packet():
    buffer = bytearray(6)
    assert packet.put_puback(buffer, 2, 0x1234) == 6
    assert bytes(buffer) == b"\x00\x00\x40\x02\x12\x34"


def test_a_publish_is_read_in_place():
    reader = reader_of(b"\x31\x08\x00\x03a/bhey")
    assert reader.next()
    assert (reader.kind, reader.qos, reader.retained) == (packet.PUBLISH, 0, True)
    assert bytes(reader.topic()) == b"a/b" and bytes(reader.payload()) == b"hey"
    reader.payload()[0:1] = b"H"
    assert b"Hey" in bytes(reader.buffer)
    assert not reader.next()


def test_a_length_may_have_four_bytes_and_the_kinds_are_those_of_the_standard():
    reader = reader_of(b"\x30\x84\x80\x80\x00\x00\x01ab\xd0\x00")
    assert reader.next() and bytes(reader.payload()) == b"b"
    assert reader.next() and reader.kind == packet.PINGRESP
    assert [each[0] for each in PACKETS[:3]] == [packet.CONNACK, packet.SUBACK, packet.PUBLISH]
    assert PACKETS[5][0] == packet.PUBACK


def test_a_suback_names_the_packet_it_answers():
    reader = reader_of(b"\x90\x03\x12\x34\x01")
    assert reader.next()
    assert (reader.kind, reader.packet_id) == (packet.SUBACK, 0x1234)


def test_a_suback_has_at_most_64_answers():
    most = b"\x90\x42\x00\x01" + bytes(64)
    assert packets_of(most, 99, limit=68) == [(9, b"\x00\x01" + bytes(64))]
    assert refused(b"\x90\x43\x00\x01") == "mqtt.suback: is 67 bytes"


STREAM = (
    b"\x20\x02\x01\x00"
    b"\x90\x04\x00\x01\x01\x80"
    b"\x32\x08\x00\x03a/b\x00\x07!"
    b"\x30\x03\x00\x01c"
    b"\x30\xc8\x01\x00\x01d" + bytes(197) + b"\x40\x02\x00\x09"
    b"\x32\x50\x00\x03a/b\x00\x08" + bytes(73) + b"\xd0\x00"
)
PACKETS = [
    (2, b"\x01\x00"),
    (9, b"\x00\x01\x01\x80"),
    (3, b"a/b", b"!", 7, 0),
    (3, b"c", b"", 0, 0),
    (3, b"d", b"", 0, 203),
    (4, b"\x00\x09"),
    (3, b"a/b", b"", 8, 82),
    (13, b""),
]


def test_several_packets_in_one_read_are_all_found():
    assert packets_of(STREAM, len(STREAM)) == PACKETS


def test_packets_split_anywhere_are_the_same_as_whole():
    for step in (1, 2, 3, 5, 7, 31, 63, 64):
        assert packets_of(STREAM, step) == PACKETS


def test_a_packet_of_exactly_the_buffer_is_not_oversized():
    data = b"\x30\x3e\x00\x01c" + b"x" * 59
    assert packets_of(data, 9) == [(3, b"c", b"x" * 59, 0, 0)]
    data = b"\x30\x3f\x00\x01c" + b"x" * 60
    assert packets_of(data, 9) == [(3, b"c", b"", 0, 65)]


def test_the_buffer_grows_for_a_packet_within_the_limit_and_is_small_again():
    large = b"\x30\x3f\x00\x01c" + b"x" * 60
    for step in (1, 9, 64, 200):
        packets = packets_of(STREAM + large + STREAM, step, limit=65)
        assert packets == PACKETS + [(3, b"c", b"x" * 60, 0, 0)] + PACKETS
    reader = packet.Reader(64, 65)
    reader.room()[:64] = large[:64]
    reader.filled(64)
    assert not reader.next() and len(reader.room()) == 1
    reader.room()[:] = large[64:]
    reader.filled(1)
    assert reader.next() and bytes(reader.payload()) == b"x" * 60
    assert len(reader.room()) == 64


def test_packets_that_no_broker_sends_are_refused():
    assert refused(b"HTTP/1.1 400") == "mqtt: has a packet no broker sends (0x48)"
    assert refused(b"\x00\x00") == "mqtt: has a packet no broker sends (0x00)"
    assert refused(b"\x10\x00") == "mqtt: has a packet no broker sends (0x10)"
    assert refused(b"\x20\x03abc") == "mqtt: has a packet 0x20 of 3 bytes"
    assert refused(b"\xd0\x01a") == "mqtt: has a packet 0xd0 of 1 bytes"
    assert refused(b"\x90\x02ab") == "mqtt.suback: is 2 bytes"
    assert refused(b"\x30\xff\xff\xff\xff\x01") == "mqtt: has a length of more than 4 bytes"
    assert refused(b"\x34\x06\x00\x01a\x00\x01b") == "mqtt.publish: has QoS 2, 1 was asked for"
    assert refused(b"\x30\x01a") == "mqtt.publish: is cut off"
    assert refused(b"\x30\x03\x00\x02a") == "mqtt.publish.topic: has length 2"
    assert refused(b"\x30\x02\x00\x00") == "mqtt.publish.topic: has length 0"
    assert refused(b"\x32\x05\x00\x01a\x00\x00") == "mqtt.publish: has packet id 0"
    assert refused(b"\x30\xff\x01\x00\x50" + b"t" * 40) == (
        "mqtt.publish.topic: does not fit the buffer"
    )


def test_a_refusal_says_what_to_check_and_no_password():
    assert packet.refusal(4, "cam", "anna") == (
        "The broker refused user 'anna': check the user name and the password."
    )
    assert packet.refusal(5, "cam", None) == (
        "The broker refused user '(none)': check the password and the broker's access list."
    )
    assert packet.refusal(2, "cam", None).startswith("The broker refused the client id 'cam'")
    assert packet.refusal(9, "cam", None) == (
        "The broker refused the connection with the unknown code 9."
    )


def test_the_table_of_messages_in_flight_keeps_their_order():
    table = Inflight(3, 100)
    assert [table.add(b"t", b"%d" % n, 2, n) for n in (1, 2, 3)] == [1, 2, 3]
    assert not table.room(1)
    assert table.acknowledge(1) and not table.acknowledge(1)
    assert table.add(b"t", b"4", 2, 4) == 4
    assert [table.ids[slot] for slot in table.slots()] == [2, 3, 4]
    assert table.oldest_ms(10) == 8


def test_a_full_table_takes_no_message_and_no_bytes():
    table = Inflight(2, 100)
    table.add(b"t", b"", 2, 0)
    assert table.room(100) and not table.room(101)
    table.add(b"t", b"", 2, 0)
    assert not table.room(0)


def test_the_oldest_message_in_flight_is_known_where_the_ticks_wrap():
    table = Inflight(3, 100)
    assert table.oldest_ms(5) == 0
    table.add(b"t", b"x", 2, (1 << 30) - 5)
    table.add(b"t", b"x", 2, 3)
    assert table.oldest_ms(10) == 15


def test_the_table_is_bounded_in_bytes_but_takes_one_of_any_size():
    table = Inflight(3, 100)
    assert table.room(1000)
    table.add(b"t", bytes(60), 2, 0)
    assert table.room(39) and table.room(40) and not table.room(41)
    table.add(b"t", bytes(40), 2, 0)
    assert table.acknowledge(1)
    assert table.room(60) and not table.room(61)


def test_a_packet_id_in_flight_is_not_given_twice():
    table = Inflight(2, 100)
    assert table.add(b"t", b"", 2, 0) == 1
    for expected in range(2, 65536):
        assert table.next_id() == expected
    assert table.next_id() == 2


class Socket:
    """Takes `takes` bytes at a write (None: all), then says it is full."""

    def __init__(self):
        self.writes = []
        self.takes = []

    def write(self, view):
        count = self.takes.pop(0) if self.takes else len(view)
        if count:
            self.writes.append(bytes(view[:count]))
        return count or None


def test_a_packet_is_one_write():
    socket, writer = Socket(), Writer(32, Inflight(2, 100))
    writer.attach(socket)
    writer.begin(b"a", b"hello", 5, 0, 0)
    assert socket.writes == [b"\x30\x08\x00\x01ahello"]


def test_of_a_longer_buffer_only_the_payload_goes_out():
    socket, writer = Socket(), Writer(32, Inflight(2, 100))
    writer.attach(socket)
    for _ in range(2):
        writer.begin(b"a", b"hello, and more", 5, 0, 0)
    assert socket.writes == [b"\x30\x08\x00\x01ahello"] * 2


def test_a_payload_over_the_buffer_is_two_writes():
    socket, writer = Socket(), Writer(16, Inflight(2, 100))
    writer.attach(socket)
    writer.begin(b"a", b"0123456789abcdefghij", 20, 0, 0)
    assert socket.writes == [b"\x30\x17\x00\x01a0123456789a", b"bcdefghij"]
    assert writer.push()


def test_a_partly_written_packet_is_finished_before_the_next_thing():
    socket, writer = Socket(), Writer(32, Inflight(2, 100))
    writer.attach(socket)
    socket.takes = [4, 0, 0, 3, 0]
    writer.begin(b"a", b"hello", 5, 0, 0)
    writer.puback(7)
    assert not writer.push()
    assert not writer.push()
    assert writer.push()
    assert socket.writes == [b"\x30\x08\x00\x01", b"ahe", b"llo", b"\x40\x02\x00\x07"]


def test_a_packet_that_fits_goes_out_in_one_write():
    writer = Writer(32, Inflight(2, 100))
    assert writer.fits(b"abc", 19) and writer.fits(b"abc", 20) and not writer.fits(b"abc", 21)
    assert writer.fits(b"", 23) and not writer.fits(b"", 24)


def test_acknowledgements_go_out_before_there_is_no_room_for_two_more():
    writer = Writer(100, Inflight(2, 100))
    full = []
    for number in range(16):
        full.append(writer.full())
        writer.puback(number)
    assert full == [False] * 15 + [True] and writer.full()


def test_every_message_in_flight_is_sent_again_in_order_with_dup():
    table = Inflight(3, 100)
    for number, payload in enumerate((b"one", b"two", b"three")):
        table.add(b"t", payload, packet.QOS1, number)
    socket, writer = Socket(), Writer(32, table)
    writer.attach(socket)
    writer.send_again()
    table.acknowledge(2)
    assert writer.push()
    assert socket.writes == [b"\x3a\x08\x00\x01t\x00\x01one", b"\x3a\x0a\x00\x01t\x00\x03three"]
    assert writer.writes == 2
    table.touch(50)
    assert table.oldest_ms(60) == 10 and table.count == 2


def test_pings_and_goodbyes_wait_for_the_packet_that_is_being_written():
    socket, writer = Socket(), Writer(32, Inflight(2, 100))
    writer.attach(socket)
    socket.takes = [3, 0]
    writer.begin(b"a", b"hello", 5, 0, 0)
    writer.pingreq()
    writer.disconnect()
    assert writer.push()
    assert socket.writes[1:] == [b"\x01ahello", b"\xc0\x00\xe0\x00"]
    writer.attach(None)
    writer.raw(b"\xc0\x00")
    assert not writer.push()
