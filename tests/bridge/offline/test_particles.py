"""The two places of a verb's particle."""

import pytest
from fakes import home
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.offline.intents.sentences.particles import moved
from voxcard.assistants.offline.intents.slots import slot
from voxcard.toolhub.schema import Argument

ENGLISH = sentence_files.language("en")
SWITCH = slot("t", Argument(name="state", kind="boolean"))
ROOM = slot("t", Argument(name="room", kind="string", values=("hall", "attic")))
MANY = slot("t", Argument(name="rooms", kind="array", values=("hall", "attic")))
NAME = slot("t", Argument(name="song", kind="string"))
LEVEL = slot("t", Argument(name="level", kind="integer"))


@pytest.mark.parametrize(
    ("items", "other"),
    [
        (("turn", "the", "pump", "off"), ("turn", "off", "the", "pump")),
        (("turn", "off", "the", "pump"), ("turn", "the", "pump", "off")),
        (("turn", "pump", SWITCH), ("turn", SWITCH, "pump")),
        (("turn", SWITCH, "pump"), ("turn", "pump", SWITCH)),
        (("turn", ROOM, "light", "on"), ("turn", "on", ROOM, "light")),
        (("turn", "on", ROOM, "light"), ("turn", ROOM, "light", "on")),
        (("turn", NAME, "off"), ("turn", "off", NAME)),
        (("turn", "off", NAME), None),  # a text would end elsewhere
        (("turn", "down", LEVEL, "lamps"), None),
        (("turn", SWITCH, "lights", ROOM), None),
        (("turn", "off"), None),
        (("turn", "on", "pump", "off"), None),
        (("pump", "off", "now"), None),
        (("run", "the", "pump", "off"), None),
        (("turn", ROOM, "light"), None),
        (("turn", "lights", MANY), None),
    ],
)
def test_a_particle_stands_before_its_object_or_behind_it(items, other):
    assert moved(items, {"turn"}, {"on", "off", "down"}) == other


def asked(text, *tools):
    understood = Catalogue(ENGLISH, (), tools).understand(text).understood
    return understood and (understood.rule.tool, dict(understood.arguments))


def test_a_tool_is_called_wherever_the_particle_is_said():
    pump = home.tool("a.stop_pump", "(switch|turn) the bilge pump off")
    lamp = home.tool("a.lamp", "turn the lamp {state}", state={"type": "boolean"})
    stove = home.tool("a.stove", "put out the stove")
    assert asked("turn off the bilge pump", pump) == ("a.stop_pump", {})
    assert asked("switch the bilge pump off", pump) == ("a.stop_pump", {})
    assert asked("turn on the bilge pump", pump) is None
    assert asked("turn off the lamp", lamp) == ("a.lamp", {"state": False})
    assert asked("turn off", pump, lamp) is None
    assert asked("put the stove out", stove) == ("a.stove", {})


def test_what_somebody_wrote_is_not_moved_over():
    off = home.tool("a.off", "turn off the lamp")
    dim = home.tool("a.dim", "turn the lamp off")
    assert asked("turn off the lamp", off, dim)[0] == "a.off"
    assert asked("turn the lamp off", off, dim)[0] == "a.dim"
