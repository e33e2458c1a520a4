"""The offline assistant in each of its languages: the same calls, and as few wrong ones."""

import re
from functools import cache
from pathlib import Path

import pytest
import yaml
from fakes import home
from fakes.offline.timer_tools import TIMER_TOOLS
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.languages import home_assistant, translated
from voxcard.assistants.offline.intents.meanings import Understood
from voxcard.assistants.offline.intents.normalise import normalise
from voxcard.assistants.offline.intents.sentences import sentence_files, templates
from voxcard.language.locales import LANGUAGES

GOLDEN = Path(__file__).parents[2] / "golden" / "languages"
SAME = yaml.safe_load((GOLDEN / "same.yaml").read_text(encoding="utf-8"))
NEAR = yaml.safe_load((GOLDEN / "near.yaml").read_text(encoding="utf-8"))
OTHERS = LANGUAGES[1:]
PLACES = re.compile(r"\{[\w.]+\}")


@cache
def catalogue(language):
    return Catalogue(sentence_files.language(language), (), (*home.TOOLS, *TIMER_TOOLS))


def call(language, sentence):
    """The tool, its arguments and by how much a value changes; None where nothing is done."""
    meaning = catalogue(language).understand(sentence).meaning
    if not isinstance(meaning, Understood):
        return None
    rule = meaning.rule
    return rule.tool, dict(meaning.arguments), rule.change, rule.keeps, meaning.amount


def places(text):
    return sorted(PLACES.findall(text))


def test_the_languages_are_those_of_the_bridge():
    assert sentence_files.languages() == sorted(LANGUAGES)
    assert set(SAME) == set(LANGUAGES)
    assert set(NEAR) == set(OTHERS)


@pytest.mark.parametrize("language", OTHERS)
def test_a_sentence_calls_what_the_english_one_does(language):
    assert len(SAME[language]) == len(SAME["en"]) >= 40
    pairs = zip(SAME["en"], SAME[language], strict=True)
    wrong = [
        (english, said, call(language, said))
        for english, said in pairs
        if call(language, said) != call("en", english)
    ]
    assert wrong == []


def test_the_english_sentences_all_mean_something():
    assert [each for each in SAME["en"] if call("en", each) is None] == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_sentence_that_is_only_near_does_nothing(language):
    assert len(NEAR[language]) >= 25
    done = {each: call(language, each) for each in NEAR[language]}
    assert {each: what for each, what in done.items() if what is not None} == {}


@pytest.mark.parametrize("language", OTHERS)
def test_every_shipped_sentence_can_be_learned_and_means_its_own_rule(language):
    forms = translated.forms(language)
    for rule in sentence_files.language(language).rules:
        for template in rule.sentences:
            assert templates.sentences(template, forms=forms)
        assert "[" not in rule.sentences[0] and "(" not in rule.sentences[0], rule.sentences[0]
    plain = [each for each in sentence_files.language(language).rules
             if "{" not in each.sentences[0]]  # fmt: skip
    wrong = [
        (each.sentences[0], call(language, each.sentences[0]))
        for each in plain
        if (call(language, each.sentences[0]) or (None, None))[:2]
        != (each.tool, dict(each.arguments))
    ]
    assert wrong == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_phrase_and_reply_has_its_counterpart_with_the_same_places(language):
    english, other = sentence_files.language("en"), translated.file(language)
    german = translated.file("de")
    assert set(other["phrases"]) == set(german["phrases"]) >= set(english.phrases)
    for key, text in english.phrases.items():
        assert places(other["phrases"][key]) == places(text), key
    for key in german["phrases"]:
        assert places(other["phrases"][key]) == places(german["phrases"][key]), key
    for key, rule in translated.file("shared")["rules"].items():
        replies = other["rules"][key]["reply"]
        assert [places(each) for each in _listed(replies)] == [
            places(each) for each in _listed(german["rules"][key]["reply"])
        ], (key, rule)
    assert set(other["words"]) == set(german["words"])


@pytest.mark.parametrize("language", OTHERS)
def test_sentences_of_home_assistant_are_understood_where_it_has_the_intent(language):
    used = {
        call["intent"]: home_assistant.sentences(language, call["intent"], call["places"])
        for call in translated.file("shared")["rules"].values()
        if "intent" in call
    }
    assert sum(map(bool, used.values())) >= 6
    assert used["HassGetCurrentTime"] and used["HassCancelTimer"]
    plain = used["HassGetCurrentTime"][0]
    (first, *_) = templates.sentences(plain, forms=translated.forms(language))
    assert call(language, " ".join(first))[0] is None


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("de", "fünfundzwanzig Prozent", "25 percent"),
        ("de", "anderthalb Stunden", "1.5 hours"),
        ("de", "eine halbe Stunde", "half hour"),
        ("de", "22,5 Minuten", "22.5 minutes"),
        ("de", "minus drei", "-3"),
        ("de", "ein Timer", "ein timer"),
        ("fr", "quatre-vingt-dix-neuf pour cent", "99 percent"),
        ("fr", "vingt et une minutes", "21 minutes"),
        ("fr", "l'heure d'été", "l hours d ete"),
        ("es", "treinta y cinco por ciento", "35 percent"),
        ("es", "1 hora y 30 minutos", "1 hour and 30 minutes"),
        ("it", "ottantotto per cento", "88 percent"),
        ("nl", "negenennegentig procent", "99 percent"),
        ("ro", "douăzeci și unu la sută", "21 percent"),
        ("ko", "오십퍼센트로", "50 percent 로"),
        ("ro", "30 de minute", "30 minutes"),
        ("ro", "de minute", "de minutes"),
        ("it", "mezz'ora", "half hour"),
        ("ko", "7시 30분에", "7 30 에"),
        ("ko", "5분짜리 타이머", "5 minutes 짜리 타이머"),
        ("ko", "세 시간", "3 hours"),
        ("ko", "1.2.3", "1.2.3"),
    ],
)
def test_numbers_and_units_are_read_in_the_form_of_their_language(language, text, words):
    assert normalise(text, translated.forms(language)) == words


def _listed(replies):
    return [replies] if isinstance(replies, str) else replies


def test_what_is_offered_to_be_said_has_its_accents_and_works():
    for language in OTHERS:
        examples = catalogue(language).examples
        assert len(examples) >= 10
        assert all(call(language, each) is not None for each in examples)
    assert "stell die lautstärke auf 40" in catalogue("de").examples
    assert "mets le volume à 40" in catalogue("fr").examples
