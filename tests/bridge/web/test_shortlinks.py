"""Short links: what an id leads to, for how long, for whom; and the server that has only them."""

import asyncio
import contextlib

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.fit.fit import fit
from voxcard.cards.fit.qr_code import dense
from voxcard.cards.model import Action, Card
from voxcard.errors import VoxcardError
from voxcard.web.server import WebServer
from voxcard.web.shortlinks import (
    ALPHABET,
    ASKS_MAX,
    CLIENTS_MAX,
    ID_LENGTH,
    KEPT_MAX,
    KEPT_S,
    Rate,
    ShortLinks,
    routes,
)
from voxwire import card as wire
from voxwire.capability import BLOCKS

LONG = "https://shop.example.com/orders/1042?token=" + "x" * 100
BASE = "https://c.example.org"


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def links(clock=None, ids=("AB3D5FGHJK", "ZZZZZZZZZZ")):
    return ShortLinks(BASE, clock or Clock(), iter(ids).__next__)


def test_a_link_becomes_a_short_one_and_the_same_link_keeps_it():
    short = links()
    assert short.shorten(LONG) == "https://c.example.org/S/AB3D5FGHJK"
    assert short.shorten(LONG) == "https://c.example.org/S/AB3D5FGHJK"
    assert short.shorten(LONG + "y") == "https://c.example.org/S/ZZZZZZZZZZ"
    assert short.find("AB3D5FGHJK") == LONG


def test_an_id_is_found_however_it_is_written():
    short = links(ids=("0123456789",))
    short.shorten(LONG)
    assert short.find("OI23456789") == LONG
    assert short.find("ol23456789") == LONG
    assert short.find("0123456780") is None and short.find("") is None


def test_ids_are_random_and_have_no_letters_that_read_like_digits():
    short = ShortLinks(BASE)
    made = {short.shorten(f"{LONG}{index}")[-ID_LENGTH:] for index in range(200)}
    assert len(made) == 200
    assert set("".join(made)) == set(ALPHABET)
    assert not set("ILOU") & set(ALPHABET)


def test_what_is_no_web_link_or_short_already_is_not_shortened():
    short = links()
    for url in (
        "javascript:alert(1)" + "x" * 100,
        "https://a b" + "x" * 100,
        "https://a.example/b",
    ):
        assert short.shorten(url) is None


def test_an_id_leads_nowhere_after_a_day_and_a_card_drawn_again_renews_it():
    clock = Clock()
    short = links(clock)
    short.shorten(LONG)
    clock.now += KEPT_S - 1
    assert short.find("AB3D5FGHJK") == LONG
    short.shorten(LONG)
    clock.now += KEPT_S - 1
    assert short.find("AB3D5FGHJK") == LONG
    clock.now += 1
    assert short.find("AB3D5FGHJK") is None
    assert short.shorten(LONG).endswith("/ZZZZZZZZZZ")


def test_the_oldest_are_forgotten_when_there_are_too_many():
    short = ShortLinks(BASE, Clock(), (f"{index:010}" for index in range(KEPT_MAX + 9)).__next__)
    for index in range(KEPT_MAX + 1):
        short.shorten(f"{LONG}{index}")
    assert short.find("0000000000") is None
    assert short.find("0000000001") == LONG + "1"
    assert short.find(f"{KEPT_MAX:010}") == f"{LONG}{KEPT_MAX}"


def test_a_code_of_it_fits_the_smallest_screen_with_the_host_it_leads_to_beside():
    short = links()
    screen = screen_of(128, 64, 1, "rect", 230, (6, 12), ((32, 126),), BLOCKS)
    action = Action(id="a", label="Track", kind="link", url=LONG)
    made = fit(
        Card(id="c", dialect="t", title="Order", actions=(action,)),
        screen,
        now=0,
        next_blob=iter(range(9)).__next__,
        short_link=short.shorten,
    )
    (page,) = (page for page in made.card.pages if isinstance(page, wire.QrPage))
    assert (page.modules, page.scale) == (25, 2)  # version 2, in the dense alphabet
    assert dense(short.shorten(LONG)) == "HTTPS://C.EXAMPLE.ORG/S/AB3D5FGHJK"
    assert "".join(line.text for line in page.lines) == "shop.example.com"


