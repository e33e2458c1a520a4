"""Sentence files: what may be said, which tool it calls and what is answered."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from voxcard.assistants.offline.intents.languages import translated
from voxcard.assistants.offline.intents.normalise import Forms
from voxcard.assistants.offline.intents.sentences import templates
from voxcard.assistants.offline.intents.vocabulary import Vocabulary
from voxcard.errors import VoxcardError
from voxcard.language.locales import HOME_LANGUAGE, language_of
from voxcard.toolhub.schema import size

_PART_MAX, _PART_DEPTH = 100_000, 16  # of a rule's part: characters of JSON, and its nesting
_RULE_KEYS = {"sentences", "tool", "arguments", "change", "keeps", "reply"}
_CHANGE_KEYS = {"argument", "status", "by"}
_FILE_KEYS = {"language", "sentences", "phrases", "words"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A relative change: `argument` = the value at `status` in the device's status, plus `by`.

    `by` 0 raises it to `least` where it is lower, from 0 to what a rule that `keeps` it found. A
    sentence may say by how much, in the place
    `{by}`.
    """

    argument: str
    status: str
    by: int
    least: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Sentences (hassil templates) that mean one thing.

    `tool` None: nothing is called, the reply is the answer. `arguments` are fixed, slots add to
    them. `keeps`: a place in the device's status whose value a rule that changes it by 0 brings
    back. `reply`: the first template whose `{names}` are all known is said; without one the
    tool's own text is.
    """

    sentences: tuple[str, ...]
    tool: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    change: Change | None = None
    keeps: str = ""
    reply: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A locale's own sentences: `phrases` are what the assistant says by itself."""

    name: str
    rules: tuple[Rule, ...]
    phrases: Mapping[str, str]
    words: Vocabulary
    forms: Forms | None = None  # of a language other than English


def language(locale: str) -> Language:
    """The sentences that come with the assistant; raises VoxcardError for an unknown locale."""
    name = language_of(locale)
    if name not in (known := languages()):
        raise VoxcardError(
            f"The offline assistant does not speak {locale!r}.",
            f"Set its locale to one of: {', '.join(known)}.",
        )
    return _shipped(name)


def languages() -> list[str]:
    """The languages it comes with."""
    return sorted([HOME_LANGUAGE, *translated.names()])


def _translated(name: str) -> Language:
    """A language whose rules call what `shared.yaml` says."""
    source, forms = translated.file(name), translated.forms(name)
    return Language(
        name=name,
        rules=parse({"sentences": list(translated.rules(name))}, f"{name}.yaml"),
        phrases=MappingProxyType(source["phrases"]),
        words=Vocabulary.of(source["words"], forms),
        forms=forms,
    )


@cache
def _shipped(name: str) -> Language:
    """A language's own file; an assistant asks for it when it is checked and when it starts."""
    if name != HOME_LANGUAGE:
        return _translated(name)
    folder = resources.files(__package__)
    file = folder / f"{name}.yaml"
    source = yaml.safe_load(file.read_text(encoding="utf-8"))
    rules: list[Rule] = []
    # Those of a part, as en.timers.yaml, win over what stands for every home.
    parts = [each for each in folder.iterdir() if each.name.startswith(f"{name}.")]
    for part in sorted(parts, key=lambda each: each.name):
        if part.name.endswith(".yaml") and part.name.count(".") == 2:
            rules += parse(yaml.safe_load(part.read_text(encoding="utf-8")), part.name)
    return Language(
        name=name,
        rules=(*rules, *parse(source, file.name)),
        phrases=MappingProxyType(source["phrases"]),
        words=Vocabulary.of(source["words"]),
    )


