"""Live run cards: the steps of work that takes a while, what it waits for, how to stop it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from voxcard.cards.live.merge_patch import difference
from voxcard.cards.text.fixed_words import WORDS
from voxcard.json_value import Json

STEPS_SHOWN = 4
STEPS_MIN = 3  # work this short is not worth a card (R001-16)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStep:
    what: str
    done: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Work of an assistant. `question`: what it asks permission for; `cost`: text as shown."""

    key: str  # the live key of its card
    title: str
    steps: tuple[RunStep, ...] = ()
    state: Literal["running", "waiting", "done", "failed", "stopped"] = "running"
    elapsed_s: int = 0
    question: str = ""
    cost: str = ""
    background: bool = False


def wanted(run: Run) -> bool:
    """Whether a run gets a card: a background job, one that waits, or three steps (R001-16)."""
    return run.background or run.state == "waiting" or len(run.steps) >= STEPS_MIN


def run_source(run: Run) -> dict[str, Json]:
    """The codai card of a run: its latest steps, the question it waits with, and controls.

    Stop, Allow and Deny are controls: they act on the run and never go through the model; pausing
    needs the device that runs it (R001-17, R001-18).
    """
    kind = WORDS["background"] if run.background else ""
    state = WORDS[run.state]
    subtitle = (kind, state, elapsed(run.elapsed_s), run.cost)
    return {
        "title": run.title,
        "subtitle": " · ".join(part for part in subtitle if part),
        "live": {"key": run.key},
        "blocks": list(_blocks(run)) or [{"type": "text", "text": state}],
        "actions": list(_controls(run)),
    }


def _blocks(run: Run) -> Iterator[dict[str, Json]]:
    if run.state == "waiting":
        yield {"type": "approval", "question": run.question or WORDS["may_go_on"]}
    steps = [
        {"title": step.what, "done": step.done, "current": _under_way(run) and not step.done}
        for step in run.steps[-STEPS_SHOWN:]
    ]
    if steps:
        yield {"type": "timeline", "items": steps}


def _controls(run: Run) -> Iterator[dict[str, str]]:
    if run.state == "waiting":
        yield _control("allow", "primary")
        yield _control("deny", "secondary")
    if _under_way(run):
        yield _control("stop", "danger")


def _under_way(run: Run) -> bool:
    return run.state in ("running", "waiting")


def run_update(before: Run, after: Run) -> dict[str, Json]:
    """The `card_update` that makes the card of `after` of the card of `before`."""
    return {"cardId": before.key, "patch": difference(run_source(before), run_source(after))}


def _control(action_id: str, style: str) -> dict[str, str]:
    return {"id": action_id, "label": WORDS[action_id], "kind": "control", "style": style}


def elapsed(seconds: int) -> str:
    """`42s`, `3m 05s` or `1h 02m`."""
    if seconds < 60:
        return f"{seconds}s"
    if seconds < 3600:
        return f"{seconds // 60}m {seconds % 60:02}s"
    return f"{seconds // 3600}h {seconds % 3600 // 60:02}m"
