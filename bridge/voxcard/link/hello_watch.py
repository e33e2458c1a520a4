"""Finds set-up mistakes in hellos: two devices of one id, a device that hears no answer."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from voxcard.link.problems import Problems

BOOTS = 4  # starts that are remembered
UNHEARD, UNHEARD_S = 4, 90.0  # so many hellos in this time without a word in any session
TWINS_S = 600.0  # how long two devices are named after they were seen
DEVICES_MAX = 10_000


@dataclass(slots=True)
class _Hellos:
    boots: deque[str] = field(default_factory=lambda: deque(maxlen=BOOTS))
    unheard_s: deque[float] = field(default_factory=lambda: deque(maxlen=UNHEARD))


class HelloWatch:
    """Puts into `problems` what it finds. `now_s` is a monotonic clock."""

    def __init__(self, root: str, problems: Problems, now_s: Callable[[], float]) -> None:
        self._root = root
        self._problems = problems
        self._now_s = now_s
        self._devices: dict[str, _Hellos] = {}

    def hello(self, device_id: str, boot: str | None) -> None:
        """The device said hello and gets an answer; `boot` names its start."""
        if device_id not in self._devices and len(self._devices) >= DEVICES_MAX:
            return
        hellos = self._devices.setdefault(device_id, _Hellos())
        if boot is not None and (not hellos.boots or hellos.boots[-1] != boot):
            # A device that started again never takes an old name.
            if boot in hellos.boots:
                text = (
                    f"Two devices have the id {device_id} and take the connection from each other."
                    ' Give one of them another id: its setting "id".'
                )
                self._problems.set(("twins", device_id), text, for_s=TWINS_S)
            hellos.boots.append(boot)
            hellos.unheard_s.clear()  # what it heard before its start says nothing
        now_s = self._now_s()
        hellos.unheard_s.append(now_s)
        if len(hellos.unheard_s) == UNHEARD and now_s - hellos.unheard_s[0] <= UNHEARD_S:
            own = f"{self._root}/{device_id}/#"
            text = (
                f"{device_id} says hello again and again and hears no answer. The broker's access"
                f" list must let it read {own}, and the bridge write there."
            )
            self._problems.set(("deaf", device_id), text)

    def heard(self, device_id: str) -> None:
        """The device spoke in its session: it has heard the answer to its hello."""
        hellos = self._devices.get(device_id)
        if hellos is not None and hellos.unheard_s:
            hellos.unheard_s.clear()
            self._problems.clear(("deaf", device_id))

    def forget(self, device_id: str) -> None:
        """The device is not of the home any more."""
        if self._devices.pop(device_id, None) is not None:
            for kind in ("deaf", "twins"):
                self._problems.clear((kind, device_id))
