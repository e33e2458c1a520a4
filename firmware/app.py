"""Builds the device from its board and keeps its tasks running; nothing else makes objects."""

import asyncio
import gc
import time

import log
from audio.buffers import Frames
from audio.capture import Capture
from audio.playback import Playback
from hal import this_board
from identity import BUFFER_MS, FIRMWARE, about, capability_of, device_id_of
from link import Link, last_will
from mqtt.client import Client
from mqtt.stream import connect, tls_context
from session.presses import Presses
from session.voice import ECHO_GUARD_MS, Voice
from settings import SettingError, Settings
from showing import Showing
from store import Store
from supervisor import LastWords, Reports, keep_running
from toolbox.device import tools_of
from voxwire.errors import WireError
from voxwire.session import IDLE, LISTENING, OFFLINE, SPEAKING, THINKING

TURN = (LISTENING, THINKING, SPEAKING)
NETWORK_PAUSE_MS = 5000
CLOSE_MS = 3000
COLLECT_BYTES = 32768  # allocated between two collections at the most
REPORT_CHARACTERS = 500  # of what is wrong with the settings
RESTART_MS = 1000  # the answer to the call that asked for it goes out first


def settings_of(board, store):
    """(the stored settings over the board's own, a sentence for each that does not fit).

    What does not fit is left out and set aside.
    """
    problems = []
    try:
        settings = Settings(board.settings)
    except SettingError as error:
        problems.append("The board's own: %s" % error)
        settings = Settings()
    try:
        stored = store.load()
    except WireError as error:
        problems.append("The file %s." % error.reason)
        stored = None
    left_out = [] if stored is None else settings.load(stored)
    if left_out:
        store.replace(settings.data())
    problems += left_out
    for problem in problems:
        log.error("settings", problem)
    return settings, problems


def client_of(settings, device_id: str) -> Client:
    """The connection to the broker that the settings name."""
    tls, opening, path = None, connect, settings.get("ca")
    if path:
        try:
            with open(path, "rb") as file:
                tls = tls_context(file.read())
        except (OSError, ValueError) as error:
            opening = _refusal("the CA file %s cannot be used: %s" % (path, error))
    return Client(
        settings.get("host"),
        settings.get("port"),
        device_id,
        settings.get("user") or None,
        settings.get("password") or None,
        tls,
        last_will(device_id, settings.get("root")),
        connect=opening,
    )


def _refusal(reason: str):
    # Without its CA a connection must not become a plain one.
    async def refuse(host, port, tls):
        raise ValueError(reason)

    return refuse


