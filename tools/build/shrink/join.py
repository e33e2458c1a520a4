"""Joins the modules of a folder into one: each costs a table of names for its imports alone.

A module that is imported in functions only is read into the heap when it is needed: it stays one,
with those that only such modules import.
"""

import ast
from collections.abc import Iterator

from tools.build.shrink.program import Function, Module, Program, arguments_of

Key = tuple[str, str]
_APART = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
          ast.Import, ast.ImportFrom)  # fmt: skip


class JoinError(Exception):
    """A module uses a name in a way that joining does not understand."""


def join(program: Program) -> None:
    """Put every folder's modules into its package, and those beside the folders into `app`."""
    groups: dict[str, list[str]] = {}
    shared = _imported_by_folders(program)
    at_start = _imported_at_start(program)
    empty = []
    for name in program.modules:
        folder = name.partition(".")[0]
        if name in shared:
            continue
        if name in at_start:
            groups.setdefault(folder if _is_folder(program, folder) else "app", []).append(name)
        elif program.modules[name].tree.body:
            groups[name] = [name]
        else:
            empty.append(name)  # all of it went where it was used
    home = {name: group for group, names in groups.items() for name in names}
    joined = {}
    for group, names in groups.items():
        joined[group] = _joined(program, group, names, home)
    for name in (*home, *empty):
        del program.modules[name]
    for module in program.modules.values():
        if any(owner in home for owner in module.imported()):
            raise JoinError(f"{module.name} is left alone but imports what is joined")
    program.modules.update(joined)


def _imported_at_start(program: Program) -> set[str]:
    """The modules that importing those of `roots` brings, and the packages, which hold nothing."""
    found: set[str] = set()
    waiting = {root.rpartition(".")[0] for root in program.roots}
    while waiting:
        name = waiting.pop()
        found.add(name)
        for node in program.modules[name].tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                waiting |= program.imported_by(node) - found
    return found | {name for name in program.modules if _is_folder(program, name)}


def _imported_by_folders(program: Program) -> set[str]:
    """Modules beside the folders that a folder needs: they cannot wait for `app`."""
    return {
        owner
        for module in program.modules.values()
        if "." in module.name
        for owner in module.imported()
        if "." not in owner and owner in program.modules and not _is_folder(program, owner)
    }


def _is_folder(program: Program, name: str) -> bool:
    return any(each.startswith(name + ".") for each in program.modules)


def _joined(program: Program, group: str, names: list[str], home: dict[str, str]) -> Module:
    imports: dict[str, ast.stmt] = {}
    body: list[ast.stmt] = []
    for name in _in_order(program, names):
        module = program.modules[name]
        _Globals(program, module, home, imports).rewrite()
        body += module.tree.body
    tree = ast.Module([*imports.values(), *body], [])
    return Module(group, ast.fix_missing_locations(tree), {}, {})


def _in_order(program: Program, names: list[str]) -> list[str]:
    """The modules, each after those it imports."""
    ordered: list[str] = []

    def add(name: str) -> None:
        module = program.modules[name]
        if name in visited:
            return
        visited.add(name)
        for owner in module.imported():
            if owner in names:
                add(owner)
        ordered.append(name)

    visited: set[str] = set()
    for name in names:
        add(name)
    return ordered


def _unique(program: Program, key: Key) -> str:
    module, name = key
    if f"{module}.{name}" in program.roots:
        return name
    return f"{module.replace('.', '_')}__{name}"


