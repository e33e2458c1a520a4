"""A running bridge announces its broker, and says goodbye when it stops."""

import asyncio
import functools
import json

import voxcard.app
from fakes.app import Bridge
from fakes.mdns import COMPUTER, LOOPBACK, PTR, SRV, answers, query
from voxcard.discovery.announcer import Announcer
from voxcard.link.embedded_broker import free_port

LIMIT_S = 60.0


def use(monkeypatch, find):
    """Bridges are on COMPUTER, and look for addresses by `find`."""

    def announcer(*values, **named):
        return Announcer(*values, **{**named, "computer": COMPUTER, "find": find})

    monkeypatch.setattr(voxcard.app, "Announcer", announcer)


def test_a_device_finds_the_broker_of_a_bridge_and_no_password(monkeypatch, tmp_path):
    use(monkeypatch, lambda host: LOOPBACK)
    port = free_port("127.0.0.1")

    async def find():
        bridge = Bridge(tmp_path, port, mqtt={"listen": "0.0.0.0"})
        async with asyncio.timeout(LIMIT_S), bridge:
            mine = functools.partial(_service, port=port)
            return await answers(query(PTR, "_voxcard._tcp.local"), mine)

    records = asyncio.run(find())
    assert _service(records, port).server.startswith("voxcard-")
    passwords = json.loads((tmp_path / "accounts" / "embedded.json").read_text()).values()
    assert passwords and not any(password in str(records) for password in passwords)


def test_a_bridge_whose_broker_nobody_reaches_opens_no_port(monkeypatch, tmp_path):
    use(monkeypatch, lambda host: 1 / 0)

    async def serve():
        async with asyncio.timeout(LIMIT_S), Bridge(tmp_path, free_port("127.0.0.1")):
            pass

    asyncio.run(serve())


def _service(records, port):
    return next((each for each in records if each.type == SRV and each.port == port), None)
