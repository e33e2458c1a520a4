"""Doubt is asked, what was taken wrongly is corrected, what is unclear is listened to again."""

import asyncio

import pytest
from fakes import home, speech
from fakes.offline.offline_talk import asks, calls, offline, parts, spoken
from fakes.speech import LOUD, QUIET
from voxcard.assistants import Heard, Sentence, Speech, ToolReply

OK = ToolReply(text="ok")
STATUS = ToolReply(text='{"audio_speaker": {"volume": 9}}')
VOLUME = "self.audio_speaker.set_volume"
SET = home.tool("climate.set_level", "set the heating to {level}", source="climate",
                level={"type": "integer", "minimum": 0, "maximum": 100})  # fmt: skip
ORDER = home.tool("shop.order_pens", "order {pens} pens", source="shop",
                  pens={"type": "integer", "minimum": 1, "maximum": 100})  # fmt: skip
TOOLS = (*home.TOOLS, SET, ORDER)
COMMAND = QUIET * 10 + LOUD * 40 + QUIET * 60
SIXTEEN_OR_SIXTY = {
    "said": ("Set the volume to 16.",),
    "others": [("Set the volume to 60.", -0.1)],
}


def heard(**rest):
    return Heard(audio=speech.microphone(COMMAND), **rest)


def talk(*turns, said=("",), tools=TOOLS, **rest):
    """The parts of turns that follow each other: (text or Heard, outcomes of its calls)."""

    async def run():
        assistant = offline(*said, **rest)
        await assistant.start()
        try:
            conversation = assistant.conversation(home.place, lambda: tools)
            return [
                await parts(
                    conversation, Heard(text=text) if isinstance(text, str) else text, *done
                )
                for text, *done in turns
            ]
        finally:
            await assistant.stop()

    return asyncio.run(run())


def in_doubt(answer, *outcomes):
    """The answer to "16 or 60?": its parts."""
    first, second = talk((heard(),), (answer, *outcomes), **SIXTEEN_OR_SIXTY)
    assert spoken(first) == "16 or 60?" and asks(first) and calls(first) == []
    return second


@pytest.mark.parametrize(
    ("answer", "volume"),
    [
        ("sixty", 60),
        ("sixteen please", 16),
        ("I said sixty", 60),
        ("no, sixty", 60),
        ("set the volume to sixty", 60),
        ("sixty percent", 60),
        ("the second", 60),
        ("the second one", 60),
        ("the first one please", 16),
        ("the latter", 60),
        ("yes", 16),
        ("not sixteen", 60),
        ("sixty, not sixteen", 60),
        ("not sixteen, sixty", 60),
    ],
)
def test_an_answer_to_two_numbers_acts(answer, volume):
    assert calls(in_doubt(answer, OK)) == [(VOLUME, {"volume": volume})]


@pytest.mark.parametrize(
    "answer",
    ["neither", "no", "never mind", "fifty", "sixteen or sixty", "the third one", "not sixty "
     "not sixteen", "do not do sixty yet", "maybe sixty", "hello", "seventeen, not sixteen",
     "sixty minutes", "not", "I do not know"],
)  # fmt: skip
def test_what_names_neither_number_does_nothing(answer):
    assert calls(in_doubt(answer, OK)) == []


def test_after_two_numbers_a_command_is_a_command():
    assert calls(in_doubt("set the brightness to forty", OK)) == [
        ("self.screen.set_brightness", {"brightness": 40})
    ]


def test_a_question_that_was_not_heard_is_asked_again():
    _, second, third = talk((heard(),), ("say that again",), ("sixty", OK),
                                **SIXTEEN_OR_SIXTY)  # fmt: skip
    assert spoken(second) == "16 or 60?" and asks(second)
    assert calls(third) == [(VOLUME, {"volume": 60})]


@pytest.mark.parametrize(
    "correction",
    ["no, sixty", "no no sixty", "I said sixty", "no I meant sixty", "not sixteen, sixty",
     "not sixteen but sixty", "sorry, sixty percent", "oops, sixty please", "sixty, not sixteen",
     "no, make it sixty"],
)  # fmt: skip
def test_a_number_that_was_taken_wrongly_is_corrected(correction):
    first, second = talk(("set the volume to sixteen", OK), (correction, OK))
    assert spoken(first) == "The volume is now 16 percent." and not asks(first)
    assert calls(second) == [(VOLUME, {"volume": 60})]
    assert spoken(second) == "The volume is now 60 percent."


