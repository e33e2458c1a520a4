"""The table of what is said: a text and its words, compared by what a voice makes of them."""

import re
import statistics
import time

from voxcard.assistants.spoken.verbalise import LANGUAGES, spoken

from tools.bench.hearing.phonemes import phonemes
from tools.bench.hearing.spoken_table import said, table


def test_every_text_of_a_languages_table_is_said_as_a_person_would():
    for language in LANGUAGES:
        texts = table(language)
        assert len(texts) >= 150
        for text, words in texts:
            pieces = said(text, language) or [""]
            assert [(text, phonemes(each)) for each in pieces] == [
                (text, phonemes(each)) for each in words
            ]


def test_no_sign_or_number_is_left_to_the_voice():
    for text, _ in table("en"):
        words = " ".join(said(text, "en"))
        # "3D", "A4", "PM2.5" are read by every voice.
        left = re.sub(r"1Z999|[0-9.]+[A-Z]|[A-Z]+[0-9.]+", "", words)
        assert not re.search(r"[0-9$€£%°=+*/#<>@&~_|]", left), words


def test_half_a_day_is_said_by_its_letters_and_begins_no_sentence():
    assert phonemes("nine a.m Monday") == "naɪn eɪɛm mʌndeɪ"
    assert spoken("We meet at 9 a.m. Monday.") == "We meet at nine a.m Monday."
    assert spoken("We meet at 9 AM.") == "We meet at nine a.m."


def test_a_language_without_rules_is_left_to_its_voice():
    assert spoken("5 km", "en-GB") == "five kilometers"
    assert spoken("5 km", "en_US") == "five kilometers"
    assert spoken("5 km", "xx") == "5 km"


def test_a_sentence_costs_less_than_a_millisecond():
    costs = []
    for text, _ in table("en"):
        began = time.process_time()
        said(text, "en")
        costs.append(time.process_time() - began)
    assert statistics.median(costs) < 0.001  # s; some 0.05 ms on a free core
