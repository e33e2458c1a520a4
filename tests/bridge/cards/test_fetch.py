"""Pictures of the web: what may be asked for, and what of the answer is taken."""

import asyncio

import pytest
from fakes.servers.web_server import Resolver, WebServer, answer, loopback_too, redirect
from voxcard.cards.images.fetch import BYTES_MAX, Fetcher
from voxcard.fetching import addresses as web
from voxcard.fetching.addresses import FetchFailed, is_public

LIMIT_S = 10


def run(conversation):
    async def limited():
        async with asyncio.timeout(LIMIT_S):
            return await conversation()

    return asyncio.run(limited())


def fetch(tmp_path, pages, path="/a", resolver=None, limit_s=LIMIT_S, host="localhost"):
    """(bytes or the refusal's sentence, the server)."""

    async def conversation():
        async with WebServer(tmp_path, pages) as server:
            for key, page in pages.items():
                if page is not None:
                    server.pages[key] = page.replace(b"PORT", str(server.port).encode())
            known = resolver or Resolver()
            fetcher = Fetcher(known, loopback_too(is_public), server.client_tls, limit_s)
            try:
                return await fetcher.fetch(server.url(path, host)), server
            except FetchFailed as error:
                return error.problem, server

    return run(conversation)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1",
        "169.254.169.254", "100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "203.0.113.9",
        "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
        "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1", "fec0::1", "ff02::1",
        "100::1", "2001:db8::1", "3fff::1", "2001::1", "2002:7f00:1::1", "5f00::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b::c0a8:101", "64:ff9b:1::1",
        "", "localhost", "2130706433",
    ],
)  # fmt: skip
def test_no_address_of_this_computer_this_home_or_nobody_is_public(address):
    assert is_public(address) is False


@pytest.mark.parametrize(
    "address",
    ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"],
)
def test_an_address_of_the_internet_is_public(address):
    assert is_public(address) is True


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1",
     "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0", "[::]"],
)  # fmt: skip
def test_however_this_computer_is_written_the_default_policy_does_not_ask_it(tmp_path, host):
    async def conversation():
        async with WebServer(tmp_path, {"/a": answer(b"picture")}) as server:
            resolver = web.Resolver()
            fetcher = Fetcher(resolver, tls=server.client_tls)
            with pytest.raises(FetchFailed, match=r"is no public address|is not known"):
                await fetcher.fetch(server.url("/a", host))
            resolver.close()
            return server.connections

    assert run(conversation) == 0


def test_a_name_with_one_private_address_among_public_ones_is_refused(tmp_path):
    resolver = Resolver(**{"mixed.test": ("93.184.216.34", "10.0.0.7")})
    problem, server = fetch(tmp_path, {"/a": answer(b"x")}, resolver=resolver, host="mixed.test")
    assert problem == "mixed.test is no public address."
    assert server.connections == 0


def test_a_redirect_to_a_private_address_is_refused(tmp_path):
    pages = {"/a": redirect("https://router.test/admin")}
    resolver = Resolver(**{"router.test": ("192.168.1.1",)})
    problem, _ = fetch(tmp_path, pages, resolver=resolver)
    assert problem == "router.test is no public address."
    assert resolver.asked == ["localhost", "router.test"]


@pytest.mark.parametrize(
    ("where", "problem"),
    [
        ("http://localhost:PORT/b", "A picture's link must be an https link without a user."),
        ("file:///etc/passwd", "A picture's link must be an https link without a user."),
        ("//user:pass@localhost:PORT/b", "A picture's link must be an https link without a user."),
        ("https://[/b", "A picture's link must be an https link without a user."),
        ("https://localhost:99999/b", "A picture's link must be an https link without a user."),
        ("https://10.0.0.1:PORT/b", "10.0.0.1 is no public address."),
    ],
)
def test_a_redirect_is_held_to_the_same_rules(tmp_path, where, problem):
    outcome, server = fetch(tmp_path, {"/a": redirect(where)})
    assert outcome == problem
    assert server.connections == 1


