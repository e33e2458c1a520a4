"""Queues finished turns and shown cards for the history."""

import time
from collections.abc import Callable
from dataclasses import asdict

from voxcard import audio
from voxcard.assistants import RATE_HZ
from voxcard.cards.model import Card
from voxcard.history.store import History
from voxcard.json_value import Json
from voxcard.session.turn.record import TurnRecord


class Archive:
    """`put(function, *arguments)` runs the history's blocking writes in order, elsewhere."""

    def __init__(self, history: History, put: Callable[..., None]) -> None:
        self._history = history
        self._put = put

    def turn(self, record: TurnRecord) -> None:
        """Keep a finished turn, the pictures its tools gave, and what was heard where wanted."""
        device, at_s = record.device, record.at_s
        self._put(self._history.add_turn, device, at_s, as_json(record))
        for call in record.tools:
            for each in call.pictures:
                self._put(self._history.add_picture, device, at_s, each.mime_type, each.data)
        if record.recording:
            wav = audio.write_wav(record.recording, RATE_HZ)
            self._put(self._history.add_recording, device, at_s, record.turn, wav)

    def card(self, device_id: str, card: Card) -> None:
        """Keep a card that is shown."""
        self._put(self._history.add_card, device_id, time.time(), card)


def as_json(record: TurnRecord) -> dict[str, Json]:
    """A record as JSON, its pictures and its sound left out."""
    data = asdict(record)
    del data["recording"]
    for call in data["tools"]:
        call["pictures"] = len(call["pictures"])
    return data
