"""The device's side of the conversation: presence, hello, messages by type, each applied once."""

import asyncio
import json
import random
import time
from mailbox import Mailbox

import log
from blob_sender import Sender
from blobs import Inbox
from mqtt import packet, timing
from voxwire import capability, message
from voxwire.errors import WireError
from voxwire.ticks import elapsed_ms
from voxwire.topics import ROOT, topic

OUTBOX = 16
REMEMBERED_CALLS = 32
BLOB_BYTES_MAX = 16384
TICK_MS = 250


def last_will(device_id: str, root: str = ROOT):
    """The will of a device's MQTT connection: its retained status goes offline."""
    name = topic(root, device_id, "status").encode()
    return packet.Will(name, b'{"online":false}', 1, True)


def _register(handlers, name, handler):
    if name in handlers:
        raise ValueError("%s has a handler already: let one handler do both." % name)
    handlers[name] = handler


class Link:
    """Posts and dispatches messages over `client`; `pump` and `greet` are its tasks.

    `describe()` returns the voxwire Capability that the next hello says. `on_link(event)` gets
    "link_up" and "link_down", `on_frame(view)` each speaker frame (valid until it returns).
    `check_hello(message)` refuses a hello with a WireError: then the session stays as it was.
    Handlers and these are called from the client's task: they must not wait.
    """

    def __init__(
        self,
        client,
        device_id: str,
        describe,
        root: str = ROOT,
        blob_bytes_max: int = BLOB_BYTES_MAX,
        clock=time,
        sleep_ms=asyncio.sleep_ms,
        getrandbits=random.getrandbits,
    ):
        self._client, self._describe = client, describe
        self._clock, self._sleep_ms, self._getrandbits = clock, sleep_ms, getrandbits
        self._outbox = Mailbox(OUTBOX)
        self._handlers = {}
        self._calls = []  # ids of the last mcp calls of this session
        self._last_blob_id = getrandbits(16)
        self._hello_ms = self._hello_wait_ms = self._hellos = 0
        self._closing = False
        self._echoed = False  # the broker has brought back the status of this connection
        self._topics = {}
        for channel in ("hello", "status", "up", "mic", "blob/up"):
            self._topics[channel] = topic(root, device_id, channel).encode()
        self.session_id = None
        self.on_link = self.on_frame = self.check_hello = None
        self._inbox = Inbox(blob_bytes_max, self._answer_blob)
        self._sender = Sender(client, self._topics["blob/up"], clock, sleep_ms)
        client.subscribe(topic(root, device_id, "down").encode(), 1, self._take)
        client.subscribe(topic(root, device_id, "spk").encode(), 0, self._take_frame)
        client.subscribe(topic(root, device_id, "blob/down").encode(), 1, self._take_chunk)
        client.subscribe(self._topics["status"], 0, self._take_status, True)
        client.on_up, client.on_down = self._up, self._down

    @property
    def connected(self) -> bool:
        """Whether the broker is there (the bridge may not be: see `session_id`)."""
        return self._client.connected

    @property
    def problem(self) -> str:
        """Why there is no connection, "" while there is one."""
        return self._client.problem

    def silence(self) -> str:
        """Why the broker lets no bridge answer; "" if it does."""
        if self._echoed or self.session_id is not None:
            return ""
        own = str(self._topics["status"], "utf-8")[: -len("status")]
        return "The broker's access list must let this device read and write %s#." % own

    def tasks(self):
        """(name, coroutine function) of every task that must run."""
        client = self._client
        return (
            ("mqtt", client.run),
            ("mqtt keepalive", client.keep_alive),
            ("link outbox", self.pump),
            ("link hello", self.greet),
        )

    def on(self, type_name: str, handler) -> None:
        """`handler(message)` gets each message of this type (a FROM_BRIDGE namedtuple).

        ValueError if the type has a handler already.
        """
        _register(self._handlers, type_name, handler)

    def on_blob(self, kind: str, handler) -> None:
        """`handler(blob_id, data)` gets each whole blob of this kind (data: bytearray).

        ValueError if the kind has a handler already.
        """
        _register(self._inbox.handlers, kind, handler)

    def post(self, type_name: str, **values) -> bool:
        """Send a FROM_DEVICE message; the session's id is filled in.

        False, with a log line, when it cannot go: no connection, no session, a full outbox, or
        values the wire does not allow.
        """
        if not self.connected:
            log.debug("link", "%s is not sent: no connection" % type_name)
            return False
        if "session_id:" in message.FROM_DEVICE[type_name].text:
            if self.session_id is None:
                log.debug("link", "%s is not sent: no session" % type_name)
                return False
            values["session_id"] = self.session_id
        try:
            content = message.make(message.FROM_DEVICE, type_name, **values)
            data = message.encode(message.FROM_DEVICE, content)
        except WireError as error:
            log.error("link", "%s is not sent: %s" % (type_name, error))
            return False
        return self._put("up", data)

    def send_frame(self, buffer, length: int) -> bool:
        """Send one microphone frame now; False when it was dropped (the link is too slow)."""
        return self._client.send(self._topics["mic"], buffer, length)

    def next_blob_id(self) -> int:
        """An id for `send_blob`, so that a message can name a blob before it is sent."""
        self._last_blob_id = self._last_blob_id % 65535 + 1
        return self._last_blob_id

    async def send_blob(self, kind: str, name: str, picture, blob_id=None) -> int:
        """Send a picture (hal.board.Picture) as a blob; its id, when the bridge has it whole.

        BlobError with a sentence when it fails.
        """
        blob_id = self.next_blob_id() if blob_id is None else blob_id
        return await self._sender.send(kind, name, picture, blob_id)

    def say_hello(self) -> None:
        """Leave the session and ask the bridge for a new one, again and again until it answers."""
        self.session_id = None
        self._hellos = 0
        self._hello()

    async def pump(self):
        """Publish what was posted, in its order; never returns."""
        while True:
            channel, data = await self._outbox.get()
            await self._client.publish(self._topics[channel], data, 1, channel == "status")

    async def greet(self):
        """Repeat the hello while nobody answers it; never returns."""
        while True:
            self.tick()
            await self._sleep_ms(TICK_MS)

    def tick(self) -> None:
        """One look at the clock: what `greet` does four times a second."""
        if not self.connected or self.session_id is not None:
            return
        if elapsed_ms(self._clock.ticks_ms(), self._hello_ms) >= self._hello_wait_ms:
            self._hello()

    async def close(self, reason: str) -> None:
        """Say goodbye, show as offline, and end the connection."""
        self._closing = True
        self.post("goodbye", reason=reason)
        while len(self._outbox) and self.connected:
            await self._sleep_ms(TICK_MS // 10)
        if self.connected:
            await self._client.publish(self._topics["status"], b'{"online":false}', 1, True)
        await self._client.stop()

    # What the client tells.

    def _up(self):
        self._echoed = False
        self._call("hello", self._greet, None)
        self._tell("link_up")

    def _greet(self, _):
        self._say_online()
        self.say_hello()

    def _say_online(self):
        who = self._describe()
        status = {"online": True, "name": who.name, "board": who.board, "firmware": who.firmware}
        self._put("status", json.dumps(status).encode())

    def _down(self, why):
        if self.session_id is not None:
            log.info("link", "session %s ends: no connection" % self.session_id)
        self.session_id = None
        # What waits belongs to a session that is gone.
        self._outbox.clear()
        self._tell("link_down")

    def _tell(self, event):
        if self.on_link is not None:
            self._call(event, self.on_link, event)

    def _hello(self):
        self._put("hello", capability.encode(self._describe()))
        self._hello_ms = self._clock.ticks_ms()
        self._hello_wait_ms = timing.back_off_ms(self._hellos, self._getrandbits)
        self._hellos += 1

    def _put(self, channel, data) -> bool:
        if not self._outbox.put((channel, data)):
            log.warning("link", "outbox is full: a message on %s is lost" % channel)
            return False
        return True

    def _take_frame(self, payload):
        if self.on_frame is not None:
            self._call("frame", self.on_frame, payload)

    def _take_status(self, payload):
        self._echoed = True
        if b"true" not in bytes(payload) and not self._closing:
            log.warning("link", "another set the status to offline")
            self._call("status", lambda _: self._say_online(), None)

    def _take_chunk(self, payload):
        try:
            self._inbox.take(payload)
        except Exception as error:
            log.exception("link", "blob", error)

    def _take(self, payload):
        # A bound method for `_call` would be heap, and outside of its `try`.
        try:
            self._hear(payload)
        except Exception as error:
            log.exception("link", "message", error)

    def _hear(self, payload):
        try:
            decoded = message.decode(message.FROM_BRIDGE, payload)
            if decoded is not None:
                self._apply(*decoded)
        except WireError as error:
            log.warning("link", "refused: %s" % error)
            self.post("event", name="error", text=str(error))

    def _apply(self, type_name, content):
        if type_name == "hello":
            if content.session_id == self.session_id:
                return  # a repeat would end the turn
            if self.check_hello is not None:
                self.check_hello(content)
            self._begin(content.session_id)
        elif type_name == "blob":
            self._sender.answered(content)
            return
        elif type_name == "system" and content.command == "hello":
            self.say_hello()
            return
        elif not self._is_ours(type_name, content.session_id):
            return
        if type_name == "mcp" and self._repeated(content.payload):
            return
        handler = self._handlers.get(type_name)
        if handler is not None:
            self._call(type_name, handler, content)

    def _is_ours(self, type_name, session_id) -> bool:
        if session_id is None and (type_name != "alert" or self.session_id is not None):
            log.warning("link", "%s without a session is dropped" % type_name)
            return False
        if session_id != self.session_id:
            log.debug("link", "%s of another session is dropped" % type_name)
            return False
        return True

    def _begin(self, session_id):
        log.info("link", "session %s" % session_id)
        self.session_id = session_id
        self._calls = []
        self._inbox.ask_again()

    def _repeated(self, payload) -> bool:
        # What is no call at all gets its error from the tools.
        call_id = payload.get("id") if "method" in payload else None
        if not isinstance(call_id, (int, str)):
            return False
        if call_id in self._calls:
            log.info("link", "call %s came again: it is applied once" % call_id)
            return True
        self._calls.append(call_id)
        del self._calls[:-REMEMBERED_CALLS]
        return False

    def _call(self, what, handler, value):
        try:
            handler(value)
        except Exception as error:  # one message that a part cannot take must not cost the link
            log.exception("link", what, error)

    def _answer_blob(self, blob_id, index, error):
        self.post("blob", id=blob_id, next=index, error=error)
