"""Declaring tools: what a parameter takes, how a tool is listed, what a page holds."""

import json

from toolbox import registry
from toolbox.registry import array, boolean, choice, integer, number, string
from voxwire.bridge_only.tool_reader import read_description
from voxwire.tool import PAGE_BYTES


def refused(parameter, value):
    try:
        registry.check(parameter, value, "x")
    except registry.ArgumentError as error:
        return str(error)
    raise AssertionError("%r was taken" % (value,))


def lamp():
    tools = registry.Registry()

    @tools.tool(
        "self.lamp.set",
        "Set the lamp.",
        level=integer(0, 100, "percent"),
        on=boolean("switched on", default=True),
        colour=choice(("red", "green"), default="red"),
    )
    def set_lamp(level, on, colour):
        return "%d %s %s" % (level, on, colour)

    return tools


def arguments(supplied):
    return registry.arguments(lamp().find("self.lamp.set"), supplied)


def refused_arguments(supplied):
    try:
        arguments(supplied)
    except registry.ArgumentError as error:
        return str(error)
    raise AssertionError("were taken")


def test_each_kind_takes_its_own_values():
    assert registry.check(boolean(), False, "x") is False
    assert registry.check(integer(0, 100), 100, "x") == 100
    assert registry.check(number(0, 1), 0.5, "x") == 0.5
    assert registry.check(string(5), "hello", "x") == "hello"
    assert registry.check(choice(("a", "b")), "b", "x") == "b"
    assert registry.check(array(integer(0, 9), 3), [1, 2], "x") == [1, 2]


def test_a_whole_float_is_a_whole_number_and_arrives_as_one():
    value = registry.check(integer(0, 100), 60.0, "x")
    assert value == 60 and isinstance(value, int)


def test_a_refusal_is_a_sentence_with_the_allowed_range():
    whole = "x must be a whole number from 0 to 100."
    for value in (101, -1, 1.5, "60", True, None, [1], float("nan"), float("inf")):
        assert refused(integer(0, 100), value) == whole
    assert refused(number(0, 1), 2) == "x must be a number from 0 to 1."
    assert refused(boolean(), 1) == "x must be true or false."
    assert refused(choice(("dark", "light")), "pink") == "x must be one of dark, light."
    assert refused(string(3, low=1), "") == "x must be text of 1 to 3 characters."
    assert refused(string(3), "long") == "x must be text of 0 to 3 characters."
    assert refused(array(boolean(), 2, low=1), []) == "x must be a list of 1 to 2 items."
    assert refused(array(boolean(), 2), [True] * 3) == "x must be a list of 0 to 2 items."
    assert refused(array(boolean(), 2), [True, 1]) == "x[1] must be true or false."


def test_absent_arguments_take_their_default():
    assert arguments({"level": 5}) == {"level": 5, "on": True, "colour": "red"}


def test_a_missing_argument_is_named_with_what_it_takes():
    assert refused_arguments({}) == "level is missing: it must be a whole number from 0 to 100."


def test_an_unknown_argument_is_refused_and_the_known_ones_named():
    assert refused_arguments({"level": 5, "loud": 1}) == (
        "self.lamp.set has no argument loud; it takes: colour, level, on."
    )


def test_a_long_argument_that_is_unknown_is_named_by_its_first_40_characters():
    said = refused_arguments({"level": 5, "x" * 41: 1})
    assert said.startswith("self.lamp.set has no argument %s; it takes:" % ("x" * 40))


def test_a_tool_is_listed_with_its_schema_and_scope():
    assert lamp().page("", False) == {
        "tools": [
            {
                "name": "self.lamp.set",
                "description": "Set the lamp.",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "level": {
                            "type": "integer",
                            "minimum": 0,
                            "maximum": 100,
                            "description": "percent",
                        },
                        "on": {"type": "boolean", "description": "switched on", "default": True},
                        "colour": {"type": "string", "enum": ["red", "green"], "default": "red"},
                    },
                    "required": ["level"],
                    "additionalProperties": False,
                },
                "_meta": {"voxcard/scope": "ai"},
            }
        ]
    }


def test_the_peer_reads_back_what_is_listed():
    listed = lamp().page("", False)["tools"][0]
    assert read_description(json.loads(json.dumps(listed))).name == "self.lamp.set"


def test_array_and_text_limits_are_in_the_schema():
    tools = registry.Registry()
    tools.tool("t", "d", names=array(string(8, low=1), 3, low=1))(lambda names: None)
    properties = tools.page("", False)["tools"][0]["inputSchema"]["properties"]
    assert properties == {
        "names": {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": 8},
            "minItems": 1,
            "maxItems": 3,
        }
    }


