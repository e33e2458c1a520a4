"""Random passwords, and their hashes in the format of mosquitto."""

import base64
import hashlib
import os
import secrets

# A password of ours has 120 random bits: nobody tries them out, and mosquitto, which checks each
# connection in its one thread, need not be slow. One that a person chose is made dear to try.
RANDOM_BYTES = 15
RANDOM_ROUNDS, CHOSEN_ROUNDS = 1_000, 100_000
_SALT_BYTES = 12  # mosquitto 2 takes no other


def new_password() -> str:
    """A random password of 20 letters, digits, hyphens and underscores."""
    return secrets.token_urlsafe(RANDOM_BYTES)


def hashed(password: str, rounds: int = RANDOM_ROUNDS, salt: bytes = b"") -> str:
    """`password` as a line of mosquitto's password file has it after the colon.

    `$7$rounds$salt$hash`, PBKDF2 with HMAC-SHA512, salt and hash in base64 (mosquitto_passwd(1)).
    """
    salt = salt or os.urandom(_SALT_BYTES)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, rounds)
    parts = (base64.b64encode(part).decode() for part in (salt, digest))
    return "$".join(("", "7", str(rounds), *parts))