class _Globals(ast.NodeTransformer):
    """Gives the module-level names of one module names that are unique in the firmware.

    Imports of the firmware's own modules go; `imports` collects those that remain, by the name
    they bind.
    """

    def __init__(
        self, program: Program, module: Module, home: dict[str, str], imports: dict[str, ast.stmt]
    ) -> None:
        self._program, self._module = program, module
        self._home, self._imports = home, imports
        self._own = set(_stored(module.tree))
        self._scopes: list[set[str]] = []
        self._class_scopes: list[set[str]] = []

    def rewrite(self) -> None:
        self._module.tree.body = [
            each for node in self._module.tree.body for each in self._statement(node)
        ]
        ast.fix_missing_locations(self._module.tree)

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            return self._import(node)
        return [self.visit(node)]

    def _import(self, node: ast.Import | ast.ImportFrom) -> list[ast.stmt]:
        """Keep what other libraries give; what the firmware gives is imported by need."""
        for alias in node.names:
            bound = alias.asname or alias.name
            if bound in self._module.modules or bound in self._module.members:
                continue
            made = (
                ast.Import([alias])
                if isinstance(node, ast.Import)
                else ast.ImportFrom(node.module, [alias], 0)
            )
            known = self._imports.setdefault(bound, made)
            if ast.unparse(known) != ast.unparse(made):
                raise JoinError(f"{self._module.name}: {bound} is two things")
        return []

    def _is_local(self, name: str) -> bool:
        return any(name in scope for scope in self._scopes)

    def _global(self, key: Key) -> ast.expr:
        owner, name = key
        unique = _unique(self._program, key)
        if owner not in self._home:
            if owner != self._module.name:
                self._imports.setdefault(
                    unique, ast.ImportFrom(owner, [ast.alias(name, unique)], 0)
                )
                return ast.Name(unique, ast.Load())
            return ast.Name(name, ast.Load())
        group = self._home[owner]
        if group != self._home.get(self._module.name):
            self._imports.setdefault(unique, ast.ImportFrom(group, [ast.alias(unique)], 0))
        return ast.Name(unique, ast.Load())

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if self._is_local(node.id):
            return node
        if node.id in self._module.members:
            return self._global(self._module.members[node.id])
        if node.id in self._module.modules:
            raise JoinError(f"{self._module.name}: the module {node.id} is used as a value")
        if node.id in self._own:
            return ast.Name(_unique(self._program, (self._module.name, node.id)), node.ctx)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        value = node.value
        if isinstance(value, ast.Name) and not self._is_local(value.id):
            owner = self._module.modules.get(value.id)
            if owner is not None:
                return self._global((owner, node.attr))
        self.generic_visit(node)
        return node

    def _function(self, node: Function) -> ast.AST:
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        self._defaults(node.args)
        hidden, self._class_scopes = self._class_scopes, []
        outer = [scope for scope in self._scopes if scope not in hidden]
        kept, self._scopes = self._scopes, [*outer, _locals(node)]
        node.body = [self.visit(each) for each in node.body]
        self._scopes, self._class_scopes = kept, hidden
        if not self._scopes and node.name in self._own:
            node.name = _unique(self._program, (self._module.name, node.name))
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function  # noqa: N815 - ast's names

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        """An import in a function: what is read into the heap when it is needed."""
        if node.module not in self._home:
            return node
        aliases = [
            ast.alias(_unique(self._program, (node.module, each.name)), each.asname or each.name)
            for each in node.names
        ]
        if self._home[node.module] == self._home[self._module.name] or any(
            f"{node.module}.{each.name}" in self._program.modules for each in node.names
        ):
            raise JoinError(f"{self._module.name}: imports {node.module} in a function")
        return ast.ImportFrom(self._home[node.module], aliases, 0)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self._defaults(node.args)
        self._scopes.append({each.arg for each in arguments_of(node)})
        node.body = self.visit(node.body)
        self._scopes.pop()
        return node

    def _defaults(self, args: ast.arguments) -> None:
        args.defaults = [self.visit(each) for each in args.defaults]
        args.kw_defaults = [each and self.visit(each) for each in args.kw_defaults]

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.bases = [self.visit(each) for each in node.bases]
        scope = {each for part in node.body for each in _stored(ast.Module([part], []))}
        self._scopes.append(scope)
        self._class_scopes.append(scope)
        node.body = [self.visit(each) for each in node.body]
        self._class_scopes.pop()
        self._scopes.pop()
        if not self._scopes and node.name in self._own:
            node.name = _unique(self._program, (self._module.name, node.name))
        return node

    def _comprehension(self, node: ast.AST) -> ast.AST:
        targets = {
            each.id
            for each in ast.walk(node)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        self._scopes.append(targets)
        self.generic_visit(node)
        self._scopes.pop()
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension  # noqa: N815


def _stored(tree: ast.AST) -> Iterator[str]:
    """The names that the statements of a scope bind, imports apart."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function | ast.ClassDef):
            yield node.name
        elif isinstance(node, _APART):
            continue
        else:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, ast.ExceptHandler) and node.name is not None:
                yield node.name
            yield from _stored(node)


def _locals(node: Function) -> set[str]:
    names = {each.arg for each in arguments_of(node)}
    for part in node.body:
        names |= set(_stored(ast.Module([part], [])))
        for each in ast.walk(part):
            if isinstance(each, ast.Global):
                raise JoinError(f"{node.name} changes a global")
            if isinstance(each, ast.Import | ast.ImportFrom):
                names |= {alias.asname or alias.name for alias in each.names}
    return names
