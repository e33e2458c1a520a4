"""Gives private names and unnamed arguments short names that modules share."""

import ast
import itertools
import re
import string
from collections import defaultdict
from collections.abc import Iterator

from tools.shrink.program import Function, Program, arguments_of, is_viper

HAL = "hal"  # boards: what other libraries than MicroPython's own are used by


def shorten_private(program: Program) -> None:
    """Rename private names, and attributes that are the firmware's own, wherever they appear.

    Two that never meet in a module get the same short name.
    """
    attributes = _own_attributes(program)
    users = _Users()
    own = set(attributes)
    for module in program.modules.values():
        own |= {name for name in _bound(module.tree) if _is_private(name)}
        for name in _identifiers(module.tree):
            users.add(name, module.name)
    renamed = users.assigned(own, _public(program) - attributes)
    for module in program.modules.values():
        _Rename(renamed).visit(module.tree)


def shorten_joined(program: Program) -> None:
    """Rename what join made unique, and the arguments that no call names, function by function."""
    users = _Users()
    own: set[str] = set()
    for module in program.modules.values():
        own |= {name for name in _bound(module.tree) if _is_joined(name)}
        for name in _identifiers(module.tree, attributes=False):
            users.add(name, module.name)
    # Reports name the class of an error.
    errors = {name: name.rpartition("__")[2] for name in own if name.endswith("Error")}
    renamed = {**users.assigned(own - set(errors), set()), **errors}
    for module in program.modules.values():
        _Nameless().visit(module.tree)
        _Rename(renamed).visit(module.tree)
    users = _Users()
    for module in program.modules.values():
        for index, unit in enumerate(_units(module.tree)):
            for name in _identifiers(unit, attributes=False):
                users.add(name, f"{module.name}:{index}")
    renamed = users.assigned(_unnamed_arguments(program), set())
    for module in program.modules.values():
        _Rename(renamed).visit(module.tree)


def legend(program: Program, tree: ast.Module) -> dict[str, list[str]]:
    """The places in the sources of the functions of each name."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, Function):
            found.setdefault(node.name, []).append(program.places[node])
    return found


class _Users:
    """Which names are used where."""

    def __init__(self) -> None:
        self._places: defaultdict[str, set[str]] = defaultdict(set)
        self._names: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, name: str, place: str) -> None:
        self._places[name].add(place)
        self._names[place].add(name)

    def assigned(self, names: set[str], taken: set[str]) -> dict[str, str]:
        """A short name for each of `names`, none of which meets itself or one of `taken`."""
        given: dict[str, str] = {}
        for name in sorted(names, key=lambda each: (-len(self._places[each]), each)):
            places = self._places[name]
            for short in _short_names():
                if short not in taken and not any(short in self._names[p] for p in places):
                    break
            given[name] = short
            for place in places:
                self._names[place].add(short)
        return given


def _short_names() -> Iterator[str]:
    letters = string.ascii_lowercase + string.ascii_uppercase
    yield from letters
    for pair in itertools.product(letters, letters):
        if "".join(pair) not in ("as", "if", "in", "is", "or"):
            yield "".join(pair)


def _identifiers(tree: ast.AST, *, attributes: bool = True) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            if attributes:
                yield node.attr
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.alias):
            yield from (node.asname or node.name).split(".")
        elif isinstance(node, ast.keyword) and node.arg is not None:
            yield node.arg
        elif isinstance(node, ast.ExceptHandler) and node.name is not None:
            yield node.name
        elif isinstance(node, ast.Global | ast.Nonlocal):
            yield from node.names


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_"


def _is_joined(name: str) -> bool:
    return "__" in name and not name.startswith("__")  # see join


def _bound(tree: ast.Module) -> Iterator[str]:
    """The names that a module itself makes: those of other libraries stay."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias) and node.asname is not None:
            yield node.asname


def _own_attributes(program: Program) -> set[str]:
    """Names of two words and more that only the firmware's own objects have as attributes.

    Those in hal stay: there a name may be of a driver that no test here has. So do those that a
    text or a call mentions, such as the fields of a namedtuple.
    """
    found: set[str] = set()
    other: set[str] = set()
    for module in program.modules.values():
        if module.name.startswith(HAL):
            other |= set(_identifiers(module.tree))
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found.add(node.attr)
            elif isinstance(node, ast.ClassDef):
                found |= {each.name for each in node.body if isinstance(each, Function)}
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                other |= set(re.findall(r"\w+", node.value))
            elif isinstance(node, ast.keyword | ast.arg) and node.arg is not None:
                other.add(node.arg)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                other |= {alias.name for alias in node.names}
    return {name for name in found - other if "_" in name.strip("_") and not name.startswith("_")}


def _public(program: Program) -> set[str]:
    """Attributes and module-level names that keep theirs: no short name may hide one."""
    found: set[str] = set()
    for module in program.modules.values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Attribute):
                found.add(node.attr)
    return {name for name in found if not _is_private(name)}


def _units(tree: ast.Module) -> Iterator[ast.AST]:
    """The functions and methods of a module, without those inside of others."""
    for node in tree.body:
        for each in node.body if isinstance(node, ast.ClassDef) else (node,):
            if isinstance(each, Function):
                yield each


def _unnamed_arguments(program: Program) -> set[str]:
    """Names that are arguments and locals only, and that no call and no text mentions."""
    found: set[str] = set()
    other: set[str] = set()
    for module in program.modules.values():
        units = set(map(id, _units(module.tree)))
        for node in ast.walk(module.tree):
            if isinstance(node, Function | ast.Lambda):
                names = {each.arg for each in arguments_of(node)}
                if is_viper(node):
                    other |= set(_identifiers(node))
                else:
                    found |= names
            elif isinstance(node, ast.Attribute):
                other.add(node.attr)
            elif isinstance(node, ast.keyword) and node.arg is not None:
                other.add(node.arg)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                other.add(node.value)
            elif isinstance(node, ast.ExceptHandler) and node.name is not None:
                other.add(node.name)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                for alias in node.names:
                    other.add((alias.asname or alias.name).partition(".")[0])
            if isinstance(node, Function) and id(node) not in units:
                other.add(node.name)
        for node in module.tree.body:
            for each in ast.walk(node) if not isinstance(node, Function | ast.ClassDef) else ():
                if isinstance(each, ast.Name):
                    other.add(each.id)
            if isinstance(node, Function | ast.ClassDef):
                other.add(node.name)
            if isinstance(node, ast.ClassDef):
                for each in node.body:
                    if isinstance(each, Function):
                        other.add(each.name)
                    else:
                        other |= {n.id for n in ast.walk(each) if isinstance(n, ast.Name)}
    return found - other - {"self"}


class _Nameless(ast.NodeTransformer):
    """Takes the names of namedtuples out: only a repr shows them."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "namedtuple":
            node.args[0] = ast.Constant("")
        return node


class _Rename(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        for field in ("id", "attr", "arg", "name", "asname"):
            value = getattr(node, field, None)
            if isinstance(value, str) and not isinstance(node, ast.ImportFrom):
                setattr(node, field, self._names.get(value, value))
        if isinstance(node, ast.Global | ast.Nonlocal):
            node.names = [self._names.get(each, each) for each in node.names]
        return node
