"""Turns with the offline assistant, whose parts are scripted."""

from datetime import datetime

from fakes import speech
from voxcard.assistants import Ask, CallTool, Sentence
from voxcard.assistants.offline.assistant import Offline
from voxcard.assistants.offline.options import OfflineSettings


def offline(*heard, others=(), **settings):
    """An assistant that hears `heard`, or one of `others` (text, confidence) nearly as well; its
    parts are scripted."""
    recogniser = speech.ScriptedRecogniser(*heard or ("",))
    recogniser.others = list(others)
    return Offline(
        OfflineSettings(**settings),
        recogniser=recogniser,
        voice=speech.LetterVoice(),
        detector=speech.LoudDetector,
        now=lambda: datetime(2026, 5, 4, 9, 41),
    )


async def parts(conversation, heard, *outcomes):
    """The parts of one turn; each CallTool is answered with the next outcome."""
    turn_parts, left, outcome = [], list(outcomes), None
    turn = conversation.turn(heard)
    while True:
        try:
            part = await turn.asend(outcome)
        except StopAsyncIteration:
            return turn_parts
        turn_parts.append(part)
        outcome = left.pop(0) if isinstance(part, CallTool) else None


def spoken(turn_parts):
    return " ".join(part.text for part in turn_parts if isinstance(part, Sentence))


def asks(turn_parts):
    return any(isinstance(part, Ask) for part in turn_parts)


def calls(turn_parts):
    return [(each.name, each.arguments) for each in turn_parts if isinstance(each, CallTool)]
