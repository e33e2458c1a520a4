"""The tool to announce on other devices: "tell the kitchen dinner is ready"."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from voxcard.announce.announcement import Announcement, Report
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.toolhub.builtin import BridgeTool
from voxcard.toolhub.model import ToolOutcome, ToolSpec

NAME = "bridge.announce"
EVERYONE = "everyone"
FIRST_S = 5.0  # for the first that becomes of it on every device: the person waits for an answer
TEXT_MAX = 500  # characters
# "tell the kitchen and the office …" is not for the kitchen alone.
_NOT_JOINED = "^([^ao]|a[^n]|an[^d]|and[^ ]|o[^r]|or[^ ])"
_SENTENCES = (
    "tell (everyone|everybody) [that] {text}",
    "tell [the] {where} [that] {text}",
    "(announce|broadcast) [that] {text}",
    "(announce|broadcast|say) (in|on|to) [the] {where} [that] {text}",
)

Announce = Callable[[Announcement, Sequence[str]], AsyncGenerator[Report, None]]


class AnnounceTool:
    """`names()` are the ids of devices by their names; `announce` as Announcing.announce."""

    def __init__(
        self,
        names: Callable[[], Mapping[str, str]],
        announce: Announce,
        spawn: Callable[[Coroutine[Any, Any, None], str], object],
    ) -> None:
        self._names = names
        self._announce = announce
        self._spawn = spawn
        self._described: Mapping[str, str] = {}

    def names_changed(self) -> bool:
        """Whether there are other names than `described` last said."""
        return dict(self._names()) != self._described

    def described(self) -> BridgeTool:
        """The tool with the names there are now."""
        self._described = dict(self._names())
        where: Json = {
            "type": "string",
            "enum": [EVERYONE, *self._described],
            "default": EVERYONE,
            "description": "the device, by its name",
        }
        text: Json = {
            "type": "string",
            "maxLength": TEXT_MAX,
            "pattern": _NOT_JOINED,
            "description": "what is said there",
        }
        spec = ToolSpec(
            name=NAME,
            description="Say something on other devices of the home. `urgent` only in an"
            " emergency: it interrupts, at night too.",
            input_schema={
                "type": "object",
                "properties": {"text": text, "where": where, "urgent": {"type": "boolean"}},
                "required": ["text"],
                "additionalProperties": False,
            },
            source="bridge",
            sentences={"en": _SENTENCES},
        )
        return BridgeTool(spec=spec, call=self._call)

    async def _call(self, device_id: str, arguments: Mapping[str, Json]) -> ToolOutcome:
        names = dict(self._names())
        where = str(arguments.get("where", EVERYONE))
        if where == EVERYONE:
            targets = [each for each in names.values() if each != device_id]
        else:
            targets = [names[where]] if where in names else []
        if not targets:
            raise VoxcardError("There is no other device to tell.")
        announcement = Announcement(
            text=str(arguments["text"]), urgent=bool(arguments.get("urgent", False))
        )
        first: dict[str, Report] = {}
        known = asyncio.Event()
        self._spawn(self._follow(announcement, targets, first, known), "announce")
        try:
            # The device of this turn is busy with it until the tool has answered.
            async with asyncio.timeout(FIRST_S if targets != [device_id] else 0):
                await known.wait()
        except TimeoutError:
            pass
        text = _said({each: name for name, each in names.items()}, targets, first)
        return ToolOutcome(text=text, result={"content": [{"type": "text", "text": text}]})

    async def _follow(
        self,
        announcement: Announcement,
        targets: Sequence[str],
        first: dict[str, Report],
        known: asyncio.Event,
    ) -> None:
        """Lives until it is played everywhere; `known` when something is known of each."""
        async with aclosing(self._announce(announcement, targets)) as reports:
            async for report in reports:
                first[report.device] = report
                if len(first) == len(targets):
                    known.set()


def _said(names: Mapping[str, str], targets: Sequence[str], first: Mapping[str, Report]) -> str:
    """What became of it, in a sentence for whoever asked."""
    told = [each for each in targets if each in first and not _is_late(first[each])]
    late = [first[each].text for each in targets if each in first and _is_late(first[each])]
    words = [f"I told {_listed([names[each] for each in told])}."] if told else []
    if not told and not late:
        words = ["It will be said there."]
    return " ".join([*words, *late])


def _is_late(report: Report) -> bool:
    return not (report.state == "begins" or report.is_delivered)


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
