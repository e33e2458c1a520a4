"""Reads a section [assistants.NAME] of kind home_assistant."""

import re
from collections.abc import Mapping

from voxcard.config.options import Reader
from voxcard.config.values import Access, HomeAssistant
from voxcard.json_value import Json

_URL = re.compile(r"https?://(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?")
_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")


def read_home_assistant(
    reader: Reader, name: str, section: Mapping[str, Json], access: Access
) -> HomeAssistant:
    """The values of `section`, whose name is `name`; a refusal never repeats the token."""
    url = str(section["url"]).rstrip("/")
    if not _URL.fullmatch(url):
        remedy = (
            "Write http://host:8123 or https://name, as its page has it, and nothing after it."
        )
        raise reader.refuse(f"[{name}] url is no address of a Home Assistant.", remedy)
    server = access(name, section, url)
    if not server.key and not server.key_missing:
        remedy = "Make one at the end of your profile there; name where it is, not the token."
        raise reader.refuse(f"[{name}] has no key_env and no key_file.", remedy)
    for device, there in section["devices"].items():
        if not _ID.fullmatch(there):
            problem = f"[{name}] devices: {device!r} has no device id of Home Assistant."
            raise reader.refuse(problem, "It stands in the address of the device's page there.")
    return HomeAssistant(
        server=server,
        pipeline=section["pipeline"],
        devices=section["devices"],
        limit_s=section["limit_s"],
    )
