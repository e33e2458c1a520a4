"""The buffered socket between paho and the kernel, over a real pair of sockets."""

import socket

import pytest
from voxcard.link.mqtt.buffered_socket import WRITE_BYTES, BufferedSocket


def tcp_pair():
    with socket.create_server(("127.0.0.1", 0)) as server:
        ours = socket.create_connection(server.getsockname())
        return ours, server.accept()[0]


@pytest.fixture
def pair():
    ours, theirs = tcp_pair()
    ours.setblocking(False)
    yield BufferedSocket(ours), theirs
    ours.close()
    theirs.close()


def test_what_came_together_is_read_in_the_pieces_that_are_asked_for(pair):
    ours, theirs = pair
    theirs.sendall(b"\x30\x05hello")
    assert not ours.has_read()
    assert (ours.recv(1), ours.recv(1), ours.has_read(), ours.recv(5)) == (
        b"\x30",
        b"\x05",
        True,
        b"hello",
    )
    assert not ours.has_read()
    with pytest.raises(BlockingIOError):
        ours.recv(1)


def test_the_end_of_the_stream_is_an_empty_read(pair):
    ours, theirs = pair
    theirs.close()
    assert ours.recv(1) == b""


def test_packets_leave_together_at_the_flush(pair):
    ours, theirs = pair
    assert (ours.send(b"one"), ours.send(bytearray(b"two"))) == (3, 3)
    theirs.setblocking(False)
    with pytest.raises(BlockingIOError):
        theirs.recv(10)
    assert ours.flush()
    assert theirs.recv(10) == b"onetwo"


def test_a_peer_that_does_not_read_is_told_and_loses_nothing(pair):
    ours, theirs = pair
    block = bytes(range(256)) * (WRITE_BYTES // 256)
    sent = ours.send(block)
    while ours.flush():
        sent += ours.send(block)
    sent += ours.send(block)
    with pytest.raises(BlockingIOError):
        ours.send(b"x")
    got = bytearray()
    while len(got) < sent:
        ours.flush()
        got += theirs.recv(WRITE_BYTES)
    assert got == block * (sent // WRITE_BYTES)


def test_closing_gives_the_last_packet_to_the_kernel(pair):
    ours, theirs = pair
    ours.send(b"\xe0\x00")
    ours.close()
    assert theirs.recv(10) == b"\xe0\x00" and theirs.recv(1) == b""


def test_a_lost_connection_is_met_by_the_reader_not_by_the_writer(pair):
    ours, theirs = pair
    theirs.close()
    ours.send(b"lost")
    assert ours.flush()
    assert ours.recv(1) == b""
