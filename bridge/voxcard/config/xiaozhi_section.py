"""Reads a section [assistants.NAME] of kind xiaozhi."""

import re
from collections.abc import Mapping

from voxcard.config.options import Reader
from voxcard.config.paths import state
from voxcard.config.values import Access, Xiaozhi
from voxcard.json_value import Json

_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)"
_ADDRESS = re.compile(rf"(?:wss?|https?)://{_HOST}(?::\d{{1,5}})?(?:/[A-Za-z0-9._~/-]*)?")
_IDENTITY = "xiaozhi-identity"  # in the state folder


def read_xiaozhi(
    reader: Reader, name: str, section: Mapping[str, Json], access: Access
) -> Xiaozhi:
    """The values of the checked `section` called `name`."""
    url = section["url"]
    if not _ADDRESS.fullmatch(url):
        problem = f"[{name}] has no url."
        if url:
            problem = f"[{name}] url is no address of a xiaozhi server."
        remedy = "Write ws://host:8000/xiaozhi/v1/ or http://host:8003/xiaozhi/ota/ of yours."
        raise reader.refuse(problem, remedy)
    return Xiaozhi(
        server=access(name, section, url),
        version=section["version"],
        stay_connected=section["stay_connected"],
        limit_s=section["limit_s"],
        identity=state(_IDENTITY),
    )
