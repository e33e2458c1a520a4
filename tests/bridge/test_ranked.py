"""Several assistants as one: who answers, who takes over, and when nobody may."""

import asyncio

import pytest
from fakes import home
from fakes.bridge import FakeAssistant, run_virtual
from voxcard.assistants import (
    Begun,
    CallTool,
    Done,
    EndOfSpeech,
    Failed,
    Heard,
    HeardReply,
    Hush,
    Media,
    NextUtterance,
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


async def plays_then_fails(heard):
    yield Media(url="http://home/bell")
    yield Failed(message="The server is away.", retryable=True)


async def hushes_then_fails(heard):
    yield Hush()
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


def test_silence_is_nothing_that_came_of_a_turn():
    assert turn(FakeAssistant(hushes_then_fails), FakeAssistant(answers)) == [Hush(), *ANSWER]


@pytest.mark.parametrize("failing", [talks_then_fails, acts_then_fails, plays_then_fails])
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


def test_the_one_that_hushes_hears_what_was_played_and_answers_on_over_the_open_microphone():
    replies = []

    async def open_talk(heard):
        assert heard.open
        yield Sentence(text="One.")
        replies.append((yield Hush()))
        yield NextUtterance()
        yield Failed(message="The server is away.", retryable=True)

    first, second = FakeAssistant(open_talk), FakeAssistant(answers)
    played = HeardReply(text="On", played_ms=40)

    async def run():
        conversation = Ranked([("a", first), ("b", second)]).conversation(home.place, list)
        turn = conversation.turn(Heard(audio=microphone(b"12"), open=True))
        parts, reply = [], None
        while True:
            try:
                parts.append(await turn.asend(reply))
            except StopAsyncIteration:
                return parts
            reply = played if isinstance(parts[-1], Hush) else None

    parts = run_virtual(run())
    assert replies == [played]
    # The first answer came of it: nobody takes over.
    assert parts[1:] == [Hush(), NextUtterance(), Failed(message="The server is away.",
                                                         retryable=True)]  # fmt: skip
    assert second.heard == []


class Begins(FakeAssistant):
    """Begins these turns: names, each a turn that says it; then it fails or ends."""

    def __init__(self, *names, fails=0):
        super().__init__()
        self.names, self.fails = names, fails

    async def begun(self):
        self.fails, failed = self.fails - 1, self.fails
        if failed > 0:
            raise RuntimeError("the server is away")
        for name in self.names:
            yield Begun(open=lambda name=name: says(name), urgent=name == "Smoke!")


async def says(text):
    yield Sentence(text=text)


def begun_of(*assistants):
    """(what they begin, in order, as (text, urgent); the conversation)."""

    async def run():
        conversation = Ranked(
            [(str(at), each) for at, each in enumerate(assistants)]
        ).conversation(home.place, list)
        begun = []
        async for each in conversation.begun():
            (part,) = [part async for part in each.open()]
            begun.append((part.text, each.urgent))
        return begun, conversation

    return run_virtual(run())


def test_turns_that_any_of_them_begins_are_begun():
    begun, _ = begun_of(Begins("Eggs.", "Tea."), FakeAssistant(), Begins("Smoke!"))
    assert sorted(begun) == [("Eggs.", False), ("Smoke!", True), ("Tea.", False)]


def test_what_was_heard_of_a_turn_is_told_to_the_one_that_began_it():
    second = Begins("Tea.")
    _, conversation = begun_of(FakeAssistant(), second)
    conversation.interrupted(HeardReply(text="Te", played_ms=40))
    assert second.cut_off == [HeardReply(text="Te", played_ms=40)]


def test_one_whose_list_fails_is_asked_again_and_the_others_are_heard_meanwhile():
    begun, _ = begun_of(Begins("Eggs.", fails=2), Begins("Tea."))
    assert begun == [("Tea.", False), ("Eggs.", False)]


def test_listening_to_what_they_begin_ends_for_all_at_once():
    class Forever(FakeAssistant):
        async def begun(self):
            yield Begun(open=lambda: says("Tea."))
            await asyncio.get_running_loop().create_future()

    async def run():
        conversation = Ranked([("a", Forever()), ("b", Forever())]).conversation(home.place, list)
        begun = conversation.begun()
        await anext(begun)
        await begun.aclose()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    run_virtual(run())


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
