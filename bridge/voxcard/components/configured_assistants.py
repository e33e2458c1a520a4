"""The assistants that the configuration names: started once, ranked for each device."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from voxcard import config
from voxcard.assistants import Assistant
from voxcard.assistants.home_assistant.assistant import HomeAssistant
from voxcard.assistants.offline.assistant import Offline
from voxcard.assistants.offline.options import OfflineSettings
from voxcard.assistants.pipeline.assistant import Pipeline
from voxcard.assistants.ranked import Ranked
from voxcard.assistants.realtime.assistant import Realtime
from voxcard.assistants.xiaozhi.assistant import Xiaozhi
from voxcard.json_value import Json

Make = Callable[[str, config.AnyAssistant], Assistant]


class ConfiguredAssistants:
    """Those that somebody ranks; the others are not even built."""

    def __init__(self, settings: config.Config, make: Make | None = None) -> None:
        self._settings = settings
        make = make or _made
        self._assistants = {
            name: make(name, settings.assistants[name]) for name in _ranked(settings)
        }
        self._rankings: dict[tuple[str, ...], Assistant] = {}

    def of(self, device_id: str) -> Assistant:
        """The assistant of a device: one, or several as one."""
        return self.ranked(self._settings.device(device_id).assistants)

    def by_word(self, device_id: str) -> Mapping[str, Assistant]:
        """Who answers a device that is called by a wake word."""
        wake = self._settings.device(device_id).wake
        return {word: self.ranked(ranking) for word, ranking in wake.items()}

    def ranked(self, ranking: tuple[str, ...]) -> Assistant:
        """Those of `ranking` as one."""
        if len(ranking) == 1:
            return self._assistants[ranking[0]]
        if ranking not in self._rankings:
            rows = [(name, self._assistants[name]) for name in ranking]
            self._rankings[ranking] = Ranked(rows)
        return self._rankings[ranking]

    def check(self) -> None:
        """Raise the VoxcardError of the first that cannot work. In a thread."""
        for assistant in self._assistants.values():
            assistant.check()

    async def start(self) -> None:
        """Start them one after the other; raises the VoxcardError of the first that cannot."""
        for assistant in self._assistants.values():
            await assistant.start()

    async def stop(self) -> None:
        """Stop them all; safe to call twice."""
        for assistant in reversed(self._assistants.values()):
            await assistant.stop()

    def health(self) -> Mapping[str, str]:
        """Why each could not answer now, in a sentence; "" when it could."""
        return {name: assistant.health() for name, assistant in self._assistants.items()}


class OneAssistant:
    """The same for one assistant that answers on every device."""

    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant
        self.check, self.start, self.stop = assistant.check, assistant.start, assistant.stop

    def of(self, device_id: str) -> Assistant:
        return self._assistant

    def by_word(self, device_id: str) -> Mapping[str, Assistant]:
        return {}

    def health(self) -> Mapping[str, str]:
        return {}


def _ranked(settings: config.Config) -> Iterable[str]:
    """Every name that a ranking has, once, the home's first."""
    rankings = [settings.assistant.ranking, *settings.assistant.wake.values()]
    for device in settings.devices.values():
        rankings += [device.assistants, *device.wake.values()]
    return dict.fromkeys(name for ranking in rankings for name in ranking)


def _made(name: str, chosen: config.AnyAssistant) -> Assistant:
    if isinstance(chosen, config.Pipeline):
        return Pipeline(name, chosen)
    if isinstance(chosen, config.Realtime):
        return Realtime(name, chosen)
    if isinstance(chosen, config.HomeAssistant):
        return HomeAssistant(name, chosen)
    if isinstance(chosen, config.Xiaozhi):
        return Xiaozhi(name, chosen)
    own_choices: dict[str, Json] = {"model": chosen.model, "voice": chosen.voice}
    return Offline(
        OfflineSettings(
            locale=chosen.locale,
            sentences=Path(chosen.sentences) if chosen.sentences else None,
            end_of_speech_ms=chosen.end_of_speech_ms,
            listen_again=chosen.listen_again,
            **{name: value for name, value in own_choices.items() if value},
        )
    )
