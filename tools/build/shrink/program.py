"""The firmware as trees: which name of which module an identifier means."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

VIPER = "micropython.viper"
Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(slots=True)
class Module:
    """One module: its tree, and what its imports bind.

    `modules`: local name -> firmware module; `members`: local name -> (firmware module, name).
    """

    name: str
    tree: ast.Module
    modules: dict[str, str]
    members: dict[str, tuple[str, str]]

    def imported(self) -> set[str]:
        """The firmware's modules that it imports."""
        return {*self.modules.values(), *(owner for owner, _ in self.members.values())}


class Program:
    """Every module of the firmware by its name; docstrings and annotations are gone."""

    def __init__(self, sources: Mapping[str, str], roots: frozenset[str]) -> None:
        self.roots = roots
        self.modules: dict[str, Module] = {}
        self.places: dict[ast.AST, str] = {}  # of functions, for tracebacks
        for name, source in sources.items():
            tree = ast.parse(source)
            _Bare().visit(tree)
            self.places.update(_places(tree, name))
            self.modules[name] = Module(name, tree, {}, {})
        for module in self.modules.values():
            self._bind(module)

    def _bind(self, module: Module) -> None:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name in self.modules and (alias.asname or "." not in alias.name):
                        module.modules[alias.asname or alias.name] = alias.name
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    if inner in self.modules:
                        module.modules[alias.asname or alias.name] = inner
                    elif node.module in self.modules:
                        module.members[alias.asname or alias.name] = (node.module, alias.name)

    def imported_by(self, node: ast.Import | ast.ImportFrom) -> set[str]:
        """The firmware's modules that one statement imports."""
        names = {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{name}" for name in names} | {node.module or ""}
        return names & set(self.modules)

    def meaning(self, module: Module, node: ast.AST) -> tuple[str, str] | None:
        """(module, name) that a Name or an Attribute of a module may mean at module level."""
        if isinstance(node, ast.Name):
            return module.members.get(node.id, (module.name, node.id))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = module.modules.get(node.value.id)
            return None if owner is None else (owner, node.attr)
        return None


def is_viper(node: ast.AST) -> bool:
    """Whether a function is compiled to machine code: its annotations are types."""
    return isinstance(node, Function) and any(
        ast.unparse(each) == VIPER for each in node.decorator_list
    )


def arguments_of(node: Function | ast.Lambda) -> Iterator[ast.arg]:
    """Every argument of a function."""
    args = node.args
    yield from (*args.posonlyargs, *args.args, *args.kwonlyargs)
    yield from (each for each in (args.vararg, args.kwarg) if each is not None)


class _Bare(ast.NodeTransformer):
    """Takes out docstrings and annotations."""

    def _function(self, node: Function) -> ast.AST:
        self.generic_visit(node)
        if not is_viper(node):
            node.returns = None
            for argument in arguments_of(node):
                argument.annotation = None
        return _without_docstring(node)

    visit_FunctionDef = visit_AsyncFunctionDef = _function  # noqa: N815 - ast's names

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        return _without_docstring(node)

    def visit_Module(self, node: ast.Module) -> ast.AST:
        self.generic_visit(node)
        return _without_docstring(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.generic_visit(node)
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def _places(node: ast.AST, path: str) -> Iterator[tuple[ast.AST, str]]:
    """Every function with where it is in the sources."""
    for child in ast.iter_child_nodes(node):
        inner = f"{path}.{child.name}" if isinstance(child, Definition) else path
        if inner != path:
            yield child, inner
        yield from _places(child, inner)


def _without_docstring(node: "Definition | ast.Module") -> ast.AST:
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        del node.body[0]
    if not node.body and not isinstance(node, ast.Module):
        node.body.append(ast.Pass())
    return node
