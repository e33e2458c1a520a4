"""How far the update of a device is, as values and as sentences; pure."""

from dataclasses import dataclass

ENDED = ("confirmed", "fell_back", "refused", "cancelled", "lost")


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The last update of a device.

    `state` is offered, fetch, waiting, installed, or one of ENDED; `firmware` is version+digest,
    `at_s` the Unix time of the offer or of the end. `done_bytes` counts what the device keeps or
    copies from its flash as well. `is_silent`: it is online and has not said a word about it.
    """

    device: str
    serial: int
    firmware: str
    state: str
    reason: str = ""
    done_bytes: int = 0
    total_bytes: int = 0
    at_s: int = 0
    is_online: bool = False
    is_silent: bool = False

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state in ENDED


_SENTENCES = {
    "offered": "{device} is offered {firmware} and has not asked for it yet.",
    "fetch": "{device} fetches {firmware}: {percent} %.",
    "waiting": "{device} is talking; it goes on with {firmware} afterwards.",
    "installed": "{device} has {firmware} whole and starts it on trial.",
    "confirmed": "{device} runs {firmware}.",
    "fell_back": "{device} went back from {firmware} to what it had.",
    "refused": "{device} refused {firmware}.",
    "cancelled": "The offer of {firmware} to {device} was taken back.",
    "lost": "The offer of {firmware} to {device} ended with its file.",
}
_OFFLINE = "{device} is offline; the offer of {firmware} waits for it."
_SILENT = (
    "{device} has not answered: it may be busy, or its firmware older than updates over the"
    " network (then, by its cable: voxcard device deploy)."
)


def sentence(progress: Progress) -> str:
    """Where the update is, for a person."""
    form = _SENTENCES[progress.state]
    if progress.is_silent:
        form = _SILENT
    elif not progress.is_online and not progress.has_ended:
        form = _OFFLINE
    text = form.format(
        device=progress.device, firmware=progress.firmware, percent=percent(progress)
    )
    return f"{text} {progress.reason}".strip()


_WORDS = {"offered": "waits", "waiting": "waits for the end of a turn", "installed": "on trial"}


def words(progress: Progress) -> str:
    """The same in a few words, of an update that is under way."""
    state = _WORDS.get(progress.state) or f"{percent(progress)} %"
    return f"update {progress.firmware}: {state}"


def percent(progress: Progress) -> int:
    """How much of the release the device has."""
    return 100 * progress.done_bytes // max(1, progress.total_bytes)
