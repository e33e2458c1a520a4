"""What the device reads, and the wire that both sides read; runs on CPython and MicroPython.

Each check takes bytes and returns when they were read or refused with the typed error. Run by
MicroPython, it answers each line `<check> <base64>` with a line: `ok`, or what was raised.
"""

import json
import sys
from binascii import a2b_base64
from hashlib import sha256

from mqtt import packet
from settings import Settings
from toolbox import registry
from toolbox.rpc import Rpc
from update import flow
from voxwire import audio, blob, card, message, release, tool, topics
from voxwire.bridge_only import channels
from voxwire.bridge_only.card_writer import to_data
from voxwire.bridge_only.tool_reader import read_description
from voxwire.errors import WireError
from voxwire.json_text import loads

from fuzz import setup_side

BLOB_LIMIT = 40000
STEPS_MAX = 10000
LEVELS = (7, 64, 1, 33)  # bytes of a stream that are read at once


def typed(call, *arguments):
    """What `call` returns, or None when it raised the typed error, which says where and why."""
    try:
        return call(*arguments)
    except WireError as error:
        assert error.part and error.reason and str(error)
        return None


def check_message(data):
    """A message read by either table is written and read the same again."""
    for table in (message.FROM_DEVICE, message.FROM_BRIDGE):
        decoded = typed(message.decode, table, data)
        if decoded is None:
            continue
        written = typed(message.encode, table, decoded[1])
        if written is not None and all([names_are_text(value) for value in decoded[1]]):
            assert message.decode(table, written) == decoded, "it is another one when read again"


def names_are_text(value):
    """MicroPython's JSON takes numbers as names, and writes them so."""
    if isinstance(value, dict):
        names = all([isinstance(name, str) for name in value])
        return names and all([names_are_text(each) for each in value.values()])
    return not isinstance(value, list) or all([names_are_text(each) for each in value])


def check_frame(data):
    """An audio frame."""
    typed(audio.decode, data)


def check_blob(data):
    """A blob in its chunks, each of them with two bytes of length before it."""
    received = bytearray()
    receiver = blob.Receiver(lambda head: received.extend, sha256(), BLOB_LIMIT)
    while len(data) >= 2:
        size = data[0] << 8 | data[1]
        chunk = typed(blob.decode, data[2 : 2 + size])
        data = data[2 + size :]
        if chunk is not None:
            assert blob.decode(blob.encode(chunk)) == chunk
            try:
                head = receiver.add(chunk)
            except WireError:
                return
            assert len(received) <= BLOB_LIMIT
            if head is not None:
                assert head.size == len(received)
                return


def read_card(data):
    """The card in the JSON of `data`, None when it is refused."""
    value = typed(loads, data, "card")
    return None if value is None else typed(card.from_data, value)


def check_card(data):
    """A card read is written and read the same again."""
    read = read_card(data)
    if read is not None:
        assert 1 <= len(read.pages) <= card.PAGES_MAX
        assert card.from_data(json.loads(json.dumps(to_data(read)))) == read


def check_mqtt(data):
    """A stream of a broker: packets, or the one error; never a step without any progress."""
    reader, at, turn, steps = packet.Reader(64, 512), 0, 0, 0
    while at < len(data):
        steps += 1
        assert steps < STEPS_MAX, "it goes on for ever"
        room = reader.room()
        assert len(room) > 0
        count = min(LEVELS[turn % len(LEVELS)], len(room), len(data) - at)
        turn += 1
        room[:count] = data[at : at + count]
        reader.filled(count)
        at += count
        try:
            while reader.next():
                assert reader.kind in (2, 3, 4, 9, 13)
                bytes(reader.body())
                if reader.kind == packet.PUBLISH:
                    assert len(reader.topic()) + len(reader.payload()) <= 512 + 64
        except WireError:
            return


