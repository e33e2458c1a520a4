"""What a text may mean: something to do, a question to ask back, or nothing that is certain."""

import json
from dataclasses import dataclass, replace
from typing import Any

from voxcard.assistants.offline.intents.sentences.sentence_files import Rule
from voxcard.toolhub.schema import Argument


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """What somebody asked for.

    `exact`: no word was misheard. `closed`: nothing can follow that would change it. `said` is
    the sentence. `arguments` are those of the call; those of a relative change need the device's
    status, and `amount`, where it was said, is by how much. `risky`: it cannot be undone.
    """

    rule: Rule
    arguments: tuple[tuple[str, Any], ...]
    exact: bool = True
    closed: bool = True
    ends_in_id: bool = False
    said: str = ""
    amount: int | None = None
    risky: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """The same for every sentence that does the same."""
        if self.rule.tool is None:
            return "", repr(self.rule.reply)
        arguments = json.dumps(dict(self.arguments), sort_keys=True, default=str)
        # Questions about one status are told apart by what is answered.
        asks = repr(self.rule.change or (self.rule.reply if not self.arguments else ""))
        return self.rule.tool, f"{arguments} {asks} {self.amount}"

    @property
    def number(self) -> int | None:
        """The only number that was said as a value, or whose digits were."""
        fixed = self.rule.arguments
        said = [_digits(value) for name, value in self.arguments if name not in fixed]
        numbers = [each for each in (*said, self.amount) if type(each) is int]
        return numbers[0] if len(numbers) == 1 else None


def _digits(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdecimal() else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Several:
    """The commands of one sentence, in the order they were said, each of them exact.

    `doubted`: it may have been another number, or somebody else.
    """

    steps: tuple[Understood, ...]
    doubted: bool = False

    @property
    def risky(self) -> bool:
        return self.doubted or any(step.risky for step in self.steps)

    @property
    def key(self) -> tuple[tuple[str, str], ...]:
        return tuple(step.key for step in self.steps)

    @property
    def said(self) -> str:
        return " and ".join(step.said for step in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Incomplete:
    """A sentence without the value of `argument`, its last one. `last` is the last word said."""

    argument: Argument
    takes_text: bool
    last: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfRange:
    """A sentence with a number that `argument` does not allow."""

    argument: Argument


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Two sentences that were heard equally well, and differ in one number."""

    options: tuple[Understood, Understood]


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """A tool could not tell which of `options` its `argument` means; `asked` is the call."""

    asked: Understood
    argument: str
    options: tuple[str, ...]

    def taking(self, option: str) -> Understood:
        """The call with `option`."""
        arguments = {**dict(self.asked.arguments), self.argument: option}
        return replace(self.asked, arguments=tuple(sorted(arguments.items())), risky=False)


@dataclass(frozen=True, slots=True)
class Correctable:
    """A setting that was just made: "no, 60" sets it again. It is no question."""

    done: Understood


@dataclass(frozen=True, slots=True)
class Declined:
    """A question was answered with no: nothing is done."""


Meaning = Understood | Several | Incomplete | OutOfRange | Choice | Declined


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a text means, None when that is not certain.

    `continues`: more will probably follow: some sentence begins like this, or it ends in a word
    after which more must come.
    """

    meaning: Meaning | None = None
    continues: bool = False

    @property
    def understood(self) -> Understood | None:
        return self.meaning if isinstance(self.meaning, Understood) else None


NOTHING = Reading()
