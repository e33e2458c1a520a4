"""The bootstrap over HTTP: where to connect, or the code of an activation.

Shapes: 78/xiaozhi-esp32 main/ota.cc, xinnan-tech/xiaozhi-esp32-server core/api/ota_handler.py.
"""

import asyncio
import json
import re
import ssl
from dataclasses import dataclass, field
from typing import Any

import httpx2

from voxcard import __version__
from voxcard.assistants.xiaozhi.bootstrap.identity import Identity
from voxcard.assistants.xiaozhi.server_problem import Subject
from voxcard.config import Secret, Server
from voxcard.json_value import Json, JsonObject
from voxcard.text_safety import safe_text

_CONNECT_S = 5.0
_ANSWER_MAX = 65536  # bytes
_TEXT_MAX = 200
_CODE = re.compile(r"[0-9A-Za-z-]{1,16}")
_URL = re.compile(r"wss?://[A-Za-z0-9.\[\]:_-]+(?:/[!-~]*)?")
_NONE = Secret()
POLL_S = 3.0  # between two questions whether a device is registered now, as the firmware's
_TIMEOUT_MS = 300_000  # that long, where the server does not say
_TIMEOUT_MS_MAX = 3_600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where to connect. The token may stand in the URL, too."""

    url: str = field(repr=False)
    token: Secret = _NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Activation:
    """`challenge`: there is an interface that says when it was done."""

    code: str
    text: str
    challenge: bool
    timeout_s: float


class Ota:
    """Asks for one device. `client` is shared by all."""

    def __init__(
        self, subject: Subject, server: Server, client: httpx2.AsyncClient, device: Identity
    ) -> None:
        self._subject = subject
        self._server = server
        self._client = client
        self._device = device

    async def ask(self) -> Place | Activation:
        """Where to connect, or what is to be done first; raises XiaozhiProblem."""
        status, body = await self._post(self._server.url, _system(self._device))
        if status != 200:
            raise self._subject.refused(status)
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise self._subject.broken("answered its bootstrap with something that is no JSON")
        return self._read(answer)

    async def activated(self) -> bool:
        """Whether the person has registered the device by now; raises XiaozhiProblem."""
        url = self._server.url.rstrip("/") + "/activate"
        status, _ = await self._post(url, {})
        return status == 200

    def _read(self, answer: JsonObject) -> Place | Activation:
        activation = answer.get("activation")
        if isinstance(activation, dict):
            code = activation.get("code")
            # A challenge without a code is for boards with a serial number in their fuses.
            if isinstance(code, str) and _CODE.fullmatch(code):
                return _activation(code, activation)
        socket = answer.get("websocket")
        url = socket.get("url") if isinstance(socket, dict) else None
        if not isinstance(url, str) or not url:
            if isinstance(answer.get("mqtt"), dict):
                raise self._subject.only_mqtt()
            raise self._subject.broken("names no WebSocket in its bootstrap")
        if not _URL.fullmatch(url):
            raise self._subject.broken("names a WebSocket that is no address")
        token = socket.get("token") if isinstance(socket, dict) else None
        return Place(url=url, token=_token(token) or self._server.key)

    async def _post(self, url: str, body: JsonObject) -> tuple[int, bytes]:
        headers = {
            "Activation-Version": "1",
            "Device-Id": self._device.device,
            "Client-Id": self._device.client,
            "User-Agent": f"voxcard/{__version__}",
            "Accept-Language": "en-US",
        }
        limit_s = self._client.timeout.read or _CONNECT_S
        try:
            async with (
                asyncio.timeout(limit_s),  # one that sends a byte now and then is late, too
                self._client.stream("POST", url, json=dict(body), headers=headers) as response,
            ):
                data = b""
                async for piece in response.aiter_bytes():
                    data += piece
                    if len(data) > _ANSWER_MAX:
                        raise self._subject.broken("answered its bootstrap with too much")
                return response.status_code, data
        except (httpx2.ConnectTimeout, httpx2.ConnectError, ssl.SSLError) as error:
            raise self._subject.away() from error
        except (httpx2.TimeoutException, TimeoutError) as error:
            raise self._subject.late(limit_s) from error
        except httpx2.HTTPError as error:
            raise self._subject.broken("broke off in its bootstrap") from error


def http_client(limit_s: float) -> httpx2.AsyncClient:
    """A client for bootstraps. Its certificates take tens of milliseconds: in a thread."""
    timeout = httpx2.Timeout(limit_s, connect=min(_CONNECT_S, limit_s))
    return httpx2.AsyncClient(timeout=timeout, trust_env=False)


def _activation(code: str, answer: JsonObject) -> Activation:
    text, timeout_ms = answer.get("message"), answer.get("timeout_ms")
    known = isinstance(timeout_ms, int) and not isinstance(timeout_ms, bool) and timeout_ms > 0
    waits_ms = min(int(timeout_ms or 0), _TIMEOUT_MS_MAX) if known else _TIMEOUT_MS
    return Activation(
        code=code,
        text=safe_text(text)[:_TEXT_MAX] if isinstance(text, str) else "",
        challenge=isinstance(answer.get("challenge"), str),
        timeout_s=waits_ms / 1000,
    )


def _token(value: Json) -> Secret:
    """A token as a header takes it."""
    usable = isinstance(value, str) and value.isascii() and value.isprintable()
    return Secret(value=value.strip()) if usable else Secret()


def _system(device: Identity) -> dict[str, Any]:
    """What a board says about itself, as far as a bridge is one."""
    return {
        "version": 2,
        "language": "en-US",
        "mac_address": device.device,
        "uuid": device.client,
        "application": {"name": "voxcard", "version": __version__},
        "board": {"type": "voxcard", "name": "voxcard", "mac": device.device},
    }
