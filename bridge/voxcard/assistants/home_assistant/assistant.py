"""A Home Assistant as an assistant."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

from voxcard import config
from voxcard.assistants import Facts, Speech
from voxcard.assistants.home_assistant.conversation import HomeAssistantConversation
from voxcard.assistants.home_assistant.home import Home
from voxcard.assistants.pipeline.server_problem import ServerProblem
from voxcard.errors import VoxcardError
from voxcard.toolhub.model import ToolSpec


class HomeAssistant:
    """`name` is what voxcard.toml calls it; `settings` are its section there."""

    def __init__(self, name: str, settings: config.HomeAssistant) -> None:
        self._name = name
        self._settings = settings
        self._home: Home | None = None

    def check(self) -> None:
        """Look for the token."""
        if self._settings.server.key_missing:
            problem = f"[assistants.{self._name}] key_env names a variable that is not set."
            remedy = "Set it where the bridge starts, for systemd with EnvironmentFile=."
            raise VoxcardError(problem, remedy)

    async def start(self) -> None:
        """Begin to connect. A server that is away is none of its errors: it may come back."""
        home = Home(self._name, self._settings)
        try:
            await home.start()
        except BaseException:
            await home.stop()
            raise
        self._home = home

    async def stop(self) -> None:
        home, self._home = self._home, None
        if home is not None:
            await home.stop()

    def health(self) -> str:
        if self._home is None:
            return "It is not running."
        return self._home.link.why() or self._home.health.why(asyncio.get_running_loop().time())

    def conversation(
        self, place: Callable[[], Facts], tools: Callable[[], Sequence[ToolSpec]]
    ) -> HomeAssistantConversation:
        return HomeAssistantConversation(self._running, place)

    async def say(self, text: str, locale: str) -> AsyncIterator[Speech]:
        home = self._running()
        try:
            async for speech in home.speak(text):
                yield speech
        except ServerProblem as problem:
            home.health.failed(str(problem), asyncio.get_running_loop().time())
            raise

    def _running(self) -> Home:
        if self._home is None:
            problem = f"The assistant {self._name} is not running."
            raise VoxcardError(problem, "Start the bridge again.")
        return self._home
