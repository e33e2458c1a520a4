"""Reads an assistant of the kind realtime."""

import re
from collections.abc import Mapping
from pathlib import Path

from voxcard.config.options import Reader
from voxcard.config.paths import path_in
from voxcard.config.values import Access, Realtime
from voxcard.json_value import Json

_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)"
_URL = re.compile(rf"(?:ws|http)s?://{_HOST}(?::\d{{1,5}})?(?:/[A-Za-z0-9._~/-]*)?")
_IDLE_MIN_MS = 5_000


def _address(reader: Reader, name: str, url: str) -> str:
    """ws(s)://…/v1 of what people write: http(s):// means the same, /realtime is added later."""
    if not _URL.fullmatch(url):
        remedy = "Write ws://host:port/v1 or wss://name/v1, without user or password."
        raise reader.refuse(f"[{name}] url is no address of a Realtime server.", remedy)
    return re.sub("^http", "ws", url.rstrip("/").removesuffix("/realtime"))


def read_realtime(
    reader: Reader, folder: Path, name: str, section: Mapping[str, Json], access: Access
) -> Realtime:
    """The values of the checked `section` called `name`."""
    if not section["model"]:
        remedy = 'For OpenAI: model = "gpt-realtime-2".'
        raise reader.refuse(f"[{name}] has no model.", remedy)
    idle_ms = section["idle_timeout_ms"]
    if 0 < idle_ms < _IDLE_MIN_MS:
        remedy = f"Write 0, or {_IDLE_MIN_MS} to 30000."
        raise reader.refuse(f"[{name}] idle_timeout_ms is too short.", remedy)
    if idle_ms and section["turn_detection"] != "server_vad":
        remedy = "Leave one of them out."
        raise reader.refuse(f"[{name}] idle_timeout_ms works with server_vad only.", remedy)
    return Realtime(
        server=access(name, section, _address(reader, name, section["url"])),
        voice=section["voice"],
        transcription_model=section["transcription_model"],
        turn_detection=section["turn_detection"],
        eagerness=section["eagerness"],
        idle_timeout_ms=idle_ms,
        noise_reduction=section["noise_reduction"],
        prompt=path_in(folder, section["prompt"]),
        sees=section["sees"],
        end_of_speech_ms=section["end_of_speech_ms"],
        limit_s=section["limit_s"],
    )
