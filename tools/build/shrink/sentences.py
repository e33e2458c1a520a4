"""Moves the sentences of functions from the heap into a file, where they are read when said.

A text costs a device its bytes and an object as long as its module is there, and most sentences
are of errors that never happen.
"""

import ast

from tools.build.shrink.program import Function, Module, Program, is_viper

LEAST = 14  # characters; the code that reads a shorter one costs as much
FILE = "sentences.txt"
_MODULE, _READ = "sentences", "read_sentence"
_SOURCE = f"""
_PATH = __file__.rsplit("/", 1)[0] + "/{FILE}"

def {_READ}(at, size):
    with open(_PATH, "rb") as file:
        file.seek(at)
        return str(file.read(size), "utf-8")
"""


def move(program: Program) -> bytes:
    """Replace them by calls; the content of FILE, which belongs beside the modules."""
    move = _Move()
    for module in program.modules.values():
        before = len(move.calls)
        move.visit(module.tree)
        if len(move.calls) > before:
            module.members[_READ] = (_MODULE, _READ)
            module.tree.body.insert(0, ast.ImportFrom(_MODULE, [ast.alias(_READ)], 0))
            ast.fix_missing_locations(module.tree)
    if not move.calls:
        return b""
    program.modules[_MODULE] = Module(_MODULE, ast.parse(_SOURCE), {}, {})
    for node in ast.walk(program.modules[_MODULE].tree):
        program.places[node] = f"{_MODULE}.{_READ}"
    return bytes(move.data)


class _Move(ast.NodeTransformer):
    def __init__(self) -> None:
        self.data = bytearray()
        self.calls: list[ast.Call] = []
        self._inside = False

    def _function(self, node: Function) -> ast.AST:
        if not is_viper(node):
            outer, self._inside = self._inside, True
            node.body = [self.visit(each) for each in node.body]
            self._inside = outer
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function  # noqa: N815 - ast's names

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node  # its parts are no texts of their own

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        text = node.value
        if not self._inside or not isinstance(text, str) or len(text) < LEAST or " " not in text:
            return node
        coded = text.encode()
        at = self.data.find(coded)
        if at < 0:
            at = len(self.data)
            self.data += coded
        arguments: list[ast.expr] = [ast.Constant(at), ast.Constant(len(coded))]
        self.calls.append(ast.Call(ast.Name(_READ, ast.Load()), arguments, []))
        return ast.copy_location(self.calls[-1], node)
