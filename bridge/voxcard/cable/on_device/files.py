"""Runs on the board, in its raw REPL: what mpremote's own file commands do not do.

A result is one line of JSON on the console.
"""

import hashlib
import json
import os
import sys
from binascii import hexlify

_FOLDER = 0x4000
_BUFFER = memoryview(bytearray(512))


def _exists(path):
    try:
        return os.stat(path)[0]
    except OSError:
        return 0


def _walk(folder, head=""):
    """The paths of all files below `folder`, relative to it."""
    if not _exists(folder):
        return
    for row in os.ilistdir(folder):
        path = head + row[0]
        if row[1] == _FOLDER:
            yield from _walk(folder + "/" + row[0], path + "/")
        else:
            yield path


def _hash(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while True:
            size = file.readinto(_BUFFER)
            if not size:
                return str(hexlify(digest.digest()), "ascii")
            digest.update(_BUFFER[:size])


def hashes(folder):
    """Print [path, SHA-256] of every file below `folder`, a line each."""
    for path in _walk(folder):
        print(json.dumps([path, _hash(folder + "/" + path)]))


def hash_of(path):
    """Print the SHA-256 of a file, "" without one."""
    print(json.dumps(_hash(path) if _exists(path) else ""))


def make_folders(path):
    """Make the folders above a file."""
    parts = path.split("/")[1:-1]
    for count in range(len(parts)):
        folder = "/" + "/".join(parts[: count + 1])
        if not _exists(folder):
            os.mkdir(folder)


def copy(source, target):
    """Copy a file; the folders above `target` are made."""
    make_folders(target)
    with open(source, "rb") as old, open(target, "wb") as new:
        while True:
            size = old.readinto(_BUFFER)
            if not size:
                return
            new.write(_BUFFER[:size])


def remove(path):
    """Remove a file, or a folder with all in it; nothing where there is none."""
    kind = _exists(path)
    if kind == _FOLDER:
        for row in list(os.ilistdir(path)):
            remove(path + "/" + row[0])
        os.rmdir(path)
    elif kind:
        os.remove(path)


def _sync():
    if hasattr(os, "sync"):
        os.sync()


def put_in_place(paths):
    """Rename path.new to path, one after the other: each step leaves the old file or the new."""
    _sync()
    for path in paths:
        os.rename(path + ".new", path)
    _sync()


def free_bytes():
    """Print how much room the file system has, and its smallest piece."""
    stat = os.statvfs("/")
    print(json.dumps([stat[0] * stat[4], stat[0]]))


def running():
    """Print what runs here."""
    import gc

    try:
        firmware = __import__("build_digest").DIGEST  # it is part of the image
    except ImportError:
        firmware = ""
    gc.collect()
    print(
        json.dumps(
            {
                "platform": sys.platform,
                "version": list(sys.implementation.version[:3]),
                "mpy": sys.implementation._mpy,
                "build": getattr(sys.implementation, "_build", ""),
                "heap_bytes": gc.mem_free() + gc.mem_alloc(),
                "firmware": firmware,
            }
        )
    )


def save_wifi(values):
    """Keep the Wi-Fi's JSON where the firmware looks for it (hal/credentials.py)."""
    import esp32

    nvs = esp32.NVS("voxcard")
    nvs.set_blob("wifi", values)
    nvs.commit()


def forget_wifi():
    """Take the Wi-Fi away, and the password of the board's own; nothing where there is none."""
    import esp32

    nvs = esp32.NVS("voxcard")
    for key in ("wifi", "setup"):
        try:
            nvs.erase_key(key)
        except OSError:
            pass  # it has none
    nvs.commit()


def setup_network(slot):
    """Print [name, password] of the board's own Wi-Fi, by the firmware in the folder `slot`."""
    sys.path.insert(0, slot)
    from hal import credentials

    print(json.dumps([credentials.setup_ssid(), credentials.setup_password()]))
