"""The way to a Home Assistant: connected, watched, and connected again after it was lost."""

import asyncio
import logging
import random
import ssl

import websockets
from websockets.asyncio.client import ClientConnection

from voxcard.assistants import websocket
from voxcard.assistants.home_assistant.connection import (
    CLOSE_S,
    Connection,
    auth,
    next_message,
)
from voxcard.assistants.home_assistant.messages import (
    AuthInvalid,
    AuthOk,
    AuthRequired,
    Malformed,
)
from voxcard.assistants.home_assistant.problems import HomeSubject, LostConnection, TokenRefused
from voxcard.assistants.pipeline.server_problem import ServerProblem
from voxcard.config import Secret
from voxcard.text_safety import safe_line

log = logging.getLogger(__name__)

CONNECT_S = 5.0  # to connect and prove who asks
PING_S = 25.0  # of silence, then it is asked for a sign
PONG_S = 5.0  # until that sign
STALE_S = 5.0  # of silence, then a turn asks for a sign first
STALE_PONG_S = 1.5
BACK_OFF_S = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
STEADY_S = 10.0  # a connection that lived so long was none that fails again and again
REFUSED_S = 300.0  # a wrong token counts there as an attempt to break in
FRAME_MAX = 16 << 20  # bytes: the device list of a large home has some


class Link:
    """`start` begins to keep a connection; `connection` is the one there is."""

    def __init__(self, subject: HomeSubject, url: str, token: Secret) -> None:
        self._subject = subject
        self._url = url.replace("http", "ws", 1) + "/api/websocket"
        self._token = token
        self._live: Connection | None = None
        self._why: ServerProblem | None = None
        self._wake = asyncio.Event()
        self._waiting: list[asyncio.Future[Connection]] = []
        self._keeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to connect; that it is away is none of the errors here: it may come back."""
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep(), name="Home Assistant link")

    async def stop(self) -> None:
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.cancel()
            await asyncio.gather(keeper, return_exceptions=True)
        for waiter in self._taken():
            waiter.set_exception(self._subject.lost())

    def why(self) -> str:
        """Why there is no connection; "" when there is one, or none was tried yet."""
        return str(self._why) if self._why is not None else ""

    def wake(self) -> None:
        """Somebody will need it: do not wait for the next attempt's time."""
        self._wake.set()

    async def connection(self) -> Connection:
        """A connection that answers; raises ServerProblem when there is none to be had."""
        if isinstance(self._why, TokenRefused):
            raise self._why
        if self._keeper is None:
            raise self._subject.lost()  # it was stopped
        live = self._live
        if live is not None and await self._answers(live):
            return live
        waiter: asyncio.Future[Connection] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        self._wake.set()
        try:
            async with asyncio.timeout(CONNECT_S + 1):
                return await waiter
        except TimeoutError as error:
            raise self._subject.silent(CONNECT_S) from error
        finally:
            if waiter in self._waiting:
                self._waiting.remove(waiter)

    async def _answers(self, live: Connection) -> bool:
        """Whether it is still there: what was silent for long may be dead without a sign."""
        if live.problem is not None:
            return False
        if asyncio.get_running_loop().time() - live.heard_s < STALE_S:
            return True
        try:
            await live.ping(STALE_PONG_S)
        except ServerProblem:
            return False
        return True

    async def _keep(self) -> None:
        failures = 0
        while True:
            self._wake.clear()
            began_s = asyncio.get_running_loop().time()
            try:
                await self._serve(await self._open())
            except ServerProblem as problem:
                self._failed(problem)
            except Exception:
                log.exception("the link to Home Assistant failed")
                self._failed(self._subject.lost())
            if asyncio.get_running_loop().time() - began_s > STEADY_S:
                failures = 0  # it was connected
            await self._pause(failures)
            failures += 1

    async def _pause(self, failures: int) -> None:
        """Wait for the next attempt's time, or for somebody who needs it."""
        refused = isinstance(self._why, TokenRefused)
        wait_s = REFUSED_S if refused else BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)]
        wait_s *= random.uniform(0.8, 1.2)
        if refused:
            await asyncio.sleep(wait_s)
            return
        try:
            async with asyncio.timeout(wait_s):
                await self._wake.wait()
        except TimeoutError:
            pass

    async def _open(self) -> Connection:
        try:
            async with asyncio.timeout(CONNECT_S):
                socket = await self._connect()
                try:
                    await self._authenticate(socket)
                except BaseException:
                    await websocket.close(socket, CLOSE_S)
                    raise
        except TimeoutError as error:
            raise self._subject.silent(CONNECT_S) from error
        except Malformed as error:
            raise self._subject.broken(f"sent {error}") from error
        except websockets.InvalidStatus as error:
            status = error.response.status_code
            raise self._subject.refused(status, "It is no WebSocket there.") from error
        except ssl.SSLCertVerificationError as error:  # a ValueError too
            raise self._subject.untrusted() from error
        except (websockets.InvalidHandshake, ValueError) as error:
            raise self._subject.broken("does not speak WebSocket") from error
        except websockets.ConnectionClosed as error:
            raise self._subject.lost() from error
        except OSError as error:
            raise self._subject.away() from error
        return Connection(socket, self._subject)

    async def _connect(self) -> ClientConnection:
        tls = None
        if self._url.startswith("wss:"):
            # Reads the system's certificates, which takes tens of milliseconds.
            tls = await asyncio.to_thread(ssl.create_default_context)
        return await websocket.opened(
            self._url,
            open_s=CONNECT_S,
            close_s=CLOSE_S,
            message_max=FRAME_MAX,
            tls=tls,
            has_pings=False,  # its own `ping` shows that more than the socket lives
        )

    async def _authenticate(self, socket: ClientConnection) -> None:
        if not isinstance(await next_message(socket), AuthRequired):
            raise Malformed("no auth_required")
        await socket.send(auth(self._token.value))
        answer = await next_message(socket)
        if isinstance(answer, AuthInvalid):
            raise self._subject.token_refused()
        if not isinstance(answer, AuthOk):
            raise Malformed("no auth_ok")
        log.info("connected to Home Assistant %s", safe_line(answer.version, 40))

    async def _serve(self, connection: Connection) -> None:
        """Hand it out, and look after it until it ends."""
        self._live, self._why = connection, None
        for waiter in self._taken():
            waiter.set_result(connection)
        watch = asyncio.create_task(_watched(connection), name="Home Assistant watch")
        try:
            await connection.run()
        finally:
            self._live = None
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)
        self._why = connection.problem
        log.warning("the connection to Home Assistant ended: %s", connection.problem)

    def _failed(self, problem: ServerProblem) -> None:
        if str(problem) != self.why():
            log.warning("%s", problem)
        self._why = problem
        for waiter in self._taken():
            waiter.set_exception(problem)

    def _taken(self) -> list[asyncio.Future[Connection]]:
        """Those who wait, once."""
        waiting, self._waiting = self._waiting, []
        return [waiter for waiter in waiting if not waiter.done()]


async def _watched(connection: Connection) -> None:
    """Ask for a sign whenever it was silent for long; a missing one ends the connection."""
    loop = asyncio.get_running_loop()
    try:
        while True:
            quiet_s = loop.time() - connection.heard_s
            if quiet_s < PING_S:
                await asyncio.sleep(PING_S - quiet_s)
            else:
                await connection.ping(PONG_S)
    except LostConnection:
        pass  # that ended it
