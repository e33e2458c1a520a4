"""An answer's parts out of the events of its run, event by event."""

import pytest
from voxcard.assistants import Ask, EndOfSpeech, Media, Sentence, Stage, Transcript
from voxcard.assistants.home_assistant.answer import TEXT_MAX, Answer
from voxcard.assistants.home_assistant.pipeline_events import (
    IntentEnd,
    IntentProgress,
    IntentStart,
    Other,
    RunEnd,
    RunStart,
    SttEnd,
    SttStart,
    TtsEnd,
    TtsStart,
    VadEnd,
    VadStart,
)

URL = "/api/tts_proxy/x.mp3"
START = RunStart(handler=1, conversation_id="talk", url=URL)
STREAMS = IntentProgress(streaming=True)
SOUND = Media(url=f"http://house{URL}")
TOKEN = Stage(name="first_token")


def said(content, role=""):
    return IntentProgress(role=role, content=content)


def ended(text, **more):
    values = {"error": "", "conversation_id": "", "continues": False, **more}
    return IntentEnd(text=text, **values)


def play(*events, answer=None):
    """The parts of `events`."""
    answer = answer or Answer(lambda url: f"http://house{url}")
    return [part for event in events for part in answer.apply(event)]


ROWS = [
    # the end of speech, once
    ((VadStart(at_ms=400), VadEnd(at_ms=2100)), [EndOfSpeech(speech_ms=1000)]),
    ((VadStart(at_ms=400), VadEnd(at_ms=1101)), [EndOfSpeech(speech_ms=1)]),
    ((VadStart(at_ms=400), VadEnd(at_ms=1000)), [EndOfSpeech(speech_ms=0)]),
    ((SttEnd(text="on"),), [EndOfSpeech(), Transcript(text="on")]),
    (
        (VadStart(at_ms=0), VadEnd(at_ms=700), SttEnd(text="on")),
        [EndOfSpeech(), Transcript(text="on")],
    ),
    # what is not streamed is said at its end, whatever the log had
    (
        (START, said("Let me look.", "assistant"), said("It is on.", "assistant"), ended("On.")),
        [TOKEN, Sentence(text="On.")],
    ),
    ((START, ended(" On. ")), [Sentence(text="On.")]),
    ((START, ended(" \n")), []),
    ((ended("No.", error="no_intent_match"),), [Sentence(text="No.", excuse=True)]),
    # its sound, once
    ((START, TtsStart(text="On."), TtsEnd(url=URL)), [SOUND]),
    ((START, STREAMS, STREAMS, TtsEnd(url=URL)), [SOUND]),
    ((RunStart(handler=1, conversation_id="", url=""), STREAMS, TtsEnd(url=URL)), [SOUND]),
    # a streamed one: what there is before its sound, then sentences
    (
        (START, said("It is going", "assistant"), STREAMS, said(" to rain. So"), ended("?")),
        [TOKEN, Sentence(text="It is going"), SOUND, Sentence(text="to rain."),
         Sentence(text="So")],
    ),
    # its messages do not run into each other, before the sound and after it
    (
        (START, said("Sure.", "assistant"), said("", "assistant"), said("Wait."), STREAMS),
        [TOKEN, Sentence(text="Sure. Wait."), SOUND],
    ),
    (
        (START, said("Sure. ", "assistant"), said("Wait.", "assistant"), STREAMS),
        [TOKEN, Sentence(text="Sure. Wait."), SOUND],
    ),
    (
        (START, STREAMS, said("Sure.", "assistant"), said("Done it.", "assistant"), ended("x")),
        [SOUND, TOKEN, Sentence(text="Sure."), Sentence(text="Done it.")],
    ),
    # nobody else's words are
    (
        (START, STREAMS, said("secret", "tool_result"), said("too"), said("zebra", "user"),
         said("On.", "assistant"), ended("x")),
        [SOUND, TOKEN, Sentence(text="On.")],
    ),
    ((SttStart(vad=True), Other(type="wake_word-start"), IntentStart(), RunEnd()), []),
]  # fmt: skip


@pytest.mark.parametrize(("events", "parts"), ROWS)
def test_events_become_parts(events, parts):
    assert play(*events) == parts


def test_its_agent_may_have_acted_once_it_was_asked():
    answer = Answer(str)
    play(START, SttStart(vad=True), SttEnd(text="on"), answer=answer)
    assert not answer.may_have_acted
    play(IntentStart(), answer=answer)
    assert answer.may_have_acted


def test_an_end_of_speech_without_a_beginning_is_silence():
    answer = Answer(str)
    assert play(VadEnd(at_ms=15_000), answer=answer) == [EndOfSpeech()]
    assert answer.nothing_heard
    answer = Answer(str)
    play(VadStart(at_ms=1), VadEnd(at_ms=900), answer=answer)
    assert not answer.nothing_heard


def test_the_end_of_the_run_is_the_end():
    answer = Answer(str)
    play(START, ended("On."), TtsEnd(url=URL), answer=answer)
    assert not answer.over
    play(RunEnd(), answer=answer)
    assert answer.over


@pytest.mark.parametrize(
    ("events", "speaks", "silent"),
    [
        ((ended("On."),), True, True),
        ((ended("On."), TtsEnd(url=URL)), True, False),
        ((ended("On."), TtsEnd(url="")), True, True),
        ((ended("  "),), True, False),
        ((ended("On."),), False, False),
    ],
)
def test_words_without_their_sound_are_noticed(events, speaks, silent):
    answer = Answer(str)
    answer.speaks = speaks
    play(*events, answer=answer)
    assert answer.silent is silent


def test_it_asks_when_the_agent_does_and_the_talk_keeps_its_id():
    answer = Answer(str)
    play(START, ended("Which?", continues=True), answer=answer)
    assert (answer.done(), answer.conversation_id) == ([Ask()], "talk")
    play(ended("Fine.", conversation_id="another"), answer=answer)
    assert (answer.done(), answer.conversation_id) == ([], "another")


def test_who_finds_the_end_of_speech_is_known():
    answer = Answer(str)
    assert (answer.vad, answer.speech_began) == (False, False)
    play(SttStart(vad=True), VadStart(at_ms=1), answer=answer)
    assert (answer.vad, answer.speech_began) == (True, True)


def test_an_answer_is_cut_where_it_is_too_long():
    parts = play(START, STREAMS, said("x" * TEXT_MAX + "y", "assistant"), said("z"), ended(""))
    assert "".join(each.text for each in parts if isinstance(each, Sentence)) == "x" * TEXT_MAX
    (sentence,) = play(ended("x" * TEXT_MAX + "y"))
    assert sentence.text == "x" * TEXT_MAX
