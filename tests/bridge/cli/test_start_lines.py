"""What `voxcard run` says first: version, file, broker, assistant and state, the way in."""

from pathlib import Path

import pytest
from voxcard import __version__, config
from voxcard.cli.start_lines import start_lines

MOSQUITTO = {"host": "10.0.0.2", "port": 8883, "tls": True, "user": "bridge"}
BROKERS = [
    (
        {},
        "our own on 127.0.0.1:1883, this computer only",
        'on this computer gets in by itself; for your network: [mqtt] listen = "0.0.0.0"',
    ),
    (
        {"listen": "0.0.0.0", "listen_port": 1884},
        "our own on 0.0.0.0:1884, for the network, with passwords; devices find it by mDNS",
        "needs a password: voxcard devices add NAME makes it",
    ),
    (
        MOSQUITTO,
        "10.0.0.2:8883 with TLS as bridge; devices find it by mDNS",
        "needs a password: voxcard devices add NAME makes it",
    ),
    (
        {"host": "10.0.0.2", "root": "home"},
        "10.0.0.2:1883, below home/; devices find it by mDNS",
        "shows a code: voxcard devices pair CODE lets it in",
    ),
    (
        {"host": "localhost"},
        "localhost:1883",
        'gets in by itself; [mqtt] pairing = "on" asks for a code on its screen',
    ),
]


@pytest.mark.parametrize(("mqtt", "broker", "way_in"), BROKERS)
def test_the_broker_and_the_way_in_are_told(mqtt, broker, way_in):
    lines = start_lines(config.parse({"mqtt": mqtt}, environ={}))
    assert lines[2] == f"broker: {broker}"
    assert lines[4] == f"a new device {way_in}"


def test_five_lines_tell_what_runs(monkeypatch):
    file = Path("/srv/home/voxcard.toml")
    data = {"history": {"path": "state/h.sqlite3"}, "mqtt": {"password": "secret", **MOSQUITTO}}
    lines = start_lines(config.parse(data, file=file, environ={}))
    assert lines[:2] == [f"voxcard {__version__}", "configuration: /srv/home/voxcard.toml"]
    assert lines[3] == "assistant: offline, en; state in /srv/home/state"
    assert len(lines) == 5 and "secret" not in " ".join(lines)


def test_without_a_file_it_is_told_where_one_would_be_read():
    line = start_lines(config.parse({}, environ={}))[1]
    assert line.startswith("configuration: none; a voxcard.toml here or in ")
