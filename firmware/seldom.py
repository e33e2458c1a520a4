"""Modules that are needed seldom: in the heap as long as somebody holds what is in them."""

import sys


def forget(*names: str) -> None:
    """Let go of modules and of all below them: the next import reads them anew.

    What still runs or is held keeps its own; nothing else may compare what it defines.
    """
    for name in list(sys.modules):
        for each in names:
            if name == each or name.startswith(each + "."):
                del sys.modules[name]
                package, _, own = name.rpartition(".")
                if package and hasattr(sys.modules.get(package), own):
                    delattr(sys.modules[package], own)
