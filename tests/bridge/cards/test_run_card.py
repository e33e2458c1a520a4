"""Run cards: the steps of work that takes a while, and what can be done about it."""

import pytest
from voxcard.cards.dialects.codai.parser import parse
from voxcard.cards.live.live_card import LiveCards
from voxcard.cards.live.run_card import (
    Run,
    RunStep,
    elapsed,
    run_source,
    run_update,
    wanted,
)
from voxcard.cards.text.twins import complete


def shown(source):
    live = LiveCards()
    return live, live.show(parse(source, "codai:1").cards[0])


STEPS = (RunStep(what="Read a.py", done=True), RunStep(what="Ran tests"))


def test_a_run_gets_a_card_when_it_takes_three_steps_waits_or_is_in_the_background():
    run = Run(key="run:1", title="Fix the build", steps=STEPS)
    assert not wanted(run)
    assert wanted(Run(key="run:1", title="x", steps=(*STEPS, RunStep(what="third"))))
    assert wanted(Run(key="run:1", title="x", state="waiting"))
    assert wanted(Run(key="run:1", title="x", background=True))


def test_a_run_card_shows_its_steps_and_is_stopped_by_a_control():
    run = Run(key="run:1", title="Fix the build", steps=STEPS, elapsed_s=185, cost="$0.02")
    card = complete(parse(run_source(run)).cards[0])
    assert card.live_key == "run:1"
    assert card.subtitle == "Running · 3m 05s · $0.02"
    assert "Read a.py ✓" in card.twin.text
    assert [(each.kind, each.text, each.style) for each in card.actions] == [
        ("control", "stop", "danger")
    ]


def test_a_run_that_waits_asks_to_allow_or_deny_and_a_finished_one_has_no_buttons():
    waiting = Run(key="run:1", title="Fix", steps=STEPS, state="waiting", question="Run rm?")
    live, card = shown(run_source(waiting))
    assert (card.question.kind, card.question.prompt) == ("approval", "Run rm?")
    assert [(each.id, each.kind, each.text) for each in card.actions] == [
        ("allow", "control", "allow"), ("deny", "control", "deny"), ("stop", "control", "stop"),
    ]  # fmt: skip
    done = Run(key="run:1", title="Fix", steps=STEPS, state="done", elapsed_s=3700,
               background=True)  # fmt: skip
    change = live.update(run_update(waiting, done))
    assert (change.card.actions, change.card.question) == ((), None)
    assert change.line == "Fix: Background job · Done · 1h 01m"


def test_a_run_that_only_ages_patches_its_subtitle_alone():
    before = Run(key="run:1", title="Fix", steps=STEPS, elapsed_s=4)
    after = Run(key="run:1", title="Fix", steps=STEPS, elapsed_s=5)
    assert run_update(before, after) == {"cardId": "run:1", "patch": {"subtitle": "Running · 5s"}}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0s"), (59, "59s"), (60, "1m 00s"), (61, "1m 01s"), (3599, "59m 59s"), (3600, "1h 00m"),
     (3659, "1h 00m"), (3660, "1h 01m"), (90_061, "25h 01m")],
)  # fmt: skip
def test_a_time_is_said_in_its_two_largest_units(seconds, words):
    assert elapsed(seconds) == words


def test_the_last_four_steps_of_a_run_are_shown_and_one_that_is_not_done_is_under_way():
    steps = tuple(RunStep(what=str(number), done=number < 5) for number in range(6))
    for state, current in (("running", True), ("waiting", True), ("failed", False)):
        (*_, block) = run_source(Run(key="k", title="t", steps=steps, state=state))["blocks"]
        assert [step["title"] for step in block["items"]] == ["2", "3", "4", "5"]
        assert [step["current"] for step in block["items"]] == [False] * 3 + [current]
    (block,) = run_source(Run(key="k", title="t"))["blocks"]
    assert block == {"type": "text", "text": "Running"}
