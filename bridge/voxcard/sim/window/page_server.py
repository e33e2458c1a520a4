"""Serves the page of one simulated device to this computer: its screen as it is, its button."""

import asyncio
import base64
import contextlib
import secrets
from collections.abc import AsyncIterator, Mapping
from html import escape
from pathlib import Path
from string import Template
from typing import Any, Protocol, Self

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from voxcard.sim import pixels
from voxcard.sim.reports import DeviceEndedError
from voxcard.web.server import WebServer

HOST = "127.0.0.1"
LOOK_S = 0.05  # from one look at the panel to the next
PAGE = Path(__file__).with_name("page.html")
_HEADERS = {
    # Nothing comes from or goes to anywhere else; no other page may frame this one.
    "content-security-policy": "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


class Button(Protocol):
    """What a window needs of a SimulatedDevice."""

    async def press(self) -> None: ...
    async def hold(self) -> None: ...
    async def release(self) -> None: ...


class Window:
    """The page of the device named `name` with its `button`.

    `panel` is the file that a SimulatedPanel (hal/simulator.py) of `screen` keeps its pixels in.
    Who does not know the random part of `address` sees and presses nothing.
    """

    def __init__(
        self,
        name: str,
        button: Button,
        panel: Path,
        screen: Mapping[str, Any],
        *,
        look_s: float = LOOK_S,
    ) -> None:
        self._name, self._panel, self._screen = name, panel, screen
        self._look_s = look_s
        self._actions = {
            "press": button.press,
            "hold": button.hold,
            "release": button.release,
        }
        self._path = f"/{secrets.token_urlsafe(16)}/"
        self._closed = asyncio.Event()
        routes = (
            Route(self._path, self._page),
            Route(f"{self._path}frames", self._stream),
            Route(f"{self._path}button/{{action}}", self._act, methods=["POST"]),
        )
        self._server = WebServer(routes, HOST, 0)

    @property
    def address(self) -> str:
        """Of the page, once it is served."""
        return f"http://{HOST}:{self._server.port}{self._path}"

    async def __aenter__(self) -> Self:
        await self._server.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._closed.set()
        await self._server.stop()

    async def frames(self) -> AsyncIterator[bytes]:
        """A PNG of the panel now, and one whenever it has changed, until the window closes."""
        last = b""
        while not self._closed.is_set():
            memory = self._panel.read_bytes()
            shown = pixels.of_panel(memory, self._screen) if memory != last else None
            if shown is not None:
                last = memory
                yield pixels.png(shown)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._look_s):
                    await self._closed.wait()

    async def _page(self, request: Request) -> Response:
        screen = self._screen
        text = Template(PAGE.read_text(encoding="utf-8")).substitute(
            name=escape(self._name),
            width=screen["width"],
            height=screen["height"],
            shape=escape(screen["shape"]),
        )
        return HTMLResponse(text, headers=_HEADERS)

    async def _stream(self, request: Request) -> Response:
        async def events() -> AsyncIterator[bytes]:
            async for frame in self.frames():
                yield b"data: " + base64.b64encode(frame) + b"\n\n"

        return StreamingResponse(events(), media_type="text/event-stream", headers=_HEADERS)

    async def _act(self, request: Request) -> Response:
        action = self._actions.get(request.path_params["action"])
        if action is None:
            return Response(status_code=404)
        try:
            await action()
        except (DeviceEndedError, ConnectionError):
            return Response(status_code=503)
        return Response(status_code=204, headers=_HEADERS)
