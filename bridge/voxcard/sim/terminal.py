"""The commands of a person at one simulated device."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.sim import half_blocks, pixels, speech, words
from voxcard.sim.device import SimulatedDevice
from voxcard.sim.half_blocks import Canvas, Colours

HELP = "Type a sentence, or: press · hold MS · wav FILE · speak TEXT · say TEXT · screen · quit"
# The device listens after 0.4 s of holding; where a card has the button it acts after 0.7 s.
HELD_S = 0.6
EFFECT_S = 2.0  # in which a press shows on the device
STEP_S = 60.0  # for what the device has to say at once, on a busy computer
_ALONE = ("press", "screen", "help", "quit")  # a sentence may begin with these words
_COUNT = re.compile(r"[0-9]{0,5}", re.ASCII)


class Terminal:
    """Obeys lines, tells what came of them.

    `ask(do, **values)` asks the bridge for something; `canvas` is what a screen is drawn on.
    """

    def __init__(
        self,
        device: SimulatedDevice,
        ask: Callable[..., Awaitable[Json]],
        tell: Callable[[str], None],
        canvas: Callable[[], Canvas],
    ) -> None:
        self._device = device
        self._ask_bridge = ask
        self._tell = tell
        self._canvas = canvas
        self._state = ""
        self._page: tuple[str, int] | None = None  # id of the card on the screen, its page
        self._drawing = b""  # the screen as it was last drawn here
        self._effect: asyncio.Future[str] | None = None
        self._commands: dict[str, Callable[[str], Awaitable[None]]] = {
            "press": lambda _: self._press("100"),
            "hold": self._press,
            "wav": self._wav,
            "speak": self._speak,
            "say": self._announce,
            "screen": lambda _: self.show(),
            "help": self._help,
        }

    @property
    def shows_card(self) -> bool:
        """Whether a card is on the screen."""
        return self._page is not None

    async def obey(self, lines: AsyncIterator[str]) -> None:
        """Each line until `quit` or the last one; empty ones are passed over."""
        async for line in lines:
            typed = line.split()
            if typed == ["quit"]:
                return
            if typed:
                await self._obey(typed[0], line.strip())

    async def _obey(self, word: str, line: str) -> None:
        rest = line[len(word) :].strip()
        command = self._commands.get(word)
        if (word in _ALONE and rest) or (word == "hold" and not _COUNT.fullmatch(rest)):
            command = None
        try:
            if command is not None:
                await command(rest)
            else:
                await self._ask_bridge("ask", text=line)
        except (VoxcardError, TimeoutError) as error:
            self._tell(str(error))

    def reported(self, report: dict[str, Any]) -> None:
        """Take a report of the device and tell what a person should know of it."""
        if report["event"] == "state":
            self._state = report["state"]
            self._changed(f"the device is {self._state}")
        elif report["event"] == "drawn":
            self._drawn(report["card"], report["page"])
        elif report["event"] == "refused":
            self._tell(f"device refused it: {words.cut(report['text'])}")
        elif report["event"] == "reset":
            self._tell("device restarts")

    def _drawn(self, card: str | None, page: int) -> None:
        shown = None if card is None else (card, page)
        if shown == self._page:
            return
        self._page = shown
        if shown is None:
            self._drawing = b""  # what is shown now is not drawn here
        self._changed("the card is gone" if shown is None else f"page {page + 1} of the card")

    def _changed(self, effect: str) -> None:
        if self._effect is not None and not self._effect.done():
            self._effect.set_result(effect)
        else:
            self._tell(f"device {effect.removeprefix('the device is ')}")

    async def _press(self, ms: str) -> None:
        """Press the button, and tell what it did."""
        self._effect = asyncio.get_running_loop().create_future()
        try:
            self._device.skip("button")
            await self._device.press(ms=int(ms or 1000))
            await self._device.wait("button", limit_s=STEP_S, do="press")
            limit_s = EFFECT_S + int(ms or 1000) / 1000
            done, _ = await asyncio.wait({self._effect}, timeout=limit_s)
            nothing = f"nothing changed, the device is {self._state or 'starting'}"
            self._tell(f"pressed: {self._effect.result() if done else nothing}")
        finally:
            self._effect = None

    async def _wav(self, file: str) -> None:
        await self._hear(await asyncio.to_thread(speech.recording, file))

    async def _speak(self, text: str) -> None:
        await self._hear(await asyncio.to_thread(speech.spoken, text))

    async def _hear(self, pcm: bytes) -> None:
        """Hold the button while the microphone hears it: push to talk."""
        device, path = self._device, self._device.folder / "heard.wav"
        await asyncio.to_thread(speech.write, path, pcm)
        device.skip("state")
        device.skip("microphone_done")
        await device.hold()
        try:
            limit_s = HELD_S if self.shows_card else STEP_S
            await device.wait("state", limit_s=limit_s, state="listening")
        except TimeoutError:
            problem = f"The device does not listen; it is {self._state or 'starting'}."
            if self.shows_card:
                problem = "The button belongs to the card on the screen now."
            raise VoxcardError(problem, "Try: press") from None
        else:
            await device.hear(path)
            seconds = len(pcm) / 2 / speech.RATE_HZ
            await device.wait("microphone_done", limit_s=seconds + STEP_S)
        finally:
            await device.release()

    async def _announce(self, text: str) -> None:
        if not text:
            raise VoxcardError("say needs a text.", "Such as: say Dinner is ready")
        await self._ask_bridge("say", text=text)

    async def _help(self, _: str) -> None:
        self._tell(HELP)

    async def show(self, *, again: bool = True) -> None:
        """Draw the screen, unless it is as it was drawn last and not wanted `again`.

        One in colours is named as a file where the terminal has none.
        """
        if not any(report["event"] == "drawn" for report in self._device.reports):
            await self._device.wait("drawn", limit_s=STEP_S)  # it has only just started
        pnm = await self._device.screen(limit_s=STEP_S)
        if pnm == self._drawing and not again:
            return
        self._drawing, canvas = pnm, self._canvas()
        if pnm.startswith(b"P4"):
            self._tell(words.screen(pnm, canvas.columns))
        elif canvas.colours is not Colours.NONE:
            self._tell(half_blocks.lines(pixels.of_ppm(pnm), canvas))
        elif again:
            self._tell(f"The screen is in {self._device.folder / 'screen.pnm'}")
