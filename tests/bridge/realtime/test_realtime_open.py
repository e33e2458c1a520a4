"""Talk with an open microphone: answers one after the other, and speech into them."""

import asyncio

from fakes.realtime_home import LOUD, QUIET, Home, OpenMicrophone, parts, sound_ms, texts, until
from fakes.realtime_server import Answer, RealtimeServer
from voxcard.assistants import (
    CallTool,
    Done,
    EndOfSpeech,
    Heard,
    HeardReply,
    Hush,
    NextUtterance,
    Sentence,
    Speech,
    ToolReply,
    Transcript,
)

SENTENCE = ((QUIET, 320), (LOUD, 640), (QUIET, 800))
STORY = "Once there was a king. He had a cat. The cat was grey."


def run(conversation):
    async def limited():
        async with asyncio.timeout(20):
            await conversation()

    asyncio.run(limited())


def kinds(seen):
    """The kinds of parts, speech and partial words left out, repeats once."""
    names = [type(part).__name__ for part in seen if not getattr(part, "partial", False)]
    return [name for name in names if name not in ("Speech", "Stage", "Transcript")]


def test_several_sentences_are_answered_in_one_open_microphone():
    async def conversation():
        microphone = OpenMicrophone()
        microphone.say(*SENTENCE)
        async with RealtimeServer(Answer(text="One?"), Answer(text="Two.")) as server:
            async with Home(server.url) as home:
                seen, utterances = [], 0
                heard = Heard(audio=microphone.__aiter__(), open=True)
                async for part in parts(home.conversation.turn(heard), played_ms=[("One?", 400)]):
                    seen.append(part)
                    if isinstance(part, NextUtterance):
                        utterances += 1
                        microphone.say(*SENTENCE) if utterances == 1 else microphone.close()
                detection = server.sent("session.update")[0]["session"]["audio"]["input"]
                assert detection["turn_detection"]["interrupt_response"] is True
            assert kinds(seen) == [
                "EndOfSpeech", "Sentence", "NextUtterance",
                "Hush", "EndOfSpeech", "Sentence", "NextUtterance", "Done",
            ]  # fmt: skip
            assert texts(seen) == ["One?", "Two."]
            finals = [part for part in seen if isinstance(part, Transcript) and not part.partial]
            assert finals == [Transcript(text="switch the light on")] * 2
            assert server.peers[0].truncated == []  # the first was heard to its end
            assert server.peers[0].session["audio"]["input"]["turn_detection"] is None

    run(conversation)


def test_speech_into_an_answer_silences_it_and_the_server_forgets_what_was_not_heard():
    async def conversation():
        microphone, gate = OpenMicrophone(), asyncio.Event()
        microphone.say(*SENTENCE)
        replies = Answer(text=STORY, ms=6000, gate=gate), Answer(text="As you like.")
        async with RealtimeServer(*replies) as server, Home(server.url) as home:
            seen, spoke = [], False
            heard = Heard(audio=microphone.__aiter__(), open=True)
            turn = parts(
                home.conversation.turn(heard), played_ms=[("Once there was a king.", 1234)]
            )
            async for part in turn:
                seen.append(part)
                if isinstance(part, Speech) and not spoke:
                    spoke = True
                    microphone.say(*SENTENCE)
                elif isinstance(part, NextUtterance):
                    microphone.close()
            assert kinds(seen).count("Hush") == 1
            ((_, played_ms),) = server.peers[0].truncated
            assert played_ms == 1234
            after = seen[seen.index(Hush()) :]
            assert texts(after) == ["As you like."] and sound_ms(after) == 400
            remembered = home.conversation._memory.messages()
            assert [each["content"] for each in remembered] == [
                "switch the light on",
                "Once there was a king. …",
                "switch the light on",
                "As you like.",
            ]

    run(conversation)


def test_what_waits_to_be_played_is_dropped_when_the_person_speaks():
    async def conversation():
        microphone, gate = OpenMicrophone(), asyncio.Event()
        microphone.say(*SENTENCE)
        story = Answer(text=STORY, ms=8000, gate=gate)
        async with RealtimeServer(story) as server, Home(server.url) as home:
            heard = Heard(audio=microphone.__aiter__(), open=True)
            turn = home.conversation.turn(heard)
            part = await turn.asend(None)
            while not isinstance(part, Speech):
                part = await turn.asend(None)
            microphone.say(*SENTENCE)
            connection = home.conversation._session.connection
            await until(lambda: connection.is_interrupted)  # the relay is busy meanwhile
            while not isinstance(part, Hush):
                part = await turn.asend(None)
                assert not isinstance(part, Speech)
            await turn.asend(HeardReply(text="", played_ms=200))
            await turn.aclose()
            ((_, played_ms),) = server.peers[0].truncated or [("", 200)]
            assert played_ms == 200

    run(conversation)


