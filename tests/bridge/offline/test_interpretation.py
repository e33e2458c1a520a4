"""Which of the words it may have been are taken: sentences of the home first, then near ones."""

import array
import math

from fakes import home, speech
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.interpretation import Trial, recognise
from voxcard.assistants.offline.intents.meanings import Choice
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.offline.speech.asr import Hypothesis
from voxcard.assistants.offline.speech.vad import span_db

NOISY = array.array("h", [800, -800] * 2560 + [8000, -8000] * 2560).tobytes()
CATALOGUE = Catalogue(sentence_files.language("en"), (), home.TOOLS)


class Ears(speech.ScriptedRecogniser):
    """Hears `text` with a confidence, or else one of `others`; `uncommon` words are spelled."""

    def __init__(self, text, confidence, *others, uncommon=()):
        super().__init__(text)
        self.confidence = confidence
        self.others = list(others)
        self.uncommon = frozenset(uncommon)

    def transcribe(self, pcm, prompt):
        first = Hypothesis(text=self._texts[0], confidence=self.confidence, uncommon=self.uncommon)
        others = [Hypothesis(text=text, confidence=score) for text, score in self.others]
        return [first, *others] if first.text else []


def trial(*hypotheses, uncommon=()):
    return recognise(Ears(*hypotheses, uncommon=uncommon), CATALOGUE, b"")


def taken(*hypotheses, uncommon=()):
    """(text, tool) that is taken."""
    result = trial(*hypotheses, uncommon=uncommon)
    return result.text, result.understood and result.understood.rule.tool


def beside(*hypotheses):
    """(text, what it means, whether that is asked about) where somebody else was heard too."""
    result = recognise(Ears(*hypotheses), CATALOGUE, b"", beside=True)
    understood = result.understood
    return result.text, understood and understood.rule.tool, understood and understood.risky


def test_beside_somebody_else_only_what_was_heard_well_is_done_without_a_question():
    photo = "self.camera.take_photo"
    for confidence, risky in ((-0.2, False), (-0.5, False), (-0.6, True), (-0.9, True)):
        assert beside("take a photo", confidence) == ("take a photo", photo, risky)
        assert not trial("take a photo", confidence).understood.risky


def test_beside_somebody_else_another_reading_or_a_misheard_word_is_asked_about():
    assert beside("Take a foe toe.", -0.3, ("take a photo", -0.4))[1:] == (
        "self.camera.take_photo",
        True,
    )
    assert not trial("Take a foe toe.", -0.3, ("take a photo", -0.4)).understood.risky


def test_beside_somebody_else_any_two_numbers_are_asked_about():
    others = (("Set the volume to six.", -0.35), ("Set the volume to 60.", -0.55))
    reading = recognise(
        Ears("Set the volume to 60.", -0.29, *others), CATALOGUE, b"", beside=True
    ).reading
    assert isinstance(reading.meaning, Choice)
    assert [each.number for each in reading.meaning.options] == [60, 6]


def test_beside_somebody_else_an_answer_needs_no_question():
    assert beside("what time is it", -0.9)[2] is False


def test_a_sentence_of_the_home_is_taken_as_it_is():
    assert taken("take a photo", -0.5) == ("take a photo", "self.camera.take_photo")


def test_another_reading_as_likely_is_taken_when_it_is_a_sentence():
    others = (("Set that again.", -0.4), ("take a photo", -0.6))
    assert taken("Take a foe toe.", -0.5, *others) == ("take a photo", "self.camera.take_photo")


def test_a_less_likely_reading_is_not_taken():
    text = "What is the weather like?"
    assert taken(text, -0.1, ("what is the volume", -0.4)) == (text, None)


def test_a_less_likely_reading_is_taken_when_one_word_sounds_alike():
    other = ("How much battery is left.", -0.5)
    assert taken("How much matter is left.", -0.1, other) == (other[0], "self.get_device_status")


def test_a_reading_that_turns_the_meaning_is_never_taken():
    opposite = ("show the last card", -0.3)
    assert taken("hide the last card", -0.1, opposite) == ("hide the last card", None)
    assert taken("unmute it now please yes", -0.1, ("mute", -0.4))[1] is None


def test_a_reading_is_taken_when_the_first_one_was_guessed():
    text = "Track order 5 5 2 1."
    assert taken("Track order 552.", -1.05, (text, -0.73)) == (text, "orders.where_is_order")


def test_a_misheard_word_is_taken_only_when_the_sentence_was_heard_well():
    text = "nute the speaker"
    assert taken(text, -0.3, uncommon=["nute"]) == (text, "self.audio_speaker.set_volume")
    assert taken(text, -0.83, uncommon=["nute"]) == (text, None)
    assert taken(text, -0.3) == (text, None)


def test_a_misheard_word_that_may_have_had_a_prefix_is_not_taken():
    for word in ("nmute", "umute", "unmoot"):
        text = f"{word} the speaker"
        assert taken(text, -0.1, uncommon=[word]) == (text, None), word


def test_words_that_were_guessed_are_not_taken():
    assert taken("take a photo", -1.1) == ("take a photo", None)
    assert taken("", -1.5) == ("", None)


