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


def device_id(result: Json, device: str, name: str) -> str:
    """The id that config/device_registry/list gives our `device`, which people call `name`.

    That of the MQTT device that names it, else the only one of its name; "" when there is none.
    """
    rows = [row for row in _objects(result) if not row.get("disabled_by")]
    own = {device, f"voxcard_{device}", f"voxcard-{device}"}
    for row in rows:
        if any(domain == "mqtt" and key in own for domain, key in _identifiers(row)):
            return _text(row, "id")
    wanted = {device.casefold(), name.casefold()}
    named = [row for row in rows if _name(row).casefold() in wanted]
    return _text(named[0], "id") if len(named) == 1 else ""


def _identifiers(row: JsonObject) -> list[tuple[str, str]]:
    pairs = row.get("identifiers")
    pairs = pairs if isinstance(pairs, list) else []
    return [
        (pair[0], pair[1])
        for pair in pairs
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(x, str) for x in pair)
    ]


def _name(row: JsonObject) -> str:
    return _text(row, "name_by_user") or _text(row, "name")


def _objects(rows: Json) -> list[JsonObject]:
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _text(row: JsonObject, key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""
