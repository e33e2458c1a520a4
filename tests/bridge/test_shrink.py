"""What the build takes out of the firmware's sources, and what it must leave."""

import ast

from tools.shrink import shrunk


def small(root="app.run", **sources):
    """The shrunk modules; a double underscore in a keyword is the dot of a module's name."""
    named = {name.replace("__", "."): text for name, text in sources.items()}
    return shrunk(named, frozenset({root}))


def test_a_constant_is_put_where_it_is_used_and_its_name_is_gone():
    app = "from voxwire import audio\ndef run():\n    return audio.FRAME_BYTES - LIMIT\nLIMIT = 8"
    audio = "HEADER = 8\nFRAME_BYTES = HEADER + 2 * 160"
    assert small(app=app, voxwire="", voxwire__audio=audio) == {
        "app": "def run():\n    return 328 - 8",
        "voxwire": "",
        "voxwire.audio": "",
    }


def test_constants_of_a_tuple_and_of_a_range_are_constants_too():
    app = "IDLE, BUSY = 'idle', 'busy'\nINK, PAPER = range(2)\ndef run():\n    return BUSY, PAPER"
    assert small(app=app) == {"app": "def run():\n    return ('busy', 1)"}


def test_a_long_text_or_a_table_stays_one_object():
    app = "TEXT = 'a sentence of its own'\nTABLE = (1, 2)\n\ndef run():\n    return (TEXT, TABLE)"
    assert small(app=app) == {"app": app}


def test_a_name_that_changes_is_no_constant():
    app = "COUNT = 0\nCOUNT = 1\n\ndef run():\n    return COUNT"
    assert small(app=app) == {"app": app}
    app = "COUNT = 0\n\ndef run():\n    global COUNT\n    COUNT += 1\n    return COUNT"
    assert small(app=app) == {"app": app}


def test_what_nothing_reaches_is_dropped():
    app = (
        "import json\nimport os\nfrom part import used, unused\n"
        "def run():\n    return used(os)\ndef alone():\n    return json"
    )
    part = (
        "def used(x):\n    return deeper(x)\ndef deeper(x):\n    return x\ndef unused():\n    pass"
    )
    assert small(app=app, part=part) == {
        "app": "import os\nfrom part import used\n\ndef run():\n    return used(os)",
        "part": "def used(a):\n    return deeper(a)\n\ndef deeper(a):\n    return a",
    }


def test_a_method_stays_when_an_attribute_or_a_text_has_its_name():
    app = """
class Voice:
    def __init__(self):
        self.said()
    def said(self):
        return getattr(self, "hello")()
    def hello(self):
        return 1
    def silent(self):
        return 2
    @property
    def loud(self):
        return 3
def run():
    return Voice()
"""
    kept = [node.name for node in ast.parse(small(app=app)["app"]).body[0].body]
    assert kept == ["__init__", "said", "hello"]


def test_private_names_are_short_and_shared_by_modules_that_do_not_meet():
    app = """
from part import Part
class App:
    def __init__(self):
        self._first = Part()
def run():
    return App()._first
"""
    part = "class Part:\n    def __init__(self):\n        self._other = 1\n        self.open = 2"
    made = small(app=app, part=part)
    assert "self.a = Part()" in made["app"] and "App().a" in made["app"]
    assert "self.a = 1" in made["part"] and "self.open = 2" in made["part"]


def test_private_names_of_other_libraries_stay():
    app = "from asyncio import core\ndef run():\n    return core._io_queue"
    assert small(app=app) == {"app": app.replace("def", "\ndef")}


def test_a_short_name_hides_no_attribute_and_no_name_that_is_used():
    app = """
class Area:
    def __init__(self, thing):
        self.a = self.b = thing
        self._side = d
d = len
def run():
    return Area(1).a + Area(2).b + Area(3)._side
"""
    names = {n.attr for n in ast.walk(ast.parse(small(app=app)["app"])) if hasattr(n, "attr")}
    assert names == {"a", "b", "c"}


def test_an_argument_that_a_call_names_keeps_its_name():
    app = "def run():\n    return one(1, low=2)\ndef one(value, low):\n    return value + low"
    assert small(app=app)["app"].endswith("def one(a, low):\n    return a + low")


def test_viper_code_keeps_its_types_and_names():
    app = (
        "@micropython.viper\ndef _add(source: ptr8, size: int):\n    source[size] = 1\n"
        "def run(source):\n    _add(source, 2)"
    )
    made = small(app=app)["app"]
    assert "(source: ptr8, size: int):\n    source[size] = 1" in made


def test_annotations_and_docstrings_are_gone():
    app = '"""M."""\nimport log\ndef run(x: "log.Level") -> None:\n    """D."""'
    assert small(app=app, log="Level = int()") == {"app": "def run(a):\n    pass", "log": ""}
