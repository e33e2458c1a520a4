"""A turn with the offline assistant: the parts it gives, with scripted ears, recogniser, voice."""

import asyncio
from datetime import datetime
from pathlib import Path

import pytest
from fakes import home, speech
from fakes.offline.offline_talk import asks, calls, offline, parts, spoken
from fakes.speech import LOUD, QUIET
from voxcard import installation
from voxcard.assistants import (
    Ask,
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
from voxcard.assistants.offline.assistant import Offline
from voxcard.assistants.offline.options import OfflineSettings
from voxcard.errors import MissingExtra, VoxcardError

COMMAND = speech.audio((QUIET, 320), (LOUD, 640), (QUIET, 640))
STATUS = ToolReply(
    text='{"audio_speaker":{"volume":95},"screen":{"theme":"dark","brightness":40}}'
)


def turn(heard, *outcomes, said=("",), tools=home.TOOLS, **settings):
    """One turn of a new assistant."""

    async def run():
        assistant = offline(*said, **settings)
        await assistant.start()
        try:
            return await parts(assistant.conversation(home.place, lambda: tools), heard, *outcomes)
        finally:
            await assistant.stop()

    return asyncio.run(run())


def say(text, *outcomes, **rest):
    return turn(Heard(text=text), *outcomes, **rest)


def test_a_command_is_heard_done_and_answered():
    heard = Heard(audio=speech.microphone(COMMAND))
    turn_parts = turn(heard, ToolReply(text="ok"), said=("Set the volume to sixty.",))
    speeches = [part for part in turn_parts if isinstance(part, Speech)]
    assert [part for part in turn_parts if part not in speeches] == [
        EndOfSpeech(speech_ms=640, end_ms=960),
        Transcript(text="Set the volume to sixty."),
        CallTool(name="self.audio_speaker.set_volume", arguments={"volume": 60}),
        Sentence(text="The volume is now 60 percent."),
        Done(),
    ]
    assert b"".join(each.pcm for each in speeches) == b"The volume is nowsixty percent."
    assert all(each.rate_hz == 8000 for each in speeches)


def test_a_text_needs_no_ears():
    turn_parts = say("never mind")
    assert turn_parts == [
        Transcript(text="never mind"),
        Sentence(text="Okay."),
        Speech(pcm=b"Okay.", rate_hz=8000),
        Done(),
    ]


def test_a_question_is_answered_from_the_status():
    turn_parts = say("what is the volume", STATUS)
    assert calls(turn_parts) == [("self.get_device_status", {})]
    assert spoken(turn_parts) == "The volume is 95 percent."


def test_what_the_device_has_not_is_said_so():
    assert spoken(say("what is the battery level", STATUS)) == "This device has no battery."


def test_a_relative_change_reads_the_status_first_and_stays_in_the_limits():
    turn_parts = say("louder", STATUS, ToolReply(text="ok"))
    assert calls(turn_parts) == [
        ("self.get_device_status", {}),
        ("self.audio_speaker.set_volume", {"volume": 100}),
    ]
    assert spoken(turn_parts) == "The volume is now 100 percent."


def test_a_relative_change_at_its_limit_calls_nothing_more():
    full = ToolReply(text="", structured={"audio_speaker": {"volume": 100}})
    turn_parts = say("louder", full)
    assert calls(turn_parts) == [("self.get_device_status", {})]
    assert spoken(turn_parts) == "It cannot go any further."


def test_a_relative_change_without_a_value_is_explained():
    assert spoken(say("brighter", ToolReply(text="no json"))) == (
        "This device does not tell me that."
    )


def test_a_tools_text_is_spoken_sentence_by_sentence():
    text = "Your **desk lamp** is on its way. See https://a.example/1042 for more."
    turn_parts = say("where is my order ten forty two", ToolReply(text=text))
    assert calls(turn_parts) == [("orders.where_is_order", {"order": 1042})]
    assert [part.text for part in turn_parts if isinstance(part, Sentence)] == [
        "Your desk lamp is on its way.",
        "See the link for more.",
    ]
    assert [type(part) for part in turn_parts[2:6]] == [Sentence, Speech, Sentence, Speech]


def test_a_result_of_data_alone_is_not_read_aloud():
    assert spoken(say("where is my order 7", ToolReply(text='{"a": 1}'))) == "Done."
    assert spoken(say("where is my order 7", ToolReply(text=""))) == "Done."


def test_what_a_card_on_the_screen_holds_is_not_said_but_pointed_to():
    for text, said in (
        ("It is on its way.", "It is on its way."),
        ("One. Two. Three. Four.", "One. Two. Three. The rest is on the screen."),
        ('{"a": 1}', "It is on the screen."),
    ):
        reply = ToolReply(text=text, card_shown=True)
        assert spoken(say("where is my order 7", reply)) == said


def talk(*turns, tools=home.TOOLS, now=lambda: datetime(2026, 5, 4, 9, 41)):
    """Turns of one conversation: a text is typed, a tuple of one spoken; what each gives."""

    async def run():
        words = [turn[0] for turn in turns if isinstance(turn, tuple)]
        assistant = Offline(
            OfflineSettings(),
            recogniser=speech.ScriptedRecogniser(*words or ("",)),
            voice=speech.LetterVoice(),
            detector=speech.LoudDetector,
            now=now,
        )
        await assistant.start()
        conversation = assistant.conversation(home.place, lambda: tools)
        turn_parts = []
        for turn in turns:
            heard = Heard(text=turn)
            if isinstance(turn, tuple):
                heard = Heard(audio=speech.microphone(COMMAND))
            turn_parts.append(await parts(conversation, heard, *[ToolReply(text="Done it.")] * 3))
        await assistant.stop()
        return turn_parts

    return asyncio.run(run())


def test_a_missing_value_is_asked_for_and_the_answer_fills_it():
    asked, done = talk("set the volume to", "sixty please")
    assert (spoken(asked), asks(asked), calls(asked)) == ("To what?", True, [])
    assert asked[-2:] == [Ask(), Done()]
    assert calls(done) == [("self.audio_speaker.set_volume", {"volume": 60})]
    assert not asks(done)


def test_an_answer_may_repeat_the_last_word_or_be_out_of_range():
    assert calls(talk("set the volume to", "to sixty")[1])[0][1] == {"volume": 60}
    refused = talk("set the volume to", "two hundred")[1]
    assert spoken(refused) == "The volume must be a whole number from 0 to 100."


def test_a_question_names_the_value_that_is_missing():
    for text, question in (
        ("where is my order", "What order?"),
        ("switch to", "To what?"),
        ("show the text", "What text?"),
    ):
        assert spoken(say(text)) == question


def test_a_question_may_be_met_with_another_command():
    assert spoken(talk("set the volume to", "never mind")[1]) == "Okay."
    assert calls(talk("set the volume to", "take a photo")[1])[0][0] == "self.camera.take_photo"
    assert calls(talk("show the text", "take a photo")[1])[0][0] == "self.camera.take_photo"
    assert calls(talk("show the text", "red roses")[1]) == [
        ("self.screen.show_text", {"text": "red roses"})
    ]
    assert spoken(talk("set the volume to", "blue")[1]) == "Sorry, I did not understand."


def test_a_question_is_forgotten_after_the_next_turn_and_after_a_minute():
    assert calls(talk("set the volume to", "what time is it", "sixty")[2]) == []
    times = [datetime(2026, 5, 4, 9, minute) for minute in (40, 40, 42, 42)]
    late = talk("set the volume to", "sixty", now=lambda: times.pop(0) if times[1:] else times[0])
    assert calls(late[1]) == []


def test_a_spoken_call_that_cannot_be_undone_is_confirmed_first():
    asked, done = talk(("cancel my order 1042",), ("yes please",))
    assert (spoken(asked), asks(asked), calls(asked)) == (
        "Really cancel your order 1042?",
        True,
        [],
    )
    assert calls(done) == [("orders.cancel_order", {"order": 1042})]


def test_only_a_yes_does_what_cannot_be_undone():
    for answer in ("no", "stop", "never mind", "yes but not now", "maybe", "yes take a photo"):
        answered = talk(("cancel my order 1042",), (answer,))[1]
        assert ("orders.cancel_order", {"order": 1042}) not in calls(answered), answer
    assert spoken(talk(("cancel my order 1042",), ("no thanks",))[1]) == "Okay."


def test_what_was_typed_is_not_asked_about():
    assert calls(say("cancel my order 1042", ToolReply(text=""))) == [
        ("orders.cancel_order", {"order": 1042})
    ]


def test_one_of_two_numbers_that_sound_alike_is_asked_for():
    async def run():
        recogniser = speech.ScriptedRecogniser("set the volume to 16", "sixty")
        recogniser.others = [("set the volume to 16", -0.1), ("set the volume to 60", -0.2)]
        assistant = Offline(
            OfflineSettings(),
            recogniser=recogniser,
            voice=speech.LetterVoice(),
            detector=speech.LoudDetector,
        )
        await assistant.start()
        conversation = assistant.conversation(home.place, lambda: home.TOOLS)
        asked = await parts(conversation, Heard(audio=speech.microphone(COMMAND)))
        recogniser.others = []
        heard = Heard(audio=speech.microphone(COMMAND))
        done = await parts(conversation, heard, ToolReply(text=""))
        await assistant.stop()
        return asked, done

    asked, done = asyncio.run(run())
    assert spoken(asked) == "16 or 60?" and asks(asked)
    assert calls(done) == [("self.audio_speaker.set_volume", {"volume": 60})]


def test_a_relative_change_takes_the_amount_that_was_said():
    turn_parts = say("turn the volume down by 20", STATUS, ToolReply(text="ok"))
    assert calls(turn_parts)[1] == ("self.audio_speaker.set_volume", {"volume": 75})


def test_unmuting_raises_the_volume_only_when_it_is_low():
    silent = ToolReply(text="", structured={"audio_speaker": {"volume": 0}})
    assert calls(say("unmute", silent, ToolReply(text="")))[1][1] == {"volume": 50}
    assert calls(say("unmute", STATUS, ToolReply(text="")))[1][1] == {"volume": 95}


def test_unmuting_brings_back_the_volume_from_before():
    def volume(percent):
        return ToolReply(text="", structured={"audio_speaker": {"volume": percent}})

    async def run():
        assistant = offline()
        await assistant.start()
        conversation = assistant.conversation(home.place, lambda: home.TOOLS)
        done = ToolReply(text="")
        muted = await parts(conversation, Heard(text="mute"), volume(30), done)
        again = await parts(conversation, Heard(text="mute"), volume(0), done)
        back = await parts(conversation, Heard(text="unmute"), volume(0), done)
        louder = await parts(conversation, Heard(text="unmute"), volume(70), done)
        await assistant.stop()
        return [calls(each)[-1] for each in (muted, again, back, louder)]

    set_volume = "self.audio_speaker.set_volume"
    assert asyncio.run(run()) == [(set_volume, {"volume": level}) for level in (0, 0, 30, 70)]


def test_a_device_that_tells_no_volume_is_muted_all_the_same():
    given = say("mute", ToolReply(text="away", is_error=True), ToolReply(text=""))
    assert calls(given)[-1] == ("self.audio_speaker.set_volume", {"volume": 0})


def test_an_excuse_is_not_said_again():
    said = talk("what time is it", "blah blah", "say that again")
    assert spoken(said[2]) == "It is 9:41 AM."


def test_a_text_of_any_length_is_answered_within_limits():
    for text in (
        "\n" * 100_000,
        " " * 100_000,
        "x" * 100_000,
        "Error executing tool a: " + "A " * 50_000,
    ):
        for is_error in (False, True):
            turn_parts = say("take a photo", ToolReply(text=text, is_error=is_error))
            assert len(spoken(turn_parts)) < 400


def test_a_sentence_not_understood_calls_no_tool():
    turn_parts = say("take a seat over there")
    assert calls(turn_parts) == [] and spoken(turn_parts) == "Sorry, I did not understand."
    assert turn_parts[-1] == Done()


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The lamp is broken.", "The lamp is broken."),
        ("FORBIDDEN: scope user", "I am not allowed to do that."),
        ("timed out after 10 s", "That took too long. Please try again."),
        ("Error: the lamp is broken.", "The lamp is broken."),
        ("BUSY_NOW", "That did not work."),
        ("-32602: volume must be 0 to 100", "Volume must be 0 to 100."),
        ('{"code": 5}', "That did not work."),
        ("", "That did not work."),
        ("self.camera.take_photo failed (MemoryError: 8192 bytes).", "That did not work."),
        ("Error executing tool where_is_order", "That did not work."),
        ("Error executing tool where_is_order: division by zero", "That did not work."),
        ("Error executing tool where_is_order: 'NoneType' object has no x", "That did not work."),
        ("Error executing tool a: The shop is closed.", "The shop is closed."),
        (
            "The camera gave no picture ([Errno 5] EIO). Try again.",
            "The camera gave no picture. Try again.",
        ),
        ("The shop (in the old town) is closed.", "The shop (in the old town) is closed."),
    ],
)
def test_a_tools_error_is_spoken_politely(text, answer):
    assert spoken(say("take a photo", ToolReply(text=text, is_error=True))) == answer


