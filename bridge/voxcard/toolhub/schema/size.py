"""Measures a foreign JSON value without recursion, up to a limit."""

from collections.abc import Mapping

from voxcard.json_value import Json


def characters(value: Json, *, longest: int, depth_max: int) -> int | None:
    """About how many characters `value` has as JSON; None for more than `longest`, or deeper."""
    size, level = 0, [value]
    for _ in range(depth_max + 1):
        below: list[Json] = []
        for each in level:
            size += 2
            if isinstance(each, str):
                size += len(each)
            elif isinstance(each, int):
                size += each.bit_length() // 3
            elif isinstance(each, Mapping):
                size += sum(len(key) + 4 for key in each)
                below.extend(each.values())
            elif isinstance(each, list | tuple):
                below.extend(each)
            if size + 2 * len(below) > longest:
                return None
        if not below:
            return size
        level = below
    return None
