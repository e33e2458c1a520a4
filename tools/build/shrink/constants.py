"""Puts the values of constants where their names are used, across modules."""

import ast
import operator
from collections import Counter
from collections.abc import Iterator

from tools.build.shrink.program import Module, Program

# mpy-cross keeps a text this short by its number, so that repeating it costs two bytes.
TEXT_MAX = 10
_OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv, ast.LShift: operator.lshift, ast.BitOr: operator.or_,
}  # fmt: skip
Key = tuple[str, str]
Value = int | str | bytes | None


def fold(program: Program) -> None:
    """Replace every use of a constant whose value is a small literal."""
    found = {key: value for key, value in _values(program).items() if _is_small(value)}
    for module in program.modules.values():
        _Fold(program, module, found).visit(module.tree)


def _is_small(value: Value) -> bool:
    if isinstance(value, str):
        return len(value) <= TEXT_MAX
    return value is None or isinstance(value, int)


def _values(program: Program) -> dict[Key, Value]:
    """The value of every module-level constant that has one."""
    candidates = {}
    for module in program.modules.values():
        times = Counter(name for name, _ in _assigned(module.tree))
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Global):
                times.update(node.names)
        for name, value in _assigned(module.tree):
            if times[name] == 1 and name.isupper():
                candidates[(module.name, name)] = (module, value)
    values: dict[Key, Value] = {}
    while True:
        before = len(values)
        for key, (module, node) in candidates.items():
            if key not in values:
                try:
                    values[key] = _evaluated(program, module, node, values)
                except LookupError:
                    continue
        if len(values) == before:
            return values


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """(name, value) of the assignments at module level, those of tuples taken apart."""
    for node in tree.body:
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield target.id, node.value
            elif isinstance(target, ast.Tuple):
                yield from zip(
                    (each.id for each in target.elts if isinstance(each, ast.Name)),
                    _elements(node.value),
                    strict=False,
                )


def _elements(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.Tuple):
        return node.elts
    text = ast.unparse(node)
    if isinstance(node, ast.Call) and text.startswith("range("):
        first = node.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, int):
            return [ast.Constant(each) for each in range(first.value)]
    return []


def _evaluated(program: Program, module: Module, node: ast.expr, known: dict[Key, Value]) -> Value:
    """The value of an expression of literals and known constants; LookupError for any other."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | str | bytes | None):
        return node.value
    if isinstance(node, ast.Name | ast.Attribute):
        return known[program.meaning(module, node) or ("", "")]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _evaluated(program, module, node.operand, known)
        if isinstance(value, int):
            return -value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left = _evaluated(program, module, node.left, known)
        right = _evaluated(program, module, node.right, known)
        if isinstance(left, int) and isinstance(right, int):
            return int(_OPERATORS[type(node.op)](left, right))
    raise LookupError(ast.unparse(node))


class _Fold(ast.NodeTransformer):
    def __init__(self, program: Program, module: Module, values: dict[Key, Value]) -> None:
        self._program, self._module, self._values = program, module, values

    def _use(self, node: ast.Name | ast.Attribute) -> ast.expr:
        if isinstance(node.ctx, ast.Load):
            meaning = self._program.meaning(self._module, node)
            if meaning in self._values:
                return ast.copy_location(ast.Constant(self._values[meaning]), node)
        self.generic_visit(node)
        return node

    visit_Name = visit_Attribute = _use  # noqa: N815 - ast's names
