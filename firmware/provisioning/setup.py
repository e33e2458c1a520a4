"""Brings a device into a Wi-Fi and to its bridge with the help of a phone."""

import asyncio
import os
import time
from binascii import hexlify

import log
from mqtt.stream import connect
from voxwire.ticks import elapsed_ms
from wifi import Credentials, signal_of

from provisioning import form, screens
from provisioning.discovery import find
from provisioning.portal.page import Content
from provisioning.portal.server import Portal
from provisioning.station import attempt

LOOK_MS = 250
NETWORKS = 12  # on the page, the strongest
QUIET_MS = 120000  # without a look at the page: nobody is there, whatever phone is still joined
FIND_MS = 30000  # between two looks for the bridge
BROKER_MS = 5000
DONE_MS = 4000  # the page that says it is done has been shown for so long
DONE_MAX_MS = 30000  # or is never asked for: a phone may have left with the change of channel


class Guide:
    """What the page shows and what was sent by it; `values` are those that the form begins with.

    `sent` are the fields of a form that nobody has looked at yet, `scan` that networks are to be
    looked for again.
    """

    def __init__(self, name, token, values):
        self._name, self._token, self._values = name, token, values
        self._errors = {}
        self.networks = ()
        self.notice = self.busy = ""
        self.sent = None
        self.scan = self.done = self.told = False

    def content(self):
        """The page as it is now."""
        token = "" if self.done else self._token
        return Content(self._name, self.networks, self._values, self._errors, token, self.notice,
                       self.busy)  # fmt: skip

    def seen(self):
        """The page was sent."""
        self.told = self.done

    def submit(self, fields):
        """A form of the page was sent; while one is dealt with, others are left."""
        if self.busy or self.done:
            return
        if fields.get("action") == "scan":
            self.scan = True
            self.busy = "Looking for networks…"
        else:
            # Passwords do not go back into a page.
            plain = [name for name in fields if name not in ("secret", "password", "token")]
            self._values = {name: fields[name] for name in plain}
            self.sent = fields
            self.busy = "Joining %s…" % (fields.get("ssid") or fields.get("pick", ""))

    def refuse(self, errors, notice):
        """Show the form again, each error at its field."""
        self._errors, self.notice, self.busy = errors, notice, ""

    def finish(self, notice):
        """Show how it ended, and no form any more."""
        self.refuse({}, notice)
        self.done = True