def read(path: Path) -> tuple[Rule, ...]:
    """A person's own sentence file; raises VoxcardError that names the file and the place."""
    try:
        source = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise VoxcardError(
            f"The sentence file {path} cannot be read ({error.strerror}).",
            "Correct its path in voxcard.toml, or leave it out.",
        ) from error
    # Half a date, a number without digits: PyYAML lets through what its converters raise.
    except Exception as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark else ""
        raise VoxcardError(
            f"The sentence file {path} is not YAML{where}.",
            "Compare it with examples/sentences.yaml.",
        ) from error
    return parse(source, str(path))


def parse(source: Any, name: str) -> tuple[Rule, ...]:
    """The rules of a parsed sentence file `name`; raises VoxcardError with the rule's number."""
    if source is None:
        return ()
    if not isinstance(source, dict) or not isinstance(source.get("sentences", []), list):
        raise _wrong(name, "holds no list named `sentences`")
    if unknown := sorted(map(str, source.keys() - _FILE_KEYS)):
        raise _wrong(name, f"has an unknown key `{unknown[0]}`")
    return tuple(
        _rule(each, f"{name}, rule {number}")
        for number, each in enumerate(source.get("sentences", []), start=1)
    )


def _rule(source: Any, where: str) -> Rule:
    if not isinstance(source, dict):
        raise _wrong(where, "is not a table")
    if unknown := sorted(map(str, source.keys() - _RULE_KEYS)):
        raise _wrong(where, f"has an unknown key `{unknown[0]}`")
    tool = source.get("tool")
    if not (tool is None or isinstance(tool, str)):
        raise _wrong(where, "`tool` is not a name")
    arguments = source.get("arguments", {})
    if not isinstance(arguments, dict) or not all(isinstance(key, str) for key in arguments):
        raise _wrong(where, "`arguments` is not a table of names and values")
    if not _is_json(arguments):
        raise _wrong(where, "`arguments` holds a value that cannot be sent (write dates as text)")
    reply = _texts(source.get("reply", []), where, "reply")
    if tool is None and not reply:
        raise _wrong(where, "has neither a `tool` nor a `reply`")
    keeps = source.get("keeps", "")
    if not isinstance(keeps, str) or (keeps and tool is None):
        raise _wrong(where, "`keeps` is no place in the device's status")
    sentences = _texts(source.get("sentences", []), where, "sentences")
    if not sentences:
        raise _wrong(where, "has no `sentences`")
    for sentence in sentences:
        try:
            templates.sentences(sentence)
        except templates.TemplateError as error:
            raise _wrong(where, f"sentence {sentence!r}: {error}") from None
    return Rule(
        sentences=sentences,
        tool=tool,
        arguments=arguments,
        change=_change(source.get("change"), where),
        keeps=keeps,
        reply=reply,
    )


def _change(source: Any, where: str) -> Change | None:
    if source is None:
        return None
    if (
        not isinstance(source, dict)
        or source.keys() - {"least"} != _CHANGE_KEYS
        or not isinstance(source["argument"], str)
        or not isinstance(source["status"], str)
        or type(source["by"]) is not int
        or type(source.get("least", 0)) is not int
    ):
        raise _wrong(where, "`change` needs `argument`, `status` and a whole number `by`")
    return Change(**source)


def _texts(source: Any, where: str, key: str) -> tuple[str, ...]:
    texts: Sequence[Any] = [source] if isinstance(source, str) else source
    if not isinstance(texts, list) or not all(isinstance(each, str) and each for each in texts):
        raise _wrong(where, f"`{key}` is not a text or a list of texts")
    if not _is_json(texts):
        raise _wrong(where, f"`{key}` is too long, or has half a character")
    return tuple(texts)


def _is_json(value: Any) -> bool:
    """Whether a value of YAML, which has dates, sets, loops and more, can be sent as JSON."""
    try:
        if size.characters(value, longest=_PART_MAX, depth_max=_PART_DEPTH) is None:
            return False
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError):
        return False
    return True


def _wrong(where: str, what: str) -> VoxcardError:
    return VoxcardError(
        f"Sentence file {where}: {what}.", "Compare it with examples/sentences.yaml."
    )