def test_a_button_cuts_an_answer_off_and_the_server_learns_how_much_was_played():
    async def conversation():
        gate = asyncio.Event()
        story = Answer(text=STORY, ms=6000, gate=gate)
        replies = story, Answer(text="Gone on.")
        async with RealtimeServer(*replies) as server, Home(server.url) as home:
            turn = home.conversation.turn(Heard(text="a story"))
            async for part in turn:
                if isinstance(part, Speech):
                    break
            await turn.aclose()
            home.conversation.interrupted(HeardReply(text="Once there was", played_ms=900))
            assert texts(await home.ask("go on")) == ["Gone on."]
            assert len(server.peers) == 1  # the session is kept
            assert server.kinds()[3:5] == ["response.cancel", "conversation.item.truncate"]
            ((_, played_ms),) = server.peers[0].truncated
            assert played_ms == 900
            messages = home.conversation._memory.messages()
            assert messages[1] == {"role": "assistant", "content": "Once there was …"}

    run(conversation)


def test_an_answer_of_two_items_is_truncated_in_the_one_that_was_playing():
    async def conversation():
        first = Answer(text="One moment.", ms=1000, calls=(("home_light", "{}", "c"),))
        gate = asyncio.Event()
        second = Answer(text="It is on now, and it is bright.", ms=4000, gate=gate)
        for played_ms, truncations in ((1500, [500]), (600, [600, 0]), (0, [0, 0])):
            async with RealtimeServer(first, second) as server, Home(server.url) as home:
                turn = home.conversation.turn(Heard(text="on"))
                is_second = False
                async for part in parts(turn, replies=[ToolReply(text="on", id="c")]):
                    is_second |= isinstance(part, Sentence) and part.text.startswith("It is")
                    if isinstance(part, Speech) and is_second:
                        break
                await turn.aclose()
                home.conversation.interrupted(HeardReply(text="One", played_ms=played_ms))
                await home.ask("hm")
                assert [ms for _, ms in server.peers[0].truncated] == truncations

    run(conversation)


def test_a_server_that_speaks_up_after_silence_is_heard():
    async def conversation():
        microphone = OpenMicrophone()
        microphone.say((QUIET, 400))
        async with RealtimeServer(Answer(text="Are you there?")) as server:
            async with Home(server.url, idle_timeout_ms=6000) as home:
                seen, heard = [], Heard(audio=microphone.__aiter__(), open=True)
                turn = home.conversation.turn(heard)
                speaks_up = asyncio.create_task(speak_up(server))
                async for part in turn:
                    seen.append(part)
                    if isinstance(part, NextUtterance):
                        microphone.close()
                await speaks_up
            detection = server.sent("session.update")[0]["session"]["audio"]["input"]
            assert detection["turn_detection"]["idle_timeout_ms"] == 6000
            assert texts(seen) == ["Are you there?"] and seen[-1] == Done()
            assert not [part for part in seen if isinstance(part, EndOfSpeech)]
            # Between turns nothing is counted: nobody would hear it.
            assert server.peers[0].session["audio"]["input"]["turn_detection"] is None

    async def speak_up(server):
        await until(lambda: server.peers and server.peers[0].audio)
        peer = server.peers[0]
        await peer.send(
            "input_audio_buffer.timeout_triggered",
            item_id="item_idle",
            audio_start_ms=0,
            audio_end_ms=400,
        )
        await peer._commit("item_idle")
        peer.answer()

    run(conversation)


def test_speech_while_a_tool_runs_is_answered_after_its_output_is_there():
    async def conversation():
        microphone = OpenMicrophone()
        microphone.say(*SENTENCE)
        first = Answer(calls=(("home_light", "{}", "c"),))
        replies = first, Answer(text="What else?"), Answer(text="It is on.")
        async with RealtimeServer(*replies) as server, Home(server.url) as home:
            turn = home.conversation.turn(Heard(audio=microphone.__aiter__(), open=True))
            seen = []
            async for part in parts(turn, replies=[ToolReply(text="on", id="c")]):
                seen.append(part)
                if isinstance(part, CallTool):
                    microphone.say(*SENTENCE)
                    await until(lambda: len(server.replies) == 1)  # the second is answered
                elif isinstance(part, NextUtterance) and not server.replies:
                    microphone.close()
            assert "It is on." in texts(seen) and seen[-1] == Done()
            assert server.peers[0].calls == set()

    run(conversation)


def test_sentences_of_an_open_turn_are_kept_apart():
    async def conversation():
        microphone = OpenMicrophone()
        microphone.say(*SENTENCE)
        replies = Answer(), Answer(text="Two.")
        async with RealtimeServer(*replies) as server, Home(server.url) as home:
            seen = []
            turn = home.conversation.turn(Heard(audio=microphone.__aiter__(), open=True))
            async for part in parts(turn):
                seen.append(part)
                if isinstance(part, NextUtterance):
                    microphone.say(*SENTENCE) if not texts(seen) else microphone.close()
            # A model may have nothing to say to what it heard: that is no failure here.
            assert texts(seen) == ["Two."]
            assert [part for part in seen if isinstance(part, Sentence)][-1].text == "Two."

    run(conversation)
