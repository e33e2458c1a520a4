"""Picks from the lists of a Home Assistant: its pipelines, its devices; pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from voxcard.json_value import Json, JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistPipeline:
    """A row of assist_pipeline/pipeline/list; an engine it has not is ""."""

    id: str
    name: str
    stt: str = ""
    tts: str = ""
    tts_language: str = ""
    tts_voice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeDevice:
    """A row of config/device_registry/list: its id there, its name, and its ids in MQTT."""

    id: str
    name: str
    mqtt_ids: frozenset[str]


def pipelines(result: Json) -> tuple[list[AssistPipeline], str]:
    """The pipelines there are, and the id of the preferred one. What is no row is left out."""
    if not isinstance(result, dict):
        return [], ""
    rows = result.get("pipelines")
    preferred = _text(result, "preferred_pipeline")
    found = [
        AssistPipeline(
            id=_text(row, "id"),
            name=_text(row, "name"),
            stt=_text(row, "stt_engine"),
            tts=_text(row, "tts_engine"),
            tts_language=_text(row, "tts_language"),
            tts_voice=_text(row, "tts_voice"),
        )
        for row in _objects(rows)
        if _text(row, "id")
    ]
    return found, preferred


def chosen(found: Sequence[AssistPipeline], preferred: str, wanted: str) -> AssistPipeline | None:
    """The one of that id or name (capitals do not matter); the preferred one for ""."""
    wanted = wanted or preferred
    for pipeline in found:
        if pipeline.id == wanted:
            return pipeline
    named = [each for each in found if each.name.casefold() == wanted.casefold()]
    return named[0] if named else None


def devices(result: Json) -> list[HomeDevice]:
    """The devices of config/device_registry/list that are not switched off."""
    return [
        HomeDevice(
            id=_text(row, "id"),
            name=_text(row, "name_by_user") or _text(row, "name"),
            mqtt_ids=_mqtt_ids(row),
        )
        for row in _objects(result)
        if not row.get("disabled_by")
    ]


def device_id(found: Sequence[HomeDevice], device: str, name: str) -> str:
    """The id there of our `device`, which people call `name`.

    That of the MQTT device that names it, else the only one of its name; "" when there is none.
    """
    own = {device, f"voxcard_{device}", f"voxcard-{device}"}
    for each in found:
        if own & each.mqtt_ids:
            return each.id
    wanted = {device.casefold(), name.casefold()}
    named = [each for each in found if each.name.casefold() in wanted]
    return named[0].id if len(named) == 1 else ""


def _mqtt_ids(row: JsonObject) -> frozenset[str]:
    pairs = row.get("identifiers")
    pairs = pairs if isinstance(pairs, list) else []
    return frozenset(
        pair[1]
        for pair in pairs
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(x, str) for x in pair)
        if pair[0] == "mqtt"
    )


def _objects(rows: Json) -> list[JsonObject]:
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _text(row: JsonObject, key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""
