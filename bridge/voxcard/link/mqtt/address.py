"""Broker address and the bridge's account on it."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A broker and the bridge's account on it. `version` is 3 (3.1.1) or 5."""

    host: str
    port: int = 1883
    user: str = ""
    password: str = field(default="", repr=False)
    tls: bool = False
    ca_file: str = ""
    version: int = 3

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"
