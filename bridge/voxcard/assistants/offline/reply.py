"""From what was understood to what is said: the calls to make, then the reply."""

import json
import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from voxcard.assistants import CallTool, ToolReply
from voxcard.assistants.offline.intents.catalogue import STATUS_TOOL, Understood
from voxcard.assistants.offline.intents.sentence_files import Change
from voxcard.assistants.offline.speech.speech_text import sentences, shortened, speakable
from voxcard.toolhub.model import ToolSpec

_NAME = re.compile(r"\{([\w.]+)\}")
# How a tool or the hub begins an error that is a code, not a sentence.
_CODES = (
    (r"(?:error:?\s*)?(?:forbidden|unauthori[sz]ed|permission)\b", "refused"),
    (r"(?:error:?\s*)?(?:timeout|timed?[ _]out|deadline)\b", "timed_out"),
)
_CODE = re.compile(
    r"^(?:(?i:error):?\s*)?(?:[A-Z][A-Z0-9_]{3,}\b[:\s-]*|-?\d{3,5}\b[:\s-]*)|^(?i:error):?\s*"
)
# How MCP's own library begins what a tool raised, whether it was meant for people or not.
_RAISED = re.compile(r"^Error executing tool [^:]+(?::\s*|$)")
_SENTENCE = re.compile(r"[A-Z].* .*[.!?]", re.DOTALL)
# What no person can use: names of exceptions and of code, places in it, numbers of errors.
_RAW = re.compile(
    r"\w(?:Error|Exception)\b|\bTraceback\b|\bErrno\b|\b0x[0-9a-f]{4}|\w\.[a-z]\w*\.\w|[a-z]_[a-z]"
    r"|[{}<>\[\]|=]|\bobject has no\b|^'\w*'$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """What a reply may draw on: `facts` are {names} known without a tool."""

    phrases: Mapping[str, str]
    tools: Sequence[ToolSpec] = ()
    facts: Mapping[str, str] = field(default_factory=dict)


def answer(understood: Understood, home: Home) -> Generator[CallTool, ToolReply | None, list[str]]:
    """Make the calls, get each one's outcome, return the sentences to say (one at least)."""
    rule = understood.rule
    arguments = dict(understood.arguments)
    if rule.tool is None:
        return _said(_filled(rule.reply, home.facts), home)
    if rule.change is not None:
        status = _answered((yield CallTool(name=STATUS_TOOL, arguments={})))
        if status.is_error:
            return _error(status.text, home)
        now = fields(status).get(rule.change.status)
        if isinstance(now, bool) or not isinstance(now, int | float):
            return [home.phrases["no_value"]]
        wanted = _changed(rule.change, now, rule.tool, home.tools)
        if wanted == now:
            return [home.phrases["already"]]
        arguments[rule.change.argument] = wanted
    outcome = _answered((yield CallTool(name=rule.tool, arguments=arguments)))
    if outcome.is_error:
        return _error(outcome.text, home)
    known = {**home.facts, **arguments, **fields(outcome), "result": speakable(outcome.text)}
    return _said(_filled(rule.reply, known), home) if rule.reply else _result(outcome, home)


def foretold(understood: Understood, home: Home) -> list[str]:
    """The reply, when it does not depend on what a tool gives back; else nothing."""
    rule = understood.rule
    if rule.change is not None or not rule.reply:
        return []
    first = _filled(rule.reply[:1], {**home.facts, **dict(understood.arguments)})
    return sentences(speakable(first))


def _answered(outcome: ToolReply | None) -> ToolReply:
    # A caller that sends nothing back did not make the call.
    return ToolReply(text="", is_error=True) if outcome is None else outcome


def fields(outcome: ToolReply) -> dict[str, Any]:
    """The values in a tool's result by dotted name: {"battery.level": 50}."""
    source = outcome.structured
    if not isinstance(source, Mapping):
        try:
            source = json.loads(outcome.text)
        except ValueError:
            return {}
    found: dict[str, Any] = {}
    _flatten(source, "", found, depth=6)
    return found


def _flatten(source: Any, prefix: str, found: dict[str, Any], *, depth: int) -> None:
    if isinstance(source, Mapping) and depth:
        for name, value in source.items():
            _flatten(value, f"{prefix}.{name}" if prefix else str(name), found, depth=depth - 1)
    elif isinstance(source, bool | int | float | str):
        found[prefix] = source


def _changed(change: Change, now: float, tool: str, tools: Sequence[ToolSpec]) -> int:
    schema: Mapping[str, Any] = {}
    for spec in tools:
        if spec.name == tool:
            schema = spec.input_schema.get("properties", {}).get(change.argument, {})
    wanted = round(now) + change.by
    least, most = int(schema.get("minimum", wanted)), int(schema.get("maximum", wanted))
    return max(least, min(most, wanted))


def _filled(replies: Sequence[str], known: Mapping[str, Any]) -> str:
    """The first reply whose names are all known and not empty, or ""."""
    for reply in replies:
        names = _NAME.findall(reply)
        if all(str(known.get(name, "")) for name in names):
            return _NAME.sub(lambda name: _words(known[name[1]]), reply)
    return ""


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    return str(value)


def _result(outcome: ToolReply, home: Home) -> list[str]:
    text = (outcome.speak or outcome.text).strip()
    if text[:1] in "{[" or text in ("true", "null"):  # data is no sentence
        return [home.phrases["done"]]
    return shortened(text) or [home.phrases["done"]]


def _error(text: str, home: Home) -> list[str]:
    for pattern, phrase in _CODES:
        if re.match(pattern, text.strip(), re.IGNORECASE):
            return [home.phrases[phrase]]
    said = shortened(_for_people(text.strip()))
    if not said:
        return [home.phrases["failed"]]
    return [said[0][:1].upper() + said[0][1:], *said[1:]]


def _for_people(text: str) -> str:
    """What of an error's text a person can use; "" when it is for programmers."""
    raised = _RAISED.match(text)
    text = _CODE.sub("", text[raised.end() :] if raised else text)
    text = re.sub(
        r"\s*\(([^()]*)\)", lambda aside: "" if _RAW.search(aside[1]) else aside[0], text
    )
    if _RAW.search(text) or (raised and not _SENTENCE.fullmatch(text)):
        return ""
    return text


def _said(text: str, home: Home) -> list[str]:
    return sentences(speakable(text)) or [home.phrases["done"]]
