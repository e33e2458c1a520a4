"""The tool that tells the time, at home or elsewhere."""

from collections.abc import Callable, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.toolhub import places
from voxcard.toolhub.builtin.bridge_tool import BridgeTool, described, outcome
from voxcard.toolhub.model import ToolOutcome

_PLACE_MAX = 60  # characters


def tool(now: Callable[[], datetime]) -> BridgeTool:
    """`bridge.get_time`; `now()` is the home's local time, with its zone."""

    async def get_time(device_id: str, arguments: Mapping[str, Json]) -> ToolOutcome:
        name = str(arguments.get("place", "")).strip()
        time = now()
        if name:
            place = _found(name)
            time = _there(time, place)
            clock = f"{time:%I:%M %p}".lstrip("0")
            text = f"It is {clock} on {time:%A} in {place.name}."
        else:
            text = f"It is {time:%H:%M} on {time:%A}, {time.day} {time:%B %Y}."
        return outcome(text, {"time": time.isoformat(timespec="seconds")})

    return described(
        "get_time",
        "Get the time and date, local or of another place.",
        get_time,
        "what time is it [now]",
        "what is the time [now]",
        "what (day|date) is it [today]",
        "what time is it in {place} [now]",
        "what is the [current] time in {place} [now]",
        "what (day|date) is it in {place} [now]",
        "[tell me] [the] [current] time in {place}",
        required=False,
        place={
            "type": "string",
            "format": "place",
            "maxLength": _PLACE_MAX,
            "description": "city or country; without it the home's own time",
        },
    )


def _found(name: str) -> places.Place:
    place = places.find(name)
    if place is None:
        raise VoxcardError(f"I do not know where {name} is.", "Name a large city near it.")
    return place


def _there(time: datetime, place: places.Place) -> datetime:
    """`time` as clocks show it at `place`."""
    try:
        times = [time.astimezone(ZoneInfo(zone)) for zone in place.zones]
    except ZoneInfoNotFoundError as error:
        raise VoxcardError(
            "This computer has no time zones of other places.", "Install its package tzdata."
        ) from error
    if len({each.utcoffset() for each in times}) > 1:
        name = place.name[:1].upper() + place.name[1:]
        raise VoxcardError(f"{name} has more than one time.", "Name a city there.")
    return times[0]
