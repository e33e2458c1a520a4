"""Several assistants as one: who answers, who takes over, and when nobody may."""

import pytest
from fakes import home
from fakes.bridge import FakeAssistant, run_virtual
from voxcard.assistants import (
    CallTool,
    Done,
    EndOfSpeech,
    Failed,
    Heard,
    HeardReply,
    Sentence,
    Speech,
    ToolReply,
    Transcript,
)
from voxcard.assistants import ranked as ranked_module
from voxcard.assistants.ranked import KeptAudio, Ranked
from voxcard.errors import VoxcardError


async def microphone(*pieces):
    for piece in pieces:
        yield piece


async def answers(heard):
    """Hears two pieces and says how many bytes they were."""
    size = 0
    async for piece in heard.audio:
        size += len(piece)
    yield EndOfSpeech()
    yield Transcript(text=f"{size} bytes")
    yield Sentence(text="Yes.")
    yield Done()


async def away(heard):
    yield Failed(message="The server is away.", retryable=True)


async def raises(heard):
    raise VoxcardError("The server is away.", "Start it.")
    yield Done()


async def breaks(heard):
    raise RuntimeError("secret detail")
    yield Done()


async def away_in_the_middle(heard):
    await anext(heard.audio)
    yield Failed(message="The server is away.", retryable=True)


async def refuses(heard):
    yield Failed(message="You may not.")


async def talks_then_fails(heard):
    yield Sentence(text="Well,")
    yield Failed(message="The server is away.", retryable=True)


async def acts_then_fails(heard):
    yield CallTool(name="light", arguments={})
    yield Failed(message="The server is away.", retryable=True)


class Unwell(FakeAssistant):
    def health(self):
        return "Not connected."


def turn(first, second, *, heard=None):
    """The parts of one turn of two assistants."""

    async def run():
        heard_now = heard or Heard(audio=microphone(b"12", b"3456"))
        conversation = Ranked([("a", first), ("b", second)]).conversation(home.place, list)
        parts, reply = [], None
        turn = conversation.turn(heard_now)
        while True:
            try:
                part = await turn.asend(reply)
            except StopAsyncIteration:
                return parts
            parts.append(part)
            reply = ToolReply(text="ok") if isinstance(part, CallTool) else None

    return run_virtual(run())


ANSWER = [EndOfSpeech(), Transcript(text="6 bytes"), Sentence(text="Yes."), Done()]


def test_the_first_answers_and_the_second_hears_nothing():
    second = FakeAssistant(answers)
    assert turn(FakeAssistant(answers), second) == ANSWER
    assert second.heard == []


@pytest.mark.parametrize("failing", [away, raises, breaks, away_in_the_middle])
def test_the_second_hears_everything_from_the_beginning_when_the_first_cannot_answer(failing):
    assert turn(FakeAssistant(failing), FakeAssistant(answers)) == ANSWER


def test_one_that_is_not_well_is_asked_last():
    first, second = Unwell(answers), FakeAssistant(answers)
    assert turn(first, second) == ANSWER
    assert (len(first.heard), len(second.heard)) == (0, 1)
    assert turn(Unwell(answers), FakeAssistant(away)) == ANSWER


def test_when_none_can_the_last_one_says_why():
    assert turn(FakeAssistant(away), FakeAssistant(away)) == [
        Failed(message="The server is away.", retryable=True)
    ]


def test_what_an_assistant_refuses_is_not_tried_elsewhere():
    second = FakeAssistant(answers)
    assert turn(FakeAssistant(refuses), second) == [Failed(message="You may not.")]
    assert second.heard == []


@pytest.mark.parametrize("failing", [talks_then_fails, acts_then_fails])
def test_nobody_takes_over_once_something_came_of_it(failing):
    second = FakeAssistant(answers)
    parts = turn(FakeAssistant(failing), second)
    assert parts[-1] == Failed(message="The server is away.", retryable=True)
    assert second.heard == []


def test_a_typed_question_is_passed_on_too():
    async def says(heard):
        yield Transcript(text=heard.text)

    parts = turn(FakeAssistant(away), FakeAssistant(says), heard=Heard(text="hello"))
    assert parts == [Transcript(text="hello")]


def test_a_question_too_long_to_be_kept_stays_where_it_is(monkeypatch):
    monkeypatch.setattr(ranked_module, "KEPT_MAX", 4)

    async def long_then_away(heard):
        async for _ in heard.audio:
            pass
        yield Failed(message="The server is away.", retryable=True)

    second = FakeAssistant(answers)
    assert turn(FakeAssistant(long_then_away), second) == [Failed(message="The server is away.")]
    assert second.heard == []


def test_audio_that_was_heard_once_is_heard_again_and_then_goes_on():
    async def listen():
        kept = KeptAudio(microphone(b"a", b"b", b"c"))
        first = kept.replay()
        assert [await anext(first), await anext(first)] == [b"a", b"b"]
        await first.aclose()
        assert [piece async for piece in kept.replay()] == [b"a", b"b", b"c"]

    run_virtual(listen())


def test_the_one_that_answered_learns_what_was_heard_of_it():
    first, second = FakeAssistant(away), FakeAssistant(answers)

    async def run():
        conversation = Ranked([("a", first), ("b", second)]).conversation(home.place, list)
        async for _ in conversation.turn(Heard(audio=microphone(b"12"))):
            pass
        conversation.interrupted(HeardReply(text="Ye", played_ms=40))
        conversation.prepare()
        await conversation.close()

    run_virtual(run())
    assert (first.cut_off, second.cut_off) == ([], [HeardReply(text="Ye", played_ms=40)])
    assert (first.prepared, second.prepared, first.closed, second.closed) == (1, 1, 1, 1)


def test_the_next_one_speaks_when_the_first_has_no_voice():
    class Mute(FakeAssistant):
        async def say(self, text, locale):
            raise VoxcardError("No voice.", "Install one.")
            yield Speech(pcm=b"", rate_hz=16000)

    async def said(*ranking):
        return [each async for each in Ranked(ranking).say("Hello.", "en")]

    voice = FakeAssistant()
    assert len(run_virtual(said(("a", Mute()), ("b", voice)))) == 1 and voice.said == ["Hello."]
    with pytest.raises(VoxcardError, match="No voice"):
        run_virtual(said(("a", Mute()), ("b", Mute())))


def test_it_is_well_while_one_of_them_is():
    assert Ranked([("a", Unwell()), ("b", FakeAssistant())]).health() == ""
    assert Ranked([("a", Unwell()), ("b", Unwell())]).health() == "Not connected."
