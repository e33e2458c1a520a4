"""From what was understood to what is said: the calls to make, then the reply."""

import json
import math
import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from voxcard.assistants import (
    CallTool,
    Reply,
    ToolReply,
)
from voxcard.assistants.offline.intents.meanings import Choice, Incomplete, Understood, Which
from voxcard.assistants.offline.intents.sentences.home_sentences import STATUS_TOOL
from voxcard.assistants.offline.intents.sentences.sentence_files import Change
from voxcard.assistants.offline.local_forms import LocalForms
from voxcard.assistants.spoken.sentences import sentences
from voxcard.assistants.spoken.speech_text import shortened, speakable
from voxcard.toolhub.model import ToolSpec
from voxcard.toolhub.schema import Argument

_TEXT_MAX = 4000  # characters of a tool's text; nobody listens to more
_OPTIONS_MAX = 20  # of a tool that asks which one
_ASKED_BY_FORMAT = {"duration": "ask_duration", "clock": "ask_clock"}
_NAME_MAX = 40  # characters of an argument's title that is said
_JSON_MAX = 200_000  # characters of a result that is read as data
_NAME = re.compile(r"\{([\w.]+)\}")
# How a tool or the hub begins an error that is a code, not a sentence.
_CODES = (
    (
        re.compile(r"(?:error:?\s*)?(?:forbidden|unauthori[sz]ed|permission)\b", re.IGNORECASE),
        "refused",
    ),
    (
        re.compile(r"(?:error:?\s*)?(?:timeout|timed?[ _]out|deadline)\b", re.IGNORECASE),
        "timed_out",
    ),
)
_CODE = re.compile(
    r"^(?:(?i:error):?\s*)?(?:[A-Z][A-Z0-9_]{3,}\b[:\s-]*|-?\d{3,5}\b[:\s-]*)|^(?i:error):?\s*"
)
# How MCP's own library begins what a tool raised, whether it was meant for people or not.
_RAISED = re.compile(r"^Error executing tool [^:]+(?::|$)")
_ASIDE = re.compile(r"\(([^()]*)\)")
# What no person can use: names of exceptions and of code, places in it, numbers of errors.
_RAW = re.compile(
    r"\w(?:Error|Exception)\b|\bTraceback\b|\bErrno\b|\b0x[0-9a-f]{4}|\w\.[a-z]\w*\.\w|[a-z]_[a-z]"
    r"|[{}<>\[\]|=]|\bobject has no\b|^'\w*'$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """What a reply may draw on: `facts` are {names} known without a tool.

    `forms`: of a language other than English, in which what a device of ours says is not repeated.
    `before` are values of the device's status as they were before a rule that `keeps` them; it is
    written to.
    """

    phrases: Mapping[str, str]
    tools: Sequence[ToolSpec] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    before: dict[str, float] = field(default_factory=dict)
    forms: LocalForms | None = None


def answer(understood: Understood, home: Home) -> Generator[CallTool, Reply, list[str]]:
    """Make the calls, get each one's outcome, return the sentences to say (one at least).

    What a tool gives back is foreign and may be long: run the generator in a thread.
    """
    rule = understood.rule
    arguments = dict(understood.arguments)
    if rule.tool is None:
        return _said(_filled(rule.reply, home.facts), home)
    if rule.change is not None:
        status = _answered((yield CallTool(name=STATUS_TOOL, arguments={})))
        if status.is_error:
            return _error(status.text, home, rule.tool)
        now = _number(fields(status).get(rule.change.status))
        if now is None:
            return [home.phrases["no_value"]]
        wanted = _changed(understood, rule.change, now, home)
        if wanted == now and rule.change.by:
            return [home.phrases["already"]]
        arguments[rule.change.argument] = wanted
    if rule.keeps:
        status = _answered((yield CallTool(name=STATUS_TOOL, arguments={})))
        value = _number(fields(status).get(rule.keeps))
        if value:  # muted twice, the sound still comes back
            home.before[rule.keeps] = value
    outcome = _answered((yield CallTool(name=rule.tool, arguments=arguments)))
    if outcome.is_error:
        return _error(outcome.text, home, rule.tool)
    known = {
        **home.facts,
        **arguments,
        **fields(outcome),
        "result": speakable(outcome.text[:_TEXT_MAX]),
        **(home.forms.of(arguments, outcome.structured) if home.forms else {}),
    }
    return _said(_filled(rule.reply, known), home) if rule.reply else _result(outcome, home)


def question_back(question: Incomplete | Choice, phrases: Mapping[str, str]) -> str:
    """What is asked: "To what?", "What order?", "16 or 60?"."""
    if isinstance(question, Choice):
        first, second = (option.number for option in question.options)
        return phrases["ask_choice"].format(first=first, second=second)
    if question.argument.format in _ASKED_BY_FORMAT:
        return phrases[_ASKED_BY_FORMAT[question.argument.format]]
    if question.last in phrases["ask_words"].split():
        return phrases["ask_after"].format(word=question.last.capitalize())
    return phrases["ask_value"].format(name=_name_in(question.argument, phrases))


def which_one(understood: Understood, outcome: Reply | None) -> Which | None:
    """The question that a tool's error asks: it names in `which` what it can choose from."""
    if not isinstance(outcome, ToolReply) or not outcome.is_error:
        return None
    options = outcome.structured.get("which") if isinstance(outcome.structured, Mapping) else None
    if not isinstance(options, list) or not all(isinstance(each, str) for each in options):
        return None
    return Which(asked=understood, argument="which", options=tuple(options[:_OPTIONS_MAX]))


def repeats(understood: Understood) -> bool:
    """Whether it asks for what was said last."""
    return any("{last}" in each for each in understood.rule.reply)


def out_of_range(argument: Argument, phrases: Mapping[str, str]) -> str:
    """What is said to a number that `argument` does not allow."""
    wanted = argument.wanted
    if "wanted" in phrases:
        low, high = argument.low, argument.high
        if low is None or high is None:
            return phrases["failed"]
        wanted = phrases["wanted"].format(low=low, high=high)
    return phrases["out_of_range"].format(name=_name_in(argument, phrases), wanted=wanted)


def asked_back(said: str, text: str, phrases: Mapping[str, str]) -> str:
    """A command as it is asked back: `said` are its words, whose accents are in `text` alone."""
    return text.strip(" .!?") if "wanted" in phrases else said.replace("my ", "your ")


def _name_in(argument: Argument, phrases: Mapping[str, str]) -> str:
    return phrases.get(f"name_{argument.name}") or spoken_name(argument)


def _speaks_english(tool: str, tools: Sequence[ToolSpec]) -> bool:
    """Whether it is a device's or the bridge's: their words are English."""
    return any(each.name == tool and each.source in ("device", "bridge") for each in tools)


def spoken_name(argument: Argument) -> str:
    """An argument's name as somebody would say it: "room_name" -> "room name"."""
    name = argument.title if 0 < len(argument.title) <= _NAME_MAX else argument.name[:_NAME_MAX]
    apart = "".join(f" {each}" if each.isupper() else each for each in name.replace("_", " "))
    return " ".join(apart.split()).lower()


def foretold(understood: Understood, home: Home) -> list[str]:
    """The reply, when it does not depend on what a tool gives back; else nothing."""
    rule = understood.rule
    if rule.change is not None or not rule.reply:
        return []
    first = _filled(rule.reply[:1], {**home.facts, **dict(understood.arguments)})
    return sentences_of(first)


def _answered(outcome: Reply) -> ToolReply:
    # A caller that sends nothing back did not make the call.
    return outcome if isinstance(outcome, ToolReply) else ToolReply(text="", is_error=True)


def fields(outcome: ToolReply) -> dict[str, Any]:
    """The values in a tool's result by dotted name: {"battery.level": 50}."""
    source = outcome.structured
    if not isinstance(source, Mapping):
        if len(outcome.text) > _JSON_MAX:
            return {}
        try:
            source = json.loads(outcome.text)
        except (ValueError, RecursionError):
            return {}
    values: dict[str, Any] = {}
    _flatten(source, "", values, depth=6)
    return values


def _flatten(source: Any, prefix: str, values: dict[str, Any], *, depth: int) -> None:
    if isinstance(source, Mapping) and depth:
        for name, value in source.items():
            _flatten(value, f"{prefix}.{name}" if prefix else str(name), values, depth=depth - 1)
    elif isinstance(source, bool | int | float | str):
        values[prefix] = source


def _number(value: Any) -> float | None:
    return None if isinstance(value, bool) or not isinstance(value, int | float) else value


def _changed(understood: Understood, change: Change, now: float, home: Home) -> int:
    """The new value, within what the tool allows."""
    by = change.by
    if understood.amount is not None:
        by = understood.amount if by > 0 else -understood.amount
    least = change.least if by or now else round(home.before.get(change.status, change.least))
    wanted = max(round(now) + by, least)
    for spec in home.tools:
        if spec.name == understood.rule.tool:
            argument = spec.arguments[change.argument]
            low = wanted if argument.low is None else math.ceil(argument.low)
            high = wanted if argument.high is None else math.floor(argument.high)
            return max(low, min(high, wanted))
    return wanted


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
    text = (outcome.speak or outcome.text)[:_TEXT_MAX].strip()
    if outcome.card_shown:
        return shortened(text, home.phrases["rest_shown"]) or [home.phrases["shown"]]
    return shortened(text) or [home.phrases["done"]]


def _error(text: str, home: Home, tool: str) -> list[str]:
    text = text[:_TEXT_MAX].strip()
    for pattern, phrase in _CODES:
        if pattern.match(text):
            return [home.phrases[phrase]]
    said = shortened(_for_people(text))
    if not said or (home.forms is not None and _speaks_english(tool, home.tools)):
        return [home.phrases["failed"]]
    return [said[0][:1].upper() + said[0][1:], *said[1:]]


def _for_people(text: str) -> str:
    """What of an error's text a person can use; "" when it is for programmers."""
    raised = _RAISED.match(text)
    text = _CODE.sub("", text[raised.end() :].lstrip() if raised else text)
    text = _ASIDE.sub(lambda aside: "" if _RAW.search(aside[1]) else aside[0], text)
    if _RAW.search(text) or (raised and not _is_sentence(text)):
        return ""
    return text


def _is_sentence(text: str) -> bool:
    return text[:1].isupper() and " " in text and text[-1] in ".!?"


def sentences_of(text: str) -> list[str]:
    """A sentence of the assistant's own, fit to be spoken."""
    return sentences(speakable(text))


def _said(text: str, home: Home) -> list[str]:
    return sentences_of(text) or [home.phrases["done"]]
