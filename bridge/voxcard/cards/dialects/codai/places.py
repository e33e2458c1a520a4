"""The codai blocks with places: lettered pins, each with a link that opens it on a map."""

from collections.abc import Iterator

from voxcard.cards.dialects.codai.fields import Fields
from voxcard.cards.dialects.codai.questions import Reading
from voxcard.cards.model import Block, MapBlock, Pin, TextBlock

PINS_MAX = 20  # letters A to T (R001-46)
LINKED_MAX = 5  # with the map as a whole as many codes as anybody pages through


def pinned(fields: Fields, reading: Reading) -> Iterator[Block]:
    """A map's markers or the entries of places, with what is known of the way there (R001-49).

    A map's image is never loaded, so its pins say their coordinates and a note says why (R001-50).
    """
    is_map = fields.line("type").lower() == "map"
    entries = list(fields.objects("markers", "pins", "places", "items", "results"))
    if len(entries) > PINS_MAX:
        fields.warn("truncated", f"{len(entries) - PINS_MAX} places more than letters")
    if title := fields.line("title"):
        yield TextBlock(text=title, level=1)
    pins = [_pin(entry, index, is_map) for index, entry in enumerate(entries[:PINS_MAX])]
    more = f"+{len(entries) - PINS_MAX} more" if len(entries) > PINS_MAX else ""
    notes = [_route(fields.inner("route")), fields.line("note", "caption", "summary"), more]
    if not pins and (centre := _coordinates(fields.inner("center", "centre"))):
        pins = [Pin(letter="A", label=f"{centre[0]:.5g}, {centre[1]:.5g}", latitude=centre[0],
                    longitude=centre[1], url=_map_link(centre))]  # fmt: skip
    if is_map and pins:
        notes.append(reading.words["no_map_image"])
    link = _open_map(pins)
    links = ((reading.words["open_map"], link),) if link else ()
    note = "\n".join(note for note in notes if note)
    yield MapBlock(pins=tuple(pins), note=note, links=links)


def _pin(entry: Fields, index: int, is_map: bool) -> Pin:
    where = _coordinates(entry) or _coordinates(entry.inner("location", "position", "coordinates"))
    address = entry.line("address", "formattedAddress", "vicinity", "description", "detail")
    name = entry.line("label", "name", "title")
    url = entry.link("url", "mapsUrl", "googleMapsUri", "website", "link")
    if not url and where and index < LINKED_MAX:
        url = _map_link(where)
    if not name:
        name, address = (address, "") if address else (_written(where), "")
    coordinates = _written(where) if is_map and where and name != _written(where) else ""
    return Pin(
        letter=chr(ord("A") + index),
        label=name,
        detail=" · ".join(part for part in (address, *_facts(entry), coordinates) if part),
        latitude=where[0] if where else None,
        longitude=where[1] if where else None,
        url=url,
    )


def _facts(entry: Fields) -> Iterator[str]:
    if rating := entry.line("rating"):
        yield f"★ {rating}"
    distance = entry.number("distanceM", "distanceMeters")
    if distance is not None:
        yield _distance(distance)
    opened = entry.get("openNow", "open", "isOpen")
    if isinstance(opened, bool):
        yield "open" if opened else "closed"
    elif opened or entry.data.get("hours") is not None:
        yield entry.line("open", "hours")
    if phone := entry.line("phone", "phoneNumber"):
        yield phone


def _coordinates(entry: Fields) -> tuple[float, float] | None:
    latitude = entry.number("lat", "latitude")
    longitude = entry.number("lng", "lon", "longitude")
    if latitude is None or longitude is None:
        return None
    return (latitude, longitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None


def _map_link(where: tuple[float, float]) -> str:
    """Short enough for the code of a small screen."""
    return f"https://maps.google.com/?q={where[0]:.6g},{where[1]:.6g}"


def _open_map(pins: list[Pin]) -> str:
    """The first pin on OpenStreetMap; short enough for the code of a small screen."""
    for pin in pins:
        if pin.latitude is not None and pin.longitude is not None:
            where = f"mlat={pin.latitude:.6g}&mlon={pin.longitude:.6g}"
            return f"https://openstreetmap.org/?{where}"
    return ""


def _written(where: tuple[float, float] | None) -> str:
    return f"{where[0]:.6g}, {where[1]:.6g}" if where else "Place"


def _route(route: Fields) -> str:
    """`12 km, 15 min by car`."""
    distance, seconds = route.number("distanceM"), route.number("durationS")
    way = route.line("mode")
    parts = [_distance(distance)] if distance is not None else []
    if seconds is not None:
        minutes = round(seconds / 60)
        spent = f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"
        parts.append(f"{spent} ({way})" if way else spent)
    return ", ".join(parts)


def _distance(metres: float) -> str:
    return f"{metres:.0f} m" if metres < 1000 else f"{metres / 1000:.3g} km"
