"""The main.py of a board whose flash holds the firmware twice: starts the one that /slot names."""

import sys

SLOTS = ("app_a", "app_b")


def slot() -> str:
    """The folder that is run."""
    try:
        with open("/slot") as file:
            name = file.read()
    except OSError:
        name = ""
    return name if name in SLOTS else SLOTS[0]


if __name__ == "__main__":
    # In front of the root, so that `main` is the slot's.
    sys.path.insert(0, "/" + slot())
    import main  # noqa: F401
