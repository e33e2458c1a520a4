"""The Wi-Fi supervisor: one attempt at a time, sentences for people, never giving up."""

from fakes.port import clock  # noqa: F401, I001  the port's clock goes before all else
import asyncio

import network
from hal.credentials import Credentials
from wifi import RESTART_TIMES, Wifi, signal_of

HOME = Credentials("home", "correct horse", "DE", None)


class Radio:
    """A Wifi whose step is called as a board does; `joined` counts."""

    def __init__(self, credentials=HOME, air=None):
        network.WLAN.air = {"home": "correct horse"} if air is None else air
        network.WLAN.settings, network.WLAN.attempts, network.WLAN.address = {}, [], None
        network.WLAN(0).active(False)
        self.joined = 0
        self.wifi = Wifi(network.WLAN(network.WLAN.IF_STA), network, credentials, self._count)

    def _count(self):
        self.joined += 1

    async def run(self):
        while True:
            self.wifi.step()
            await asyncio.sleep_ms(250)

    async def __aenter__(self):
        self._task = asyncio.create_task(self.run())
        return self

    async def __aexit__(self, *_):
        self._task.cancel()
        await asyncio.sleep_ms(0)


async def refused(wifi):
    try:
        await wifi.connect()
    except OSError as error:
        return str(error)
    raise AssertionError("it joined")


async def test_it_joins_and_says_how_strong_the_signal_is():
    async with Radio() as radio:
        await radio.wifi.connect()
        assert radio.wifi.status() == {"type": "wifi", "ssid": "home", "signal": "strong"}
        assert radio.joined == 1
        assert network.country() == "DE"
        # Power saving makes sound stutter, the driver's own retries come between ours.
        assert network.WLAN.settings == {"pm": network.WLAN.PM_NONE, "reconnects": 0}


async def test_a_wrong_password_and_a_missing_network_are_told_apart():
    async with Radio(air={"home": "another"}) as radio:
        text = "The Wi-Fi home refuses the password: set it again."
        assert await refused(radio.wifi) == text
    async with Radio(air={}) as radio:
        text = "The Wi-Fi home is not here: check its name, and that it has 2.4 GHz."
        assert await refused(radio.wifi) == text


async def test_it_goes_on_with_growing_pauses_and_joins_when_the_router_is_back():
    async with Radio(air={}) as radio:
        await asyncio.sleep_ms(25000)
        # Five seconds each, and pauses of 1, 2 and 4.
        assert len(network.WLAN.attempts) == 4
        network.WLAN.air = {"home": "correct horse"}
        await asyncio.sleep_ms(16000)
        assert radio.wifi.status()["ssid"] == "home"


async def test_after_many_attempts_in_vain_the_radio_is_switched_off_and_on():
    async with Radio(air={}) as radio:
        radio.wifi._failures = RESTART_TIMES - 1
        switches = []
        radio.wifi._wlan.active = switches.append
        await asyncio.sleep_ms(7000)
        assert switches == [False, True]


async def test_a_lost_network_is_joined_again_without_a_restart():
    async with Radio() as radio:
        await radio.wifi.connect()
        network.WLAN.air = {}
        await asyncio.sleep_ms(1000)
        assert radio.wifi.status() == {"type": "wifi"}
        network.WLAN.air = {"home": "correct horse"}
        await asyncio.sleep_ms(40000)
        assert radio.joined == 2


async def test_the_reason_of_the_last_attempt_does_not_end_the_next_one():
    async with Radio(air={}) as radio:
        await refused(radio.wifi)
        network.WLAN.air = {"home": "correct horse"}
        assert network.WLAN(0).status() == network.STAT_NO_AP_FOUND
        await asyncio.sleep_ms(5000)
        assert radio.joined == 1
        assert len(network.WLAN.attempts) == 2


async def test_a_fixed_address_is_set_before_it_joins():
    address = ("10.0.0.9", "255.0.0.0", "10.0.0.1", "10.0.0.1")
    async with Radio(Credentials("home", "correct horse", "", address)) as radio:
        await radio.wifi.connect()
        assert network.WLAN.address == address


async def test_an_open_network_has_no_password():
    async with Radio(Credentials("cafe", "", "", None), air={"cafe": None}) as radio:
        await radio.wifi.connect()
        assert network.WLAN.attempts == [("cafe", None)]


async def test_a_board_without_a_wifi_says_so_and_tries_nothing():
    async with Radio(credentials=None) as radio:
        for _ in range(2):
            text = "No Wi-Fi is set: deploy the device with one, or set it up."
            assert await refused(radio.wifi) == text
        assert network.WLAN.attempts == []


async def test_a_driver_that_refuses_is_an_attempt_in_vain_and_the_next_one_comes():
    async with Radio() as radio:
        network.WLAN(0).connect("somebody", "else")  # it tries something already
        text = "The Wi-Fi home cannot be joined (Wifi Internal State Error)."
        assert await refused(radio.wifi) == text
        await radio.wifi.connect()


def test_a_signal_is_a_word():
    assert [signal_of(rssi) for rssi in (-40, -65, -85)] == ["strong", "medium", "weak"]
