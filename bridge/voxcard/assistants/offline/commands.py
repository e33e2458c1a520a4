"""Commands carried out one after the other, and what may follow them."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from voxcard.assistants import CallTool, Reply, ToolReply
from voxcard.assistants.offline import reply
from voxcard.assistants.offline.answers import is_correctable
from voxcard.assistants.offline.dialogue import Question
from voxcard.assistants.offline.intents.meanings import Correctable, Understood


@dataclass(frozen=True, slots=True)
class Carried:
    """What is said of all commands, and the `last` that was carried out, with its outcome."""

    sentences: Sequence[str]
    last: Understood
    outcome: Reply


Plan = Generator[CallTool, Reply, Carried]


def carried_out(steps: Sequence[Understood], home: reply.Home) -> Plan:
    """Make the calls of all `steps`; one that fails is the last: the next may build on it.

    Run it in a thread, as `reply.answer`.
    """
    sentences: list[str] = []
    for command in steps:
        outcome: Reply = None
        plan = reply.answer(command, home)
        try:
            call = next(plan)
            while True:
                outcome = yield call
                call = plan.send(outcome)
        except StopIteration as end:
            sentences += end.value
        carried = Carried(sentences, command, outcome)
        if _failed(outcome):
            return carried
    return carried


def advance(plan: Plan, outcome: Reply) -> CallTool | Carried:
    """The next call to make, or what came of all of them; in a thread."""
    try:
        return plan.send(outcome)
    except StopIteration as end:
        carried: Carried = end.value
        return carried


def follow_up(carried: Carried, question: Question | None) -> Question | None:
    """What the next turn may answer; `question` is the one that was open before."""
    if reply.repeats(carried.last):
        return question
    which = reply.which_one(carried.last, carried.outcome)
    if which is not None or _failed(carried.outcome):
        return which
    return Correctable(carried.last) if is_correctable(carried.last) else None


def _failed(outcome: Reply) -> bool:
    return isinstance(outcome, ToolReply) and outcome.is_error
