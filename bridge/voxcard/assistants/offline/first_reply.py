"""What is said at once to what was heard, or what is to be done first."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from voxcard.assistants import Heard
from voxcard.assistants.offline import reply
from voxcard.assistants.offline.dialogue import Question
from voxcard.assistants.offline.intents.interpretation import Trial
from voxcard.assistants.offline.intents.meanings import (
    Choice,
    Incomplete,
    OutOfRange,
    Several,
    Understood,
)
from voxcard.assistants.offline.speech.utterance import Ending

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Said:
    """What is said at the end of a turn, and the question it ends in, if any.

    `excuse`: nothing was understood; "say that again" does not say it. `listens`: the microphone
    opens again though nothing was asked.
    """

    sentences: Sequence[str]
    question: Question | None = None
    excuse: bool = False
    listens: bool = False


class FirstReply:
    """Remembers what was not understood in the turns before; `listens_again()`: a setting."""

    def __init__(self, listens_again: Callable[[], bool]) -> None:
        self._listens_again = listens_again
        self._puzzled = False  # whether it was said that the last turn was not understood
        self._is_second = False  # whether it was not, and nothing was said

    def to(
        self, trial: Trial, ending: Ending, heard: Heard, phrases: Mapping[str, str]
    ) -> Said | Several:
        """What is said to `trial`, or the commands that are to be done."""
        is_second, self._is_second = self._is_second, False
        if ending == "nothing" and is_second:
            return Said([], excuse=True)  # nobody asked for anything
        if ending != "ended":
            key = "nothing_heard" if ending == "nothing" else "too_long"
            return Said([phrases[key]], excuse=True)
        if trial.reading.meaning is None:
            return self._puzzle(trial, heard, phrases, is_second)
        self._puzzled = False
        return _understood(trial, heard, phrases)

    def _puzzle(
        self, trial: Trial, heard: Heard, phrases: Mapping[str, str], is_second: bool
    ) -> Said:
        log.info("not understood: %.80r", trial.text)
        # A word may have been no call at all; who holds a button lets go when all is said.
        by_hand = heard.audio is not None and not heard.held and not heard.woken
        if by_hand and not is_second and self._listens_again():
            self._is_second = True
            return Said([], excuse=True, listens=True)
        puzzled, self._puzzled = self._puzzled, True
        text = phrases["not_understood_again" if puzzled else "not_understood"]
        return Said(reply.sentences_of(text), excuse=True)


def _understood(trial: Trial, heard: Heard, phrases: Mapping[str, str]) -> Said | Several:
    match trial.reading.meaning:
        case Understood() | Several() as understood:
            if understood.risky and heard.audio is not None:
                request = reply.asked_back(understood.said, trial.text, phrases)
                text = phrases["confirm"].format(request=request)
                return Said(reply.sentences_of(text), question=understood)
            steps = understood.steps if isinstance(understood, Several) else (understood,)
            tools = ", ".join(step.rule.tool or "no tool" for step in steps)
            log.info("understood %.80r: %s", trial.text, tools)
            return Several(steps=steps)
        case Incomplete() | Choice() as question:
            log.info("asks back: %.80r", trial.text)
            return Said([reply.question_back(question, phrases)], question=question)
        case OutOfRange(argument=argument):
            return Said([reply.out_of_range(argument, phrases)])
    return Said([phrases["declined"]])
