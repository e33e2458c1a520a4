"""Whether a device takes a release, as far as the bridge can know; pure."""

from dataclasses import dataclass

from voxwire import release as wire
from voxwire.errors import WireError

from voxcard.errors import VoxcardError

_MICROPYTHON_UNKNOWN = (99, 0)  # a hello does not say it: the device checks


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A device that is to be updated, as its last hello had it.

    `greeted`: it said hello since the bridge runs; before that nothing more is known of it.
    `kind` is the kind of release it takes, "" for none.
    """

    id: str
    greeted: bool
    board: str = ""
    firmware: str = ""  # version+digest
    kind: str = ""


def check(manifest: wire.Manifest, target: Target) -> None:
    """VoxcardError when the device would not take the release; what is unknown it checks."""
    if not target.greeted:
        return
    if not target.kind:
        problem = f"{target.id} takes no updates over the network (firmware {target.firmware})."
        raise VoxcardError(problem, "Put this Voxcard on it by its cable: voxcard device deploy.")
    version, _, digest = target.firmware.partition("+")
    running = wire.Running(version, digest, target.board, target.kind, _MICROPYTHON_UNKNOWN)
    try:
        reason = wire.refusal(manifest, running)
    except WireError:  # it runs a version that cannot be compared
        return
    if reason:
        problem, _, remedy = reason.partition(": ")
        raise VoxcardError(f"{problem}.", f"{remedy[:1].upper()}{remedy[1:]}")
