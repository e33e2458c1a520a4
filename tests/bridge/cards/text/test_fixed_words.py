"""The words that cards get from us are in one table, whole in every language."""

import ast
import asyncio
import typing
from pathlib import Path

import pytest
import voxcard
from voxcard.cards.live.run_card import Run, run_source
from voxcard.cards.text.fixed_words import WORDS, cards_in, fixed_words
from voxcard.language.locales import LANGUAGES


@pytest.mark.parametrize(
    ("locale", "allow"), [("en", "Allow"), ("ro-RO", "Permite"), ("RO", "Permite"), ("", "Allow"),
                          ("de_CH.UTF-8", "Erlauben"), ("ko-KR", "허용"), ("pl-PL", "Allow")]
)  # fmt: skip
def test_a_language_without_words_gets_english(locale, allow):
    assert fixed_words(locale)["allow"] == allow


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_word(language):
    words = fixed_words(language)
    assert list(words) == list(WORDS)
    assert all(text.strip() == text != "" for text in words.values())


def test_a_card_is_made_in_the_language_of_its_device_and_no_other():
    with cards_in("de-AT"):
        assert WORDS["allow"] == "Erlauben"
        with cards_in("fr"):
            assert run_source(Run(key="k", title="t", state="running"))["blocks"]
            assert WORDS["more"] == "Plus"
        assert WORDS["allow"] == "Erlauben"
    assert WORDS["allow"] == "Allow"


def test_the_thread_that_makes_a_card_speaks_its_language():
    async def words():
        with cards_in("es"):
            spanish = asyncio.create_task(asyncio.to_thread(WORDS.__getitem__, "yes"))
        with cards_in("it"):
            italian = asyncio.create_task(asyncio.to_thread(WORDS.__getitem__, "yes"))
        return await spanish, await italian

    assert asyncio.run(words()) == ("Sí", "Sì")


def test_every_state_of_a_run_has_a_word():
    states = typing.get_args(typing.get_type_hints(Run)["state"])
    assert set(states) <= WORDS.keys()


def test_labels_of_buttons_are_written_nowhere_else():
    folder = Path(voxcard.__file__).parent
    elsewhere = []
    for path in sorted((*folder.glob("cards/**/*.py"), *folder.glob("screen/*.py"))):
        if path.name != "word_tables.py":
            calls = (node for node in ast.walk(ast.parse(path.read_text())) if _is_action(node))
            elsewhere += [f"{path.name}:{call.lineno}" for call in calls if _has_own_label(call)]
    assert elsewhere == []


def _is_action(node):
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Action"


def _has_own_label(call):
    labels = (each.value for each in call.keywords if each.arg == "label")
    return any(isinstance(label, ast.Constant) and label.value for label in labels)
