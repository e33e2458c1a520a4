"""Arguments against a tool's schema: one sentence, bounded work, and never an exception."""

import logging
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxcard.toolhub.model import ToolSpec
from voxcard.toolhub.schema import checker
from voxcard.toolhub.schema.validation import ARGUMENTS_MAX, Validation, whole_numbers


def spec(schema, source="lab"):
    return ToolSpec(name="lab.t", description="", input_schema=schema, source=source)


def refusal(schema, arguments, source="lab"):
    return Validation().refusal(spec(schema, source), arguments)


SCHEMA = {
    "type": "object",
    "properties": {
        "level": {"type": "integer", "minimum": 0, "maximum": 100},
        "theme": {"type": "string", "enum": ["dark", "light"]},
        "name": {"type": "string", "minLength": 1, "maxLength": 8},
        "short": {"type": "string", "maxLength": 2},
        "on": {"type": "boolean"},
        "list": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
        "ratio": {"type": "number", "exclusiveMinimum": 0},
        "deep": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}},
        "minutes": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
        "heater": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
        "colour": {"anyOf": [{"$ref": "#/$defs/Colour"}, {"type": "null"}]},
        "fixed": {"const": 5},
        "mixed": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]},
        "code": {"type": "string", "pattern": "^[A-Z]{3}$"},
        "step": {"type": "integer", "multipleOf": 5},
        "once": {"type": "array", "uniqueItems": True},
    },
    "$defs": {"Colour": {"type": "string", "enum": ["red", "blue"]}},
}
SENTENCES = [
    ({"level": 50, "theme": "dark", "name": "x", "on": False, "list": [1], "ratio": 0.5}, ""),
    (
        {"minutes": None, "heater": True, "colour": "red", "fixed": 5, "mixed": 1, "code": "ABC"},
        "",
    ),
    ({"level": -1}, "level must be a whole number from 0 to 100, not -1."),
    ({"level": True}, "level must be a whole number from 0 to 100, not true."),
    ({"theme": "blue"}, 'theme must be one of dark, light, not "blue".'),
    ({"name": ""}, 'name must be text of 1 to 8 characters, not "".'),
    ({"short": "abc"}, 'short must be text of at most 2 characters, not "abc".'),
    ({"on": "yes"}, 'on must be true or false, not "yes".'),
    ({"list": []}, "list must be a list of at least 1 entries, not []."),
    ({"list": ["a"]}, 'list.0 must be a whole number, not "a".'),
    ({"ratio": 0}, "ratio must be a number above 0, not 0."),
    ({"deep": {}}, "deep.a is missing: text."),
    ({"deep": 5}, "deep must be an object, not 5."),
    ({"minutes": "5"}, 'minutes must be a whole number, not "5".'),
    ({"heater": "on"}, 'heater must be true or false, not "on".'),
    ({"colour": "green"}, 'colour must be one of red, blue, not "green".'),
    ({"fixed": 6}, "fixed must be 5, not 6."),
    ({"mixed": "x"}, 'mixed may not be "x".'),
    ({"code": "abc"}, 'code must be text that matches "^[A-Z]{3}$", not "abc".'),
    ({"step": 7}, "step must be a multiple of 5, not 7."),
    ({"once": [1, 2, 1]}, "once must be a list without repeats, not [1, 2, 1]."),
    ({"theme": "a\x1b[2J\u202e\nb"}, 'theme must be one of dark, light, not "a\\u001b[2J\\nb".'),
]


@pytest.mark.parametrize(("arguments", "sentence"), SENTENCES)
def test_a_refusal_names_the_argument_and_what_is_allowed(arguments, sentence):
    assert refusal(SCHEMA, arguments) == sentence