def test_two_numbers_that_sound_alike_are_asked_about_when_both_are_likely():
    first = "set the volume to 16"
    doubt = trial(first, -0.2, (first, -0.2), ("set the volume to 60", -0.3)).reading.meaning
    assert isinstance(doubt, Choice) and [each.number for each in doubt.options] == [16, 60]
    assert trial(first, -0.2, (first, -0.2), ("set the volume to 60", -0.9)).understood
    assert trial(first, -0.2, (first, -0.2), ("set the volume to 25", -0.3)).understood


def doubt(first, confidence, *others, pcm=b""):
    """What is asked before `first` is done: two numbers, whether really, or nothing."""
    result = recognise(Ears(first, confidence, *others), CATALOGUE, pcm).reading.meaning
    if isinstance(result, Choice):
        return [option.number for option in result.options]
    return result.risky


def test_a_number_that_shares_its_digit_is_asked_about():
    for one, other in ((8, 80), (80, 8), (60, 6), (16, 6), (50, 15), (5, 15)):
        first, second = (f"set the volume to {number}" for number in (one, other))
        assert doubt(first, -0.1, (second, -0.4)) == [one, other]
        assert doubt(first, -0.1, (second, -0.5)) is False
        assert doubt(first, -0.1, (second, -0.6), pcm=NOISY) == [one, other]
        assert doubt(first, -0.1, (second, -0.75), pcm=NOISY) is False


def test_numbers_that_rhyme_are_asked_about_when_they_are_as_likely():
    first = "set the volume to 13"
    assert doubt(first, -0.4, ("set the volume to 14", -0.5)) == [13, 14]
    assert doubt(first, -0.4, ("set the volume to 14", -0.6)) is False


def test_a_number_that_was_heard_badly_or_in_no_sentence_is_asked_about():
    for text, confidence, risky in (
        ("set the volume to 7", -0.45, False),
        ("set the volume to 7", -0.55, True),
        ("set the volume to 70", -0.55, True),
        ("set the volume to 25", -0.55, False),
    ):
        assert doubt(text, confidence) is risky, text
    assert doubt("set the volume to me", -0.33, ("set the volume to 8", -0.4)) is True
    assert doubt("set the volume to me", -0.33, ("set the volume to 25", -0.4)) is False


def test_a_command_whose_opposite_was_heard_nearly_as_well_is_asked_about():
    for one, other in (
        ("mute", "unmute"),
        ("unmute the speaker", "mute the speaker"),
        ("turn the sound off", "turn the sound on"),
        ("turn the volume up", "turn the volume down"),
    ):
        assert doubt(one, -0.35, (other, -0.6)) is True, one
        assert doubt(one, -0.35, (other, -0.7)) is False, one
    assert doubt("mute", -0.3, ("mute the speaker", -0.4)) is False
    assert doubt("what is the volume", -0.3, ("what is the brightness", -0.4)) is False


def test_noise_is_what_lies_little_below_the_speech():
    for noise, span in ((800, True), (100, False), (0, False)):
        pcm = array.array("h", [noise, -noise] * 2560 + [8000, -8000] * 2560).tobytes()
        assert (span_db(pcm) < 25) == span, noise
    assert span_db(b"") == math.inf


def test_how_long_a_pause_ends_a_sentence_follows_from_what_was_said():
    for text, wait in (
        ("take a photo", "short"),
        ("set the volume to 20", "number"),
        ("set the volume to 25", "short"),
        ("set the volume to 20 percent", "short"),
        ("set the volume to 5", "short"),
        ("set the volume to 1", "number"),
        ("set the volume to 100", "short"),
        ("where is my order 10", "normal"),
        ("what a fine day", "unknown"),
        ("set the volume to 300", "normal"),
        ("set the volume", "long"),
        ("set the volume to", "long"),
        ("well turn off the", "long"),
        ("well, can you please", "long"),
        ("set the volume um", "long"),
    ):
        assert trial(text, -0.1).wait == wait, text
    assert Trial(text="").wait == "normal"


def test_an_end_that_the_likeliest_reading_has_not_may_not_be_said_yet():
    guessed = trial("Take a.", -0.5, ("Take a photo.", -0.6))
    assert guessed.understood and guessed.wait == "long"
    misheard = trial("Take a foe toe.", -0.5, ("take a photo", -0.6))
    assert misheard.understood and misheard.wait == "short"


def test_a_short_command_that_was_heard_badly_is_asked_about():
    asked = trial("Mute.", -1.1).understood
    assert asked is not None and asked.risky and asked.exact
    heard = trial("Mute.", -0.9).understood
    assert heard is not None and not heard.risky
    assert trial("Mute.", -1.4).understood is None
    assert trial("Hello.", -1.1).understood is None  # nothing to ask about


def test_two_numbers_heard_equally_well_are_asked_about_whatever_they_are():
    first = "where is my order 22 8"
    doubt = trial(first, -0.37, (first, -0.37), ("where is my order 22 18", -0.39)).reading.meaning
    assert isinstance(doubt, Choice) and [each.number for each in doubt.options] == [228, 2218]
    assert trial(first, -0.37, (first, -0.37), ("where is my order 22 18", -0.45)).understood


def test_a_number_of_another_reading_than_the_likeliest_is_doubted_too():
    first, second = ("Set the volume to 17th.", -0.16), ("Set the volume to 17.", -0.18)
    assert doubt(*first, second, ("Set the volume to 70.", -0.55), pcm=NOISY) == [17, 70]
    assert doubt(*first, second) is True and trial(*first, second).understood.number == 17
