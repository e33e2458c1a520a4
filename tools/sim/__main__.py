"""`make sim`: one simulated device and the bridge, for hands-on use in this terminal.

Type a sentence to ask it, or a command: `wav FILE`, `press`, `hold MS`, `say TEXT`, `screen`,
`tools`, `quit`. What happens, and the screen when it changes, is printed as it happens.
"""

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from voxcard.errors import VoxcardError
from voxcard.link.embedded_broker import free_port

from tools.sim import speech
from tools.sim.simulated_device import DeviceEndedError, SimulatedDevice
from tools.sim.stage import ROOT, Bridge, BridgeEndedError, orders_server

FOLDER = ROOT / "out" / "sim"
DEVICE = "sim-1"
SETTLED_S = 0.3  # a screen that stays this long is worth printing
# The device listens after 0.4 s of holding; where a card has the button it acts after 0.7 s.
HELD_S = 0.6
HELP = "Type a sentence, or: wav FILE · press · hold MS · say TEXT · speak TEXT · screen · quit"


class Sim:
    """Reads lines of the terminal, prints what happens."""

    def __init__(self, console: Console, camera: Path | None, screen: str) -> None:
        self._print = console.print
        self._camera = camera
        width, _, height = screen.partition("x")
        self._panel = {"width": int(width), "height": int(height)}
        self._bridge: Bridge
        self._device: SimulatedDevice
        self._drawn = asyncio.Event()
        self._commands: dict[str, Callable[[str], Awaitable[None]]] = {
            "wav": self._wav,
            "press": lambda _: self._device.press(),
            "hold": lambda ms: self._device.press(ms=int(ms or 1000)),
            "say": self._announce,
            "speak": self._speak,
            "screen": lambda _: self._show(),
            "help": self._help,
        }

    async def run(self) -> None:
        """Until `quit` or the end of the input."""
        port = free_port("127.0.0.1")
        settings: dict[str, dict[str, object]] = {
            "mqtt": {"listen_port": port},
            "mcp.orders": orders_server(),
        }
        self._print("Starting the bridge (it loads speech models) and one device…")
        self._bridge = Bridge(FOLDER, settings, self._happened)
        async with self._bridge:
            more: dict[str, Any] = {"photo": str(self._camera)} if self._camera else {}
            self._device = SimulatedDevice(
                FOLDER / "device",
                DEVICE,
                port=port,
                screen=self._panel,
                on_report=self._reported,
                **more,
            )
            async with self._device:
                await self._device.wait("state", state="idle")
                await self._bridge.tools(DEVICE, "self.get_device_status")
                await self._bridge.tools(DEVICE, "orders.where_is_order")
                self._print(f"[bold]Ready.[/bold] {HELP}")
                self._print(f"In another terminal: voxcard devices --config {FOLDER}/voxcard.toml")
                printing = asyncio.create_task(self._print_screens())
                try:
                    await self._read()
                finally:
                    printing.cancel()

    async def _read(self) -> None:
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while line := (await reader.readline()).decode(errors="replace").strip() or None:
            if line == "quit":
                return
            word, _, rest = line.partition(" ")
            command = self._commands.get(word)
            try:
                if command is not None:
                    await command(rest.strip())
                else:
                    await self._bridge.request("ask", device=DEVICE, text=line)
            except (VoxcardError, OSError, ValueError, TimeoutError) as error:
                self._print(f"[red]{error}[/red]")

    async def _wav(self, file: str) -> None:
        """Hold the button while the microphone hears the file: push to talk."""
        path = await asyncio.to_thread(_existing, file)
        self._device.skip("state")
        await self._device.hold()
        try:
            await self._device.wait("state", state="listening", limit_s=HELD_S)
        except TimeoutError:
            raise VoxcardError(
                "The button belongs to the card on the screen now.", "Turn its pages with: press"
            ) from None
        else:
            await self._device.hear(path)
            await self._device.wait("microphone_done", limit_s=60)
        finally:
            await self._device.release()

    async def _speak(self, text: str) -> None:
        """The sentence as sound, through microphone and recogniser."""
        path = FOLDER / "spoken.wav"
        await asyncio.to_thread(speech.record, path, text)
        await self._wav(str(path))

    async def _announce(self, text: str) -> None:
        await self._bridge.request("say", device=DEVICE, text=text)

    async def _help(self, _: str) -> None:
        self._print(HELP)

    async def _show(self) -> None:
        pnm = await self._device.screen()
        if pnm.startswith(b"P4"):
            self._print(in_half_blocks(pnm), highlight=False, markup=False)
        else:
            self._print(f"The screen is in {self._device.folder / 'screen.pnm'}")

    async def _print_screens(self) -> None:
        while True:
            await self._drawn.wait()
            self._drawn.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._drawn.wait(), SETTLED_S)
                continue
            await self._show()

    def _reported(self, report: dict[str, Any]) -> None:
        if report["event"] == "drawn":
            self._drawn.set()
        elif report["event"] == "refused":
            self._print(f"[red]{report['text']}[/red]")

    def _happened(self, happening: dict[str, Any]) -> None:
        if happening["kind"] not in ("turn", "tools"):
            self._print(f"  {happening['kind']}: {happening['text']}", markup=False)


def _existing(file: str) -> Path:
    return Path(file).expanduser().resolve(strict=True)


def in_half_blocks(pbm: bytes) -> str:
    """A P4 bitmap as text, two rows of pixels a line; lit pixels (0) are drawn."""
    _, size, data = pbm.split(b"\n", 2)
    width, height = map(int, size.split())
    stride = (width + 7) // 8

    def lit(x: int, y: int) -> bool:
        return y < height and not data[y * stride + x // 8] << x % 8 & 128

    lines = [
        "".join(" ▀▄█"[lit(x, y) + 2 * lit(x, y + 1)] for x in range(width))
        for y in range(0, height, 2)
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--camera", type=Path, help="JPEG that the camera sees")
    parser.add_argument("--screen", default="128x64", help="for example 240x240")
    given = parser.parse_args()
    console = Console(highlight=False, soft_wrap=True)
    try:
        asyncio.run(Sim(console, given.camera, given.screen).run())
    except KeyboardInterrupt:
        pass
    except (BridgeEndedError, DeviceEndedError, TimeoutError, VoxcardError) as error:
        console.print(f"[red]{error}[/red]")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
