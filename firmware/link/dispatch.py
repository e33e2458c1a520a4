"""Gives what the bridge sends to handlers: messages in their session, calls once, whole blobs."""

import log
from voxwire import message
from voxwire.errors import WireError

REMEMBERED_CALLS = 32


class Dispatch:
    """What the bridge says; `session_id` is that of its last hello, None without one.

    `on_hello_asked()` is called when the bridge wants another hello, `on_refused(text)` for what
    breaks the wire's rules. `check_hello(message)` refuses a hello with a WireError: then no
    session begins. `answer_blob` is told of blobs, at most `blob_bytes_max` (see Inbox).
    """

    def __init__(self, on_hello_asked, on_refused, answer_blob, blob_bytes_max: int) -> None:
        self._on_hello_asked, self._on_refused = on_hello_asked, on_refused
        self._answer_blob, self._blob_bytes_max = answer_blob, blob_bytes_max
        self._handlers, self._blob_handlers, self._inbox = {}, {}, None
        self._large_blobs = {}
        self._calls = []  # ids of the last mcp calls of this session
        self.session_id = None
        self.check_hello = None

    def on(self, type_name: str, handler) -> None:
        """`handler(message)` gets each message of this type (a FROM_BRIDGE namedtuple).

        ValueError if the type has a handler already.
        """
        register(self._handlers, type_name, handler)

    def on_blob(self, kind: str, handler) -> None:
        """`handler(blob_id, data, name)` gets each whole blob of this kind (data: bytearray).

        ValueError if the kind has a handler already.
        """
        register(self._blob_handlers, kind, handler)

    def on_large_blob(self, kind: str, bytes_max: int, handler) -> None:
        """Blobs of this kind have up to `bytes_max` bytes; `handler(blob_id, data, count)` gets
        one after every few chunks, before the handler of `on_blob` has it whole."""
        register(self._large_blobs, kind, (bytes_max, handler))

    def refuse_blobs(self, kind: str) -> None:
        """Blobs of this kind have no handler any more."""
        self._blob_handlers.pop(kind, None)

    def take_blob(self, payload) -> None:
        """One chunk from `blob/down`; never raises."""
        if self._inbox is None:
            # Few devices get one: cards of words alone need none.
            try:
                from link.blob_inbox import Inbox
            except MemoryError:
                log.warning("link", "no memory for blobs")  # the bridge sends it again
                return
            self._inbox = Inbox(self._blob_bytes_max, self._answer_blob)
            self._inbox.handlers, self._inbox.large = self._blob_handlers, self._large_blobs
        self._inbox.take(payload)

    def take(self, payload) -> None:
        """One payload from `down`; never raises."""
        # A bound method for `call` would be heap, and outside of its `try`.
        try:
            self._hear(payload)
        except Exception as error:
            log.exception("link", "message", error)

    def _hear(self, payload) -> None:
        try:
            decoded = message.decode(message.FROM_BRIDGE, payload)
            if decoded is not None:
                self._apply(*decoded)
        except WireError as error:
            log.warning("link", "refused: %s" % error)
            self._on_refused(str(error))

    def _apply(self, type_name: str, content) -> None:
        if type_name == "hello":
            if not self._begins(content):
                return
        elif type_name == "system" and content.command == "hello":
            self._on_hello_asked()
            return
        elif type_name != "blob" and not self._is_ours(type_name, content.session_id):
            return
        if type_name == "mcp" and self._repeated(content.payload):
            return
        handler = self._handlers.get(type_name)
        if handler is not None:
            call(type_name, handler, content)

    def _begins(self, hello) -> bool:
        """Whether a hello begins a session. In one it is a repeat, or of somebody who was not
        asked: a bridge that knows no session asks for the device's hello first."""
        if self.session_id is not None:
            if hello.session_id != self.session_id:
                log.warning("link", "a hello that was not asked for is dropped")
            return False
        if self.check_hello is not None:
            self.check_hello(hello)
        log.info("link", "session %s" % hello.session_id)
        self.session_id = hello.session_id
        self._calls = []
        if self._inbox is not None:
            self._inbox.ask_again()
        return True

    def _is_ours(self, type_name: str, session_id) -> bool:
        if session_id is None and (type_name != "alert" or self.session_id is not None):
            log.warning("link", "%s without a session is dropped" % type_name)
            return False
        if session_id != self.session_id:
            log.debug("link", "%s of another session is dropped" % type_name)
            return False
        return True

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


def register(handlers, name: str, handler) -> None:
    """Put a handler in its dict; ValueError if there is one of this name already."""
    if name in handlers:
        raise ValueError("%s has a handler already: let one handler do both." % name)
    handlers[name] = handler


def call(what: str, handler, value) -> None:
    """`handler(value)`; what it raises is logged: it must not cost the link."""
    try:
        handler(value)
    except Exception as error:
        log.exception("link", what, error)