class Setup:
    """Runs the portal of one `board`; `run` ends when the device is in a network again.

    `change(name, value)` keeps a setting; `search` and `dial` reach for bridge and broker.
    """

    def __init__(self, board, settings, view, change, search=find, dial=connect):
        self._board, self._network = board, board.network
        self._settings, self._view, self._change = settings, view, change
        self._search, self._dial = search, dial
        self._point = board.access_point()
        token = str(hexlify(os.urandom(8)), "ascii")
        name = settings.get("name") or self._point.ssid
        self._guide = Guide(name, token, self._first_values())
        self._portal = Portal(self._guide, self._point, token, time.ticks_ms)
        self._until_find_ms = 0
        self._bridge = None  # an mdns.Bridge that has answered

    def _first_values(self):
        values = {name: self._settings.get(name) for name in ("name", "host", "port", "user")}
        known = self._network.credentials
        if known:
            values.update({"pick": known.ssid, "country": known.country})
        return values

    async def run(self, why="", least_ms=0) -> None:
        """Invite, and help, until something is set or the device needs no help any more.

        `why` is a sentence for whoever looks at the screen; `least_ms`: how long it waits for
        somebody though all is well. OSError where the radio refuses.
        """
        self._least_ms = least_ms
        self._guide.notice = why
        self._look_for_networks()
        self._point.open()
        log.info("setup", "the Wi-Fi %s lets a phone in. %s" % (self._point.ssid, why))
        point = self._point
        if self._view:
            words = (point.ssid, point.password, point.address, why)
            own = self._view.own_cards
            self._view.show_card(screens.invitation(self._view.screen, *words, own=own))
        portal = self._portal
        tasks = [asyncio.create_task(each()) for each in (portal.serve_page, portal.answer_names)]
        try:
            await self._serve(tasks)
        finally:
            for task in tasks:
                task.cancel()
            self._point.close()
            if self._view:
                self._view.clear_card()
            log.info("setup", "the Wi-Fi %s is closed" % self._point.ssid)

    def _say(self, text):
        if self._view:
            self._view.show_card(screens.note(self._view.screen, text, self._view.own_cards))

    async def _serve(self, tasks):
        guide = self._guide
        done_ms = 0
        while True:
            await asyncio.sleep_ms(LOOK_MS)
            for task in tasks:
                if task.done():
                    await task  # a server that cannot be: the next time
            if guide.sent is not None:
                await self._grant()
            elif guide.scan:
                self._look_for_networks()
                guide.scan, guide.busy = False, ""
            elif guide.done:
                done_ms += LOOK_MS
                if done_ms >= (DONE_MS if guide.told else DONE_MAX_MS):
                    return
            elif await self._is_needless():
                return
            self._least_ms -= LOOK_MS

    def _look_for_networks(self):
        # The radio does not look around while it joins.
        if self._network.status().get("ssid") is None:
            self._network.use(self._network.credentials)
        found = self._point.scan()[:NETWORKS]
        self._guide.networks = [(ssid, signal_of(rssi), free) for ssid, rssi, free in found]

    async def _is_needless(self):
        """Whether the device is in its network, its bridge is there, and nobody uses the page."""
        quiet = elapsed_ms(time.ticks_ms(), self._portal.asked_ms)
        if self._network.lost or self._network.status().get("ssid") is None:
            return False
        if self._least_ms > 0:
            return False
        if self._point.stations() and quiet < QUIET_MS:
            return False
        if self._settings.get("host"):
            return True
        self._until_find_ms -= LOOK_MS
        if self._until_find_ms > 0:
            return False
        self._until_find_ms = FIND_MS
        return await self._find()

    async def _find(self):
        """Whether a bridge answers."""
        settings = self._settings
        # Its topics are taken by the start that follows (module home).
        self._bridge = await self._search(settings.get("bridge"), settings.get("root"))
        return self._bridge is not None

    # What a person asked for.

    async def _grant(self):
        guide, network = self._guide, self._network
        fields, guide.sent = guide.sent, None
        wish, errors = form.read(fields, network.credentials, self._settings)
        if errors:
            guide.refuse(errors, "Please look at what is marked.")
            return
        self._say("Joining %s" % wish.ssid)
        problem = await attempt(network, _credentials_of(wish, network.credentials))
        if problem and not wish.anyway:
            guide.refuse(
                {_field_of(problem): problem}, "It could not be joined. Nothing is changed."
            )
            self._say(problem)
            return
        self._point.keep(_credentials_of(wish, network.credentials))
        if problem:
            self._keep(wish.settings)
            self._finish("%s It is kept all the same." % problem)
        else:
            await self._look_for_broker(wish)

    async def _look_for_broker(self, wish):
        joined = "The device has joined %s" % wish.ssid
        host = wish.settings["host"]
        problem = ""
        if host:
            problem = await self._unreachable(host, wish.settings["port"])
        elif await self._find():
            host = self._bridge.address
            self._keep({"bridge": self._bridge.id})
        else:
            problem = "No bridge answers in %s: type its address." % wish.ssid
        if problem and not wish.anyway:
            self._guide.refuse({"host": problem}, joined + ", but it does not reach a bridge.")
            self._say(problem)
            return
        self._keep(wish.settings)
        found = ". " + problem if problem else " and found the bridge at %s." % host
        self._finish(joined + found)

    async def _unreachable(self, host, port):
        """Why there is no broker at a host; "" where one answers."""
        try:
            stream = await asyncio.wait_for_ms(self._dial(host, port, None), BROKER_MS)
        except (OSError, ValueError, asyncio.TimeoutError) as error:
            text = "Nothing answers at %s:%d (%s): check that the bridge runs there."
            return text % (host, port, error or "no answer")
        stream.close()
        return ""

    def _keep(self, values):
        for name in values:
            if values[name] != self._settings.get(name):
                self._change(name, values[name])

    def _finish(self, notice):
        self._guide.finish(notice + " It restarts now; this page may be closed.")
        self._say(notice)


def _credentials_of(wish, known):
    """The wished ones; a fixed address stays where it is the same network."""
    address = known.address if known and known.ssid == wish.ssid else None
    return Credentials(wish.ssid, wish.password, wish.country, address)


def _field_of(problem):
    return "secret" if "password" in problem else "ssid"