def test_a_correction_may_be_corrected():
    *_, third = talk(("set the heating to sixteen", OK), ("no, fifty", OK), ("no, sixty", OK))
    assert calls(third) == [("climate.set_level", {"level": 60})]


@pytest.mark.parametrize(
    "said",
    ["sixty", "no", "no thanks", "not sixty", "no, sixteen", "no, sixty or seventy",
     "no, sixty minutes", "no, two hundred", "she said sixty", "no sixty one two", "sixteen"],
)  # fmt: skip
def test_what_is_no_correction_sets_nothing(said):
    _, second = talk(("set the volume to sixteen", OK), (said, OK))
    assert calls(second) == []


@pytest.mark.parametrize(
    ("command", "outcomes"),
    [
        ("order sixteen pens", (OK,)),  # it would be ordered twice
        ("turn the volume up by sixteen", (STATUS, OK)),
        ("set the volume to sixteen", (ToolReply(text="Broken.", is_error=True),)),
        ("mute", (OK, OK)),
    ],
)
def test_what_cannot_be_set_again_is_not_corrected(command, outcomes):
    _, second = talk((command, *outcomes), ("no, sixty", OK))
    assert calls(second) == []


def test_a_correction_comes_right_after():
    *_, last = talk(("set the volume to sixteen", OK), ("thank you",), ("no, sixty", OK))
    assert calls(last) == []


def test_two_commands_are_done_in_their_order():
    status = ToolReply(text="", structured={"screen": {"brightness": 50}})
    (turn,) = talk(("mute and turn the brightness up", status, OK, status, OK))
    assert [name for name, _ in calls(turn)] == [
        "self.get_device_status", VOLUME, "self.get_device_status", "self.screen.set_brightness",
    ]  # fmt: skip
    assert spoken(turn) == "I am silent. The brightness is now 70 percent."


def test_after_a_command_that_failed_the_next_is_not_done():
    broken = ToolReply(text="The camera is covered.", is_error=True)
    (turn,) = talk(("take a photo and set the volume to sixty", broken, OK))
    assert [name for name, _ in calls(turn)] == ["self.camera.take_photo"]
    assert spoken(turn) == "The camera is covered."


def test_two_commands_one_of_which_cannot_be_undone_are_asked_about_by_voice():
    said = "Cancel order 1042 and set the volume to sixty."
    first, second = talk((heard(),), ("yes", OK, OK), said=(said,))
    assert spoken(first) == "Really cancel order 1042 and set the volume to 60?" and asks(first)
    assert calls(first) == []
    assert [name for name, _ in calls(second)] == ["orders.cancel_order", VOLUME]
    _, second = talk((heard(),), ("no", OK, OK), said=(said,))
    assert calls(second) == [] and spoken(second) == "Okay."


def test_two_commands_with_a_doubtful_number_are_asked_about():
    said = ("Set the volume to 16 and take a photo.",)
    others = [("Set the volume to 60 and take a photo.", -0.1)]
    (first,) = talk((heard(),), said=said, others=others)
    assert spoken(first) == "Really set the volume to 16 and take a photo?" and asks(first)


def test_what_is_unclear_is_listened_to_once_more_without_a_word():
    unclear = ("Blue suede shoes.", "Blue suede shoes.", "Blue suede shoes.", "Mute.")
    turns = talk((heard(),), (heard(),), (heard(),), said=unclear, listen_again=True)
    assert [spoken(turn) for turn in turns] == ["", "Sorry, I did not understand.", ""]
    assert [asks(turn) for turn in turns] == [True, False, True]
    first = [part for part in turns[0] if isinstance(part, Speech | Sentence)]
    assert len(first) == 1 and not any(first[0].pcm)  # a device listens after what it played


def test_nothing_is_said_when_nobody_speaks_again():
    nobody = Heard(audio=speech.microphone(QUIET * 500))
    turns = talk((heard(),), (nobody,), said=("Blue suede shoes.",), listen_again=True)
    assert spoken(turns[1]) == "" and not asks(turns[1])


@pytest.mark.parametrize("how", [{"held": True}, {"woken": True}])
def test_it_is_not_listened_to_again_after_a_word_or_a_held_button(how):
    (turn,) = talk((heard(**how),), said=("Blue suede shoes.",), listen_again=True)
    assert spoken(turn) == "Sorry, I did not understand." and not asks(turn)


def test_it_is_not_listened_to_again_unless_that_was_chosen():
    (turn,) = talk((heard(),), said=("Blue suede shoes.",))
    assert spoken(turn) == "Sorry, I did not understand." and not asks(turn)
