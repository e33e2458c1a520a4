"""Makes the firmware's sources small in a device's heap, without changing what they do.

Code is read into the heap, and so is every name: an unused function, a constant kept in a table of
globals, a module's table of its imports and a private name of its own all cost bytes on a device
that has few. The sources keep them; `shrunk` takes them out of what is compiled.
"""

import ast
from collections.abc import Mapping

from tools.shrink import constants, join, names, unused
from tools.shrink.program import Program

Legend = dict[str, dict[str, list[str]]]


def shrunk(
    sources: Mapping[str, str], roots: frozenset[str] = frozenset()
) -> tuple[dict[str, str], Legend]:
    """The sources by module name ("voxwire.card") as fewer, smaller ones, ready for mpy-cross.

    Names in `roots` ("app.run") are kept although nothing in the firmware uses them. The legend
    says which functions a short name of a module may be: {"app": {"b": ["link.Link._hear"]}}.
    """
    program = Program(sources, roots)
    constants.fold(program)
    unused.drop(program)
    names.shorten_private(program)
    join.join(program)
    names.shorten_joined(program)
    modules = program.modules
    texts = {name: ast.unparse(module.tree) for name, module in modules.items()}
    return texts, {name: names.legend(program, module.tree) for name, module in modules.items()}
