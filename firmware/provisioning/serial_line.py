"""Sets a board up over its serial line, by Improv: a browser or a program at the other end."""

import asyncio

import log
from voxwire.errors import WireError
from wifi import Credentials

from provisioning import form, improv
from provisioning.station import attempt

STALL_MS = 1000  # between two bytes of one packet
_CTRL_C = 3
_OPEN = "NO"


class SerialLine:
    """Answers the packets that come; `board.line` is written to.

    `about` is (firmware, version, board, name).
    """

    def __init__(self, board, about):
        self._board, self._about = board, about
        self._reader = improv.Reader()
        self._silent_ms = 0

    def tick(self, passed_ms):
        """Time has passed without a byte."""
        self._silent_ms += passed_ms
        if self._silent_ms >= STALL_MS:
            self._reader.drop()

    def take(self, byte) -> bool:
        """Take one byte; True for a Ctrl-C that is no part of a packet."""
        self._silent_ms = 0
        packet = self._reader.take(byte)
        if isinstance(packet, tuple):
            self._obey(*packet)
            return False
        return packet == _CTRL_C

    def _send(self, packet):
        # Who reads begins anew at each line: half a line of the log must not swallow the packet.
        self._board.line.write(b"\n" + packet + b"\n")

    def _state(self, state):
        self._send(improv.packet(improv.STATE, state))

    def _error(self, error):
        self._send(improv.packet(improv.ERROR, error))

    def _obey(self, kind, data):
        try:
            if kind not in (improv.COMMAND, improv.BROKEN):
                return  # our own, from a line that echoes
            command, arguments = improv.command(data)
            if command == improv.SET_WIFI:
                # Others leave it: a page that looks for networks again would hide why it failed.
                self._error(improv.NO_ERROR)
                # A task: meanwhile the line is read, for a Ctrl-C at the least.
                self._trial = asyncio.create_task(self._set_wifi(*improv.wifi_settings(arguments)))
            elif command == improv.ASK_STATE:
                self._tell_state()
            elif command == improv.ASK_DEVICE:
                self._send(improv.result(command, self._about))
            elif command == improv.ASK_NETWORKS:
                self._tell_networks()
            else:
                self._error(improv.UNKNOWN)
        except WireError as error:
            log.warning("improv", "a packet is refused: %s" % error)
            self._error(improv.INVALID)

    @property
    def _joined(self):
        return self._board.network.status().get("ssid") is not None

    def _tell_state(self):
        if getattr(self._board.network, "trying", False):
            self._state(improv.JOINING)
        elif self._joined:
            self._state(improv.JOINED)
            self._tell_no_page(improv.ASK_STATE)
        else:
            self._state(improv.READY)

    def _tell_no_page(self, command):
        # A browser could go on at a page of the device; it has none, and knows none.
        self._send(improv.result(command, ()))

    def _tell_networks(self):
        network = self._board.network
        if not self._joined and not getattr(network, "trying", False):
            network.use(network.credentials)  # the radio does not look around while it joins
        for ssid, rssi, is_open in self._board.access_point().scan():
            row = (ssid, str(rssi), _OPEN if is_open else "YES")
            self._send(improv.result(improv.ASK_NETWORKS, row))
        self._send(improv.result(improv.ASK_NETWORKS, ()))

    async def _set_wifi(self, ssid, password):
        network = self._board.network
        problem = form.problem_of_wifi(ssid, password)[1]
        if not problem:
            self._state(improv.JOINING)
            country = network.credentials.country if network.credentials else ""
            credentials = Credentials(ssid, password, country, None)
            problem = await attempt(network, credentials)
        if problem:
            log.warning("improv", problem)
            self._error(improv.UNABLE)
            self._state(improv.JOINED if self._joined else improv.READY)
            return
        try:
            self._board.access_point().keep(credentials)
        except OSError as error:
            log.error("improv", "the Wi-Fi cannot be kept (%s)" % error)
        self._state(improv.JOINED)
        self._tell_no_page(improv.SET_WIFI)
