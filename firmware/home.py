"""The device's way home: into its network and to its bridge; and when a person has to help."""

import asyncio
import os

import log
from identity import FIRMWARE
from voxwire.session import OFFLINE

PAUSE_MS = 5000
ALONE_LOOKS = 12  # so many pauses without a bridge: it has moved, or there is none
HELD_MS = 2000
# In the board's folder: why the next start is one of the set-up. Beside the voice there is no room
# for that in a small heap, and without a network no use for the voice.
FLAG = "/setup"
HELD = "The button was held at the start."
_NO_BRIDGE = "No bridge answers in this network."


async def set_up_reason(board) -> str:
    """Why the device has to be set up before anything else; "" where it has not."""
    if board.access_point is None:
        return ""
    try:
        with open(board.root + FLAG) as file:
            why = file.read()
        os.remove(board.root + FLAG)
        return why
    except OSError:
        pass  # as a rule there is none
    if board.network.lost:
        return board.network.problem
    talk = [button for button in board.buttons if button.name == "talk"]
    if not talk or not talk[0].pressed():
        return ""
    await asyncio.sleep_ms(HELD_MS)
    return HELD if talk[0].pressed() else ""


def watch_line(board, settings):
    """The task that sets a board up over its cable, None where it has none."""
    if board.line is None:
        return None
    from provisioning import line_watch

    about = ("Voxcard", FIRMWARE, board.id, settings.get("name") or "Voxcard")
    return asyncio.create_task(line_watch.watch(board, about))


class Home:
    """`enter`, then `stay`.

    `change(name, value)` keeps a setting, `restart()` restarts the device soon.
    """

    def __init__(self, board, settings, view, client, change, restart) -> None:
        self._board, self._settings, self._view = board, settings, view
        self._client, self._change, self._restart = client, change, restart
        self._found = False  # a bridge that no setting names
        self._discovery = None
        if not settings.get("host"):
            # While the heap is in one piece, and for good: a bridge may move.
            from provisioning import discovery

            self._discovery = discovery

    async def enter(self) -> None:
        """Come back in the network, with a broker to connect to."""
        self._line = watch_line(self._board, self._settings)
        network = self._board.network
        if network is None:
            return
        while not await self._is_joined(network):
            await asyncio.sleep_ms(PAUSE_MS)
        looks = 0
        while self._discovery is not None and not await self._find():
            log.error("network", _NO_BRIDGE)
            self._view.set_state(OFFLINE, _NO_BRIDGE)
            looks += 1
            if looks == ALONE_LOOKS:
                await self._be_set_up(_NO_BRIDGE)
            await asyncio.sleep_ms(PAUSE_MS)

    async def _is_joined(self, network) -> bool:
        try:
            await network.connect()
            return True
        except OSError as error:
            log.error("network", "cannot connect (%s)" % error)
            self._view.set_state(OFFLINE, str(error))
            if network.lost:
                await self._be_set_up(str(error))
        return False

    async def stay(self) -> None:
        """Look after the network and the broker; never ends."""
        network = self._board.network
        looks = 0
        while True:
            await asyncio.sleep_ms(PAUSE_MS)
            if network is not None and network.lost:
                await self._be_set_up(network.problem)
            looks = 0 if self._client.connected or not self._found else looks + 1
            if looks == ALONE_LOOKS:
                looks = 0
                await self._find()

    async def _find(self) -> bool:
        """Whether a bridge answers; it is connected to then."""
        settings = self._settings
        try:
            bridge = await self._discovery.find(settings.get("bridge"), settings.get("root"))
        except (OSError, MemoryError) as error:
            log.error("mdns", "the bridge cannot be looked for (%s)" % error)
            return False
        if bridge is None:
            return False
        self._found = True
        # By its name only where the certificate is for it: asking for its address blocks.
        host = bridge.host if bridge.tls and bridge.host else bridge.address
        self._client.move(host, bridge.port)
        if bridge.root != settings.get("root"):
            self._change("root", bridge.root)
            await self._restart_now()
        return True

    async def _be_set_up(self, why: str) -> None:
        """Restart into the set-up, where there is one."""
        if self._board.access_point is None:
            return
        try:
            with open(self._board.root + FLAG, "w") as file:
                file.write(why or "The device has no network.")
        except OSError as error:
            log.error("setup", "it cannot begin (%s)" % error)
            return
        await self._restart_now()

    async def _restart_now(self) -> None:
        self._restart()
        await asyncio.sleep_ms(4 * PAUSE_MS)  # nothing else until then
