"""speech-to-speech's own Realtime server around ears, a model and a voice that are scripted.

Run by the interpreter of .venv/servers: `python realtime_unit.py PORT`. The protocol is theirs;
only the models, which come from a hub, are replaced: loud sound is speech, the model calls
`home_light` for a spoken sentence and says what its output was, a voice is 40 ms a letter.
"""

import sys
import threading
import uuid
from queue import Queue
from threading import Event
from typing import Any

import numpy as np
from openai.types.realtime import RealtimeConversationItemFunctionCall
from openai.types.responses.response_function_tool_call import ResponseFunctionToolCall
from speech_to_speech.api.openai_realtime.pipeline_unit import PipelineUnit
from speech_to_speech.api.openai_realtime.server import RealtimeServer
from speech_to_speech.api.openai_realtime.service import RealtimeService
from speech_to_speech.pipeline import events
from speech_to_speech.pipeline.cancel_scope import CancelScope
from speech_to_speech.pipeline.control import SESSION_END, is_control_message
from speech_to_speech.pipeline.messages import (
    AUDIO_RESPONSE_DONE,
    AssistantTextPart,
    AssistantToolCallPart,
    AudioOutput,
)

SILENCE_MS = 300
LETTER_SAMPLES = 640  # of 16 kHz
TRANSCRIPT = "switch the light on"


class Unit:
    def __init__(self, index: int) -> None:
        self.ears, self.mouth, self.side, self.prompts = Queue(), Queue(), Queue(), Queue()
        listens = Event()
        listens.set()
        self.scope = CancelScope()
        self.unit = PipelineUnit(
            index=index,
            service=RealtimeService(text_prompt_queue=self.prompts, should_listen=listens),
            cancel_scope=self.scope,
            should_listen=listens,
            response_playing=Event(),
            input_queue=self.ears,
            output_queue=self.mouth,
            text_output_queue=self.side,
            text_prompt_queue=self.prompts,
            handlers=[],
        )
        for work in (self.hear, self.answer):
            threading.Thread(target=work, daemon=True).start()

    def hear(self) -> None:
        turn, heard_ms, quiet_ms, began_ms = "", 0, 0, 0
        while True:
            item = self.ears.get()
            if is_control_message(item, SESSION_END.kind):
                turn, heard_ms = "", 0
                self.prompts.put(item)
                continue
            samples = np.frombuffer(item[0], "<i2")
            heard_ms += len(samples) // 16
            is_loud = bool(len(samples)) and int(np.abs(samples.astype(int)).max()) > 2000
            quiet_ms = 0 if is_loud else quiet_ms + len(samples) // 16
            if is_loud and not turn:
                turn, began_ms = uuid.uuid4().hex, heard_ms
                self.side.put(
                    events.SpeechStartedEvent(
                        audio_start_ms=began_ms, turn_id=turn, turn_revision=0
                    )
                )
            elif turn and quiet_ms >= SILENCE_MS:
                seconds = (heard_ms - began_ms) / 1000
                self.side.put(
                    events.SpeechStoppedEvent(
                        duration_s=seconds, audio_end_ms=heard_ms, turn_id=turn, turn_revision=0
                    )
                )
                self.side.put(
                    events.TranscriptionCompletedEvent(
                        transcript=TRANSCRIPT, turn_id=turn, turn_revision=0
                    )
                )
                turn = ""

    def answer(self) -> None:
        while True:
            request = self.prompts.get()
            if is_control_message(request, SESSION_END.kind):
                self.mouth.put(request)
                continue
            chat = request.runtime_config.chat.buffer
            last = chat[-1] if chat else None
            self.speak(request, *said(last))

    def speak(self, request: Any, text: str, is_call: bool) -> None:
        about = {
            "response_key": request.response_key,
            "cancel_generation": self.scope.generation,
        }
        turn = {"turn_id": request.turn_id, "turn_revision": request.turn_revision}
        part = AssistantTextPart(text=text)
        if is_call:
            tool = ResponseFunctionToolCall(
                type="function_call",
                call_id=f"call_{uuid.uuid4().hex[:8]}",
                name="home_light",
                arguments='{"on": true}',
            )
            part = AssistantToolCallPart(tool=tool)
            call = {name: getattr(tool, name) for name in ("type", "call_id", "name", "arguments")}
            request.runtime_config.chat.add_item(RealtimeConversationItemFunctionCall(**call))
        self.mouth.put(
            events.AssistantOutputEvent(parts=[part], output_sequence=0, **about, **turn)
        )
        if not is_call:
            for _ in text:
                self.mouth.put(AudioOutput(audio=np.zeros(LETTER_SAMPLES, np.int16), **about))
        self.mouth.put(events.AssistantResponseDoneEvent(**about, **turn))
        self.mouth.put(AudioOutput(audio=AUDIO_RESPONSE_DONE, **about))


def said(last: Any) -> tuple[str, bool]:
    """What the model says to the last item of the talk, and whether it calls instead."""
    kind = getattr(last, "type", "")
    if kind == "function_call_output":
        return f"It said {last.output}.", False
    text = str(getattr(last, "content", ""))
    return ("", True) if TRANSCRIPT in text else ("Hello.", False)


def main() -> None:
    # A unit is free again some time after its client went.
    pool = [Unit(index).unit for index in range(4)]
    RealtimeServer(Event(), pool, host="127.0.0.1", port=int(sys.argv[1])).run()


if __name__ == "__main__":
    main()
