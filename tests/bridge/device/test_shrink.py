"""What the build takes out of the firmware's sources, and what it must leave."""

import ast

import pytest

from tools.build.read_trace import readable
from tools.build.shrink import shrunk
from tools.build.shrink.join import JoinError


def small(**sources):
    """The shrunk modules; a double underscore in a keyword is the dot of a module's name."""
    named = {name.replace("__", "."): text for name, text in sources.items()}
    return shrunk(named, frozenset({"app.run"})).modules


def answer(texts):
    """What `app.run()` gives when the modules are run as they are."""
    modules = {}

    def load(name, *rest):
        if name not in texts:
            return __import__(name, *rest)
        if name not in modules:
            modules[name] = type(ast)(name)
            modules[name].__builtins__ = {**__builtins__, "__import__": load}
            exec(texts[name], modules[name].__dict__)
        return modules[name]

    return load("app").run()


def test_a_constant_is_put_where_it_is_used_and_its_name_is_gone():
    app = "from voxwire import audio\ndef run():\n    return audio.FRAME_BYTES - LIMIT\nLIMIT = 8"
    audio = "HEADER = 8\nFRAME_BYTES = HEADER + 2 * 160"
    assert small(app=app, voxwire="", voxwire__audio=audio) == {
        "app": "def run():\n    return 328 - 8",
        "voxwire": "",
    }


def test_constants_of_a_tuple_and_of_a_range_are_constants_too():
    app = "IDLE, BUSY = 'idle', 'busy'\nINK, PAPER = range(2)\ndef run():\n    return BUSY, PAPER"
    assert small(app=app) == {"app": "def run():\n    return ('busy', 1)"}


def test_a_long_text_or_a_table_stays_one_object():
    app = "TEXT = 'a sentence of its own'\nTABLE = (1, 2)\ndef run():\n    return (TEXT, TABLE)"
    made = small(app=app)["app"]
    assert "= 'a sentence of its own'\n" in made and "= (1, 2)\n" in made


def test_a_name_that_changes_is_no_constant():
    app = "COUNT = 0\nCOUNT = COUNT + 1\ndef run():\n    return COUNT"
    assert answer(small(app=app)) == 1


def test_what_nothing_reaches_is_dropped():
    app = (
        "import json\nimport os\nfrom part import used, unused\n"
        "def run():\n    return used(os)\ndef alone():\n    return json"
    )
    part = (
        "def used(x):\n    return deeper(x)\ndef deeper(x):\n    return x\ndef unused():\n    pass"
    )
    made = small(app=app, part=part)["app"]
    assert made.startswith("import os\n") and "json" not in made
    assert made.count("def ") == 3 and "namedtuple" not in made


def test_what_acts_stays():
    app = "LINES = []\nx = LINES.append(1)\nLINES.append(2)\ndef run():\n    return LINES"
    assert answer(small(app=app)) == [1, 2]


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


def test_the_modules_of_a_folder_are_one_and_mean_what_they_meant():
    app = """
from voxwire import audio
from voxwire.card import size as card_size, TITLE
import log
def run():
    size = 3
    log.lines.append([size for size in range(audio.size(2))])
    return log.lines, card_size(size), TITLE, Part().size, (lambda size: size)(7)
class Part:
    size = 5
    twice = size
    def more(self):
        return size
def size():
    return 6
"""
    audio = "def size(n):\n    return _more(n)\ndef _more(n):\n    return n + 1"
    card = (
        "from voxwire import audio\nimport log\nTITLE = 'the title of a card'\n"
        "def size(n):\n    log.lines.append(1)\n    return audio.size(n) * 10"
    )
    sources = {
        "app": app, "log": "lines = []", "voxwire": "", "voxwire.audio": audio,
        "voxwire.card": card,
    }  # fmt: skip
    made = shrunk(sources, frozenset({"app.run"})).modules
    assert sorted(made) == ["app", "log", "voxwire"]
    assert answer(made) == ([[0, 1, 2], 1], 40, "the title of a card", 5, 7)


def test_a_module_used_as_a_value_is_refused():
    with pytest.raises(JoinError, match="app: the module part is used as a value"):
        small(app="import part\ndef run():\n    return part", part="x = 1")


