"""The sentences of one home: which tool, with which arguments, a text asks for."""

import itertools
import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hassil import recognize_all
from hassil.intents import Intent, IntentData, Intents, WildcardSlotList
from hassil.recognize import RecognizeResult
from hassil.sample import sample_sentence

from voxcard.assistants.offline.intents import intent_match, normalise, slots
from voxcard.assistants.offline.intents.sentence_files import Language, Rule, unusable
from voxcard.toolhub.model import ToolSpec

log = logging.getLogger(__name__)

STATUS_TOOL = "self.get_device_status"
_FORMS = 400  # of one template at most; the rest is matched exactly only
_READINGS = 30  # of one text at most
_OWN_SENTENCES = 40  # of one tool at most
_PROMPT = 220  # characters; whisper reads its prompt again at every decode


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """What somebody asked for. `exact`: said word for word; `open_end`: more could follow.

    `arguments` are those of the tool call but for a relative change, which needs the status.
    """

    rule: Rule
    arguments: tuple[tuple[str, Any], ...]
    exact: bool = True
    open_end: bool = False

    @property
    def meaning(self) -> tuple[str, str]:
        """The same for every sentence that does the same."""
        if self.rule.tool is None:
            return "", repr(self.rule.reply)
        arguments = json.dumps(dict(self.arguments), sort_keys=True, default=str)
        # Questions about one status are told apart by what is answered.
        asks = repr(self.rule.change or (self.rule.reply if not self.arguments else ""))
        return self.rule.tool, arguments + asks


class Catalogue:
    """Rules whose tools are there, ready to be matched. Building takes tens of ms: in a thread."""

    def __init__(self, language: Language, own: Sequence[Rule], tools: Sequence[ToolSpec]) -> None:
        """`own`, a person's rules, win over the language's, and those over a tool's own."""
        schemas = {tool.name: _properties(tool.input_schema) for tool in tools}
        rules = [*own, *language.rules, *_of_tools(tools)]
        self._rules = {f"{at}": rule for at, rule in enumerate(rules) if _usable(rule, schemas)}
        self._schemas = {
            name: schemas.get(rule.tool or "", {}) for name, rule in self._rules.items()
        }
        self._skip_words = language.skip_words
        self._intents = Intents(
            language="en",
            intents={name: self._intent(name, rule) for name, rule in self._rules.items()},
            skip_words=list(language.skip_words),
        )
        self._forms = [intent_match.form(each) for each in sorted(set(self._all_forms()))]
        examples = tuple(self._examples())
        first = {rule.tool: text for rule, text in reversed(examples) if rule.tool}
        self.examples = tuple(reversed(first.values()))  # one of each tool
        self.prompt = _prompt(dict.fromkeys([*first.values(), *(text for _, text in examples)]))

    def understand(self, text: str) -> Understood | None:
        """What `text` asks for, or None when that is not certain. Takes ms: in a thread."""
        if len(text) > 400 or not normalise.plain(text):
            return None
        exact = self._exact(normalise.plain(text)) or self._exact(normalise.normalise(text))
        if exact is not None:
            return exact
        for variant in _variants(self._without_skip_words(normalise.normalise(text))):
            meaning = intent_match.nearest(variant, self._forms, self._meaning)
            if meaning is not None:
                return replace(meaning.understood, exact=False)
        return None

    def _meaning(self, text: str) -> "_Meaning | None":
        found = self._exact(text)
        return None if found is None else _Meaning(found)

    def _exact(self, text: str) -> Understood | None:
        """The reading with the least free text; of equals the first rule's."""
        readings = itertools.islice(recognize_all(text, self._intents), _READINGS)
        for result in sorted(readings, key=_free_text):
            schemas = self._schemas[result.intent.name]
            arguments = {
                name: slots.value(schemas[name], entity.value)
                for name, entity in result.entities.items()
            }
            if any(value is None for value in arguments.values()):
                continue
            rule = self._rules[result.intent.name]
            return Understood(
                rule=rule,
                arguments=tuple(sorted({**rule.arguments, **arguments}.items())),
                open_end=_open_end(text, [each.text for each in result.entities_list]),
            )
        return None

    def _intent(self, name: str, rule: Rule) -> Intent:
        lists = {key: slots.matchable(each) for key, each in self._schemas[name].items()}
        wildcards = {key for key, each in lists.items() if isinstance(each, WildcardSlotList)}
        data = IntentData(
            sentence_texts=[normalise.contract(each) for each in rule.sentences],
            slot_lists=lists,
            wildcard_list_names=wildcards,
        )
        return Intent(name=name, data=[data])

    def _all_forms(self) -> Iterator[str]:
        for name, intent in self._intents.intents.items():
            lists = {key: slots.sampled(each) for key, each in self._schemas[name].items()}
            for sentence in intent.data[0].sentences:
                for text in itertools.islice(sample_sentence(sentence, lists), _FORMS):
                    yield _form(text)

    def _examples(self) -> Iterator[tuple[Rule, str]]:
        """One sentence of each rule, as somebody would write it."""
        for name, intent in self._intents.intents.items():
            schemas = self._schemas[name]
            lists = {key: slots.exemplary(each) for key, each in schemas.items()}
            sentence = intent.data[0].sentences[0]
            for text in itertools.islice(sample_sentence(sentence, lists, skip_optionals=True), 1):
                yield self._rules[name], " ".join(text.split())

    def _without_skip_words(self, text: str) -> str:
        padded = f" {text} "
        for words in self._skip_words:
            padded = padded.replace(f" {words} ", " ")
        return " ".join(padded.split())


