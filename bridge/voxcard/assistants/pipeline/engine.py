"""The parts of a running pipeline."""

from collections.abc import Callable
from dataclasses import dataclass

from voxcard.assistants.offline.speech.vad import Detector
from voxcard.assistants.offline.threads import Workers
from voxcard.assistants.pipeline.chat_server.client import Chat
from voxcard.assistants.pipeline.health import Health
from voxcard.assistants.pipeline.speech.speech_to_text import Transcriber
from voxcard.assistants.pipeline.speech.text_to_speech import Speaker


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """What all conversations share while the assistant runs."""

    chat: Chat
    transcriber: Transcriber
    speaker: Speaker
    workers: Workers
    detector: Callable[[], Detector]
    health: Health
    prompt: str
    sees: bool
    end_of_speech: str  # a policy of speech/patience.py
