"""One WebSocket to a xiaozhi server, from its hello on."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from voxcard.assistants import websocket
from voxcard.assistants.xiaozhi.bootstrap.identity import Identity
from voxcard.assistants.xiaozhi.bootstrap.ota import Place
from voxcard.assistants.xiaozhi.server_problem import Subject
from voxcard.assistants.xiaozhi.wire import framing, messages
from voxcard.json_value import Json, JsonObject

CONNECT_S = 5.0
HELLO_S = 10.0  # as the firmware waits
CLOSE_S = 1.0
SEND_S = 5.0  # for a server that takes nothing more
FRAME_MAX = 262_144  # bytes of a message; a second of speech has about 3000
_OPUS = ("", "opus")


@dataclass(frozen=True, slots=True)
class Audio:
    """An Opus packet from the server."""

    packet: bytes


Received = messages.Message | Audio


class Connection:
    """`session_id` is the server's, "" where it gives none."""

    def __init__(self, socket: ClientConnection, subject: Subject, version: int) -> None:
        self.session_id = ""
        self._socket = socket
        self._subject = subject
        self._version = version

    @property
    def is_open(self) -> bool:
        return self._socket.close_code is None

    async def greet(self) -> None:
        """Exchange hellos; raises XiaozhiProblem."""
        await self._send(messages.hello(self._version))
        try:
            async with asyncio.timeout(HELLO_S):
                while True:
                    message = messages.read(await self._socket.recv())
                    if isinstance(message, messages.Hello) and message.transport == "websocket":
                        break
        except TimeoutError as error:
            raise self._subject.late(HELLO_S, "sent no hello") from error
        except ConnectionClosed as error:
            raise self._subject.unwelcome() from error
        if message.format.lower() not in _OPUS:
            raise self._subject.broken("speaks an audio format other than opus")
        self.session_id = message.session_id

    async def send(self, kind: str, **values: Json) -> None:
        """Send a message of the session; raises XiaozhiProblem."""
        await self._send(messages.write(self.session_id, kind, **values))

    async def send_mcp(self, payload: JsonObject) -> None:
        await self.send("mcp", payload=dict(payload))

    async def send_audio(self, packet: bytes, timestamp_ms: int) -> None:
        """Send an Opus packet; raises XiaozhiProblem."""
        await self._send(framing.pack(self._version, packet, timestamp_ms))

    async def received(self) -> AsyncIterator[Received]:
        """What comes, until the connection is closed; what is no message is passed over."""
        try:
            async for data in self._socket:
                if isinstance(data, bytes):
                    frame = framing.unpack(self._version, data)
                    if frame.kind == framing.AUDIO:
                        yield Audio(frame.payload)
                        continue
                    data = frame.payload
                message = messages.read(data)
                if message is not None:
                    yield message
        except ConnectionClosed:
            return

    async def close(self) -> None:
        """Close it; safe to call twice."""
        await websocket.close(self._socket, CLOSE_S)

    async def _send(self, data: str | bytes) -> None:
        try:
            async with asyncio.timeout(SEND_S):
                await self._socket.send(data)
        except TimeoutError as error:
            self._socket.transport.abort()
            raise self._subject.late(SEND_S, "took nothing") from error
        except ConnectionClosed as error:
            raise self._subject.closed() from error


async def open_connection(
    place: Place, device: Identity, subject: Subject, version: int, tls: ssl.SSLContext | None
) -> Connection:
    """Connect and exchange hellos; raises XiaozhiProblem and leaves nothing open then."""
    headers = {
        "Protocol-Version": str(version),
        "Device-Id": device.device,
        "Client-Id": device.client,
    }
    if token := place.token.value:
        headers["Authorization"] = token if " " in token else f"Bearer {token}"
    try:
        socket = await websocket.opened(
            place.url,
            open_s=CONNECT_S,
            close_s=CLOSE_S,
            message_max=FRAME_MAX,
            headers=headers,
            tls=tls if place.url.startswith("wss:") else None,
        )
    except InvalidStatus as error:
        raise subject.refused(error.response.status_code) from error
    except TimeoutError as error:
        raise subject.late(CONNECT_S) from error
    except (WebSocketException, ValueError) as error:
        raise subject.broken("is no WebSocket server") from error
    except OSError as error:
        raise subject.away() from error
    connection = Connection(socket, subject, version)
    try:
        await connection.greet()
    except BaseException:
        await connection.close()
        raise
    return connection