def test_silence_ends_politely():
    turn_parts = turn(Heard(audio=speech.microphone(speech.audio((QUIET, 30_016)))))
    assert turn_parts[:2] == [EndOfSpeech(speech_ms=0, end_ms=None), Transcript(text="")]
    assert spoken(turn_parts) == "I did not hear anything." and turn_parts[-1] == Done()


def test_a_microphone_that_closes_at_once_heard_nothing():
    assert spoken(turn(Heard(audio=speech.microphone(b"")))) == "I did not hear anything."


def test_a_sentence_without_an_end_ends_clearly():
    turn_parts = turn(Heard(audio=speech.microphone(speech.audio((LOUD, 30_016)))))
    assert turn_parts[0] == EndOfSpeech(speech_ms=15008, end_ms=15008)
    assert spoken(turn_parts).startswith("I could not tell where your sentence ended.")


def test_words_that_are_none_are_not_understood():
    turn_parts = turn(Heard(audio=speech.microphone(COMMAND)), said=("",))
    assert turn_parts[1] == Transcript(text="")
    assert spoken(turn_parts) == "Sorry, I did not understand."


def test_push_to_talk_ends_with_the_microphone():
    audio = speech.audio((QUIET, 96), (LOUD, 640))
    turn_parts = turn(
        Heard(audio=speech.microphone(audio)), ToolReply(text=""), said=("take a photo",)
    )
    assert turn_parts[0] == EndOfSpeech(speech_ms=640, end_ms=736)
    assert spoken(turn_parts) == "I took a photo."


