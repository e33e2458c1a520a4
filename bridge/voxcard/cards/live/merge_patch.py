"""JSON Merge Patch as RFC 7396 has it: apply one, and find the one that leads from a to b."""

from voxcard.json_value import Json


def merge(target: Json, patch: Json) -> Json:
    """`target` with `patch` applied (RFC 7396, section 2); neither is changed.

    Objects merge, null removes, everything else, arrays too, replaces. Recurses as deep as the
    patch: check its depth first.
    """
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge(merged.get(key), value)
    return merged


def difference(before: dict[str, Json], after: dict[str, Json]) -> dict[str, Json]:
    """The patch that makes `after` of `before`; `after` may hold no null, which a patch cannot
    say."""
    patch: dict[str, Json] = {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            if inner := difference(old, value):
                patch[key] = inner
        elif key not in before or old != value or type(old) is not type(value):
            patch[key] = value
    return patch
