"""Makes the firmware's sources small in a device's heap, without changing what they do.

Code is read into the heap, and so is every name: an unused function, a constant kept in a table of
globals and a private name of its own all cost bytes on a device that has few. The sources keep
them; `shrunk` takes them out of what is compiled.
"""

import ast
from collections.abc import Mapping

from tools.shrink import constants, names, unused
from tools.shrink.program import Program


def shrunk(sources: Mapping[str, str], roots: frozenset[str] = frozenset()) -> dict[str, str]:
    """The sources by module name ("voxwire.card"), ready for mpy-cross.

    Names in `roots` ("app.run") are kept although nothing in the firmware uses them.
    """
    program = Program(sources, roots)
    constants.fold(program)
    unused.drop(program)
    names.shorten(program)
    return {name: ast.unparse(module.tree) for name, module in program.modules.items()}