def test_push_to_talk_outlasts_every_pause():
    pcm = speech.audio((LOUD, 640), (QUIET, 1920), (LOUD, 640), (QUIET, 960))

    class Recogniser(speech.ScriptedRecogniser):
        def transcribe(self, pcm, prompt):
            # How many trials there are is a matter of time; what one hears is not.
            self._texts = ["set the volume to 60" if len(pcm) > 32 * 2560 else "set the volume to"]
            return super().transcribe(pcm, prompt)

    async def run():
        assistant = Offline(
            OfflineSettings(),
            recogniser=Recogniser(""),
            voice=speech.LetterVoice(),
            detector=speech.LoudDetector,
        )
        await assistant.start()
        conversation = assistant.conversation(home.place, lambda: home.TOOLS)
        heard = Heard(audio=speech.microphone(pcm), held=True)
        turn_parts = await parts(conversation, heard, ToolReply(text="ok"))
        await assistant.stop()
        assert Transcript(text="set the volume to 60") in turn_parts

    asyncio.run(run())


def test_recognition_starts_in_the_pause_and_begins_again_when_speech_goes_on():
    audio = speech.audio((LOUD, 320), (QUIET, 256), (LOUD, 320), (QUIET, 640))

    async def run():
        recogniser = speech.ScriptedRecogniser("where is my order ten", "where is my order 1042")
        assistant = Offline(
            OfflineSettings(),
            recogniser=recogniser,
            voice=speech.LetterVoice(),
            detector=speech.LoudDetector,
        )
        await assistant.start()
        source = _speaking_on_after_the_first_trial(audio, recogniser)
        turn_parts = await parts(
            assistant.conversation(home.place, lambda: home.TOOLS),
            Heard(audio=source),
            ToolReply(text="ok"),
        )
        await assistant.stop()
        return turn_parts, [len(pcm) // 32 for pcm in recogniser.heard]

    turn_parts, heard_ms = asyncio.run(run())
    assert turn_parts[1] == Transcript(text="where is my order 1042")
    assert heard_ms == [384, 960]


async def _speaking_on_after_the_first_trial(audio, recogniser):
    for at in range(0, len(audio), 1024):
        if at == 18 * 1024:
            await asyncio.to_thread(recogniser.began.wait, 10)
        yield audio[at : at + 1024]


def test_the_home_is_the_prompt_of_the_recogniser():
    async def run():
        recogniser = speech.ScriptedRecogniser("take a photo")
        assistant = Offline(
            OfflineSettings(),
            recogniser=recogniser,
            voice=speech.LetterVoice(),
            detector=speech.LoudDetector,
        )
        await assistant.start()
        conversation = assistant.conversation(home.place, lambda: home.TOOLS)
        await parts(conversation, Heard(audio=speech.microphone(COMMAND)), ToolReply(text=""))
        await assistant.stop()
        return recogniser.prompts[0]

    assert "Take a photo." in asyncio.run(run())


def test_tools_that_come_and_go_are_known_at_the_next_turn():
    async def run():
        assistant = offline()
        await assistant.start()
        tools = [home.STATUS]
        conversation = assistant.conversation(home.place, lambda: tools)
        conversation.tools_changed()
        before = await parts(conversation, Heard(text="take a photo"))
        tools.append(home.PHOTO)
        conversation.tools_changed()
        await assistant.settled()
        after = await parts(conversation, Heard(text="take a photo"), ToolReply(text=""))
        await assistant.stop()
        return spoken(before), spoken(after)

    assert asyncio.run(run()) == ("Sorry, I did not understand.", "I took a photo.")


def test_a_tool_that_comes_while_somebody_speaks_is_known_at_the_end():
    async def run():
        assistant = offline("take a photo")
        await assistant.start()
        tools = [home.STATUS]

        async def speaking():
            async for frame in speech.microphone(COMMAND):
                yield frame
            tools.append(home.PHOTO)

        conversation = assistant.conversation(home.place, lambda: tools)
        turn_parts = await parts(
            conversation, Heard(audio=speaking(), held=True), ToolReply(text="")
        )
        await assistant.stop()
        return spoken(turn_parts)

    assert asyncio.run(run()) == "I took a photo."


@pytest.mark.parametrize(
    ("heard", "rest"),
    [
        ("The lamp is on its way.", "It comes tomorrow, says the shop."),
        ("The lamp is on", "The lamp is on its way. It comes tomorrow, says the shop."),
        ("The lamp is on its way. It", "It comes tomorrow, says the shop."),
        ("The lamp is on its way. It comes tomorrow, says", "says the shop."),
        ("", "The lamp is on its way. It comes tomorrow, says the shop."),
    ],
)
def test_an_interrupted_answer_goes_on_with_the_clause_that_was_cut(heard, rest):
    async def run():
        assistant = offline()
        await assistant.start()
        conversation = assistant.conversation(home.place, lambda: home.TOOLS)
        outcome = ToolReply(text="The lamp is on its way. It comes tomorrow, says the shop.")
        await parts(conversation, Heard(text="where is my order 1042"), outcome)
        conversation.interrupted(HeardReply(text=heard, played_ms=0))
        rest = await parts(conversation, Heard(text="go on"))
        nothing = await parts(conversation, Heard(text="continue"))
        await assistant.stop()
        return spoken(rest), spoken(nothing)

    assert asyncio.run(run()) == (rest, "I have nothing more to say.")


def test_it_says_again_what_it_said_last():
    async def run():
        assistant = offline()
        await assistant.start()
        conversation = assistant.conversation(home.place, lambda: home.TOOLS)
        first = await parts(conversation, Heard(text="say that again"))
        await parts(conversation, Heard(text="what time is it"))
        again = await parts(conversation, Heard(text="say that again"))
        await assistant.stop()
        return spoken(first), spoken(again)

    assert asyncio.run(run()) == ("I have not said anything yet.", "It is 9:41 AM.")


def test_a_turn_that_is_closed_while_listening_leaves_nothing_behind():
    async def run():
        assistant = offline("take a photo")
        await assistant.start()
        turn = assistant.conversation(home.place, lambda: home.TOOLS).turn(
            Heard(audio=speech.microphone(COMMAND))
        )
        assert isinstance(await turn.asend(None), EndOfSpeech)
        await turn.aclose()
        await assistant.stop()
        await assistant.stop()
        return [task.get_name() for task in asyncio.all_tasks() if task != asyncio.current_task()]

    assert asyncio.run(run()) == []


def test_a_recogniser_that_fails_ends_the_turn_with_a_sentence():
    class Broken(speech.ScriptedRecogniser):
        def transcribe(self, pcm, prompt):
            raise VoxcardError("Speech recognition failed (out of memory).", "Try again.")

    async def run():
        assistant = Offline(
            OfflineSettings(),
            recogniser=Broken(""),
            voice=speech.LetterVoice(),
            detector=speech.LoudDetector,
        )
        await assistant.start()
        conversation = assistant.conversation(home.place, lambda: home.TOOLS)
        turn_parts = await parts(conversation, Heard(audio=speech.microphone(COMMAND)))
        await assistant.stop()
        return turn_parts[-1]

    message = "Speech recognition failed (out of memory). Try again."
    assert asyncio.run(run()) == Failed(message=message)


def test_a_missing_part_is_named_at_the_start():
    class Absent(speech.ScriptedRecogniser):
        def load(self):
            raise MissingExtra("Speech recognition (ctranslate2)", "recognition")

    assistant = Offline(
        OfflineSettings(), recogniser=Absent(""), voice=speech.LetterVoice(),
        detector=speech.LoudDetector,
    )  # fmt: skip
    with pytest.raises(MissingExtra) as caught:
        asyncio.run(assistant.start())
    assert str(caught.value) == (
        f"Speech recognition (ctranslate2) is not installed. {installation.remedy('recognition')}"
    )


def test_an_assistant_that_was_not_started_says_so():
    turn_parts = asyncio.run(
        parts(offline().conversation(home.place, lambda: ()), Heard(text="hello"))
    )
    assert turn_parts == [
        Failed(
            message="The offline assistant is not running. Start the bridge again.",
        )
    ]


def test_an_announcement_is_spoken_without_a_turn():
    async def run():
        assistant = offline()
        await assistant.start()
        pieces = [each.pcm async for each in assistant.say("**Door** open! Come.", "en")]
        await assistant.stop()
        return pieces

    assert asyncio.run(run()) == [b"Door open!", b"Come."]


def test_a_likely_reply_is_synthesised_once():
    async def run():
        voice = speech.LetterVoice()
        assistant = Offline(
            OfflineSettings(),
            recogniser=speech.ScriptedRecogniser("set the volume to 7"),
            voice=voice,
            detector=speech.LoudDetector,
        )
        await assistant.start()
        conversation = assistant.conversation(home.place, lambda: home.TOOLS)
        for _ in range(2):
            heard = Heard(audio=speech.microphone(COMMAND))
            await parts(conversation, heard, ToolReply(text="ok"))
        await assistant.stop()
        return voice.spoken.count("seven percent.")

    assert asyncio.run(run()) == 1


def test_a_persons_sentences_are_understood(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(
        "sentences:\n"
        "  - sentences: [good night]\n"
        "    tool: self.audio_speaker.set_volume\n"
        "    arguments: {volume: 10}\n"
        "    reply: Good night. The volume is {volume}.\n",
        encoding="utf-8",
    )
    turn_parts = say("Good night!", ToolReply(text=""), sentences=file)
    assert calls(turn_parts) == [("self.audio_speaker.set_volume", {"volume": 10})]
    assert spoken(turn_parts) == "Good night. The volume is 10."


def test_the_example_sentence_file_is_good():
    example = Path(__file__).parents[3] / "examples" / "sentences.yaml"
    turn_parts = say("a lot louder", STATUS, ToolReply(text=""), sentences=example)
    assert calls(turn_parts)[1] == ("self.audio_speaker.set_volume", {"volume": 100})


def test_the_second_time_nothing_is_understood_the_way_out_is_named():
    again = "I did not understand that either. You can ask me: what can you do?"
    assert [
        spoken(turn_parts) for turn_parts in talk("blorp", "blorp blorp", "take a photo", "blorp")
    ] == [
        "Sorry, I did not understand.",
        again,
        spoken(talk("take a photo")[0]),
        "Sorry, I did not understand.",
    ]


def test_what_was_not_understood_is_an_excuse_and_an_answer_is_none():
    for text, excuse in (
        ("blorp", True),
        ("what can you do", False),
        ("set the volume to", False),
    ):
        [sentence] = [part for part in say(text) if isinstance(part, Sentence)]
        assert sentence.excuse is excuse, text