@dataclass(frozen=True, slots=True)
class _Meaning:
    """An understood sentence that equals every other one that does the same."""

    understood: Understood

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Meaning) and (
            self.understood.meaning == other.understood.meaning
        )

    def __hash__(self) -> int:
        return hash(self.understood.meaning)


def _properties(schema: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return {}
    return {name: each for name, each in properties.items() if isinstance(each, Mapping)}


def _of_tools(tools: Sequence[ToolSpec]) -> Iterator[Rule]:
    """The sentences that tools bring with them (`_meta["voxcard/sentences"]`), faults left out."""
    for tool in tools:
        good = []
        for sentence in tool.sentences.get("en", ())[:_OWN_SENTENCES]:
            if not isinstance(sentence, str) or unusable(sentence):
                log.warning("tool %s: sentence %.80r is not used", tool.name, sentence)
            else:
                good.append(sentence)
        if good:
            yield Rule(sentences=tuple(good), tool=tool.name)


def _usable(rule: Rule, schemas: Mapping[str, Mapping[str, Any]]) -> bool:
    if rule.tool is None:
        return True
    if rule.tool not in schemas or (rule.change and STATUS_TOOL not in schemas):
        return False
    names = set(_slots(rule.sentences)) | set(rule.arguments)
    if rule.change:
        names.add(rule.change.argument)
    if missing := sorted(names - schemas[rule.tool].keys()):
        log.warning("tool %s has no argument %s: a sentence is not used", rule.tool, missing[0])
        return False
    return True


def _slots(sentences: Iterable[str]) -> Iterator[str]:
    for sentence in sentences:
        for part in sentence.split("{")[1:]:
            yield part.split("}")[0].split(":")[0]


def _form(text: str) -> str:
    """A sampled sentence in normalised form; `NUMBER` is no word and would be dropped."""
    return normalise.normalise(text.replace(intent_match.NUMBER, " qq ")).replace(
        "qq", intent_match.NUMBER
    )


def _variants(text: str) -> Iterator[str]:
    """`text`, then with "2 60" and "4 10" read as "to 60" and "for 10"."""
    yield text
    words = text.split()
    for at in range(len(words) - 1):
        if words[at] in ("2", "4") and words[at + 1].isdecimal():
            words[at] = {"2": "to", "4": "for"}[words[at]]
            yield " ".join(words)
            return


def _free_text(result: RecognizeResult) -> int:
    return sum(len(each.text) for each in result.entities_list if each.is_wildcard)


def _open_end(text: str, values: Sequence[str]) -> bool:
    """Whether `text` ends in an argument, which a pause may cut in two ("ten ... forty two")."""
    return any(each.strip() and text.endswith(each.strip()) for each in values)


def _prompt(examples: Iterable[str]) -> str:
    prompt = ""
    for example in examples:
        sentence = example[:1].upper() + example[1:] + ". "
        if len(prompt) + len(sentence) > _PROMPT:
            break
        prompt += sentence
    return prompt.strip()
