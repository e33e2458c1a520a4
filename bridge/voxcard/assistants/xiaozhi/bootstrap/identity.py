"""Who a device is to a xiaozhi server: an address like a MAC, and a UUID; always the same ones.

Both are made from the device's id and from random bytes of this home, which are kept in a file:
two homes with a device of one name are two devices to a server that serves both.
"""

import hashlib
import secrets
import uuid
from dataclasses import dataclass
from pathlib import Path

from voxcard.errors import VoxcardError
from voxcard.private_files import write_private

SEED_BYTES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """`device` as `02:1f:…` (locally administered, IEEE 802 8.2), `client` a UUID."""

    device: str
    client: str


def identity(seed: bytes, device_id: str) -> Identity:
    """That of the device `device_id`; pure."""
    digest = hashlib.sha256(seed + device_id.encode()).digest()
    first = (digest[0] & 0xFC) | 0x02  # locally administered, of one station
    return Identity(
        device=":".join(f"{byte:02x}" for byte in (first, *digest[1:6])),
        client=str(uuid.UUID(bytes=digest[6:22], version=4)),
    )


def read_seed(file: Path) -> bytes:
    """The home's random bytes, made when there are none yet; VoxcardError says what to do."""
    try:
        if file.is_file():
            seed = bytes.fromhex(file.read_text(encoding="ascii").strip())
            if len(seed) == SEED_BYTES:
                return seed
            raise ValueError("of a wrong length")
        seed = secrets.token_bytes(SEED_BYTES)
        write_private(file, seed.hex() + "\n")
        return seed
    except OSError as error:
        remedy = "Check who may read and write there."
        raise VoxcardError(f"{file} cannot be kept: {error.strerror}.", remedy) from error
    except ValueError as error:
        remedy = "Bring it back, or remove it; every device then is a new one to its server."
        raise VoxcardError(f"{file} is damaged.", remedy) from error
