"""One response of the server as the parts of an answer; pure."""

from collections.abc import Iterator

from voxcard.assistants import Part, Sentence, Speech
from voxcard.assistants.pipeline.chat_server.memory import Exchange
from voxcard.assistants.realtime.turn.playback import Captions
from voxcard.assistants.realtime.wire.client_events import RATE_HZ
from voxcard.assistants.realtime.wire.server_events import AudioDelta, TextDelta

# What the relay is given at once: it may be silenced between two pieces.
_PIECE_BYTES = RATE_HZ * 2 // 5  # 200 ms


class Answer:
    """`aloud` is a sentence of ours that is read, else "": then its words are the server's."""

    def __init__(self, response_id: str, exchange: Exchange | None, aloud: str = "") -> None:
        self.id = response_id
        self.exchange = exchange
        self.sentences: list[str] = []
        self.sounds = False  # sound of it came
        self.is_kept = False  # in the memory
        self.is_stale = False  # the person spoke into it: nothing more of it is played
        self.aloud = aloud
        self._captions = Captions()
        self._odd = b""  # half a sample
        self.came = False  # anything that a person hears or reads

    @property
    def text(self) -> str:
        """What the model said so far."""
        return self._captions.text.strip()

    def words(self, event: TextDelta) -> None:
        """Words that are only written are given out by `end`: no sound comes beside them."""
        if not self.aloud:
            self._captions.words(event.text)

    def sound(self, event: AudioDelta) -> Iterator[Part]:
        pcm = self._odd + event.pcm
        whole = len(pcm) & ~1
        self._odd = pcm[whole:]
        if not self.is_stale:
            yield from self._own_sentence()
            yield from self._parts(self._captions.sound(pcm[:whole]))

    def end(self) -> Iterator[Part]:
        """What is left of it."""
        yield from self._own_sentence()
        yield from self._parts(self._captions.end())

    def _own_sentence(self) -> Iterator[Part]:
        if self.aloud and not self.came:
            self.came = True
            yield Sentence(text=self.aloud, excuse=True)

    def _parts(self, pieces: Iterator[str | bytes]) -> Iterator[Part]:
        for piece in pieces:
            self.came = True
            if isinstance(piece, str):
                self.sentences.append(piece)
            if self.is_stale:
                continue
            if isinstance(piece, str):
                yield Sentence(text=piece)
                continue
            for at in range(0, len(piece), _PIECE_BYTES):
                pcm = piece[at : at + _PIECE_BYTES]
                yield Speech(pcm=pcm, rate_hz=RATE_HZ, resampling="medium")