class App:
    """The objects of one device; `run` is its life.

    `last_words` is why the program ended before, "" if it did not.
    """

    def __init__(self, board, last_words: str = "") -> None:
        self._board = board
        self._started_s = time.time()
        self._store = Store(board.root + "/settings.json")
        self._settings, problems = settings_of(board, self._store)
        settings = self._settings
        self._observe = board.observe or (lambda event, **values: None)
        self._id = device_id_of(board, settings)
        self._view = self._new_view()
        self._link = Link(
            client_of(settings, self._id), self._id, self._describe, settings.get("root")
        )
        # Where the two never run at a time they use the same memory.
        shared = None if board.duplex == "full" else Frames()
        self._capture = Capture(board.microphone, self._link.send_frame, frames=shared)
        self._playback = Playback(board.speaker, frames=shared, buffer_ms=BUFFER_MS)
        self._voice = Voice(
            self._link,
            self._view,
            self._capture,
            self._playback,
            guard_ms=0 if board.duplex == "full" else ECHO_GUARD_MS,
            on_state=self._state_changed,
        )
        self._reports = Reports(self._post_event, lambda: self._link.session_id is not None)
        self._tools = tools_of(
            board,
            settings,
            self._view,
            self._link,
            about=about(board, settings, self._id),
            change=self._change,
            restart=self._restart,
            uptime_s=self._uptime_s,
        )
        self._wire()
        if last_words:
            self._reports.tell("crash", last_words)
        if problems:
            text = "Settings that cannot be read are in settings.json.bad: " + " ".join(problems)
            self._reports.tell("error", text[:REPORT_CHARACTERS])

    def _describe(self):
        screen = self._view.capability()
        return capability_of(self._board, self._settings, self._id, screen, self._voice.boot)

    def _new_view(self):
        board = self._board
        # A board reads the one that it needs.
        if board.display is None:
            from no_screen import NoScreen

            return NoScreen()
        from screen.view import View

        return View(
            board.display,
            name=self._settings.get("name") or board.name,
            device_id=self._id,
            theme=self._settings.get("theme"),
            on_card_event=lambda *event: self._showing.tell(*event),
            on_drawn=lambda count, page, card: self._observe(
                "drawn", count=count, page=page, card=card
            ),
            log=lambda text: log.warning("screen", text),
        )

    def _wire(self) -> None:
        """Join the parts that know nothing of each other."""
        link, settings = self._link, self._settings
        self._showing = Showing(link, self._view)
        link.on_frame = self._playback.accept
        link.on_link = self._link_changed
        link.on("hello", self._hello)
        link.on("mcp", self._mcp)
        link.on("system", self._system)
        settings.watch("log", lambda level: log.verbose(level == "debug"))
        settings.watch("volume", self._playback.set_volume)
        if self._board.display is not None:
            settings.watch("theme", self._view.set_theme)
            if self._board.display.brightness is not None:
                settings.watch("brightness", self._board.display.brightness)

    def _uptime_s(self) -> int:
        # By the clock, whose setting is made up for: ticks begin anew every 12.4 days.
        return int(time.time() - self._started_s)

    # What parts tell each other through here.

    def _post_event(self, name: str, text: str) -> None:
        self._link.post("event", name=name, text=text)

    def _link_changed(self, event: str) -> None:
        self._voice.link_event(event)
        if event == "link_down":
            self._view.set_state(OFFLINE, self._link.problem)

    def _hello(self, message) -> None:
        if message.time is not None and self._board.set_time is not None:
            before_s = time.time()
            self._board.set_time(message.time)
            self._started_s += time.time() - before_s
        self._tools.reset()
        self._voice.hello(message)
        self._reports.flush()

    def _mcp(self, message) -> None:
        answer = self._tools.handle(message.payload)
        if answer is not None:
            self._link.post("mcp", payload=answer)

    def _system(self, message) -> None:
        if message.command == "reboot":
            self._restart()
        else:
            log.info("app", "no such system command: %s" % message.command)

    def _state_changed(self, state: str) -> None:
        self._observe("state", state=state)
        if state == IDLE:
            # Between turns nothing waits; in a turn a collection could be heard.
            gc.collect()

    def _change(self, name: str, value) -> None:
        self._settings.set(name, value)
        self._store.save(self._settings.data())

    def _restart(self) -> None:
        self._restarting = asyncio.create_task(self._restart_soon())

    async def _restart_soon(self) -> None:
        await asyncio.sleep_ms(RESTART_MS)
        try:
            await asyncio.wait_for_ms(self._link.close("restart"), CLOSE_MS)
        except asyncio.TimeoutError:
            pass  # the last will says it too
        self._board.reset()

    # Life.

    def _presses(self) -> Presses:
        voice, view = self._voice, self._view

        def tap():
            voice.talk_down()
            voice.talk_up()

        def act():
            # A long press with nothing to act on brings the last card back.
            if not view.activate() and voice.state == IDLE:
                view.show_last_card()

        actions = {
            "talk_down": voice.talk_down,
            "talk_held": voice.talk_held,
            "talk_up": voice.talk_up,
            "tap": tap,
            "next_page": view.next_page,
            "activate": act,
        }
        return Presses(self._board.buttons, self._shown, actions)

    def _shown(self) -> str:
        """What the screen shows, as far as buttons care (module buttons)."""
        state = self._voice.state
        # A question that a turn put on the screen is answered there; else a press is for the turn.
        if state in TURN and not (state == THINKING and self._view.offers):
            return ""
        if self._view.asks:
            return "choice" if self._view.can_turn else "offer"
        return "more" if self._view.can_turn else ""

    def _tasks(self):
        """(name, coroutine function) of every task that needs no network."""
        tasks = [
            ("voice", self._voice.run),
            ("capture", self._capture.run),
            ("playback", self._playback.run),
            ("buttons", self._presses().run),
        ]
        if self._board.display is not None:
            tasks.append(("screen", self._view.run))
        if self._board.run is not None:
            tasks.append(("board", self._board.run))
        return tasks

    def _supervise(self, tasks):
        tell = lambda text: self._reports.tell("error", text)  # noqa: E731
        return [asyncio.create_task(keep_running(name, start, tell)) for name, start in tasks]

    async def run(self) -> None:
        """Start everything; never ends."""
        tasks = self._supervise(self._tasks())
        self._observe("ready", id=self._id)
        while self._board.network is not None:
            try:
                await self._board.network.connect()
                break
            except OSError as error:
                log.error("network", "cannot connect (%s)" % error)
                await asyncio.sleep_ms(NETWORK_PAUSE_MS)
        tasks += self._supervise(self._link.tasks())
        await asyncio.gather(*tasks)


def run(board=None) -> None:
    """Run the device of `board`, or of this one, until it restarts; what ends it is kept."""
    gc.collect()
    board = board or this_board()
    last_words = LastWords(board.root + "/crash.txt", FIRMWARE)
    try:
        app = App(board, last_words.take())
        gc.collect()
        # Collect long before the heap is full: what is kept would lie scattered among the garbage,
        # and a small heap has no room for a large message then.
        gc.threshold(min(COLLECT_BYTES, gc.mem_free() // 4))
        asyncio.run(app.run())
    except Exception as error:
        log.exception("app", "the program", error)
        last_words.keep(error)
        board.reset()
