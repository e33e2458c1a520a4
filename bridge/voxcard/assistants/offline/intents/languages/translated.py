"""A language's file and what is the same in every language, as one sentence file.

`shared.yaml` says for each thing that can be asked what it calls; `de.yaml` and the like say with
which sentences, and what is answered.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

import yaml

from voxcard.assistants.offline.intents.languages import home_assistant
from voxcard.assistants.offline.intents.languages.forms import Forms
from voxcard.errors import VoxcardError

_SHARED = "shared"


def names() -> list[str]:
    """The languages there are files of."""
    files = (each.name for each in resources.files(__package__).iterdir())
    return sorted({each[:-5] for each in files if each.endswith(".yaml")} - {_SHARED})


def forms(name: str) -> Forms:
    return Forms.of(name, file(name)["forms"])


@cache
def file(name: str) -> Mapping[str, Any]:
    """The parsed file of a language."""
    text = (resources.files(__package__) / f"{name}.yaml").read_text(encoding="utf-8")
    source: Mapping[str, Any] = yaml.safe_load(text)
    return source


def rules(name: str) -> Iterator[dict[str, Any]]:
    """The rules of a language as a sentence file has them; raises VoxcardError for one without a
    counterpart in `shared.yaml`."""
    shared, own = file(_SHARED)["rules"], file(name)["rules"]
    if unlike := sorted(shared.keys() ^ own.keys()):
        raise VoxcardError(
            f"The sentences of {name} and {_SHARED}.yaml differ in {', '.join(unlike)}.",
            "Install the bridge again.",
        )
    for key, call in shared.items():
        rule = {each: value for each, value in call.items() if each not in ("intent", "places")}
        sentences = own[key]["sentences"]
        if "intent" in call:
            sentences = [
                *sentences,
                *home_assistant.sentences(name, call["intent"], call["places"]),
            ]
        yield {**rule, "sentences": sentences, "reply": own[key]["reply"]}
