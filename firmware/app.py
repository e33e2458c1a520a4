"""Builds the device from its board and keeps its tasks running; nothing else makes objects."""

import asyncio
import gc

import log
from audio.buffers import Frames
from audio.capture import Capture
from audio.playback import Playback
from device_cards import DeviceCards
from hal import this_board
from home import Home, set_up_reason
from identity import BUFFER_MS, FIRMWARE
from link.device_link import DeviceLink, last_will
from mqtt.client import Client
from mqtt.stream import connect, tls_context
from seldom import forget
from session.device_time import DeviceTime
from session.hearing import Hearing
from session.presses import presses_of
from session.voice import ECHO_GUARD_MS, Voice
from settings import SettingError, Settings
from supervisor import LastWords, Reports, keep_running
from toolbox.device import tools_of
from voxwire.errors import WireError
from voxwire.session import IDLE, OFFLINE

CHIMES = 60  # percent: the default of the setting
CLOSE_MS = 3000
COLLECT_BYTES = 32768  # allocated between two collections at the most
REPORT_CHARACTERS = 500  # of what is wrong with the settings
_BROKEN = "Settings that cannot be read are in settings.json.bad: "
_LEFT = "Settings that this firmware does not take stay in settings.json: "
# Where there is ADPCM alone, for 60 ms of it with the longest topic; what is larger goes out in
# two writes, and the one for reading grows.
ADPCM_RX_BYTES, ADPCM_TX_BYTES = 768, 640
RESTART_MS = 1000  # the answer to the call that asked for it goes out first


# What is needed at a start, for a hello or for a change of a setting is not kept in the heap.


def store_of(board):
    """The store.Store of the settings."""
    from store import Store

    forget("store")
    return Store(board.root + "/settings.json")


def identity():
    """The module of that name."""
    import identity

    forget("identity", "build_digest", "voxwire.capability")
    return identity


def settings_of(board):
    """(the stored settings over the board's own, what is wrong with them in words).

    What is broken is set aside; what may be of a newer firmware stays as it is stored.
    """
    problems = []
    try:
        settings = Settings(board.settings)
    except SettingError as error:
        problems.append("The board's own: %s" % error)
        settings = Settings()
    problems += _load(settings, store_of(board))
    for problem in problems:
        log.error("settings", problem)
    return settings, problems


def _load(settings, store) -> list:
    """What of the stored values was not taken, in words."""
    try:
        stored = store.load()
    except WireError as error:
        return [_BROKEN + "The file %s." % error.reason]
    broken, left = ([], []) if stored is None else settings.load(stored)
    if broken:
        store.replace(settings.data())
    problems = [_BROKEN + " ".join(broken)] if broken else []
    return problems + ([_LEFT + " ".join(left)] if left else [])


def client_of(settings, device_id: str, formats) -> Client:
    """The connection to the broker that the settings name, for frames of these `formats`."""
    tls, opening, path = None, connect, settings.get("ca")
    if path:
        try:
            with open(path, "rb") as file:
                tls = tls_context(file.read())
        except (OSError, ValueError) as error:
            opening = _refusal("the CA file %s cannot be used: %s" % (path, error))
    will = last_will(device_id, settings.get("root"))
    user, password = settings.get("user") or None, settings.get("password") or None
    address = settings.get("host"), settings.get("port")
    sizes = {}
    if "pcm16" not in formats:
        sizes = {"rx_bytes": ADPCM_RX_BYTES, "tx_bytes": ADPCM_TX_BYTES}
    return Client(*address, device_id, user, password, tls, will, connect=opening, **sizes)


def _refusal(reason: str):
    # Without its CA a connection must not become a plain one.
    async def refuse(host, port, tls):
        raise ValueError(reason)

    return refuse


def view_of(board, settings, device_id: str, on_card_event, on_drawn):
    """The screen of the board, as screen.view.View; one that shows nothing where there is none."""
    # A board reads the one that it needs.
    if board.display is None:
        from no_screen import NoScreen

        return NoScreen()
    from screen.view import View

    name = settings.get("name") or board.name
    view = View(board.display, name=name, device_id=device_id, theme=settings.get("theme"),
                on_card_event=on_card_event, on_drawn=on_drawn,
                log=lambda text: log.warning("screen", text))  # fmt: skip
    view.set_locale(settings.get("locale"))
    return view


