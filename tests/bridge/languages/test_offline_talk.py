"""Turns with the offline assistant in other languages than the home's."""

import asyncio
import json

import pytest
from fakes import home
from fakes.offline.offline_talk import calls, offline, parts, spoken
from fakes.offline.timer_tools import TIMER_TOOLS
from voxcard.assistants import Done, EndOfSpeech, Heard, Speech, ToolReply
from voxcard.assistants.offline.local_forms import length, moment
from voxcard.assistants.offline.speech import voice_languages
from voxcard.assistants.offline.speech.asr import WhisperRecogniser
from voxcard.assistants.offline.speech.voices import EspeakVoice

OTHERS = ("de", "fr", "es", "it", "nl", "ro", "ko")


async def no_sound():
    return
    yield b""


def talk(*turns, **settings):
    """The parts of each turn (Heard, outcomes…) with one device's conversation."""

    async def run():
        assistant = offline(**settings)
        await assistant.start()
        try:
            tools = (*home.TOOLS, *TIMER_TOOLS)
            conversation = assistant.conversation(home.place, lambda: tools)
            return [await parts(conversation, heard, *outcomes) for heard, *outcomes in turns]
        finally:
            await assistant.stop()

    return asyncio.run(run())


def typed(text, locale):
    return Heard(text=text, locale=locale)


def test_one_device_is_answered_in_the_language_of_each_turn():
    done = ToolReply(text="")
    german, english, french = talk(
        (typed("Stell die Lautstärke auf 40", "de-CH"), done),
        (typed("set the volume to 40", "en"), done),
        (typed("mets le volume à 40", "fr_FR.UTF-8"), done),
    )
    for turn in (german, english, french):
        assert calls(turn) == [("self.audio_speaker.set_volume", {"volume": 40})]
    assert spoken(german) == "Die Lautstärke ist jetzt 40 Prozent."
    assert spoken(english) == "The volume is now 40 percent."
    assert spoken(french) == "Le volume est maintenant à 40 pour cent."


def test_a_language_without_sentences_is_answered_in_english():
    (turn,) = talk((typed("what time is it", "pl-PL"),))
    assert spoken(turn) == "It is 9:41 AM."


def test_a_language_that_nothing_can_hear_gets_one_honest_sentence_and_typed_text_works():
    deaf, read = talk(
        (Heard(audio=no_sound(), locale="de"),),
        (typed("Wie spät ist es?", "de"),),
    )
    assert spoken(deaf) == "Gesprochenes Deutsch verstehe ich hier nicht; getippt verstehe ich es."
    assert isinstance(deaf[0], EndOfSpeech) and isinstance(deaf[-1], Done)
    assert any(isinstance(part, Speech) for part in deaf)
    assert spoken(read) == "Es ist 09:41."


@pytest.mark.parametrize(
    ("locale", "time", "date"),
    [("en", "9:41 AM", "Monday, 4 May"),
     ("de", "09:41", "Montag, 4. Mai 2026"), ("de-AT", "09:41", "Montag, 4. Mai 2026"),
     ("fr", "09:41", "lundi, 4 mai 2026"), ("es", "9:41", "lunes, 4 de mayo de 2026"),
     ("it", "09:41", "lunedì, 4 maggio 2026"), ("nl", "09:41", "maandag, 4 mei 2026"),
     ("ro", "09:41", "luni, 4 mai 2026"), ("ko", "오전 9:41", "2026년 5월 4일 월요일")],
)  # fmt: skip
def test_times_and_dates_have_the_form_of_their_locale(locale, time, date):
    from datetime import datetime

    assert moment(datetime(2026, 5, 4, 9, 41), locale) == {"time": time, "date": date}


@pytest.mark.parametrize(
    ("locale", "seconds", "words"),
    [("de", 60, "1 Minute"), ("de", 5400, "1 Stunde und 30 Minuten"), ("de", 0, "0 Sekunden"),
     ("de", 3601, "1 Stunde und 1 Minute"), ("fr", 90, "1 minute et 30 secondes"),
     ("es", 3600, "1 hora"), ("it", 7200, "2 ore"), ("nl", 61, "1 minuut en 1 seconde"),
     ("ro", 1200, "20 de minute"), ("ro", 180, "3 minute"), ("ko", 600, "10분")],
)  # fmt: skip
def test_lengths_have_the_plural_of_their_language(locale, seconds, words):
    assert length(seconds, locale) == words


