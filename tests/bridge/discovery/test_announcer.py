"""A bridge on the loopback interface is found as others do: by a browser, and by one packet."""

import asyncio
import contextlib
import errno
import logging
import socket
import sys
from pathlib import Path

import pytest
from fakes.mdns import (
    COMPUTER,
    INSTANCE,
    LOOPBACK,
    PTR,
    SERVICE,
    SRV,
    TXT,
    A,
    answers,
    names,
    query,
)
from voxcard import config
from voxcard.discovery import mdns
from voxcard.discovery.addresses import Place
from voxcard.discovery.announcer import Announcer

LIMIT_S = 60.0
NOWHERE = Place(addresses=(), interfaces=())
BROWSER = Path(__file__).parents[2] / "fakes" / "mdns_browser.py"


def announcer(instance=INSTANCE, find=lambda host: LOOPBACK, announce="auto", **mqtt):
    parsed = config.parse({"mqtt": {"listen": "0.0.0.0", **mqtt}}, environ={})
    return Announcer(
        parsed.mqtt, announce, computer=COMPUTER, instance=instance, find=find, look_s=0.01
    )


@contextlib.asynccontextmanager
async def running(*announcers):
    tasks = [asyncio.create_task(each.run()) for each in announcers]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.parametrize("unicast", [False, True])
def test_one_packet_from_any_port_is_answered_with_all_that_a_device_needs(unicast):
    async def ask():
        async with asyncio.timeout(LIMIT_S), running(announcer(listen_port=1884, root="home")):
            return await answers(query(PTR, "_voxcard._tcp.local", unicast=unicast), bool)

    records = {record.type: record for record in asyncio.run(ask())}
    assert records[PTR].alias == SERVICE
    assert (records[SRV].server, records[SRV].port) == (f"voxcard-{INSTANCE}.local.", 1884)
    assert records[TXT].text == b"\x03v=1\x0fid=%s\x09root=home\x05tls=0" % INSTANCE.encode()
    assert records[A].name == records[SRV].server
    assert records[A].address == socket.inet_aton("127.0.0.1")


def test_another_program_finds_it_and_hears_its_goodbye():
    async def browse():
        browser = await asyncio.create_subprocess_exec(
            sys.executable, str(BROWSER), SERVICE, stdout=asyncio.subprocess.PIPE
        )
        async with asyncio.timeout(LIMIT_S):
            async with running(announcer()):
                there = await browser.stdout.readline()
            gone = await browser.stdout.readline()
            browser.terminate()
            await browser.wait()
        return there.decode(), gone.decode()

    there, gone = asyncio.run(browse())
    assert there == (f"+ {SERVICE} 127.0.0.1:1883 v=1 id={INSTANCE} root=voxcard tls=0\n")
    assert gone == f"- {SERVICE}\n"


def test_two_bridges_of_one_computer_have_two_names(caplog):
    caplog.set_level(logging.INFO)

    async def both():
        first, second = announcer("aaaaaaaaaaaa"), announcer("bbbbbbbbbbbb")
        async with asyncio.timeout(LIMIT_S), running(first):
            await answers(query(PTR, "_voxcard._tcp.local"), bool)
            async with running(second):
                packet = query(PTR, "_voxcard._tcp.local")
                found = await answers(packet, lambda found: len(names(found)) == 2)
                line = f"announced as Voxcard on {COMPUTER}-2: 127.0.0.1 port 1883"
                while line not in caplog.text:
                    await answers(packet, bool)
                return names(found)

    assert asyncio.run(both()) == {
        SERVICE,
        f"Voxcard on {COMPUTER}-2._voxcard._tcp.local.",
    }


async def looks(places, enough):
    """Run an announcer that finds `places` one after the other, until `enough()`."""
    left = iter(places)
    last = places[-1]
    looked = asyncio.Event()
    loop = asyncio.get_running_loop()

    def find(host):
        loop.call_soon_threadsafe(looked.set)
        return next(left, last)

    async with asyncio.timeout(LIMIT_S), running(announcer(find=find)) as [task]:
        while not enough():
            looked.clear()
            await looked.wait()
        assert not task.done()


class Responders:
    """What is announced, without a network."""

    def __init__(self, *errors):
        self.log, self._errors = [], list(errors)

    async def announced(self, service, interfaces):
        if self._errors and (error := self._errors.pop(0)):
            self.log.append("failed")
            raise error
        self.log.append((service.addresses, interfaces))
        return self

    name = "hall"

    async def close(self):
        self.log.append("closed")


def test_a_taken_port_is_one_warning_and_is_tried_again(monkeypatch, caplog):
    taken = OSError(errno.EADDRINUSE, "Address already in use")
    responders = Responders(taken, taken, taken)
    monkeypatch.setattr(mdns, "announced", responders.announced)
    asyncio.run(looks([LOOPBACK], lambda: len(responders.log) > 3))
    assert responders.log[:4] == ["failed"] * 3 + [(("127.0.0.1",), ("127.0.0.1",))]
    [warning] = [each for each in caplog.records if each.levelno == logging.WARNING]
    assert warning.getMessage() == (
        "mDNS cannot be used: UDP port 5353: Address already in use. Stop the program that keeps "
        "it to itself (avahi: disallow-other-stacks=no), type the broker's address on devices, "
        'or set [discovery] announce = "off".'
    )


def test_it_follows_the_addresses_of_the_computer(monkeypatch, caplog):
    responders = Responders()
    monkeypatch.setattr(mdns, "announced", responders.announced)
    other = Place(addresses=("192.168.1.10",), interfaces=("192.168.1.10",))
    places = [NOWHERE, NOWHERE, LOOPBACK, LOOPBACK, other, NOWHERE, other]
    asyncio.run(looks(places, lambda: len(responders.log) == 5))
    assert responders.log[:5] == [
        (("127.0.0.1",), ("127.0.0.1",)),
        "closed",
        (("192.168.1.10",), ("192.168.1.10",)),
        "closed",
        (("192.168.1.10",), ("192.168.1.10",)),
    ]
    assert caplog.text.count("has no IPv4 address in a network now") == 2


def test_a_bridge_that_announces_nothing_opens_nothing(monkeypatch):
    monkeypatch.setattr(mdns, "announced", None)

    async def wait():
        async with running(announcer(announce="off", find=None)) as [task]:
            done, _ = await asyncio.wait([task], timeout=0)
            return done

    assert asyncio.run(wait()) == set()