def _light_of(board, view):
    """What sets the brightness of the panel in percent, None where nothing does."""
    if board.display is None or board.display.brightness is None or view.life is None:
        return None if board.display is None else board.display.brightness
    return view.life.set_brightness


def set_time(device_time, life, message) -> None:
    """The bridge says the time: the clock's, and that of a screen with a face for it."""
    device_time.set(message)
    if life is not None and message.time is not None:
        life.set_time(message.time + message.utc_offset)


def show_guide(life, settings, change) -> None:
    """Show what the button does, once, on a screen that has room for it."""
    if life is None or settings.get("guide") == "seen":
        return
    life.show_guide()
    try:
        change("guide", "seen")
    except OSError as error:
        log.warning("settings", "that the guide was seen cannot be stored (%s)" % error)


def _loudness(settings, board, view, playback, link):
    """Let sound and light follow the settings; what to call when a session begins."""
    told = [CHIMES]
    dim = _light_of(board, view)

    def say_chimes(percent):
        # The bridge makes them.
        if percent != told[0] and link.post("event", name="chimes", value=percent):
            told[0] = percent

    def update(_):
        from session.loudness import apply

        forget("session.loudness")
        apply(settings, playback.set_volume, dim, say_chimes)

    def begin():
        told[0] = CHIMES
        update(None)

    for name in ("volume", "chime_volume", "night", "brightness"):
        settings.watch(name, update)
    return begin


def _look(settings, view, link, cards, change) -> None:
    """Let colours and type follow the settings."""
    settings.watch("theme", view.set_theme)
    if view.own_cards is not None:
        from screen.own.text_size import join  # few panels have faces of type

        join(settings, view, link, cards, change)


