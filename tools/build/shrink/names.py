"""Gives private names and unnamed arguments short names that modules share."""

import ast
import itertools
import re
import string
from collections import defaultdict
from collections.abc import Iterator

from tools.build.shrink.program import Function, Program, arguments_of, is_viper

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
    errors: dict[str, str] = {}
    there: set[str] = set()
    for module in program.modules.values():
        _Nameless().visit(module.tree)
        own |= {name for name in _bound(module.tree) if _is_joined(name)}
        errors.update(_errors(module.tree))
        there |= _in_heap(module.tree)
        for name in _identifiers(module.tree, attributes=False):
            users.add(name, module.name)
    renamed = {**users.assigned(own - set(errors), set(), there), **errors}
    for module in program.modules.values():
        _Rename(renamed).visit(module.tree)
    users = _Users()
    for module in program.modules.values():
        for index, unit in enumerate(_units(module.tree)):
            for name in _identifiers(unit, attributes=False):
                users.add(name, f"{module.name}:{index}")
    renamed = users.assigned(_unnamed_locals(program), set())
    for module in program.modules.values():
        _Rename(renamed).visit(module.tree)


def _errors(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(joined name, name) of the exceptions: reports say what kind an error is."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name.endswith("Error"):
            yield node.name, node.name.rpartition("__")[2]


def _in_heap(tree: ast.Module) -> set[str]:
    """Names that a device has in its heap whatever they are used for."""
    found = set(_identifiers(tree)) - set(_identifiers(tree, attributes=False))
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg is not None:
            found.add(node.arg)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return found


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

    def assigned(
        self, names: set[str], taken: set[str], there: set[str] | None = None
    ) -> dict[str, str]:
        """A short name for each of `names`, none of which meets itself or one of `taken`.

        One whose own name is `there` anyway keeps that.
        """
        given: dict[str, str] = {}
        for name in sorted(names, key=lambda each: (-len(self._places[each]), each)):
            places = self._places[name]
            plain = name.rpartition("__")[2]
            wishes = [plain] if plain in (there or ()) else []
            for short in itertools.chain(wishes, _short_names()):
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
    """Every name in a tree; without those that are known as attributes only, methods too."""
    methods: set[ast.stmt] = set()
    if not attributes:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                methods.update(each for each in node.body if isinstance(each, Function))
    for node in ast.walk(tree):
        if node in methods:
            continue
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


def _unnamed_locals(program: Program) -> set[str]:
    """Names of arguments and inner functions that nothing else has, no call and no text."""
    found: set[str] = {"self"}
    other: set[str] = {"self"}
    for module in program.modules.values():
        units = set(_units(module.tree))
        for node in ast.walk(module.tree):
            if isinstance(node, Function | ast.Lambda) and not is_viper(node):
                found |= {each.arg for each in arguments_of(node)}
                if isinstance(node, Function) and node not in units:
                    found.add(node.name)
            other |= set(_named(node))
        for node in module.tree.body:
            other |= {n.id for n in _own_names(node)}
    return found - other


def _named(node: ast.AST) -> Iterator[str]:
    """The names that an attribute, a call, a text, an import or viper code is known by."""
    if isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.keyword) and node.arg is not None:
        yield node.arg
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.ExceptHandler) and node.name is not None:
        yield node.name
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif is_viper(node):
        yield from _identifiers(node)


def _own_names(node: ast.stmt) -> Iterator[ast.Name]:
    """The names that a statement of a module, or of a class in it, uses at that level."""
    parts = node.body if isinstance(node, ast.ClassDef) else [node]
    for part in parts:
        if isinstance(part, Function | ast.ClassDef):
            yield ast.Name(part.name)
        else:
            yield from (each for each in ast.walk(part) if isinstance(each, ast.Name))
    if isinstance(node, ast.ClassDef):
        yield ast.Name(node.name)


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
