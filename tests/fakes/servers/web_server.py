"""An HTTPS server on loopback that answers what a test says, and keeps what it was asked."""

import asyncio
import ssl
from collections.abc import Callable
from pathlib import Path

from fakes.certificate import Certificate


def answer(body: bytes = b"", status: str = "200 OK", **headers: str) -> bytes:
    """A whole HTTP answer; `content_length="9"` overrides a header."""
    told = {"content-length": str(len(body)), "connection": "close"}
    told |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in told.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


def redirect(where: str) -> bytes:
    """A 302 to somewhere."""
    return answer(status="302 Found", location=where)


class WebServer:
    """`pages` maps a path to the bytes of its answer, or to None: silence after the request.

    Its certificate is for `localhost`, which `resolver` finds here.
    """

    def __init__(self, folder: Path, pages: "dict[str, bytes | None]") -> None:
        self.pages = pages
        self.asked: list[tuple[str, str]] = []  # (Host header, path)
        self.names: list[str | None] = []  # of SNI
        self.connections = 0
        certificate = Certificate(folder, "pictures")
        self.client_tls = ssl.create_default_context(cafile=str(certificate.file))
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(certificate.file, certificate.key_file)
        self._tls.sni_callback = self._named

    async def __aenter__(self) -> "WebServer":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    def url(self, path: str, host: str = "localhost") -> str:
        """A link to this server."""
        return f"https://{host}:{self.port}{path}"

    def _named(self, _tls: object, name: "str | None", _context: object) -> None:
        self.names.append(name)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            path = head[0].split(" ")[1]
            host = next(line[6:] for line in head if line.lower().startswith("host: "))
            self.asked.append((host, path))
            page = self.pages.get(path, answer(b"none", "404 Not Found"))
            if page is None:
                await reader.read()
            else:
                writer.write(page)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


class Resolver:
    """Looks hosts up in a table (localhost is in it); keeps what it was asked."""

    def __init__(self, **hosts: "tuple[str, ...]") -> None:
        self.hosts = {"localhost": ("127.0.0.1",), **hosts}
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> "tuple[str, ...]":
        self.asked.append(host)
        return self.hosts.get(host, ())


def loopback_too(allows: "Callable[[str], bool]") -> "Callable[[str], bool]":
    """A policy with 127.0.0.1 added, and nothing else."""
    return lambda address: address == "127.0.0.1" or allows(address)
