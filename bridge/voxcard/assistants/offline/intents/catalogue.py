"""The sentences of one home: which tool, with which arguments, a text asks for."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from voxcard.assistants.offline.intents.joined_commands import JoinedCommands
from voxcard.assistants.offline.intents.meanings import (
    NOTHING,
    Choice,
    Incomplete,
    Meaning,
    OutOfRange,
    Reading,
    Understood,
)
from voxcard.assistants.offline.intents.normalise import TEXT_MAX, Request, Word, composed, words
from voxcard.assistants.offline.intents.sentences.examples import Example, offered, prompt_of
from voxcard.assistants.offline.intents.sentences.home_sentences import AMOUNT, STATUS_TOOL, learn
from voxcard.assistants.offline.intents.sentences.sentence_files import Language, Rule
from voxcard.assistants.offline.intents.sentences.sentence_trie import (
    Match,
    Path,
    Search,
    SearchResult,
)
from voxcard.assistants.offline.intents.slots import is_whole
from voxcard.assistants.offline.intents.spacing import respaced
from voxcard.toolhub.model import ToolSpec

_OFFERED_MAX = 12  # sentences; nobody listens to more
_MARGIN = 0.1  # a misheard word must be nearer to one sentence than to others by this


class Catalogue:
    """Rules whose tools are there, ready to be searched.

    Building one takes from tens of ms to seconds, a search some ms: both in a thread.
    """

    def __init__(self, language: Language, own: Sequence[Rule], tools: Sequence[ToolSpec]) -> None:
        """`own`, a person's rules, win over the language's, and those over a tool's own."""
        self.tools = tuple(tools)
        self.vocabulary, self._forms = language.words, language.forms
        home = learn(language, own, self.tools)
        self._root, self._rules, self._common = home.root, home.rules, home.words
        self._known = home.words | home.values
        self._lenient = frozenset(
            end for end, rule in enumerate(self._rules) if _only_answers(rule)
        )
        first = {each.rule.tool: each for each in reversed(home.examples) if each.rule.tool}
        sources = {tool.name: tool.source for tool in self.tools}
        examples = offered(reversed(first.values()), sources.__getitem__)
        usable = (each.text for each in examples if self._is_usable(each))
        self.examples = tuple(itertools.islice(usable, _OFFERED_MAX))
        self.prompt = prompt_of([*first.values(), *home.examples])

    def understand(self, text: str, uncommon: frozenset[str] | None = None) -> Reading:
        """What `text` asks for.

        `uncommon`: of a recognised text the words that may be misheard; None for a typed one, in
        which no letter may differ. Takes ms: in a thread.
        """
        if len(text) > TEXT_MAX:
            return NOTHING
        text = composed(text)
        said = tuple(words(text, self._forms))
        if self._forms is not None:
            uncommon = None  # what may stand for what was told apart in English alone
        reading = self._taken_together(Request(said, text, uncommon))
        respelled = respaced(said, self._known, self.vocabulary)
        if reading.meaning is None and respelled != said:
            other = self._taken_together(Request(respelled, text, uncommon))
            reading = other if other.meaning is not None else reading
        if reading.meaning is None and self._forms is None:  # where one ends is known in English
            return self._joined(Request(respelled, text, uncommon), reading)
        return reading

    def _joined(self, request: Request, whole: Reading) -> Reading:
        """The sentence as several commands; `whole`, which means nothing, where it is not."""
        commands = JoinedCommands(
            self.vocabulary,
            self.tools,
            lambda part: self._read(replace(request, words=part)),
        )
        reading = commands.read(request.words)
        return replace(reading, continues=reading.continues or whole.continues)

    def _taken_together(self, request: Request) -> Reading:
        """What the sentence means with its end, which may take back the rest."""
        tail = self._taken_back(request.words)
        reading = self._read(request)
        if not tail:
            return reading
        before = self._read(replace(request, words=request.words[:-tail]))
        if before.understood is None and reading.understood is not None:
            return reading  # "show the text never mind"
        return self._read(replace(request, words=request.words[-tail:]))

    def _is_usable(self, example: Example) -> bool:
        """Whether somebody may be told to say it: it works, and does no harm."""
        understood = self.understand(example.text).understood
        return understood is not None and understood.rule == example.rule and not understood.risky

    def _read(self, request: Request) -> Reading:
        if not request.words:
            return NOTHING
        search = Search(self._root, self.vocabulary, self._common, request, self._lenient)
        result = search.run()
        meaning, last = self._meaning(result), request.words[-1].text
        lead_in = meaning is None and self.vocabulary.is_filler(request.words)
        return Reading(
            meaning=meaning,
            continues=result.continues or last in self.vocabulary.open_ends or lead_in,
        )

    def _meaning(self, result: SearchResult) -> Meaning | None:
        for match in result.matches:
            if match.path.bad is None:
                return self._certain(match, result)
        for match in result.matches:
            if match.path.bad is not None and not match.path.misheard:
                return OutOfRange(argument=match.path.bad.argument)
        for _, missing, path in result.missing:
            said = " ".join(path.said)
            return Incomplete(
                argument=missing.argument,
                takes_text=missing.is_text,
                last=path.said[-1],
                said=said,
            )
        return None

    def _certain(self, match: Match, result: SearchResult) -> Meaning | None:
        best = self._understood(match, result.continues)
        for other in result.matches:
            # "Code 2 1042" may be 21042 or "code to 1042".
            if other.path.homophone > match.path.homophone and not other.path.bad:
                taken = self._understood(other, False)
                if taken.rule == best.rule and taken.number != best.number:
                    return Choice(options=(taken, best))
        if match.path.misheard:
            for other in result.matches:
                near = other.path.misheard - match.path.misheard <= _MARGIN
                if near and self._understood(other, False).key != best.key:
                    return None
        return best

    def _understood(self, match: Match, continues: bool) -> Understood:
        rule, path = self._rules[match.end], match.path
        values = {each.argument.name: _json(value) for each, value in path.values}
        amount = values.pop(AMOUNT, None) if rule.change is not None else None
        last = path.values[-1][0] if match.ends_open else None
        return Understood(
            rule=rule,
            arguments=tuple(sorted({**rule.arguments, **values}.items())),
            exact=not path.misheard,
            closed=not continues and (last is None or is_whole(last, path.said[-1])),
            ends_in_id=(last is not None and not last.is_number)
            or (last is not None and last.is_id),
            said=" ".join(path.said),
            risky=self._is_risky(rule, path),
            amount=amount if isinstance(amount, int) else None,
        )

    def _is_risky(self, rule: Rule, path: Path) -> bool:
        """Whether it should be asked about first: by what the server says, or by its words."""
        tool = next((each for each in self.tools if each.name == rule.tool), None)
        if tool is None or tool.source in ("device", "bridge"):
            return tool is not None and tool.destructive is True
        if tool.destructive is not None:
            return tool.destructive
        verb = tool.name.rpartition(".")[2].replace("-", "_").split("_")[0].lower()
        if verb in self.vocabulary.harmless:
            return False
        if path.misheard:
            return True
        free = {
            word.casefold()
            for each, value in path.values
            if each.is_text
            for word in str(value).split()
        }
        said = [word for word in (verb, *path.said) if word not in free]
        pairs = [(one, other) for one in said for other in said]
        return not self.vocabulary.risky.isdisjoint([*((word,) for word in said), *pairs])

    def _taken_back(self, sentence: Sequence[Word]) -> int:
        """How many words at the end take back what stands before them."""
        texts = tuple(word.text for word in sentence)
        tails = [each for each in self.vocabulary.cancels if texts[-len(each) :] == each]
        longest = max((len(each) for each in tails), default=0)
        return longest if longest < len(texts) else 0


def _only_answers(rule: Rule) -> bool:
    """Whether nothing is changed by it, so that a guess does no harm."""
    return rule.tool is None or (rule.tool == STATUS_TOOL and rule.change is None)


def _json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
