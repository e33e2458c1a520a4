"""Takes out what the firmware does not use: definitions, methods, constants, imports."""

import ast
from collections.abc import Iterator

from tools.build.shrink.program import Definition, Function, Module, Program

Key = tuple[str, str]
_MAKERS = {"namedtuple", "array", "bytes", "dict", "object", "range", "tuple"}


def drop(program: Program) -> None:
    """Drop every module-level definition and every method that no code reaches."""
    alive = _Alive(program)
    for module in program.modules.values():
        module.tree.body = [
            kept for node in module.tree.body for kept in _kept(node, module, alive)
        ]
        _Methods(alive).visit(module.tree)
        _drop_imports(module)


class _Alive:
    """What is reached from the modules' own statements, and from `roots`.

    A definition is reached when code that is reached names it; a method when such code has an
    attribute or a text of its name. Both err on the side of keeping.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self.keys: set[Key] = set()
        self.attributes: set[str] = set()
        self._items: dict[Key, list[tuple[Module, ast.stmt]]] = {}
        self._methods: dict[str, list[tuple[Module, Function]]] = {}
        for module in program.modules.values():
            for node in module.tree.body:
                names = defined(node)
                for name in names:
                    self._items.setdefault((module.name, name), []).append((module, node))
                if not names and not isinstance(node, ast.Import | ast.ImportFrom):
                    self._reach(module, node)
        for root in program.roots:
            self._name(*root.rpartition(".")[::2])

    def _name(self, module: str, name: str) -> None:
        if (module, name) in self.keys:
            return
        self.keys.add((module, name))
        for owner, node in self._items.get((module, name), ()):
            self._reach(owner, node)

    def _attribute(self, name: str) -> None:
        if name not in self.attributes:
            self.attributes.add(name)
            for module, method in self._methods.pop(name, ()):
                self._reach(module, method)

    def _reach(self, module: Module, node: ast.AST) -> None:
        """Take everything that `node` names; methods wait until they are named themselves."""
        if isinstance(node, ast.ClassDef):
            for part in (*node.bases, *node.decorator_list):
                self._reach(module, part)
            for each in node.body:
                waits = isinstance(each, Function) and not each.name.startswith("__")
                if isinstance(each, Function) and waits and each.name not in self.attributes:
                    self._methods.setdefault(each.name, []).append((module, each))
                else:
                    self._reach(module, each)
                if not isinstance(each, Function):
                    # The body of a class may name its own methods.
                    for name in {n.id for n in ast.walk(each) if isinstance(n, ast.Name)}:
                        self._attribute(name)
            return
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                self._name(node.module or "", alias.name)
        elif isinstance(node, ast.Name | ast.Attribute):
            meaning = self._program.meaning(module, node)
            if meaning is not None:
                self._name(*meaning)
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                self._attribute(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            self._attribute(node.value)
        for child in ast.iter_child_nodes(node):
            self._reach(module, child)


def defined(node: ast.stmt) -> list[str]:
    """The names that a definition, or an assignment of no effect, gives to the module."""
    if isinstance(node, Definition):
        return [node.name]
    if isinstance(node, ast.Assign) and not _acts(node.value):
        targets = list(_targets(node))
        if targets and all(isinstance(each, ast.Name) for each in targets):
            return [each.id for each in targets if isinstance(each, ast.Name)]
    return []


def _acts(node: ast.expr) -> bool:
    """Whether a value may do more than be made."""
    return any(
        isinstance(each, ast.Call)
        and not (isinstance(each.func, ast.Name) and each.func.id in _MAKERS)
        for each in ast.walk(node)
    )


def _targets(node: ast.Assign) -> Iterator[ast.expr]:
    for target in node.targets:
        yield from target.elts if isinstance(target, ast.Tuple) else (target,)


def _kept(node: ast.stmt, module: Module, alive: _Alive) -> list[ast.stmt]:
    names = defined(node)
    if names and not any((module.name, name) in alive.keys for name in names):
        return []
    return [node]


class _Methods(ast.NodeTransformer):
    def __init__(self, alive: _Alive) -> None:
        self._alive = alive

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        node.body = [each for each in node.body if self._needed(each)] or [ast.Pass()]
        return node

    def _needed(self, node: ast.stmt) -> bool:
        if not isinstance(node, Function) or node.name.startswith("__"):
            return True
        return node.name in self._alive.attributes


def _drop_imports(module: Module) -> None:
    used = {node.id for node in ast.walk(module.tree) if isinstance(node, ast.Name)}
    for parent in ast.walk(module.tree):
        body = getattr(parent, "body", None)
        if not isinstance(body, list):
            continue
        for node in body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                node.names = [
                    alias
                    for alias in node.names
                    if (alias.asname or alias.name.partition(".")[0]) in used
                ]
        kept = [n for n in body if not isinstance(n, ast.Import | ast.ImportFrom) or n.names]
        parent.body = kept if kept or isinstance(parent, ast.Module) else [ast.Pass()]  # type: ignore[attr-defined]
