"""MicroPython: main.py of a board that tells what lies in its heap when a file `look` is there.

`MODULES` is put before it: names, each after those that it imports. The report `holders` has
`modules` ([[bytes, name], ...]: what each import left, the largest first) and `objects` ([[bytes,
path], ...]: estimates of what hangs on the app, with everything below it).
"""

import asyncio
import gc
import json
import os
import sys

BLOCK_BYTES = 16
LEAST_BYTES = 64  # smaller objects are not named
DEPTH_MAX = 9
# Slots of the tables that instances grow through (py/map.c).
SLOTS = (0, 1, 2, 4, 6, 8, 10, 12, 17, 23, 29, 37, 47, 59, 73)
REACH = 1 << 21  # an address further from a new object is no heap: constants of frozen code


def used():
    gc.collect()
    gc.collect()
    return gc.mem_alloc()


def blocks(size):
    return -(-size // BLOCK_BYTES) * BLOCK_BYTES


def size_of(value):
    """Bytes of one object of a 32-bit MicroPython, without what it refers to."""
    kind = type(value)
    if kind is str:
        return BLOCK_BYTES + blocks(len(value.encode()) + 1)
    if kind in (bytes, bytearray):
        return BLOCK_BYTES + blocks(len(value))
    if kind is tuple:
        return blocks(8 + 4 * len(value))
    if kind is list:
        return BLOCK_BYTES + blocks(4 * max(4, len(value)))
    if kind is dict:
        return BLOCK_BYTES + blocks(8 * len(value))
    if hasattr(value, "__dict__") and not isinstance(value, type):
        count = len(value.__dict__)
        room = [slots for slots in SLOTS if slots >= count] or [count]
        return BLOCK_BYTES + blocks(8 * room[0])
    return BLOCK_BYTES


def below(value, path):
    """(path, object) of everything that an object refers to."""
    if isinstance(value, dict):
        return [("%s[%r]" % (path, key), value[key]) for key in value]
    if isinstance(value, (tuple, list)):
        return [("%s[%d]" % (path, at), value[at]) for at in range(len(value))]
    if hasattr(value, "__dict__") and not isinstance(value, type):
        return [("%s.%s" % (path, name), value.__dict__[name]) for name in value.__dict__]
    return []


class Objects:
    """Counts each object once, with all below it."""

    def __init__(self):
        self.rows, self._seen, self._here = [], set(), id([])

    def count(self, value, path, depth=0):
        known = value is None or isinstance(value, (int, type(sys))) or depth > DEPTH_MAX
        if known or abs(id(value) - self._here) > REACH or id(value) in self._seen:
            return 0
        self._seen.add(id(value))
        size = size_of(value)
        for name, each in below(value, path):
            size += self.count(each, name, depth + 1)
        if size >= LEAST_BYTES:
            self.rows.append((size, path))
        return size


def imported(modules):
    rows = []
    for name in modules:
        before = used()
        try:
            __import__(name)
        except ImportError:
            continue  # another board's
        rows.append((used() - before, name))
    return rows


async def look(app_object, rows):
    while True:
        await asyncio.sleep_ms(100)
        try:
            os.stat("look")
            break
        except OSError:
            pass
    objects = Objects()
    objects.count(app_object, "app")
    modules, found = [sorted(each, reverse=True) for each in (rows, objects.rows)]
    print(json.dumps({"event": "holders", "modules": modules, "objects": found}))


# The root of a board is this folder; what a chip has without any heap comes first.
sys.path[0] = os.getcwd()
for name in ("machine", "network"):
    __import__(name)
rows = imported(MODULES)
app = __import__("app")
build = app.App


def observed(board, last_words=""):
    app_object = build(board, last_words)
    app_object.look = asyncio.create_task(look(app_object, rows))
    return app_object


app.App = observed
__import__("board_main")
