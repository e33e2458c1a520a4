"""Improv's packets, byte for byte as improv-wifi.com/serial has them."""

from provisioning import improv
from voxwire.errors import WireError

# Of the standard's example; the sum is that of all bytes before it.
SET_WIFI = (
    b"IMPROV\x01\x03\x20\x01\x1e\x0cMyWirelessAP\x10mysecurepassword" + bytes((0xE2,))
)  # fmt: skip
ASK_STATE = b"IMPROV\x01\x03\x02\x02\x00\xe5"


def taken(data, reader=None):
    """What a reader makes of `data`, without the bytes inside packets."""
    reader = reader or improv.Reader()
    return [each for each in [reader.take(byte) for byte in data] if each is not None]


def refused(read, data):
    try:
        read(data)
    except WireError as error:
        return str(error)
    raise AssertionError("%r was taken" % data)


def test_a_command_is_read_from_its_bytes():
    assert taken(ASK_STATE) == [(improv.COMMAND, b"\x02\x00")]
    assert improv.command(b"\x02\x00") == (improv.ASK_STATE, b"")


def test_the_standards_example_of_a_wifi_is_read():
    total = sum(SET_WIFI[:-1]) & 255
    ((kind, data),) = taken(SET_WIFI[:-1] + bytes((total,)))
    assert kind == improv.COMMAND
    command, arguments = improv.command(data)
    assert command == improv.SET_WIFI
    assert improv.wifi_settings(arguments) == ("MyWirelessAP", "mysecurepassword")


def test_an_open_network_has_an_empty_password():
    assert improv.wifi_settings(b"\x04cafe\x00") == ("cafe", "")


def test_packets_are_written_as_the_standard_says():
    assert improv.packet(improv.STATE, improv.READY) == b"IMPROV\x01\x01\x01\x02\xe2"
    assert improv.packet(improv.ERROR, improv.UNABLE) == b"IMPROV\x01\x02\x01\x03\xe4"
    packet = improv.result(improv.ASK_NETWORKS, ("home", "-60", "YES"))
    assert packet[:-1] == b"IMPROV\x01\x04\x0f\x04\x0d\x04home\x03-60\x03YES"
    assert improv.result(improv.ASK_NETWORKS, ())[:-1] == b"IMPROV\x01\x04\x02\x04\x00"


def test_what_is_written_is_read_again():
    for data in (b"", b"x", bytes(range(255))):
        for kind in range(1, 5):
            assert taken(improv.packet(kind, data)) == [(kind, data)]


def test_bytes_outside_of_packets_come_back_so_that_ctrl_c_is_seen():
    assert taken(b"\r\x03") == [13, 3]
    assert taken(b"log" + ASK_STATE + b"\x03") == [108, 111, 103, (3, b"\x02\x00"), 3]
    # Half a header is none, and a 3 where the version stands is no version.
    assert taken(b"IMP\x03") == [3]
    assert taken(b"IMPROV\x03") == [3]
    assert taken(b"IIMPROV\x01\x03\x02\x02\x00\xe5") == [73, (3, b"\x02\x00")]


def test_a_wrong_sum_is_a_broken_packet_and_the_next_one_is_read():
    broken = ASK_STATE[:-1] + b"\x00"
    assert taken(broken + ASK_STATE) == [(improv.BROKEN, b""), (improv.COMMAND, b"\x02\x00")]


def test_a_packet_that_stalls_can_be_dropped():
    reader = improv.Reader()
    assert taken(ASK_STATE[:9], reader) == [] and reader.inside
    reader.drop()
    assert taken(b"\x03", reader) == [3] and not reader.inside


def test_a_command_of_another_length_than_it_says_is_refused():
    for data in (b"", b"\x01", b"\x02\x01", b"\x02\x00x"):
        assert refused(improv.command, data) == (
            "improv: has a command of another length than it says"
        )


def test_a_wifi_that_is_cut_or_no_text_is_refused():
    for data in (b"", b"\x05home", b"\x04home", b"\x04home\x09password"):
        assert refused(improv.wifi_settings, data) == "improv: has a text that is cut"
    assert "behind" in refused(improv.wifi_settings, b"\x04home\x00x")
    assert "UTF-8" in refused(improv.wifi_settings, b"\x02\xff\xfe\x00")


def test_a_text_without_room_is_cut_between_characters():
    packet = improv.result(improv.ASK_DEVICE, ("ä" * 200, "1.0", "board", "name"))
    ((_, data),) = taken(packet)
    command, texts = improv.command(data)
    assert command == improv.ASK_DEVICE and len(data) <= improv.DATA_MAX
    assert str(texts[1 : 1 + texts[0]], "utf-8") == "ä" * (texts[0] // 2)
