"""Sentences of home-assistant-intents (Apache-2.0) for what a device of ours can do as well.

The package writes them in hassil's syntax with rules in angle brackets; ours has no rules, so
each is put in its place. What speaks of areas and named devices of a Home Assistant is left out.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

from voxcard.assistants.offline.intents.sentences import templates

_RULE = re.compile(r"<([^<>]+)>")
_PLACE = re.compile(r"\{([^{}]*)\}")
_DEPTH = 8  # of rules in rules
_LONGEST = 4 * templates.TEMPLATE_MAX  # while rules are put in
_COMBINATION = "default"  # of an intent's slots: without an area or a name


def sentences(language: str, intent: str, places: Mapping[str, str]) -> tuple[str, ...]:
    """The templates of `intent` that speak of nothing but `places` (theirs -> ours)."""
    source = _data(language)
    blocks = source["intents"].get(intent, {}).get("data", ())
    found = dict.fromkeys(
        template
        for block in blocks
        if block["metadata"]["slot_combination"] == _COMBINATION
        for each in block["sentences"]
        for template in _usable(each, source["expansion_rules"], places)
    )
    return tuple(found)


def _usable(text: str, rules: Mapping[str, str], places: Mapping[str, str]) -> Iterator[str]:
    for _ in range(_DEPTH):
        if "<" not in text or len(text) > _LONGEST:
            break
        text = _RULE.sub(lambda rule: "(" + rules.get(rule[1], "<>") + ")", text)
    if any(place not in places for place in _PLACE.findall(text)):
        return
    text = _PLACE.sub(lambda place: "{" + places[place[1]] + "}", text)
    try:
        templates.sentences(text)
    except templates.TemplateError:
        return
    yield text


@cache
def _data(language: str) -> Mapping[str, Any]:
    file = resources.files("home_assistant_intents") / "data" / f"{language}.json"
    data: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return data