def test_a_progress_parameter_is_no_argument():
    tools = registry.Registry()
    tools.tool("t", "d", report=registry.progress())(lambda report: None)
    assert tools.page("", False)["tools"][0]["inputSchema"]["properties"] == {}


def test_a_name_can_be_declared_once():
    tools = lamp()
    try:
        tools.tool("self.lamp.set", "again")(lambda: None)
    except ValueError as error:
        assert str(error) == "declared twice: self.lamp.set"
    else:
        raise AssertionError("was declared twice")


def test_a_tool_that_no_page_can_hold_is_refused_when_declared():
    try:
        registry.Registry().tool("long", "x" * PAGE_BYTES)(lambda: None)
    except ValueError as error:
        assert str(error) == "too long for a page: long"
    else:
        raise AssertionError("was declared")


def many():
    tools = registry.Registry()
    for index in range(40):
        scope = ("ai", "user", "admin", "ai")[index % 4]
        tools.tool("self.t%02d" % index, "x" * 500, scope=scope)(lambda: None)
    return tools


def walk(tools, user_tools):
    names, cursor, pages = [], "", 0
    while cursor is not None:
        page = tools.page(cursor, user_tools)
        assert registry.size_of(page) <= PAGE_BYTES
        names += [entry["name"] for entry in page["tools"]]
        cursor = page.get("nextCursor")
        pages += 1
    return names, pages


def test_pages_hold_every_tool_once_in_order_a_few_at_a_time():
    # Each takes about 660 bytes.
    assert walk(many(), True) == (["self.t%02d" % index for index in range(40)], 20)


def test_a_page_ends_before_the_tool_that_would_make_it_too_long():
    tools = registry.Registry()
    for name in ("first", "large", "last"):
        tools.tool(name, "x" * (7600 if name == "large" else 100))(lambda: None)
    assert walk(tools, True) == (["first", "large", "last"], 3)


def fitting(name, size):
    """Name and description of a tool that takes `size` bytes of a page, with its comma."""
    tools = registry.Registry()
    tools.tool(name, "")(lambda: None)
    return name, "x" * (size - 1 - registry.size_of(tools.page("", False)["tools"][0]))


def test_the_largest_tool_of_a_page_is_listed_and_a_larger_one_is_refused():
    tools = registry.Registry()
    tools.tool(*fitting("largest", PAGE_BYTES - 160))(lambda: None)
    assert walk(tools, True) == (["largest"], 1)
    try:
        tools.tool(*fitting("larger", PAGE_BYTES - 159))(lambda: None)
    except ValueError as error:
        assert str(error) == "too long for a page: larger"
    else:
        raise AssertionError("was declared")


def test_a_page_is_filled_to_its_last_byte():
    for second, pages in ((PAGE_BYTES - 1160, 1), (PAGE_BYTES - 1159, 2)):
        tools = registry.Registry()
        tools.tool(*fitting("first", 1000))(lambda: None)
        tools.tool(*fitting("second", second))(lambda: None)
        assert walk(tools, True) == (["first", "second"], pages)


def test_tools_that_are_made_when_they_are_needed_are_listed_and_found():
    rare = registry.Registry()
    rare.tool("self.rare", "", destructive=True)(lambda: None)
    made = []

    def later():
        made.append(1)
        return iter(rare.tools)

    tools = many()
    tools.later = later
    names, _ = walk(tools, False)
    assert names[-1] == "self.rare" and len(names) == 21
    del made[:]
    assert tools.find("self.t05") is not None and made == [], "nothing is made for it"
    assert tools.find("self.rare").destructive is True and made == [1]


def test_a_tool_is_found_by_its_whole_name():
    tools = many()
    assert tools.find("self.t05").name == "self.t05"
    for name in ("", "self.t", "self.t050", "zzz"):
        assert tools.find(name) is None


def test_a_scope_that_does_not_exist_is_refused():
    try:
        registry.Registry().tool("t", "d", scope="root")
    except ValueError as error:
        assert str(error) == "no such scope: root"
    else:
        raise AssertionError("was declared")


def test_user_and_admin_tools_are_listed_only_on_request():
    names, _ = walk(many(), False)
    assert names == ["self.t%02d" % index for index in range(40) if index % 4 in (0, 3)]


def test_an_unknown_cursor_is_refused():
    for cursor in ("self.nothing", "self.t01"):
        try:
            many().page(cursor, False)
        except registry.ArgumentError as error:
            assert str(error) == "cursor must be the nextCursor of an earlier page."
        else:
            raise AssertionError(cursor + " was taken")