class App:
    """The objects of one device; `run` is its life.

    `last_words` is why the program ended before, "" if it did not.
    """

    def __init__(self, board, last_words: str = "") -> None:
        self._board, self._updates = board, None
        self._time = DeviceTime(board)
        self._settings, problems = settings_of(board)
        self._observe = board.observe or (lambda event, **values: None)
        self._id = identity().device_id_of(board, self._settings)
        self._view = view_of(
            board, self._settings, self._id, lambda *event: self._cards.report(*event),
            lambda count, page, card: self._observe("drawn", count=count, page=page, card=card),
        )  # fmt: skip
        client = client_of(self._settings, self._id, board.formats)
        parts = (self._settings, self._view, client, self._change, self._restart)
        self._home = Home(board, *parts)
        self._link = DeviceLink(client, self._id, self._describe, self._settings.get("root"))
        self._build_voice()
        self._reports = Reports(self._post_event, lambda: self._link.session_id is not None)
        self._tools = self._new_tools()
        self._wire()
        if last_words:
            self._reports.add("crash", last_words)
        if problems:
            self._reports.add("error", " ".join(problems)[:REPORT_CHARACTERS])

    def _build_voice(self) -> None:
        board, link = self._board, self._link
        full_duplex = board.duplex == "full"
        # Where the two never run at a time they use the same memory.
        shared = None if full_duplex else Frames()
        self._capture = Capture(board.microphone, link.send_frame, frames=shared)
        self._playback = Playback(board.speaker, frames=shared, buffer_ms=BUFFER_MS)
        parts = (link, self._view, self._capture, self._playback)
        guard_ms = 0 if full_duplex else ECHO_GUARD_MS
        self._voice = Voice(
            *parts, guard_ms=guard_ms, on_state=self._state_changed, formats=board.formats,
            rates_hz=board.speaker.rates_hz,
        )  # fmt: skip

    def _new_tools(self):
        about = identity().about(self._board, self._settings, self._id)
        return tools_of(
            self._board, self._settings, self._view, self._link, about=about,
            change=self._change, restart=self._restart, uptime_s=self._time.uptime_s,
            timers=self._time.timers,
        )  # fmt: skip

    def _describe(self):
        screen = self._view.capability()
        parts = self._board, self._settings, self._id, screen, self._voice.boot
        return identity().capability_of(*parts)

    def _wire(self) -> None:
        """Join the parts that know nothing of each other."""
        link, settings = self._link, self._settings
        self._cards = DeviceCards(link, self._view)
        sound = self._voice, self._playback
        self._time.parts = (settings, self._view, link) + sound + (self._reports, self._observe)
        link.on_frame = self._playback.accept
        link.on_link = self._link_changed
        link.on("hello", self._hello)
        link.on("mcp", self._mcp)
        link.on("system", self._system)
        link.on("clock", lambda message: set_time(self._time, self._view.life, message))
        link.on_offer(self._update)
        settings.watch("log", lambda level: log.verbose(level == "debug"))
        self._loudness = _loudness(settings, self._board, self._view, self._playback, link)
        Hearing(settings, self._voice, link, self._view, self._capture, self._change)
        if self._board.display is not None:
            _look(settings, self._view, link, self._cards, self._change)

    def _update(self, offer) -> None:
        # None: the device has started. It is loaded here, and forgotten when it has done all there
        # is to do: an idle device has no heap for it.
        try:
            if self._updates is None:
                from updates import Updates

                parts = self._board, self._settings, self._id, self._link, FIRMWARE
                forget = lambda: setattr(self, "_updates", None)  # noqa: E731
                self._updates = Updates(
                    parts, self._voice, self._reports, self._restart, on_end=forget
                )
            self._updates.take(offer)
        except Exception as error:
            log.exception("update", "the update", error)

    # What parts say to each other through here.

    def _post_event(self, name: str, text: str) -> None:
        self._link.post("event", name=name, text=text)

    def _link_changed(self, event: str) -> None:
        self._voice.link_event(event)
        if event == "link_down":
            self._view.set_state(OFFLINE, self._link.problem)

    def _hello(self, message) -> None:
        set_time(self._time, self._view.life, message)
        self._tools.reset()
        self._view.set_locale(message.locale)
        self._voice.hello(message)
        self._reports.flush()
        self._loudness()
        self._time.report(self._link)

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
            show_guide(self._view.life, self._settings, self._change)
            if self._updates is not None:
                self._update(None)

    def _change(self, name: str, value) -> None:
        self._settings.set(name, value)
        store_of(self._board).save(self._settings.data())

    def _battery_low(self, percent: int) -> None:
        text = "%d %% are left: charge the device." % percent
        self._view.alert("Battery low", text)
        self._reports.add("battery", text)

    def _change_volume(self, step: int) -> None:
        volume = max(0, min(100, self._settings.get("volume") + step))
        try:
            self._change("volume", volume)
        except OSError as error:
            log.warning("settings", "the volume cannot be stored (%s)" % error)

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
        if self._board.battery is not None:
            from hal.parts.low_battery import LowBattery  # few boards have one

            watch = LowBattery(self._board.battery, self._battery_low)
            tasks.append(("battery", watch.run))
        return tasks

    def _presses(self):
        parts = self._voice, self._view, self._change_volume, self._time.silence
        return presses_of(self._board.buttons, *parts)

    def _supervise(self, tasks):
        report = lambda text: self._reports.add("error", text)  # noqa: E731
        return [asyncio.create_task(keep_running(name, start, report)) for name, start in tasks]

    async def run(self) -> None:
        """Start everything; never ends."""
        tasks = self._supervise(self._tasks())
        self._update(None)
        self._time.find_timers()
        log.info("app", "%s is ready" % self._id)
        self._observe("ready", id=self._id)
        try:
            await self._home.enter()
            tasks += self._supervise(self._link.tasks())
            await self._home.stay()
        finally:
            for task in tasks:
                task.cancel()


async def live(board, last_words) -> None:
    """Be the device of `board`, or what sets it up where that is needed; never ends."""
    why = await set_up_reason(board)
    if why:
        await _set_up(board, why)
        return
    app = App(board, last_words.take())
    gc.collect()
    # Collect long before the heap is full: what is kept would lie scattered among the garbage,
    # and a small heap has no room for a large message then.
    gc.threshold(min(COLLECT_BYTES, gc.mem_free() // 4))
    await app.run()


async def _set_up(board, why: str) -> None:
    from provisioning import program

    settings, _ = settings_of(board)

    def change(name: str, value) -> None:
        settings.set(name, value)
        store_of(board).save(settings.data())

    log.info("app", "%s is ready" % identity().device_id_of(board, settings))
    log.error("network", why)
    await program.run(board, settings, change, why)
    board.reset()


def run(board=None) -> None:
    """Run the device of `board`, or of this one, until it restarts; what ends it is kept."""
    gc.collect()
    board = board or this_board()
    last_words = LastWords(board.root + "/crash.txt", FIRMWARE)
    try:
        asyncio.run(live(board, last_words))
    except Exception as error:
        log.exception("app", "the program", error)
        last_words.keep(error)
        board.reset()