def test_a_client_may_ask_often_at_once_and_then_slowly():
    clock = Clock()
    rate = Rate(clock)
    assert [rate.allows("192.0.2.1") for _ in range(ASKS_MAX + 2)] == [True] * ASKS_MAX + [
        False
    ] * 2
    assert rate.allows("192.0.2.2")
    clock.now += 4
    assert [rate.allows("192.0.2.1") for _ in range(3)] == [True, True, False]


def test_a_client_with_a_network_of_addresses_is_one_client():
    rate = Rate(Clock())
    asks = [rate.allows(f"2001:db8:1:2::{index:x}") for index in range(ASKS_MAX + 1)]
    assert asks == [True] * ASKS_MAX + [False]
    assert rate.allows("2001:db8:1:3::1")


def test_clients_cost_a_bounded_memory():
    rate = Rate(Clock())
    for index in range(CLIENTS_MAX + 100):
        rate.allows(f"client-{index}")
    assert len(rate._clients) == CLIENTS_MAX


@contextlib.asynccontextmanager
async def serving(short):
    server = WebServer(routes(short, Rate()), "127.0.0.1", 0)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


async def ask(port, path, method="GET"):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        f"{method} {path} HTTP/1.1\r\nHost: c.example.org\r\nConnection: close\r\n\r\n".encode()
    )
    head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    status, *lines = head.split("\r\n")
    return int(status.split(" ")[1]), dict(line.lower().split(": ", 1) for line in lines), body


def run(conversation):
    async def limited():
        async with asyncio.timeout(10):
            return await conversation()

    return asyncio.run(limited())


def test_the_server_leads_to_the_link_and_says_nothing_of_itself():
    async def conversation():
        short = links()
        short.shorten(LONG)
        async with serving(short) as server:
            for path in ("/s/ab3d5fghjk", "/S/AB3D5FGHJK"):
                status, headers, body = await ask(server.port, path)
                assert (status, headers["location"], body) == (302, LONG, "")
                assert headers["cache-control"] == "no-store"
                assert headers["referrer-policy"] == "no-referrer"
                assert "server" not in headers

    run(conversation)


def test_the_server_has_no_other_route():
    async def conversation():
        short = links()
        short.shorten(LONG)
        async with serving(short) as server:
            for path in (
                "/",
                "/s",
                "/s/",
                "/s/AB3D5FGHJK/",
                "/s/x/y",
                "/docs",
                "/s/..%2fAB3D5FGHJK",
            ):
                assert (await ask(server.port, path))[0] == 404, path
            for method in ("POST", "PUT", "DELETE"):
                assert (await ask(server.port, "/s/AB3D5FGHJK", method))[0] == 405
            status, _, body = await ask(server.port, "/s/0000000000")
            assert status == 404
            assert body == (
                "This link is not known here any more. Ask your device for the card again.\n"
            )

    run(conversation)


def test_a_client_that_tries_ids_is_slowed_down():
    async def conversation():
        async with serving(links()) as server:
            told = [
                (await ask(server.port, f"/s/{index:010}"))[0] for index in range(ASKS_MAX + 1)
            ]
            assert told == [404] * ASKS_MAX + [429]

    run(conversation)


def test_a_port_that_is_taken_is_a_sentence():
    async def conversation():
        async with serving(links()) as server:
            again = WebServer([], "127.0.0.1", server.port)
            with pytest.raises(VoxcardError, match=r"No web server can listen at 127\.0\.0\.1:"):
                await again.start()

    run(conversation)


@pytest.mark.parametrize("host", ["a\0b", "x" * 70, "300.1.1.1", "no.such..host"])
def test_an_address_that_is_none_is_a_sentence(host):
    async def conversation():
        with pytest.raises(VoxcardError, match="No web server can listen at"):
            await WebServer([], host, 0).start()

    run(conversation)
