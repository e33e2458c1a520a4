"""The embedded broker: a child process that comes up, is refused clearly, and goes."""

import asyncio
import socket
import sys

import pytest
from voxcard.errors import VoxcardError
from voxcard.link.embedded_broker import EmbeddedBroker, settings


def accepts(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def test_it_takes_connections_when_started_and_none_when_stopped():
    async def conversation():
        broker = EmbeddedBroker(port=0)
        await broker.start()
        up = accepts(broker.port)
        await broker.stop()
        await broker.stop()
        return up, accepts(broker.port)

    assert asyncio.run(conversation()) == (True, False)


def test_a_taken_port_is_one_sentence_with_a_remedy():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(VoxcardError) as caught:
            asyncio.run(EmbeddedBroker(port=port).start())
    assert f"cannot listen on 127.0.0.1:{port}" in caught.value.problem
    assert "mqtt.listen_port" in caught.value.remedy


def test_a_missing_extra_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "iotcore", None)
    with pytest.raises(VoxcardError) as caught:
        asyncio.run(EmbeddedBroker(port=0).start())
    assert str(caught.value) == (
        'The embedded broker is not installed. Run: pip install "voxcard[broker]"'
    )


def test_its_log_is_capped_and_it_listens_where_it_is_told():
    text = settings("127.0.0.1", 1884)
    for line in (
        'listen = "127.0.0.1:1884"',
        "max_segment_size = 262144",
        "max_segment_count = 3",
        "max_payload_size = 65536",
    ):
        assert line in text.splitlines()
