"""The device's side of the conversation with the bridge: channels, posts, blobs, both ways."""

import asyncio
import random
import time

import log
from link.dispatch import Dispatch, call
from link.greeting import Greeting
from link.mailbox import Mailbox
from mqtt import packet
from voxwire import message
from voxwire.errors import WireError
from voxwire.topics import ROOT, topic

OUTBOX = 16
BLOB_BYTES_MAX = 16384
TICK_MS = 250


class BlobError(Exception):
    """A blob did not arrive; the sentence is the argument."""


def last_will(device_id: str, root: str = ROOT):
    """The will of a device's MQTT connection: its retained status goes offline."""
    name = topic(root, device_id, "status").encode()
    return packet.Will(name, b'{"online":false}', 1, True)


class DeviceLink:
    """Posts and dispatches messages over `client`; `pump` and `greet` are its tasks.

    `describe()` returns the voxwire Capability that the next hello says. `on_link(event)` gets
    "link_up" and "link_down", `on_frame(view)` each speaker frame (valid until it returns).
    Handlers and these are called from the client's task: they must not wait. `on`, `on_blob`,
    `on_large_blob` and `refuse_blobs` are those of its Dispatch.
    """

    def __init__(self, client, device_id: str, describe, root: str = ROOT,
                 blob_bytes_max: int = BLOB_BYTES_MAX, clock=time, sleep_ms=asyncio.sleep_ms,
                 getrandbits=random.getrandbits):  # fmt: skip
        self._client, self._sleep_ms = client, sleep_ms
        self._outbox = Mailbox(OUTBOX)
        self._topics = {}
        for channel in ("hello", "status", "up", "mic", "blob/up"):
            self._topics[channel] = topic(root, device_id, channel).encode()
        self._greeting = Greeting(describe, self._put, clock, getrandbits)
        self._sender = None
        self._clock = clock
        dispatch = Dispatch(self.say_hello, self._refused, self._answer_blob, blob_bytes_max)
        self._dispatch, self.on = dispatch, dispatch.on
        self.on_blob, self.refuse_blobs = dispatch.on_blob, dispatch.refuse_blobs
        self.on_large_blob = dispatch.on_large_blob
        dispatch.on("blob", self._blob_answered)
        self._last_blob_id = getrandbits(16)
        self._closing = False
        self._echoed = False  # the broker has brought back the status of this connection
        self.on_link = self.on_frame = None
        self._listen(lambda channel: topic(root, device_id, channel).encode())

    def _listen(self, topic_of) -> None:
        client = self._client
        client.subscribe(topic_of("down"), 1, self._dispatch.take)
        client.subscribe(topic_of("spk"), 0, self._take_frame)
        client.subscribe(topic_of("blob/down"), 1, self._dispatch.take_blob)
        client.subscribe(self._topics["status"], 0, self._take_status, "drop")
        client.on_up, client.on_down = self._up, self._down

    @property
    def connected(self) -> bool:
        """Whether the broker is there (the bridge may not be: see `session_id`)."""
        return self._client.connected

    @property
    def session_id(self) -> "str | None":
        """The session that the bridge's last hello began; None without one."""
        return self._dispatch.session_id

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

    def on_offer(self, handler) -> None:
        """Before `tasks`: `handler(view)` gets each offer of a release, an empty one when it is
        taken back; what it raises costs the connection."""
        name = self._topics["up"][:-2] + b"offer"
        self._client.subscribe(name, 1, handler, "deliver")

    def check_hello_by(self, check) -> None:
        """`check(message)` refuses a hello with a WireError: no session begins then."""
        self._dispatch.check_hello = check

    def post(self, type_name: str, **values) -> bool:
        """Send a FROM_DEVICE message; the session's id is filled in.

        False, with a log line: no connection, no session, a full outbox, or illegal values.
        """
        if not self.connected or (_in_session(type_name) and self.session_id is None):
            missing = "session" if self.connected else "connection"
            log.debug("link", "%s is not sent: no %s" % (type_name, missing))
            return False
        if _in_session(type_name):
            values["session_id"] = self.session_id
        try:
            content = message.make(message.FROM_DEVICE, type_name, **values)
            return self._put("up", message.encode(message.FROM_DEVICE, content))
        except WireError as error:
            log.error("link", "%s is not sent: %s" % (type_name, error))
            return False

    def send_frame(self, buffer, length: int) -> bool:
        """Send one microphone frame now; False when it was dropped (the link is too slow)."""
        return self._client.send(self._topics["mic"], buffer, length)

    async def send_blob(self, kind: str, name: str, picture) -> int:
        """Send a picture (hal.board.Picture) as a blob; its id, when the bridge has it whole.

        BlobError with a sentence when it fails.
        """
        if self._sender is None:
            # Few devices send one: the others have its heap for themselves.
            from link.blob_sender import Sender

            topic = self._topics["blob/up"]
            self._sender = Sender(self._client, topic, self._clock, self._sleep_ms)
        self._last_blob_id = self._last_blob_id % 65535 + 1
        return await self._sender.send(kind, name, picture, self._last_blob_id)

    def _blob_answered(self, state) -> None:
        if self._sender is not None:
            self._sender.answered(state)

    def say_hello(self) -> None:
        """Leave the session and ask the bridge for a new one, again and again until it answers."""
        self._dispatch.session_id = None
        self._greeting.begin()

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
        if self.connected and self.session_id is None:
            self._greeting.tick()

    async def close(self, reason: str) -> None:
        """Say goodbye, show as offline, and end the connection."""
        self._closing = True
        self.post("goodbye", reason=reason)
        while len(self._outbox) and self.connected:
            await self._sleep_ms(TICK_MS // 10)
        if self.connected:
            await self._client.publish(self._topics["status"], b'{"online":false}', 1, True)
        await self._client.stop()

    # What the client says.

    def _up(self):
        self._echoed = False
        call("hello", self._greet, None)
        self._report("link_up")

    def _greet(self, _):
        self._greeting.say_online()
        self.say_hello()

    def _down(self, why):
        if self.session_id is not None:
            log.info("link", "session %s ends: no connection" % self.session_id)
        self._dispatch.session_id = None
        # What waits belongs to a session that is gone.
        self._outbox.clear()
        self._report("link_down")

    def _report(self, event):
        if self.on_link is not None:
            call(event, self.on_link, event)

    def _put(self, channel, data) -> bool:
        if not self._outbox.put((channel, data)):
            log.warning("link", "outbox is full: a message on %s is lost" % channel)
            return False
        return True

    def _take_frame(self, payload):
        if self.on_frame is not None:
            call("frame", self.on_frame, payload)

    def _take_status(self, payload):
        self._echoed = True
        if b"true" not in bytes(payload) and not self._closing:
            log.warning("link", "another set the status to offline")
            call("status", lambda _: self._greeting.say_online(), None)

    def _refused(self, text):
        self.post("event", name="error", text=text)

    def _answer_blob(self, blob_id, index, error):
        self.post("blob", id=blob_id, next=index, error=error)


def _in_session(type_name: str) -> bool:
    """Whether a message belongs to a session."""
    return "session_id:" in message.FROM_DEVICE[type_name].text