def test_private_names_are_short_and_shared_by_modules_that_do_not_meet():
    app = """
from part import Part
class App:
    def __init__(self):
        self._first = Part()
def run():
    return App()._first._other
"""
    part = "class Part:\n    def __init__(self):\n        self._other = 1\n        self.open = 2"
    app = app.replace("._other", ".open")
    made = small(app=app, part=part)
    attributes = {n.attr for n in ast.walk(ast.parse(made["app"])) if hasattr(n, "attr")}
    assert attributes == {"a", "open"}
    assert answer(made) == 2


def test_private_names_of_other_libraries_stay():
    app = "from asyncio import core\ndef run():\n    return core._io_queue"
    assert "return core._io_queue" in small(app=app)["app"]


def test_a_short_name_hides_no_attribute_and_no_name_that_is_used():
    app = """
class Area:
    def __init__(self, thing):
        self.a = self.b = thing
        self._side = d
d = len
def run():
    return Area(1).a + Area(2).b + Area(3)._side((1, 2))
"""
    made = small(app=app)
    names = {n.attr for n in ast.walk(ast.parse(made["app"])) if hasattr(n, "attr")}
    assert names == {"a", "b", "c"}
    assert answer(made) == 5


def test_names_that_a_board_mentions_stay():
    app = """
class Sender:
    def send_all(self):
        self.write_some()
    def write_some(self):
        pass
def run():
    return Sender().send_all()
"""
    made = small(app=app, hal="def board(bus):\n    return bus.write_some()\nx = board(None)")
    assert "write_some" in made["app"] and "send_all" not in made["app"]


def test_an_argument_that_a_call_names_keeps_its_name():
    app = "def run():\n    return one(1, low=2)\ndef one(value, low):\n    return value + low"
    made = small(app=app)
    assert "value" not in made["app"] and answer(made) == 3


def test_viper_code_keeps_its_types_and_names():
    app = (
        "@micropython.viper\ndef _add(source: ptr8, size: int):\n    source[size] = 1\n"
        "def run(source):\n    _add(source, 2)"
    )
    made = small(app=app)["app"]
    assert "(source: ptr8, size: int):\n    source[size] = 1" in made


def test_annotations_and_docstrings_are_gone():
    app = '"""M."""\nimport log\ndef run(x: "log.Level") -> None:\n    """D."""'
    assert small(app=app, log="Level = 1") == {"app": "def run(a):\n    pass"}


def test_a_sentence_of_a_function_lies_in_a_file():
    app = """
TABLE = ("a text of a table is not moved",)
def run(low="nor is one of a default, it is made once"):
    return "The camera is off: switch it on. é", "in two", TABLE, low
def other():
    return "The camera is off: switch it on."
OTHER = other
"""
    made = shrunk({"app": app}, frozenset({"app.run", "app.OTHER"}))
    assert made.sentences == "The camera is off: switch it on. é".encode()
    assert made.modules["app"].count("switch it on") == 0
    assert "(0, 35)" in made.modules["app"] and "(0, 32)" in made.modules["app"]


def test_sentences_are_read_as_they_were(tmp_path):
    app = "def run():\n    return 'The answer is %d, é, as it was.' % 42"
    made = shrunk({"app": app}, frozenset({"app.run"}))
    (tmp_path / "sentences.txt").write_bytes(made.sentences)
    here = f"__file__ = {str(tmp_path / 'app.mpy')!r}\n"
    assert answer({"app": here + made.modules["app"]}) == "The answer is 42, é, as it was."


def test_errors_keep_the_names_that_reports_say():
    app = "class _CallError(Exception):\n    pass\ndef run():\n    return _CallError.__name__"
    assert answer(small(app=app + "\nclass PartError(_CallError):\n    pass")) != "PartError"
    app = "class CallError(Exception):\n    pass\ndef run():\n    return CallError.__name__"
    assert answer(small(app=app)) == "CallError"


def test_a_traceback_is_read_with_the_legend_of_its_build():
    app = "class Link:\n    def _hear(self):\n        pass\ndef run():\n    Link()._hear()"
    legend = shrunk({"app": app}, frozenset({"app.run"})).legend
    (name,) = set(legend["app"]) - {"run"}
    line = f'  File "app", line 1, in {name}'
    assert readable(line, legend) == "  in app.Link._hear"
    assert readable("ValueError: no", legend) == "ValueError: no"
    assert readable('  File "asyncio/core.py", line 1, in run', legend) == (
        "  in asyncio/core.py.run"
    )
