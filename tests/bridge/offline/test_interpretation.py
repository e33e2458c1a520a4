"""Which of the words it may have been are taken: sentences of the home first, then near ones."""

from fakes import home, speech
from voxcard.assistants.offline.intents import sentence_files
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.interpretation import Trial, recognise
from voxcard.assistants.offline.speech.asr import Hypothesis

CATALOGUE = Catalogue(sentence_files.language("en"), (), home.TOOLS)


class Heard(speech.ScriptedRecogniser):
    """Hears `text` with a confidence, or else one of `others`."""

    def __init__(self, text, confidence, *others):
        super().__init__(text)
        self.confidence = confidence
        self.others = list(others)

    def transcribe(self, pcm, prompt):
        return Hypothesis(text=self._texts[0], confidence=self.confidence)


def taken(*heard):
    """(text, tool) that is taken."""
    trial = recognise(Heard(*heard), CATALOGUE, b"")
    return trial.text, trial.understood and trial.understood.rule.tool


def test_a_sentence_of_the_home_is_taken_as_it_is():
    assert taken("take a photo", -0.5) == ("take a photo", "self.camera.take_photo")


def test_another_reading_as_likely_is_taken_when_it_is_a_sentence():
    others = (("Set that again.", -0.4), ("take a photo", -0.6))
    assert taken("Take a foe toe.", -0.5, *others) == ("take a photo", "self.camera.take_photo")


def test_a_less_likely_reading_is_not_taken():
    text = "What is the weather like?"
    assert taken(text, -0.1, ("what is the volume", -0.4)) == (text, None)


def test_the_nearest_sentence_is_taken_only_when_it_was_heard_well():
    text = "set the volume for 7"
    assert taken(text, -0.3) == (text, "self.audio_speaker.set_volume")
    assert taken(text, -0.83) == (text, None)


def test_words_that_were_guessed_are_not_taken():
    assert taken("take a photo", -1.1) == ("take a photo", None)
    assert taken("", -1.5) == ("", None)


def test_a_sentence_with_an_open_end_is_not_complete():
    assert recognise(Heard("take a photo", -0.1), CATALOGUE, b"").complete
    assert not recognise(Heard("set the volume to 20", -0.1), CATALOGUE, b"").complete
    assert not recognise(Heard("shore the last card again", -0.1), CATALOGUE, b"").complete
    assert not Trial(text="").complete
