"""Runs a folder of card cases against the real parsers and `fit`: `card_cases.py DIR...`.

A case is a JSON file `{"name", "dialect", "rule", "input", "expect"}`; what each `expect` key
means is in tests/golden/cards/README.md. Prints each failure and `N passed, N failed`; exit 1
when a case failed or none was found.
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bridge"), str(ROOT / "firmware"), str(ROOT)]

from voxcard.json_value import Json  # noqa: E402

from tools.checks.card_case import Outcome, run  # noqa: E402 - the paths come first


def contains(text: str, wanted: list[str]) -> bool:
    """Every string of `wanted` is in `text`, however its lines were broken."""
    joined = " ".join(text.split())
    return all(each in text or " ".join(each.split()) in joined for each in wanted)


def excludes(text: str, unwanted: list[str]) -> bool:
    return not any(each in text for each in unwanted)


def ordered(text: str, wanted: list[str]) -> bool:
    places = [text.find(each) for each in wanted]
    return -1 not in places and places == sorted(places)


def subset(value: Json, wanted: Json) -> bool:
    """Objects of `wanted` are within those of `value`; a number stands for a list's length."""
    if isinstance(wanted, dict) and isinstance(value, dict):
        return all(subset(value.get(key), each) for key, each in wanted.items())
    if isinstance(wanted, int) and isinstance(value, list | tuple):
        return len(value) == wanted
    return bool(value == wanted) or (wanted is None and value in ("", None))


# What a key of `expect` asks of an outcome; a key that is not here has an attribute of its name.
CHECKS: dict[str, Callable[[Outcome, Json], bool]] = {
    "reason": lambda got, want: want.lower() in got.reason.lower(),
    "a11y_label_contains": lambda got, want: contains(got.label, want),
    "actions_max": lambda got, want: len(got.card.actions) <= want,
    "after": lambda got, want: subset(got.after, want),
    "blocks_max": lambda got, want: all(len(card.blocks) <= want for card in got.cards),
    "bytes": lambda got, want: True,  # the input's size, for a person; `reason` tells the outcome
    "bytes_max": lambda got, want: all(size <= want for size in got.sizes),
    "cards": lambda got, want: len(got.cards) == want,
    "cards_max": lambda got, want: len(got.cards) <= want,
    "device_blocks_max": lambda got, want: len(got.device_blocks) <= want,
    "device_contains": lambda got, want: contains(got.device_text, want),
    "device_excludes": lambda got, want: excludes(got.device_text, want),
    "device_note": lambda got, want: True,  # what the firmware's own tests show
    "device_pages_max": lambda got, want: got.pages <= want,
    "device_text_excludes": lambda got, want: excludes(got.device_text, want),
    "fallback_contains": lambda got, want: contains(got.fallback_text, want),
    "fallback_excludes": lambda got, want: excludes(got.fallback_text, want),
    "fallback_order": lambda got, want: ordered(got.fallback_text, want),
    "fallback_text_nfc": lambda got, want: got.fallback_text == want,
    "message_contains": lambda got, want: contains(" ".join(got.messages), want),
    "message_startswith": lambda got, want: (
        bool(got.messages) and got.messages[0].startswith(want)
    ),
    "messages_count": lambda got, want: len(got.messages) == want,
    "model_text_contains": lambda got, want: contains(got.model_text, want),
    "next_call": lambda got, want: subset(got.next_call, want),
    "pages_min": lambda got, want: got.pages >= want,
    "speak_contains": lambda got, want: contains(got.speak, want),
    "speak_excludes": lambda got, want: excludes(got.speak, want),
    "speak_sentences_max": lambda got, want: sum(map(got.speak.count, ".!?")) <= want,
    "status_contains": lambda got, want: contains("\n".join(got.status), want),
    "subtitle": lambda got, want: got.subtitle == (want or ""),
    "title": lambda got, want: got.title == (want or ""),
    "title_one_of": lambda got, want: got.title in want,
    "warnings_min": lambda got, want: got.warnings >= want,
}


def failures(case: Json) -> Iterator[str]:
    """What the case expects and did not get."""
    outcome = run(case["dialect"], case["input"])
    for key, wanted in case["expect"].items():
        check = CHECKS.get(key)
        if check is None and not hasattr(outcome, key):
            yield f"{key}: no such key is known"
        elif not (check(outcome, wanted) if check else getattr(outcome, key) == wanted):
            got = getattr(outcome, key, outcome)
            yield f"{key}: expected {_short(wanted)}, got {_short(got)}"


def _short(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 300 else text[:300] + "..."


def main(folders: list[str]) -> int:
    """Run every case below `folders`; 0 when all passed and there was one."""
    files = sorted(path for folder in folders for path in Path(folder).rglob("*.json"))
    failed = 0
    for path in files:
        case = json.loads(path.read_text(encoding="utf-8"))
        reasons = list(failures(case))
        failed += bool(reasons)
        for why in reasons:
            print(f"{path.parent.name}/{path.stem} ({case.get('rule', '')}): {why}")
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("card_cases.py DIR...: names a folder of cases, e.g. tests/golden/cards")
    sys.exit(main(sys.argv[1:]))
