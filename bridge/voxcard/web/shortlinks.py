"""Short links: random ids for long links of cards, kept while a code may be on a screen."""

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from voxcard.cards.text.sanitize import web_link

# Crockford's: no letter that reads like a digit, and all in a QR code's dense alphabet.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS = str.maketrans("ILO", "110")
ID_LENGTH = 10  # 50 bits: nobody finds one by trying
KEPT_S = 24 * 3600.0
KEPT_MAX = 10_000

CLIENTS_MAX = 1024
ASKS_MAX = 30  # that a client may ask at once ...
ASKS_PER_S = 0.5  # ... and how fast it may go on

_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_GONE = "This link is not known here any more. Ask your device for the card again.\n"
_SLOWLY = "Too many requests. Try again in a minute.\n"


class ShortLinks:
    """The links of one bridge, in memory. Used from the loop and from worker threads.

    `public_url` is where a phone reaches the bridge: https://name, maybe with a path.
    """

    def __init__(
        self,
        public_url: str,
        clock: Callable[[], float] = time.monotonic,
        new_id: Callable[[], str] | None = None,
    ) -> None:
        self._base = public_url.rstrip("/")
        self._clock = clock
        self._new_id = new_id or _random_id
        self._lock = threading.Lock()
        self._ids: dict[str, str] = {}  # link -> id
        self._links: OrderedDict[str, tuple[str, float]] = OrderedDict()  # id -> link, end

    def shorten(self, url: str) -> str | None:
        """A link of this bridge that leads to `url`; None when it would be no shorter.

        The same link keeps its id, and its time begins anew.
        """
        if web_link(url) is None:
            return None
        if len(self._base) + len("/S/") + ID_LENGTH >= len(url):
            return None
        now = self._clock()
        with self._lock:
            self._forget(now)
            short_id = self._ids.get(url) or self._new_id()
            self._ids[url] = short_id
            self._links[short_id] = (url, now + KEPT_S)
            self._links.move_to_end(short_id)
        return f"{self._base}/S/{short_id}"

    def find(self, short_id: str) -> str | None:
        """The link behind an id, in capitals or not; None when it is over or never was."""
        with self._lock:
            url, end = self._links.get(short_id.upper().translate(_READ_AS), ("", 0.0))
        return url if url and self._clock() < end else None

    def _forget(self, now: float) -> None:
        while self._links:
            oldest = next(iter(self._links))
            url, end = self._links[oldest]
            if now < end and len(self._links) < KEPT_MAX:
                break
            del self._links[oldest]
            self._ids.pop(url, None)


def _random_id() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


class Rate:
    """How often each client may ask: a few times at once, then slowly."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()  # asks left, when

    def allows(self, client: str) -> bool:
        """Count a request of the client at this address."""
        key, now = _network(client), self._clock()
        left, at = self._clients.get(key, (float(ASKS_MAX), now))
        left = min(float(ASKS_MAX), left + (now - at) * ASKS_PER_S)
        allowed = left >= 1
        self._clients[key] = (left - allowed, now)
        self._clients.move_to_end(key)
        if len(self._clients) > CLIENTS_MAX:
            self._clients.popitem(last=False)
        return allowed


def _network(client: str) -> str:
    """A client as it is counted: a home with IPv6 has one /64 and any address in it."""
    try:
        address = ip_address(client)
    except ValueError:
        return client
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or int(address) >> 64)
    return str(address)


def routes(links: ShortLinks, rate: Rate) -> list[Route]:
    """`GET /s/<id>` -> 302. `/S/` is the same: so written, a code of it is a size smaller."""

    async def follow(request: Request) -> Response:
        client = request.client.host if request.client else ""
        if not rate.allows(client):
            return PlainTextResponse(_SLOWLY, 429, {**_HEADERS, "Retry-After": "60"})
        url = links.find(request.path_params["id"])
        if url is None:
            return PlainTextResponse(_GONE, 404, _HEADERS)
        return RedirectResponse(url, 302, _HEADERS)

    return [Route(f"/{letter}/{{id}}", follow, methods=["GET"]) for letter in "sS"]
