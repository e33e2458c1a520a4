"""Makes the firmware's sources small in a device's heap, without changing what they do.

Code is read into the heap, and so is every name: an unused function, a constant kept in a table of
globals, a module's table of its imports and a private name of its own all cost bytes on a device
that has few. The sources keep them; `shrunk` takes them out of what is compiled.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from tools.build.shrink import constants, join, names, sentences, unused
from tools.build.shrink.program import Program


@dataclass(frozen=True, slots=True, kw_only=True)
class Shrunk:
    """Sources by module name, ready for mpy-cross, and `sentences`, the file they read.

    `legend` says which functions a short name of a module may be: {"app": {"b":
    ["link.Link._hear"]}}.
    """

    modules: dict[str, str]
    sentences: bytes
    legend: dict[str, dict[str, list[str]]]


def shrunk(sources: Mapping[str, str], roots: frozenset[str] = frozenset()) -> Shrunk:
    """The sources by module name ("voxwire.card") as fewer, smaller ones.

    Names in `roots` ("app.run") are kept although nothing in the firmware uses them.
    """
    program = Program(sources, roots)
    constants.fold(program)
    unused.drop(program)
    moved = sentences.move(program)
    names.shorten_private(program)
    join.join(program)
    names.shorten_joined(program)
    trees = {name: module.tree for name, module in program.modules.items()}
    return Shrunk(
        modules={name: ast.unparse(tree) for name, tree in trees.items()},
        sentences=moved,
        legend={name: names.legend(program, tree) for name, tree in trees.items()},
    )
