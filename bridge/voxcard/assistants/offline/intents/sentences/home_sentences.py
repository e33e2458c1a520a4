"""The sentences of a home in one tree: a person's, the language's, then those of the tools."""

import difflib
import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from voxcard.assistants.offline.intents.sentences import templates
from voxcard.assistants.offline.intents.sentences.examples import Example
from voxcard.assistants.offline.intents.sentences.particles import Items, moved
from voxcard.assistants.offline.intents.sentences.sentence_files import Language, Rule
from voxcard.assistants.offline.intents.sentences.sentence_trie import Node
from voxcard.assistants.offline.intents.slots import Slot, slot
from voxcard.toolhub.model import ToolSpec
from voxcard.toolhub.schema import Argument

log = logging.getLogger(__name__)

STATUS_TOOL = "self.get_device_status"
AMOUNT = "by"  # the place of a relative change's amount in its sentences
_SOURCE_MAX = 20_000  # sentences of one device or server
_WARNINGS_MAX = 40  # of one list of tools


@dataclass(slots=True)
class HomeSentences:
    """`root` holds every sentence; its ends are places in `rules`.

    `words` are all their words, `values` those of what may stand in their places.
    """

    root: Node = field(default_factory=Node)
    rules: list[Rule] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    examples: list[Example] = field(default_factory=list)


def learn(language: Language, own: Sequence[Rule], tools: Sequence[ToolSpec]) -> HomeSentences:
    """Every sentence whose tool is there. Takes from tens of ms to seconds."""
    learner = _Learner(language, tools)
    for rule in own:
        learner.add(rule, source="", own=True)
    for rule in language.rules:
        learner.add(rule, source="")
    for tool in tools:
        sentences = tuple(each for each in tool.sentences.get(language.name, ()) if each)
        if sentences:
            learner.add(Rule(sentences=sentences, tool=tool.name), source=tool.source)
    learner.move_particles()
    learner.warn()
    return learner.home


class _Learner:
    def __init__(self, language: Language, tools: Sequence[ToolSpec]) -> None:
        self.home = HomeSentences()
        self._words, self._forms = language.words, language.forms
        self._moved: list[tuple[Items, int]] = []
        self._slots = {
            tool.name: {name: slot(tool.name, each) for name, each in tool.arguments.items()}
            for tool in tools
        }
        self._sizes: Counter[str] = Counter()
        self._warnings: list[str] = []

    def add(self, rule: Rule, *, source: str, own: bool = False) -> None:
        """Put in the rule's sentences; `source` is the server whose they are, "" for our own.

        `own`: a person wrote the rule.
        """
        places = self._slots.get(rule.tool, {}) if rule.tool else {}
        if rule.tool is not None and rule.tool not in self._slots:
            if own:
                self._absent(rule.tool)
            return
        if rule.change and STATUS_TOOL not in self._slots:
            return
        named = {*rule.arguments, *([rule.change.argument] if rule.change else [])}
        end = len(self.home.rules)
        self.home.rules.append(rule)
        changed = places.get(rule.change.argument) if rule.change else None
        known = {**({AMOUNT: _amount(changed.argument)} if changed else {}), **places}
        example: Example | None = None
        for template in rule.sentences:
            try:
                if missing := sorted(named - places.keys()):
                    raise templates.TemplateError(f"there is no argument {missing[0]}")
                self._put(template, known, source, end)
                shortest, said = self._resolved(
                    [
                        templates.plainest(template, forms=self._forms),
                        templates.plainest(template, self._words.articles, self._forms),
                    ],
                    known,
                )
                written = template if self._forms is not None and not own else ""
                example = example or Example(rule, shortest, said, written)
            except templates.TemplateError as error:
                self._fault(source, rule, template, str(error))
            except Exception:
                log.exception("the sentence %.80r", template)
                self._fault(source, rule, template, "it cannot be read")
        if example is not None:
            self.home.examples.append(example)

    def move_particles(self) -> None:
        """Put in what nobody wrote: sentences whose particle stands elsewhere."""
        for items, end in self._moved:
            if not self.home.root.has(items):
                self.home.root.add(items, end)

    def warn(self) -> None:
        """Log what was left out, a line for each template."""
        for warning in self._warnings[:_WARNINGS_MAX]:
            log.warning("%s", warning)
        if len(self._warnings) > _WARNINGS_MAX:
            log.warning("%d more sentences are not used", len(self._warnings) - _WARNINGS_MAX)

    def _put(self, template: str, known: Mapping[str, Slot], source: str, end: int) -> None:
        sentences = templates.sentences(template, self._words.optional, self._forms)
        resolved = list(self._resolved(sentences, known))
        if source and self._sizes[source] + len(resolved) > _SOURCE_MAX:
            raise templates.TemplateError(f"{source} has more than {_SOURCE_MAX} sentences")
        self._sizes[source] += len(resolved)
        for items in resolved:
            self.home.root.add(items, end)
            other = moved(items, self._words.particle_verbs, self._words.particles)
            if other is not None:
                self._moved.append((other, end))
            self.home.words.update(item for item in items if isinstance(item, str))
        for each in known.values():
            self.home.values.update(word for phrase, _ in each.choices for word in phrase)

    def _resolved(
        self, sentences: Sequence[templates.Sentence], known: Mapping[str, Slot]
    ) -> Iterator[Items]:
        """The sentences with a slot in each place."""
        for sentence in sentences:
            for item in sentence:
                if isinstance(item, templates.Place) and item.argument not in known:
                    raise templates.TemplateError(f"there is no argument {item.argument}")
            yield tuple(
                item if isinstance(item, str) else known[item.argument] for item in sentence
            )

    def _absent(self, tool: str) -> None:
        """Warn of a tool that looks mistyped; one of another device or of a server that is away
        is no mistake."""
        near = difflib.get_close_matches(tool, self._slots, n=1, cutoff=0.8)
        place = tool.partition(".")[0]
        there = {name.partition(".")[0] for name in self._slots} - {"self"}
        if near or place in there:
            hint = f" Did you mean {near[0]}?" if near else ""
            self._warnings.append(f"sentence file: there is no tool {tool}.{hint}")

    def _fault(self, source: str, rule: Rule, template: str, problem: str) -> None:
        where = f"{source}: tool {rule.tool}" if source else f"sentence file: tool {rule.tool}"
        self._warnings.append(f"{where}: sentence {template!r:.80} is not used: {problem}")


def _amount(changed: Argument) -> Slot:
    """By how much a number may be changed: no more than its range."""
    low, high = changed.low, changed.high
    high = None if low is None or high is None else high - low
    return slot("", Argument(name=AMOUNT, title="change", kind="integer", low=1, high=high))
