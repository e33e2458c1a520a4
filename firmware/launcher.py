"""The main.py of a board whose flash holds the firmware twice: starts one of the two slots.

That is the one on trial, as often as /trial has starts left, else the one that /slot names.
"""

import json
import os
import sys

SLOTS = ("app_a", "app_b")
# Until the firmware feeds a watchdog of its own: one that hangs before is started again.
WATCH_MS = 120000


def slot(root: str = "") -> str:
    """The folder that is run."""
    try:
        with open(root + "/slot") as file:
            name = file.read()
    except OSError:
        name = ""
    return name if name in SLOTS else SLOTS[0]


def trial(root: str = "") -> str:
    """The folder on trial, with this start counted; "" where none has a start left."""
    path = root + "/trial"
    try:
        with open(path) as file:
            values = json.load(file)
        name, tries = values["slot"], values["tries"]
        if name not in SLOTS or name == slot(root) or not tries > 0:
            return ""
        values["tries"] = tries - 1
        with open(path + ".new", "w") as file:
            json.dump(values, file)
        if hasattr(os, "sync"):
            os.sync()
        os.rename(path + ".new", path)
    # Whatever is wrong with it: what cannot be counted would be started for ever.
    except Exception:
        return ""
    return name


def start(on_trial: str) -> None:
    """Run the firmware; one on trial that ends in any way but by hand restarts the board."""
    sys.path.insert(0, "/" + (on_trial or slot()))
    if not on_trial:
        import main

        return
    from machine import WDT, reset

    WDT(timeout=WATCH_MS)
    try:
        import main  # noqa: F401
    except Exception as error:
        sys.print_exception(error)
    reset()


if __name__ == "__main__":
    # Its folder goes in front of the root, so that `main` is the slot's.
    start(trial())
