"""The xiaozhi server as an assistant: what its conversations share, and how it is."""

import asyncio
import importlib.util
import ssl
from collections.abc import AsyncIterator, Callable, Sequence

import httpx2

from voxcard import config
from voxcard.assistants import Facts, Speech
from voxcard.assistants.pipeline.health import Health
from voxcard.assistants.xiaozhi.bootstrap.identity import Identity, identity, read_seed
from voxcard.assistants.xiaozhi.bootstrap.ota import Ota, Place, http_client
from voxcard.assistants.xiaozhi.bootstrap.registration import Registration
from voxcard.assistants.xiaozhi.conversation import Server, XiaozhiConversation
from voxcard.assistants.xiaozhi.server_problem import Subject, XiaozhiProblem
from voxcard.assistants.xiaozhi.wire.connection import Connection, open_connection
from voxcard.errors import MissingExtra, VoxcardError
from voxcard.toolhub.model import ToolSpec


class Xiaozhi:
    """`name` is what voxcard.toml calls it; `settings` are its section there."""

    def __init__(self, name: str, settings: config.Xiaozhi) -> None:
        self._name = name
        self._settings = settings
        self._subject = Subject(name, settings.server)
        self._health = Health()
        self._seed: bytes | None = None
        self._client: httpx2.AsyncClient | None = None
        self._tls: ssl.SSLContext | None = None

    def check(self) -> None:
        """Look for the token and for the package that knows Opus."""
        if self._settings.server.key_missing:
            problem = f"[assistants.{self._name}] key_env names a variable that is not set."
            remedy = "Set it where the bridge starts, for systemd with EnvironmentFile=."
            raise VoxcardError(problem, remedy)
        if importlib.util.find_spec("av") is None:
            raise MissingExtra("Opus (av)", "media")

    async def start(self) -> None:
        """A server that is away is none of its errors: it may come back."""
        limit_s = self._settings.limit_s
        self._seed = await asyncio.to_thread(read_seed, self._settings.identity)
        self._tls = await asyncio.to_thread(ssl.create_default_context)
        if self._client is None:
            self._client = await asyncio.to_thread(http_client, limit_s)

    async def stop(self) -> None:
        self._seed = None
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    def health(self) -> str:
        if self._seed is None:
            return "It is not running."
        return self._health.why(asyncio.get_running_loop().time())

    def conversation(
        self, place: Callable[[], Facts], tools: Callable[[], Sequence[ToolSpec]]
    ) -> XiaozhiConversation:
        async def opened(to: Place) -> Connection:
            device = self._identity(place().device)
            version = self._settings.version
            return await open_connection(to, device, self._subject, version, self._tls)

        return XiaozhiConversation(
            Server(
                subject=self._subject,
                health=self._health,
                limit_s=self._settings.limit_s,
                stay_connected=self._settings.stay_connected,
            ),
            lambda on_place: self._registration(place, on_place),
            opened,
            tools,
        )

    async def say(self, text: str, locale: str) -> AsyncIterator[Speech]:
        """Its protocol has no such request: an assistant ranked after it speaks."""
        raise XiaozhiProblem(
            "A xiaozhi server speaks only its own answers.",
            f"Rank an assistant with a voice after {self._name}, such as offline.",
        )
        yield

    def _registration(
        self, place: Callable[[], Facts], on_place: Callable[[], None]
    ) -> Registration:
        server = self._settings.server
        known = Place(url=server.url, token=server.key) if server.url.startswith("ws") else None

        def ota() -> Ota:
            device = self._identity(place().device)
            assert self._client is not None
            return Ota(self._subject, server, self._client, device)

        return Registration(self._subject, known, ota, on_place)

    def _identity(self, device_id: str) -> Identity:
        if self._seed is None:
            problem = f"The assistant {self._name} is not running."
            raise VoxcardError(problem, "Start the bridge again.")
        return identity(self._seed, device_id)
