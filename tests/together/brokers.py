"""The brokers that the conversations run over: our own, and mosquitto as homes set it up."""

import asyncio
import contextlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import pytest
from fakes.certificate import Certificate
from voxcard.access.accounts import BRIDGE, EmbeddedAccounts, MosquittoAccounts
from voxcard.link.embedded_broker import EmbeddedBroker, free_port

HOST = "127.0.0.1"
START_S = 60.0
DEVICES = tuple(f"sim-{number}" for number in range(1, 41))

MOSQUITTO = """\
listener {port} {host}
set_tcp_nodelay true
persistence false
user root
"""
ANONYMOUS = "allow_anonymous true\n"
GUARDED = """\
allow_anonymous false
password_file {accounts.passwords}
acl_file {accounts.acl}
certfile {certificate.file}
keyfile {certificate.key_file}
"""


class Broker(Protocol):
    """`bridge` is the section [mqtt] that finds it, `device(id)` what a device is set to."""

    port: int
    bridge: Mapping[str, object]

    def device(self, device_id: str) -> Mapping[str, object]: ...
    async def start(self) -> None: ...
    async def stop(self) -> None: ...


class Iotcore:
    """The bridge's embedded broker, beside the bridge, so that each can go without the other."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port(HOST)
        self.bridge: Mapping[str, object] = {"host": HOST, "port": self.port}
        self._broker = EmbeddedBroker(HOST, self.port)

    def device(self, device_id: str) -> Mapping[str, object]:
        return {"port": self.port}

    async def start(self) -> None:
        await self._broker.start()

    async def stop(self) -> None:
        await self._broker.stop()


class GuardedIotcore(Iotcore):
    """The same program with users and passwords."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        accounts = EmbeddedAccounts(folder / "accounts")
        for device_id in DEVICES:
            accounts.add(device_id)
        self.passwords = accounts.users()
        self._broker = EmbeddedBroker(HOST, self.port, users=accounts.users)
        self.bridge = {**self.bridge, "user": BRIDGE, "password": self.passwords[BRIDGE]}

    def device(self, device_id: str) -> Mapping[str, object]:
        return {"port": self.port, "user": device_id, "password": self.passwords[device_id]}


class Mosquitto:
    """Debian's mosquitto without users; `version` is the bridge's of MQTT."""

    def __init__(self, folder: Path, version: int = 3, more: str = ANONYMOUS) -> None:
        self.port = free_port(HOST)
        self.log: list[str] = []
        self.bridge: Mapping[str, object] = {"host": HOST, "port": self.port, "version": version}
        self._file = folder / "mosquitto.conf"
        self._file.write_text(MOSQUITTO.format(host=HOST, port=self.port) + more)
        self._process: asyncio.subprocess.Process | None = None

    def device(self, device_id: str) -> Mapping[str, object]:
        return {"port": self.port}

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *(mosquitto(), "-c", str(self._file)),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        running = asyncio.Event()
        self._reading = asyncio.create_task(self._read(self._process, running))
        started = asyncio.create_task(running.wait())
        async with asyncio.timeout(START_S):
            await asyncio.wait((started, self._reading), return_when="FIRST_COMPLETED")
        started.cancel()
        if not running.is_set():
            pytest.fail("mosquitto does not start:\n" + "\n".join(self.log[-5:]))

    async def stop(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            await self._process.wait()
            await self._reading
            self._process = None

    async def _read(self, process: asyncio.subprocess.Process, running: asyncio.Event) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            self.log.append(line.decode(errors="replace").rstrip())
            if self.log[-1].endswith(" running"):
                running.set()


class GuardedMosquitto(Mosquitto):
    """mosquitto with TLS, passwords, and an access list that gives each device its own topics."""

    def __init__(self, folder: Path) -> None:
        certificate = Certificate(folder, "broker")
        accounts = MosquittoAccounts(folder / "accounts", "voxcard")
        self.passwords = {device_id: accounts.add(device_id) for device_id in DEVICES}
        self.passwords[BRIDGE] = accounts.bridge_password.read_text().strip()
        super().__init__(folder, more=GUARDED.format(accounts=accounts, certificate=certificate))
        self._ca = {"ca": str(certificate.file)}
        self.bridge = {
            "host": "localhost",
            "port": self.port,
            "tls": True,
            "ca_file": str(certificate.file),
            "user": BRIDGE,
            "password": self.passwords[BRIDGE],
        }

    def device(self, device_id: str) -> Mapping[str, object]:
        user = {"user": device_id, "password": self.passwords[device_id]}
        return {"host": "localhost", "port": self.port, **self._ca, **user}


def mosquitto() -> str:
    """The program; it stands where only root's PATH looks."""
    return program("mosquitto", "/usr/sbin/mosquitto")


def program(name: str, *places: str) -> str:
    """A program of Debian's package, in PATH or in `places`; without it the test fails."""
    found = next((path for each in (name, *places) if (path := shutil.which(each))), None)
    if found is None:
        pytest.fail(f"{name} is missing. Run: tools/install_mosquitto.sh", pytrace=False)
    return found


# The broker of every conversation, and with --brokers of every one again.
DEFAULT = {"iotcore": Iotcore}
MATRIX = {
    "mosquitto": Mosquitto,
    "mosquitto-tls-acl": GuardedMosquitto,
    "mosquitto-mqtt5": lambda folder: Mosquitto(folder, version=5),
}
GUARDED_DEFAULT = {"iotcore-passwords": GuardedIotcore}
GUARDED_MATRIX = {"mosquitto-tls-acl": GuardedMosquitto}
