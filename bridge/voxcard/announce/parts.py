"""An announcement as the parts of a turn."""

from collections.abc import AsyncGenerator, AsyncIterator

from voxcard.announce.announcement import Announcement
from voxcard.announce.chime import RATE_HZ, chime
from voxcard.assistants import Media, Part, Reply, ShowCard, Speech


async def parts(
    announcement: Announcement, speech: AsyncIterator[Part], chime_percent: int
) -> AsyncGenerator[Part, Reply]:
    """The card, the chime, the text as `speech`, the sound file: whatever of them there is."""
    if announcement.card is not None:
        yield ShowCard(source=announcement.card)
    sounds = bool(announcement.text or announcement.audio)
    if announcement.chime and sounds:
        tones = chime(chime_percent, urgent=announcement.urgent)
        if tones:
            yield Speech(pcm=tones, rate_hz=RATE_HZ)
    if announcement.text:
        async for part in speech:
            yield part
    if announcement.audio:
        yield Media(data=announcement.audio)