def test_the_connection_goes_to_the_address_that_was_checked_under_the_name_asked_for(tmp_path):
    resolver = Resolver()
    outcome, server = fetch(tmp_path, {"/a?size=2": answer(b"picture")}, "/a?size=2", resolver)
    assert outcome == b"picture"
    assert resolver.asked == ["localhost"]  # once: there is no second look-up to answer otherwise
    assert server.names == ["localhost"]
    assert server.asked == [(f"localhost:{server.port}", "/a?size=2")]


def test_three_redirects_are_followed_and_a_fourth_is_not(tmp_path):
    pages = {f"/{index}": redirect(f"/{index + 1}") for index in range(4)}
    assert fetch(tmp_path, pages | {"/4": answer(b"end")}, "/1")[0] == b"end"
    problem, server = fetch(tmp_path, pages | {"/4": answer(b"end")}, "/0")
    assert problem == "localhost redirects too often."
    assert [path for _, path in server.asked] == ["/0", "/1", "/2", "/3"]


def test_a_picture_that_says_it_is_too_large_is_not_read(tmp_path):
    page = answer(b"", content_length=str(BYTES_MAX + 1))
    assert fetch(tmp_path, {"/a": page})[0] == "The picture of localhost is larger than 5 MB."


def test_a_picture_that_does_not_say_its_size_is_cut_off(tmp_path):
    head = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n"
    outcome, _ = fetch(tmp_path, {"/a": head + bytes(BYTES_MAX + 1)})
    assert outcome == "The picture of localhost is larger than 5 MB."
    outcome, _ = fetch(tmp_path, {"/a": head + bytes(BYTES_MAX)})
    assert len(outcome) == BYTES_MAX


@pytest.mark.parametrize(
    ("page", "problem"),
    [
        (answer(b"x", "404 Not Found"), "localhost answers with 404."),
        (answer(b"x", "500 Oh"), "localhost answers with 500."),
        (answer(status="302 Found"), "localhost answers with 302."),
        (answer(b"x", content_encoding="gzip"), "localhost sends it compressed."),
        (b"SSH-2.0-OpenSSH\r\n", "localhost does not answer (RemoteProtocolError)."),
        (b"", "localhost does not answer (RemoteProtocolError)."),
        (answer(b"x", content_length="9"), "localhost does not answer (RemoteProtocolError)."),
    ],
)
def test_any_other_answer_is_a_sentence(tmp_path, page, problem):
    assert fetch(tmp_path, {"/a": page})[0] == problem


def test_a_server_that_keeps_silent_costs_the_limit_and_no_more(tmp_path):
    assert fetch(tmp_path, {"/a": None}, limit_s=0.2)[0] == "localhost takes longer than 0 s."


def test_a_server_whose_certificate_is_of_another_name_is_not_asked(tmp_path):
    resolver = Resolver(**{"other.test": ("127.0.0.1",)})
    outcome, server = fetch(tmp_path, {"/a": answer(b"x")}, resolver=resolver, host="other.test")
    assert outcome == "other.test does not answer (ConnectError)."
    assert server.asked == []


def test_a_host_that_is_not_known_is_a_sentence(tmp_path):
    async def conversation():
        resolver = web.Resolver()
        fetcher = Fetcher(resolver)
        with pytest.raises(FetchFailed, match=r"^no\.\.host is not known"):
            await fetcher.fetch("https://no..host/a.png")
        resolver.close()

    run(conversation)


def test_the_second_address_is_tried_when_the_first_does_not_answer(tmp_path):
    # 127.0.0.2 is loopback too, and nobody listens there on this port.
    resolver = Resolver(localhost=("127.0.0.2", "127.0.0.1"))

    async def conversation():
        async with WebServer(tmp_path, {"/a": answer(b"picture")}) as server:
            fetcher = Fetcher(resolver, lambda address: True, server.client_tls)
            return await fetcher.fetch(server.url("/a"))

    assert run(conversation) == b"picture"
