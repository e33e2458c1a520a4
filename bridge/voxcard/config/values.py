"""The configuration as frozen values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from voxcard.announce.quiet_hours import QuietHours
from voxcard.json_value import Json

OFFLINE = "offline"  # the assistant that [assistant] is about


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A text that is not printed by accident: only `value` shows it."""

    value: str = field(default="", repr=False)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __str__(self) -> str:
        return "***" if self.value else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mqtt:
    """The broker. `host` and `port` are the embedded one's when `embedded` is true."""

    host: str
    port: int
    user: str
    password: Secret
    tls: bool
    ca_file: str
    root: str
    version: int  # 3 (that is 3.1.1) or 5
    embedded: bool
    accounts: Path  # folder of users and passwords
    pairing: str  # auto, on or off


@dataclass(frozen=True, slots=True, kw_only=True)
class Assistant:
    """The offline assistant; `ranking` is the home's, by names, the first one preferred."""

    locale: str
    model: str
    voice: str
    sentences: str  # path, or ""
    end_of_speech_ms: int
    listen_again: bool = False
    ranking: tuple[str, ...] = (OFFLINE,)
    wake: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # word: ranking


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where a part of an assistant is: `url` is http(s)://…/v1, wyoming://host:port or local.

    `key_missing`: the variable that should hold its key is not set where this runs.
    """

    url: str
    model: str = ""
    key: Secret = Secret()
    key_missing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """An assistant of three servers: speech to text, chat, text to speech."""

    chat: Server
    stt: Server
    tts: Server
    voice: str
    prompt: str  # path, or ""
    sees: bool
    end_of_speech: str  # relaxed, default or aggressive
    limit_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Realtime:
    """An assistant of one server that hears and speaks: the OpenAI Realtime API."""

    server: Server  # its url is ws(s)://…/v1
    voice: str
    transcription_model: str  # "": what is said is not written down
    turn_detection: str  # server_vad or semantic_vad
    eagerness: str  # of semantic_vad
    idle_timeout_ms: int  # 0: never
    noise_reduction: str  # near_field, far_field or off
    prompt: str  # path, or ""
    sees: bool
    end_of_speech_ms: int  # of server_vad
    limit_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeAssistant:
    """The assistant of a Home Assistant. `server` is its http(s):// address and the token.

    `pipeline`: id or name of its Assist pipeline, "": the one preferred there. `devices`: what it
    calls devices of ours, by our ids.
    """

    server: Server
    pipeline: str
    devices: Mapping[str, str]
    limit_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Xiaozhi:
    """A xiaozhi server: `server` is its WebSocket, ws(s)://…, or its bootstrap, http(s)://….

    `version` is that of its binary frames, `identity` the file with what makes devices ours.
    """

    server: Server
    version: int
    stay_connected: bool
    limit_s: int
    identity: Path


AnyAssistant = Assistant | Pipeline | Realtime | HomeAssistant | Xiaozhi
# (name of the section, its values, address) -> the server there, with its key
Access = Callable[[str, Mapping[str, Json], str], Server]


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServer:
    """An MCP server: `command` over stdio (run in `folder`) or `url` over streamable HTTP."""

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)  # may hold secrets
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)  # as above
    limit_s: float | None = None  # of a call; None: as every tool
    folder: Path = Path()


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    path: Path
    keep_days: int
    keep_count: int
    store_audio: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcements:
    """What is announced when. `quiet_hours` are the home's, None: there are none."""

    quiet_hours: QuietHours | None = None
    in_quiet_hours: str = "wait"  # wait or refuse
    wait_s: int = 600
    night_mode: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    name: str
    cards: str  # full, text or off
    locale: str
    assistants: tuple[str, ...] = (OFFLINE,)
    wake: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # word: ranking
    quiet_hours: QuietHours | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    socket: Path
    admin_token: Secret


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """The web server, which is there when it has a `public_url` (https://name, no final /)."""

    public_url: str
    listen: str
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The whole file. `file` is None when there is none."""

    file: Path | None
    mqtt: Mqtt
    assistant: Assistant
    assistants: Mapping[str, AnyAssistant]  # by name, the one of `assistant` too
    mcp: tuple[McpServer, ...]
    history: History
    cards: str  # full, text or off; a device may have its own
    devices: Mapping[str, Device]
    log_level: str
    control: Control
    announce: str  # auto, on or off
    web: Web
    announcements: Announcements

    def wake_words(self) -> tuple[str, ...]:
        """Every word that some device waits for."""
        words = [*self.assistant.wake]
        for device in self.devices.values():
            words += device.wake
        return tuple(dict.fromkeys(words))

    def device(self, device_id: str) -> Device:
        """The options of a device, the home's where it has none of its own."""
        home = Device(
            name=device_id,
            cards=self.cards,
            locale=self.assistant.locale,
            assistants=self.assistant.ranking,
            wake=self.assistant.wake,
            quiet_hours=self.announcements.quiet_hours,
        )
        return self.devices.get(device_id, home)
