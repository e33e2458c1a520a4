"""Sounds of a URL: whose addresses may be asked, what of the answer is taken, and how it comes."""

import asyncio

import pytest
from fakes.servers.web_server import Resolver, WebServer, answer, redirect
from voxcard.fetching.addresses import FetchFailed, is_host
from voxcard.media.fetch import BYTES_MAX, MediaFetcher

LEFT_OUT = " The sound is left out."


def fetch(tmp_path, pages, *, path="/a", resolver=None, host="localhost", url=None, **more):
    """(the bytes that came, why no more did or "", the server)."""

    async def conversation():
        async with asyncio.timeout(10), WebServer(tmp_path, pages) as server:
            for key, page in pages.items():
                if page is not None:
                    server.pages[key] = page.replace(b"PORT", str(server.port).encode())
            fetcher = MediaFetcher(resolver or Resolver(), tls=server.client_tls, **more)
            came = bytearray()
            try:
                async for piece in fetcher.fetch(url or server.url(path, host)):
                    came += piece
            except FetchFailed as error:
                return bytes(came), str(error), server
            return bytes(came), "", server

    return asyncio.run(conversation())


def test_the_assistants_own_server_may_be_in_the_home(tmp_path):
    came, problem, server = fetch(tmp_path, {"/a?token=1": answer(b"sound")}, path="/a?token=1")
    assert (came, problem) == (b"sound", "")
    assert server.asked == [(f"localhost:{server.port}", "/a?token=1")]


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("127.0.0.1", True), ("192.168.1.9", True), ("10.1.2.3", True), ("172.16.0.9", True),
        ("100.100.1.1", True), ("fd12::9", True), ("::1", True), ("1.1.1.1", True),
        ("::ffff:192.168.1.9", True), ("2606:4700::1111", True),
        ("169.254.169.254", False), ("fe80::1", False), ("224.0.0.1", False), ("0.0.0.0", False),
        ("255.255.255.255", False), ("240.0.0.1", False), ("::", False), ("ff02::1", False),
        ("::ffff:169.254.169.254", False), ("localhost", False), ("", False),
    ],
)  # fmt: skip
def test_a_host_is_one_that_somebody_can_have(address, allowed):
    assert is_host(address) is allowed


def test_an_address_that_is_nobodys_is_not_asked(tmp_path):
    resolver = Resolver(**{"cloud.test": ("169.254.169.254",)})
    came, problem, server = fetch(tmp_path, {}, resolver=resolver, host="cloud.test")
    assert (came, problem) == (b"", "cloud.test is no public address." + LEFT_OUT)
    assert server.connections == 0


def test_a_redirect_within_the_server_is_followed_and_one_to_another_host_of_the_home_is_not(
    tmp_path,
):
    pages = {"/a": redirect("/b"), "/b": answer(b"sound")}
    assert fetch(tmp_path, pages)[0] == b"sound"
    resolver = Resolver(**{"router.test": ("192.168.1.1",)})
    pages = {"/a": redirect("https://router.test/admin")}
    _, problem, server = fetch(tmp_path, pages, resolver=resolver)
    assert problem == "router.test is no public address." + LEFT_OUT
    assert server.connections == 1


def test_another_port_of_the_same_host_is_another_host(tmp_path):
    _, problem, _ = fetch(tmp_path, {"/a": redirect("https://localhost:1/b")})
    assert problem == "localhost is no public address." + LEFT_OUT


def test_redirects_end(tmp_path):
    _, problem, server = fetch(tmp_path, {"/a": redirect("/a")})
    assert problem == "localhost redirects too often." + LEFT_OUT
    assert len(server.asked) == 4


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "ftp://home/a", "https://user:pass@home/a", "rtsp://h/a", "x", ""],
)
def test_other_links_are_refused_without_being_told(tmp_path, url):
    _, problem, _ = fetch(tmp_path, {"/a": answer(b"")}, url=url or " ")
    assert problem == "A sound's link must be an http or https link without a user. Correct it."


def test_an_answer_that_is_none_is_one_sentence_without_the_link(tmp_path):
    page = answer(b"no", "404 Not Found")
    assert fetch(tmp_path, {"/a?token=secret": page}, path="/a?token=secret")[1] == (
        "localhost answers with 404." + LEFT_OUT
    )
    packed = answer(b"x", content_encoding="gzip")
    assert fetch(tmp_path, {"/a": packed})[1] == "localhost sends it compressed." + LEFT_OUT
    assert "localhost does not answer (" in fetch(tmp_path, {"/a": b"nonsense\r\n\r\n"})[1]


def test_a_server_that_does_not_begin_to_answer_is_left(tmp_path):
    _, problem, _ = fetch(tmp_path, {"/a": None}, begin_s=0.1)
    assert problem == "localhost takes too long." + LEFT_OUT


def test_what_is_too_large_is_cut_off(tmp_path):
    head = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n"
    came, problem, _ = fetch(tmp_path, {"/a": head + bytes(BYTES_MAX + 1)})
    assert problem == "The sound of localhost is larger than 16 MB. The rest of it is left out."
    assert BYTES_MAX - (1 << 20) < len(came) <= BYTES_MAX
    assert len(fetch(tmp_path, {"/a": head + bytes(BYTES_MAX)})[0]) == BYTES_MAX