class Device:
    """The tools of a device, whose calls go on until somebody ends them."""

    def __init__(self):
        tools = registry.Registry()
        volume = registry.integer(0, 100)
        tools.tool("self.volume", "Sets it.", volume=volume)(self.volume)
        self.sent = []
        self.rpc = Rpc(
            tools, {"name": "d", "version": "1"}, send=self.sent.append, spawn=self.spawn,
            limit=self.limit, confirm=self.confirm,
        )  # fmt: skip

    def volume(self, volume):
        return volume

    async def limit(self, coroutine):
        return await coroutine

    async def confirm(self, question):
        return False

    def spawn(self, coroutine):
        coroutine.close()
        return self

    def cancel(self):
        """A task that was ended."""


def check_rpc(data):
    """A JSON-RPC request gets one answer of JSON-RPC, or none."""
    answer = Device().rpc.handle(data)
    if answer is not None:
        assert answer["jsonrpc"] == "2.0" and ("result" in answer) != ("error" in answer)
        assert isinstance(answer["id"], (int, str)) or answer["id"] is None
        assert len(json.dumps(answer)) <= 8192


def check_tool(data):
    """A description of a tool, and an envelope of JSON-RPC."""
    value = typed(loads, data, "mcp")
    typed(tool.parse, value)
    described = typed(read_description, value)
    if described is not None:
        assert read_description(tool.describe(described)) == described


def check_settings(data):
    """Stored settings: each value is one that the table takes, the others are said."""
    value = typed(loads, data, "settings")
    settings = Settings()
    broken, left = settings.load(value)
    assert all([isinstance(each, str) for each in broken + left])
    again = Settings()
    assert again.load(settings.data()) == ([], left)
    assert again.data() == settings.data()


def check_topic(data):
    """The topic of a message."""
    try:
        name = str(data, "utf-8")
    except ValueError:
        return
    parsed = typed(channels.parse, "voxcard", name)
    if parsed is not None:
        assert topics.topic("voxcard", parsed[0], parsed[1]) == name
    typed(topics.check_root, name)


def check_manifest(data):
    """The manifest of a release: what is read stays in its slot, and a device says why not."""
    read = typed(release.parse_manifest, data)
    if read is not None:
        assert 1 <= len(read.files) <= release.FILES_MAX
        for file in read.files:
            assert not file.path.startswith("/") and ".." not in file.path.split("/")
        running = release.Running("0.1.0", "d", "diy-s3-oled", "files", (1, 28))
        assert isinstance(release.refusal(read, running), str)


def check_offer(data):
    """The offer of a release: read and written the same again, and never taken without its mac."""
    offer = typed(release.decode_offer, data)
    if offer is not None:
        assert typed(release.decode_offer, release.encode_offer(offer)) == offer
    verdict = flow.vet(data, "kitchen", "5a" * 32, "files", (5, "fetch"))
    assert verdict.do == "refuse" and verdict.reason


CHECKS = {
    "message": check_message,
    "frame": check_frame,
    "blob": check_blob,
    "card": check_card,
    "mqtt": check_mqtt,
    "rpc": check_rpc,
    "tool": check_tool,
    "settings": check_settings,
    "topic": check_topic,
    "manifest": check_manifest,
    "offer": check_offer,
}
CHECKS.update(setup_side.CHECKS)


def draw_check():
    """Every page of a card that is read is drawn; needs MicroPython's framebuf."""
    import asyncio

    from fakes.device.display import Display
    from screen.view import View

    async def draw(data):
        read = read_card(data)
        if read is None:
            return
        view = View(Display(), name="d", device_id="d", log=lambda text: None)
        view.set_state("idle")
        view.show_card(read)
        for elapsed in (0, 40, 3600000):
            await view.refresh(elapsed)
        for _ in range(min(4, len(read.pages))):
            view.next_page()
            await view.refresh(10)
        view.activate()
        await view.refresh(10)

    return lambda data: asyncio.run(draw(data))


def main():
    """Answer lines until there are no more."""
    checks = dict(CHECKS)
    checks["draw"] = draw_check()
    while True:
        line = sys.stdin.readline()
        if not line:
            return
        name, _, text = line.strip().partition(" ")
        try:
            checks[name](a2b_base64(text))
            print("ok")
        except Exception as error:
            print("%s: %s" % (type(error).__name__, repr(str(error))[:200]))


if __name__ == "__main__" and sys.implementation.name == "micropython":
    main()