def test_what_does_not_fit_together_is_said_without_jargon():
    either = {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert refusal(either, {}) == "The arguments do not fit together as the tool wants them."


def test_only_devices_are_strict_about_arguments_nobody_named():
    assert refusal(SCHEMA, {"zoom": 1}) == ""
    strict = refusal(SCHEMA, {"zoom": 1}, source="device")
    assert strict.startswith("zoom is not an argument; it takes level, theme, name")
    nothing = "zoom is not an argument; it takes no arguments."
    assert refusal({}, {"zoom": 1}, source="device") == nothing
    closed = {"type": "object", "properties": {}, "additionalProperties": False}
    assert "does not take" in refusal(closed, {"zoom": 1})
    by_pattern = {"patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False}
    assert refusal(by_pattern, {"x-a": 1}) == ""
    assert refusal(by_pattern, {"x-a": "1"}) == 'x-a must be a whole number, not "1".'
    assert "does not take" in refusal(by_pattern, {"y": 1})


def test_an_argument_whose_schema_is_wrong_may_still_be_given_to_a_device():
    odd = {"properties": {"a": {"type": "integer", "minimum": None}}}
    assert refusal(odd, {"a": 1}, source="device") == ""


BROKEN = [
    {"type": "nonsense"},
    {"$id": 5},
    {"$id": "http://[", "properties": {"a": {"$ref": "#/$defs/x"}}},
    {"$schema": "http://nowhere.example/x"},
    {"$schema": 5},
    {"$anchor": {}},
    {"$defs": 5},
    {"required": "a"},
    {"required": [5]},
    {"properties": 5},
    {"properties": {"a": 5}},
    {"properties": {"a": {"$ref": "http://127.0.0.1:9/schema.json"}}},
    {"properties": {"a": {"$ref": "#/nowhere"}}},
    {"properties": {"a": {"$ref": "#"}}, "$ref": "#"},
    {"properties": {"a": {"$ref": 5}}},
    {"properties": {"a": {"$dynamicRef": "#x"}}},
    {"properties": {"a": {"pattern": "("}}},
    {"properties": {"a": {"pattern": "(?=x)"}}},
    {"properties": {"a": {"pattern": 5}}},
    {"properties": {"a": {"minimum": "0"}}},
    {"properties": {"a": {"minLength": None}}},
    {"properties": {"a": {"enum": "xyz"}}},
    {"properties": {"a": {"anyOf": {}}}},
    {"properties": {"a": {"multipleOf": 0}}},
    {"properties": {"a": {"type": ["string", 5]}}},
    {"patternProperties": {"(": False}},
    {"propertyNames": {"pattern": "("}},
    {"dependentRequired": {"a": 5}},
    {"if": 5},
    {"unevaluatedProperties": False},
]


@pytest.mark.parametrize("schema", BROKEN)
def test_a_schema_that_is_wrong_itself_lets_the_tool_decide(schema):
    assert refusal(schema, {"a": "x"}) == ""


def test_a_wrong_schema_is_one_warning_however_often_its_tool_is_called(caplog):
    validation, tool = Validation(), spec({"$id": 5})
    with caplog.at_level(logging.WARNING):
        assert [validation.refusal(tool, {"a": 1}) for _ in range(3)] == ["", "", ""]
    [line] = caplog.messages
    assert line == (
        "tool lab.t: its inputSchema cannot be used (5 is not of type 'string');"
        " its arguments go unchecked"
    )


class Counted:
    """Counts how often a validator is built."""

    def __init__(self, monkeypatch):
        self.count = 0
        self._build = checker.Checker.__init__
        monkeypatch.setattr(checker.Checker, "__init__", lambda *args: self(*args))

    def __call__(self, instance, schema):
        self.count += 1
        self._build(instance, schema)


def test_a_validator_is_built_once_for_each_tool(monkeypatch):
    built = Counted(monkeypatch)
    validation = Validation()
    tools = [spec({"properties": {"a": {"type": "integer", "maximum": at}}}) for at in range(3)]
    for _ in range(50):
        for at, tool in enumerate(tools):
            assert validation.refusal(tool, {"a": at}) == ""
    assert built.count == 3
    assert validation.refusal(tools[1], {"a": 2}) == (
        "a must be a whole number of at most 1, not 2."
    )
    validation.refusal(spec({"properties": {}}), {})
    assert built.count == 4


def test_a_call_to_a_tool_with_a_large_schema_costs_what_its_arguments_cost():
    entry = {"type": "string", "description": "x" * 60, "enum": ["a", "b"], "maxLength": 50}
    tool = spec({"properties": {f"field{at}": entry for at in range(130)}})
    validation = Validation()
    started = time.process_time()
    validation.refusal(tool, {"field1": "a"})
    first = time.process_time() - started
    started = time.process_time()
    for _ in range(20):
        assert validation.refusal(tool, {"field1": "a"}) == ""
    assert time.process_time() - started < first


def test_a_check_that_takes_too_long_is_one_warning_however_often_it_does(caplog):
    validation = Validation()
    tool = spec({"properties": {"a": {"items": {"enum": list(range(900))}}}})
    for _ in range(3):
        assert validation.refusal(tool, {"a": [1] * 20_000}) == ""
    [line] = caplog.messages
    assert "cannot be used (TooManyStepsError)" in line


def test_a_refusal_is_cut_at_400_characters():
    tool = spec({"properties": {"x" * 100 + str(at): {} for at in range(5)}}, source="device")
    sentence = Validation().refusal(tool, {"y": 1})
    assert len(sentence) == 400 and sentence.endswith("…")


def test_as_many_validators_as_may_be_kept_are_kept(monkeypatch):
    monkeypatch.setattr("voxcard.toolhub.schema.validation.CHECKERS_MAX", 2)
    built = Counted(monkeypatch)
    validation = Validation()
    tools = [spec({"properties": {"a": {"maximum": at}}}) for at in range(2)]
    for tool in tools * 3:
        validation.refusal(tool, {"a": 0})
    assert built.count == 2


def test_only_so_many_validators_are_kept(monkeypatch):
    monkeypatch.setattr("voxcard.toolhub.schema.validation.CHECKERS_MAX", 2)
    built = Counted(monkeypatch)
    validation = Validation()
    tools = [spec({"properties": {"a": {"maximum": at}}}) for at in range(3)]
    for tool in (*tools, tools[2], tools[0]):
        validation.refusal(tool, {"a": 0})
    assert built.count == 4


def doubled(times):
    steps = {f"s{at}": {"allOf": [{"$ref": f"#/$defs/s{at - 1}"}] * 2} for at in range(1, times)}
    return {"properties": {"a": {"$ref": f"#/$defs/s{times - 1}"}}, "$defs": {"s0": {}, **steps}}


ANCHORS = {f"y{at}": {"type": "integer"} for at in range(1000)}
HOSTILE = [
    ({"properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}, {"a": "a" * 28 + "!"}),
    ({"patternProperties": {"^(a+)+$": {"type": "integer"}}}, {"a" * 28 + "!": 1}),
    ({"propertyNames": {"pattern": "^(a|a)*$"}}, {"a" * 28 + "!": 1}),
    ({"additionalProperties": False, "patternProperties": {"^(a+)+$": {}}}, {"a" * 28 + "!": 1}),
    (doubled(20), {"a": 1}),
    (doubled(60), {"a": 1}),
    (
        {
            "properties": {"a": {"items": {"$ref": "#x"}}},
            "$defs": {"x": {"$anchor": "x"}, **ANCHORS},
        },
        {"a": [1] * 5000},
    ),
    ({"properties": {"a": {"uniqueItems": True}}}, {"a": [{"b": at} for at in range(5000)]}),
    ({"required": [{"a": at} for at in range(5000)]}, {"a": 1}),
    ({"properties": {"a": {"anyOf": [{"type": "integer"}] * 1000}}}, {"a": ["x" * 20] * 2000}),
    ({"allOf": [{"not": {}}] * 1000}, {"a": [1] * 20_000}),
    ({"properties": {"a": {"items": {"enum": list(range(900))}}}}, {"a": ["x"] * 20_000}),
]


@pytest.mark.parametrize(("schema", "arguments"), HOSTILE)
def test_no_schema_makes_a_call_take_long(schema, arguments):
    # CPU seconds, which a busy machine does not add to; each of them took minutes or for ever.
    started = time.process_time()
    assert isinstance(refusal(schema, arguments), str)
    assert time.process_time() - started < 20


def steps_of(monkeypatch, schema, arguments):
    """The least number of steps with which a check comes to its end."""
    check = checker.Checker(schema)
    for steps in range(300):
        monkeypatch.setattr(checker, "STEPS_MAX", steps)
        try:
            assert list(check.errors(arguments)) == []
        except checker.TooManyStepsError:
            continue
        return steps
    raise AssertionError


STEPS = [
    ({}, {"a": 1}, 0),
    ({"type": "object"}, {}, 1),
    ({"type": "object"}, dict.fromkeys(map(str, range(13))), 1),
    ({"type": "object"}, dict.fromkeys(map(str, range(14))), 2),
    ({"type": "object"}, dict.fromkeys(map(str, range(34))), 3),
    ({"properties": {"a": {"enum": [*range(19)]}}}, {"a": 5}, 2),
    ({"properties": {"a": {"enum": [*range(20)]}}}, {"a": 5}, 3),
    ({"$ref": "#/$defs/x", "$defs": {"x": {"$anchor": "x"}}}, {}, 1),
    ({"$ref": "#x", "$defs": {"x": {"$anchor": "x"}}}, {}, 101),
    ({"$dynamicRef": "#x", "$defs": {"x": {"$dynamicAnchor": "x"}}}, {}, 1),
    ({"const": {"a": "#x"}}, {"a": "#x"}, 1),
]


@pytest.mark.parametrize(("schema", "arguments", "steps"), STEPS)
def test_a_keyword_costs_a_step_and_more_where_it_looks_at_much(
    monkeypatch, schema, arguments, steps
):
    assert steps_of(monkeypatch, schema, arguments) == steps


def test_a_call_that_takes_too_long_to_check_does_not_stop_the_next_check():
    validation = Validation()
    tool = spec({"properties": {"a": {"items": {"enum": list(range(900))}}}})
    assert validation.refusal(tool, {"a": [1] * 20_000}) == ""
    assert validation.refusal(tool, {"a": ["x"]}).startswith("a.0 must be one of 0, 1, 2")


def test_arguments_too_large_or_too_deep_are_refused_before_anything_looks_at_them():
    too_long = f"The arguments are too long: at most {ARGUMENTS_MAX} characters are allowed."
    assert refusal({}, {"a": "x" * ARGUMENTS_MAX}) == too_long
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert refusal({}, {"a": deep}) == too_long


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=15,
)
KEYWORDS = st.sampled_from(
    [*sorted(checker.Draft202012Validator.VALIDATORS), "$id", "$schema", "$anchor", "$defs"]
)


@given(st.dictionaries(KEYWORDS, JSON | st.dictionaries(KEYWORDS, JSON)), JSON)
def test_any_schema_gives_a_sentence_or_none(schema, value):
    assert isinstance(refusal(schema, {"a": value}), str)


def test_a_number_that_is_whole_is_sent_as_one_where_a_whole_number_is_wanted():
    optional = {"anyOf": [{"type": "integer"}, {"type": "null"}]}
    tool = spec({"properties": {"a": {"type": "integer"}, "b": optional, "c": {"type": "number"}}})
    sent = whole_numbers(tool, {"a": 60.0, "b": 5.0, "c": 2.0, "d": 1.0, "e": "x"})
    assert str(sent) == "{'a': 60, 'b': 5, 'c': 2.0, 'd': 1.0, 'e': 'x'}"
    assert whole_numbers(tool, {"a": 60.5, "b": float("inf")}) == {"a": 60.5, "b": float("inf")}


def test_arguments_that_nobody_named_are_checked_by_the_schema_for_them():
    extras = {"properties": {"a": {}}, "additionalProperties": {"type": "integer"}}
    assert refusal(extras, {"a": "x", "b": 1, "c": 2}) == ""
    assert refusal(extras, {"b": 1, "c": "x"}) == 'c must be a whole number, not "x".'
    by_pattern = {"patternProperties": {"^x": {"type": "string"}}, **extras}
    assert refusal(by_pattern, {"xa": "y", "b": 1}) == ""
    assert refusal(by_pattern, {"xa": 1}) == "xa must be text, not 1."
    inside = {"properties": {"o": {"additionalProperties": False, "properties": {"a": {}}}}}
    assert refusal(inside, {"o": {"a": 1}}) == ""
    assert refusal(inside, {"o": {"b": 1}}) == "o has arguments that the tool does not take."
    repeats = {"properties": {"l": {"uniqueItems": False}, "m": {"uniqueItems": True}}}
    assert refusal(repeats, {"l": [1, 1], "m": [1, 2]}) == ""
    assert refusal(repeats, {"m": [{"a": 1, "b": 2}, {"b": 2, "a": 1}]}).startswith("m must be")
