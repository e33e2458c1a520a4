"""Where the bridge connects to, by its configuration."""

import asyncio
import json

from voxcard import config
from voxcard.home_broker import HomeBroker
from voxcard.link.embedded_broker import free_port
from voxcard.link.mqtt import Address


def broker(tmp_path, **mqtt):
    values = {"mqtt": {"accounts": str(tmp_path / "accounts"), **mqtt}}
    return HomeBroker(config.parse(values, environ={}).mqtt)


async def started(home):
    """The address of a broker that is started and stopped again."""
    async with asyncio.timeout(30):
        try:
            return await home.start()
        finally:
            await home.stop()


def test_a_broker_that_the_configuration_names_is_reached_as_it_says(tmp_path):
    home = broker(
        tmp_path,
        host="b.lan",
        port=8883,
        user="u",
        password="p",
        tls=True,
        ca_file="/ca",
        version=5,
    )
    assert home.embedded is None
    assert asyncio.run(started(home)) == Address(
        host="b.lan", port=8883, user="u", password="p", tls=True, ca_file="/ca", version=5
    )
    assert home.accounts_changed()  # the other broker reads its own files


def test_our_own_broker_on_this_computer_needs_no_password(tmp_path):
    port = free_port("127.0.0.1")
    home = broker(tmp_path, listen_port=port)
    assert asyncio.run(started(home)) == Address(host="127.0.0.1", port=port)
    assert not home.accounts_changed()
    assert not (tmp_path / "accounts").exists()


def test_our_own_broker_that_others_reach_is_entered_with_the_bridges_password(tmp_path, caplog):
    port = free_port("127.0.0.1")
    home = broker(tmp_path, listen="0.0.0.0", listen_port=port)
    address = asyncio.run(started(home))
    users = json.loads((tmp_path / "accounts" / "embedded.json").read_text())
    assert (address.host, address.user) == ("127.0.0.1", "bridge")
    assert address.password == users["bridge"] != ""
    assert "no device has a password yet" in caplog.text


def test_a_broker_that_never_started_can_be_stopped(tmp_path):
    asyncio.run(broker(tmp_path).stop())
