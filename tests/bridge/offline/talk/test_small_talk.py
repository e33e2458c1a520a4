"""What people say that is no command: it is answered, and nothing is done by it."""

import pytest
from fakes import home
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.sentences import sentence_files

CATALOGUE = Catalogue(sentence_files.language("en"), (), home.TOOLS)


@pytest.mark.parametrize(
    ("reply", "texts"),
    [
        ("Okay.", "yes|no|okay|OK.|yes please|no thanks|all right|sure|never mind|stop"),
        ("Hello.", "hello|hi|hey there|good morning|good evening|good day|hello again"),
        ("Good night.", "good night"),
        ("Goodbye.", "bye|goodbye|see you later"),
        ("You are welcome.", "thank you|thanks|thanks a lot"),
        ("I am Voxcard.", "who are you|what are you|what's your name|who am I talking to"),
        ("I am here.", "are you there|are you listening|can you hear me"),
        ("{last}", "say that again|what did you say|pardon|I didn't catch that"),
    ],
)
def test_it_is_answered_and_no_tool_is_called(reply, texts):
    for text in texts.split("|"):
        understood = CATALOGUE.understand(text).understood
        assert understood is not None, text
        assert (text, understood.rule.tool, understood.rule.reply[0]) == (text, None, reply)


@pytest.mark.parametrize(
    "text", ["good night mode", "who are they", "can you hear him", "you are"]
)
def test_what_is_like_it_is_not_taken_for_it(text):
    assert CATALOGUE.understand(text).understood is None


def test_unmute_is_a_command():
    for text in ("unmute", "sound on", "turn the sound back on"):
        understood = CATALOGUE.understand(text).understood
        assert understood is not None and understood.rule.tool == "self.audio_speaker.set_volume"