def test_what_a_device_says_in_english_is_not_repeated_in_german():
    timers = [
        {"label": "10 minute", "kind": "timer", "state": "running", "left": 245},
        {"label": "Pizza", "kind": "timer", "state": "running", "left": 60},
    ]
    english = ToolReply(text="The 10 minute timer is set.", structured={"left": 600})
    listed = ToolReply(text="The 10 minute timer …", structured={"entries": timers})
    nothing = ToolReply(text="There is no timer.", structured={"entries": []})
    refused = ToolReply(text="There is no timer of that name.", is_error=True)
    turns = talk(
        (typed("Stell einen Timer auf zehn Minuten", "de"), english),
        (typed("Wie lange läuft der Timer noch?", "de"), listed),
        (typed("Wie lange läuft der Timer noch?", "de"), nothing),
        (typed("Lösche den Timer", "de"), refused),
        (typed("Weck mich um 7 Uhr 30", "de"), ToolReply(text="…", structured={"time": "07:30"})),
    )
    assert [spoken(turn) for turn in turns] == [
        "Der Timer läuft, 10 Minuten.",
        "Noch 4 Minuten und 5 Sekunden, Pizza: noch 1 Minute.",
        "Es läuft kein Timer.",
        "Das hat nicht geklappt.",
        "Der Wecker ist auf 07:30 gestellt.",
    ]


@pytest.mark.parametrize("language", OTHERS)
def test_no_reply_of_another_language_is_english(language):
    """Every rule's reply, with the status of a device, but for what a tool gives back."""
    status = ToolReply(
        text=json.dumps({"audio_speaker": {"volume": 50}, "screen": {"brightness": 50}})
    )
    from voxcard.assistants.offline.intents.languages import translated

    english = {"the", "is", "it", "volume", "now", "sorry", "and", "minutes", "percent"}
    shared_words = {"fr": {"volume"}, "it": {"volume"}, "nl": {"is", "volume"}}
    for rule in translated.file(language)["rules"].values():
        said = rule["reply"] if isinstance(rule["reply"], str) else " ".join(rule["reply"])
        words = set(said.lower().replace(".", " ").replace(",", " ").split())
        assert not (words & english) - shared_words.get(language, set()), said
    (turn,) = talk((typed({"de": "lauter", "fr": "plus fort", "es": "más alto", "it": "più forte",
                           "nl": "harder", "ro": "mai tare", "ko": "더 크게"}[language], language),
                    status, ToolReply(text="")))  # fmt: skip
    assert "60" in spoken(turn)


def test_a_number_out_of_range_is_refused_in_words_of_the_language():
    (turn,) = talk((typed("Stell die Lautstärke auf 140 Prozent", "de"),))
    assert spoken(turn) == "Lautstärke: eine Zahl von 0 bis 100."
    assert calls(turn) == []


def test_each_language_has_a_voice_that_speaks_it(tmp_path):
    assert voice_languages.language("joe") == "en"
    assert voice_languages.language("espeak") == ""
    (tmp_path / "v.onnx.json").write_text('{"espeak": {"voice": "de"}}')
    assert voice_languages.language(str(tmp_path / "v.onnx")) == "de"
    (tmp_path / "w.onnx.json").write_text("[]")
    assert voice_languages.language(str(tmp_path / "w.onnx")) == "en"


@pytest.mark.parametrize("language", OTHERS)
def test_espeak_says_a_sentence_of_each_language_in_its_own_way(language):
    voice = voice_languages.spare(language)
    assert isinstance(voice, EspeakVoice)
    voice.load()
    english = voice_languages.spare("en")
    english.load()
    (pcm,), (other,) = voice.speak("1000"), english.speak("1000")
    assert len(pcm) > voice.rate_hz // 5  # two bytes a sample: a tenth of a second
    assert pcm != other


def test_a_model_of_one_language_is_not_asked_for_another():
    recogniser = WhisperRecogniser("tiny.en")
    assert recogniser.in_language("en") is recogniser
    assert recogniser.in_language("de") is None
