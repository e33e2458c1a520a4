"""The words that cards get from us are in one table, whole in every language."""

import ast
import typing
from pathlib import Path

import pytest
import voxcard
from voxcard.cards.live.run_card import Run
from voxcard.cards.text.fixed_words import WORDS, fixed_words


@pytest.mark.parametrize(
    ("locale", "allow"), [("en", "Allow"), ("ro-RO", "Permite"), ("RO", "Permite"), ("", "Allow"),
                          ("de", "Allow")]
)  # fmt: skip
def test_a_language_without_words_gets_english(locale, allow):
    assert fixed_words(locale)["allow"] == allow


def test_every_language_has_every_word():
    assert fixed_words("ro").keys() == WORDS.keys()


def test_every_state_of_a_run_has_a_word():
    states = typing.get_args(typing.get_type_hints(Run)["state"])
    assert set(states) <= WORDS.keys()


def test_labels_of_buttons_are_written_nowhere_else():
    folder = Path(voxcard.__file__).parent
    elsewhere = []
    for path in sorted((*folder.glob("cards/**/*.py"), *folder.glob("screen/*.py"))):
        if path.name != "fixed_words.py":
            calls = (node for node in ast.walk(ast.parse(path.read_text())) if _is_action(node))
            elsewhere += [f"{path.name}:{call.lineno}" for call in calls if _has_own_label(call)]
    assert elsewhere == []


def _is_action(node):
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Action"


def _has_own_label(call):
    labels = (each.value for each in call.keywords if each.arg == "label")
    return any(isinstance(label, ast.Constant) and label.value for label in labels)
