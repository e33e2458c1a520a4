"""A foreign `inputSchema` in the plain form: what each way of writing it means."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxcard.toolhub.schema import Argument, reader

INT = {"type": "integer"}
NULL = {"type": "null"}
COLOUR = {"enum": ["red", "blue"], "title": "Colour", "type": "string"}
SAFE = 2**53 - 1


def read(schema, **root):
    """The one argument `a`, with what else stands in the root."""
    source = {"type": "object", "properties": {"a": schema}, **root}
    return reader.read(source)


def plain(**fields):
    return {"nullable": False, **fields}


SAME = [
    # pydantic's Optional, zod's nullable and optional, OpenAPI's
    ({"anyOf": [INT, NULL], "default": None}, plain(kind="integer", nullable=True)),
    ({"oneOf": [NULL, INT]}, plain(kind="integer", nullable=True)),
    ({"type": ["integer", "null"]}, plain(kind="integer", nullable=True)),
    ({"type": "integer", "nullable": True}, plain(kind="integer", nullable=True)),
    ({"type": ["boolean"]}, plain(kind="boolean")),
    ({"type": ["integer", "number"]}, plain(kind="number")),
    # a model or an enumeration of its own
    ({"$ref": "#/$defs/Colour"}, plain(kind="string", values=("red", "blue"), title="Colour")),
    (
        {"anyOf": [{"$ref": "#/$defs/Colour"}, NULL]},
        plain(kind="string", values=("red", "blue"), title="Colour", nullable=True),
    ),
    (
        {"allOf": [{"$ref": "#/$defs/Colour"}], "description": "Which?", "default": "red"},
        plain(
            kind="string",
            values=("red", "blue"),
            title="Colour",
            description="Which?",
            default="red",
        ),
    ),
    ({"$ref": "#/$defs/a~1b/0/c%20d"}, plain(kind="boolean")),
    # unions
    ({"anyOf": [{"const": "a"}, {"const": "b"}]}, plain(kind="string", values=("a", "b"))),
    ({"anyOf": [INT, {"type": "string"}]}, plain(kind="any")),
    ({"anyOf": [INT, {"type": "number"}]}, plain(kind="number")),
    ({"oneOf": [{**COLOUR}, {"type": "string"}]}, plain(kind="string", title="Colour")),
    (
        {"anyOf": [{**INT, "minimum": 1, "maximum": 5}, {**INT, "minimum": 7, "maximum": 9}]},
        plain(kind="integer", low=1, high=9),
    ),
    ({"anyOf": [{**INT, "minimum": 1}, INT]}, plain(kind="integer")),
    ({"anyOf": [INT, False]}, plain(kind="integer")),
    (
        {**INT, "minimum": 0, "allOf": [{"minimum": 5}, {**INT, "maximum": 9}]},
        plain(kind="integer", low=0, high=9),
    ),
    # values
    ({"const": 5}, plain(kind="integer", values=(5,))),
    ({"enum": [1, "a", None, True]}, plain(kind="any", values=(1, "a", True), nullable=True)),
    ({"enum": [1, 2.5]}, plain(kind="number", values=(1, 2.5))),
    ({"type": "integer", "enum": [1, 2, "three"]}, plain(kind="integer", values=(1, 2))),
    ({"enum": [{"a": 1}, []]}, plain(kind="any")),
    # limits
    ({**INT, "minimum": -30, "maximum": 30}, plain(kind="integer", low=-30, high=30)),
    ({**INT, "minimum": 0.0, "maximum": 9.5}, plain(kind="integer", low=0, high=9)),
    ({**INT, "exclusiveMinimum": 0, "exclusiveMaximum": 10}, plain(kind="integer", low=1, high=9)),
    ({**INT, "maximum": 3, "exclusiveMaximum": 5}, plain(kind="integer", high=3)),
    (
        {**INT, "minimum": 1 - SAFE, "maximum": SAFE - 1},
        plain(kind="integer", low=1 - SAFE, high=SAFE - 1),
    ),
    ({"enum": [*range(1000)]}, plain(kind="integer", values=tuple(range(1000)))),
    ({**INT, "minimum": 0, "exclusiveMinimum": True}, plain(kind="integer", low=1)),
    ({**INT, "minimum": 5, "exclusiveMinimum": 2}, plain(kind="integer", low=5)),
    ({"type": "number", "exclusiveMinimum": 0}, plain(kind="number", low=0, low_open=True)),
    ({**INT, "minimum": -SAFE, "maximum": SAFE}, plain(kind="integer")),
    ({**INT, "minimum": -1e308, "maximum": 10**400}, plain(kind="integer")),
    ({**INT, "maximum": float("inf")}, plain(kind="integer")),
    ({"type": "string", "minLength": 1, "maxLength": 8.0}, plain(kind="string", low=1, high=8)),
    ({"type": "string", "minLength": 0}, plain(kind="string")),
    ({"type": "string", "items": INT}, plain(kind="string")),
    ({"type": "string", "pattern": "^[a-z]+$"}, plain(kind="string", pattern="^[a-z]+$")),
    # lists
    (
        {"type": "array", "items": INT, "maxItems": 3},
        plain(kind="array", high=3, items=Argument(kind="integer")),
    ),
    ({"type": "array", "items": [INT, INT]}, plain(kind="array")),
    ({"type": "array", "items": {"type": 5}}, plain(kind="array")),
    # what says nothing
    ({}, plain(kind="any", nullable=True)),
    (True, plain(kind="any", nullable=True)),
    ({"type": "string", "minimum": "x", "title": 5}, plain(kind="string")),
    (
        {"type": "string", "description": "\x1b[31mRed\u202e\n  text"},
        plain(kind="string", description="Red text"),
    ),
]
DEFS = {"Colour": COLOUR, "a/b": [{"c d": {"type": "boolean"}}]}


@pytest.mark.parametrize(("schema", "fields"), SAME)
def test_each_way_of_writing_a_schema_has_its_plain_form(schema, fields):
    form = read(schema, **{"$defs": DEFS})
    assert form.problems == ()
    assert form.arguments["a"] == Argument(name="a", **fields)


ABOVE = "its lower limit is above its upper one"
PROBLEMS = [
    ({**INT, "minimum": None}, "minimum is no number"),
    ({**INT, "minimum": "0"}, "minimum is no number"),
    ({**INT, "minimum": True}, "minimum is no number"),
    ({**INT, "maximum": float("nan")}, "maximum is no number"),
    ({**INT, "maximum": {}}, "maximum is no number"),
    ({**INT, "multipleOf": 0}, "multipleOf is no number above 0"),
    ({**INT, "multipleOf": -1}, "multipleOf is no number above 0"),
    ({**INT, "multipleOf": SAFE}, "multipleOf is no number above 0"),
    ({**INT, "multipleOf": None}, "multipleOf is no number above 0"),
    ({**INT, "minimum": 10**400}, "minimum leaves no number"),
    ({**INT, "minimum": 5, "maximum": 4}, ABOVE),
    ({"type": "number", "minimum": 5, "exclusiveMaximum": 5}, ABOVE),
    ({"type": "string", "maxLength": None}, "maxLength is no count"),
    ({"type": "string", "maxLength": "10"}, "maxLength is no count"),
    ({"type": "string", "minLength": -1}, "minLength is no count"),
    ({"type": "array", "maxItems": 1.5}, "maxItems is no count"),
    ({"type": "string", "pattern": 5}, "pattern is no text"),
    ({"enum": None}, "enum is no list of values"),
    ({"enum": 5}, "enum is no list of values"),
    ({"enum": {"a": 1}}, "enum is no list of values"),
    ({"enum": []}, "enum is no list of values"),
    ({"enum": list(range(1001))}, "enum has more than 1000 values"),
    ({"enum": [None]}, "it takes nothing but null"),
    ({"type": "null"}, "it takes nothing but null"),
    ({"type": "integer", "const": "a"}, "its types exclude each other"),
    ({"type": "integer", "enum": ["a", 1.5]}, "no value of its enum is allowed"),
    ({"type": "whole"}, "type names no type"),
    ({"type": 5}, "type names no type"),
    ({"type": []}, "type names no type"),
    ({"type": [["integer"]]}, "type names no type"),
    ({"$ref": 5}, "$ref leads out of the schema"),
    ({"$ref": "http://127.0.0.1:9/schema.json"}, "$ref leads out of the schema"),
    ({"$ref": "#colour"}, "$ref leads out of the schema"),
    ({"$ref": "#/$defs/nowhere"}, "$ref leads nowhere"),
    ({"$ref": "#/properties/a"}, "its schema is too large, or nested too deep"),
    ({"anyOf": 5}, "anyOf is no list of schemas"),
    ({"anyOf": []}, "no value is allowed"),
    ({"oneOf": [False]}, "no value is allowed"),
    ({"allOf": [INT, {"type": "string"}]}, "its types exclude each other"),
    (5, "it is no schema"),
    (None, "it is no schema"),
]


@pytest.mark.parametrize(("schema", "text"), PROBLEMS)
def test_what_cannot_be_read_is_named_and_costs_no_other_argument(schema, text):
    form = reader.read({"properties": {"a": schema, "b": INT}})
    assert [(each.argument, each.text) for each in form.problems] == [("a", text)]
    assert form.names == ("a", "b") and set(form.arguments) == {"b"}


WHOLE = [
    (None, "inputSchema is no object"),
    ([], "inputSchema is no object"),
    (True, "inputSchema is no object"),
    ({"properties": 5}, "properties is no object"),
    ({"properties": None}, "properties is no object"),
    ({"required": "a"}, "required is no list of names"),
    ({"required": [5]}, "required is no list of names"),
    ({"$ref": "#"}, "its schema is too large, or nested too deep"),
    ({"allOf": 5}, "allOf is no list of schemas"),
]


@pytest.mark.parametrize(("schema", "text"), WHOLE)
def test_a_schema_without_readable_properties_has_no_arguments(schema, text):
    form = reader.read(schema)
    assert [(each.argument, each.text) for each in form.problems] == [("", text)]
    assert form.arguments == {} and form.names == ()


def test_arguments_may_stand_behind_a_reference_or_in_several_parts():
    schema = {
        "$ref": "#/$defs/Args",
        "allOf": [{"properties": {"b": {"type": "boolean"}}, "required": ["b"]}],
        "$defs": {"Args": {"properties": {"a": INT}}},
    }
    form = reader.read(schema).arguments
    assert {name: (each.kind, each.required) for name, each in form.items()} == {
        "a": ("integer", False),
        "b": ("boolean", True),
    }


def test_an_argument_that_may_not_be_given_is_none():
    form = read(False)
    assert (form.arguments, form.problems, form.names) == ({}, (), ("a",))
    more = reader.read({"properties": {"a": False, "b": INT}})
    assert set(more.arguments) == {"b"} and more.names == ("a", "b")


def test_a_pattern_that_no_linear_matcher_reads_limits_nothing():
    form = read({"type": "string", "pattern": "^(?=.*[0-9]).+$"})
    assert form.arguments["a"].pattern == "" and form.problems == ()
    assert [str(each) for each in form.unchecked] == ["argument a: pattern cannot be matched"]


def deep(levels):
    schema = INT
    for _ in range(levels):
        schema = {"anyOf": [schema, NULL]}
    return schema


def doubled(times):
    steps = {f"s{at}": {"allOf": [{"$ref": f"#/$defs/s{at - 1}"}] * 2} for at in range(1, times)}
    return {"$ref": f"#/$defs/s{times - 1}"}, {"s0": INT, **steps}


def test_nesting_is_read_to_a_depth_and_no_further():
    assert read(deep(10)).arguments["a"].kind == "integer"
    assert read(deep(100)).problems[0].text == "its schema is too large, or nested too deep"
    assert read(deep(100_000)).arguments == {}


def chain(levels):
    steps = {f"s{at}": {"$ref": f"#/$defs/s{at - 1}"} for at in range(1, levels + 1)}
    return {"properties": {"a": steps[f"s{levels}"]}, "$defs": {"s0": INT, **steps}}


def test_16_schemas_inside_each_other_are_read():
    def within(levels):
        schema = INT
        for _ in range(levels):
            schema = {"allOf": [schema]}
        return {"properties": {"a": schema}}

    for nested in (lambda levels: {"properties": {"a": deep(levels)}}, within, chain):
        assert reader.read(nested(16)).arguments["a"].kind == "integer"
        [problem] = reader.read(nested(17)).problems
        assert problem.text == "its schema is too large, or nested too deep"


def test_lists_in_lists_are_read_to_the_second():
    schema = INT
    for _ in range(4):
        schema = {"type": "array", "items": schema}
    first = read(schema).arguments["a"].items
    assert first.kind == first.items.kind == "array" and first.items.items is None


def test_200_patterns_of_a_listing_are_compiled():
    budget = reader.Budget()
    forms = [
        reader.read(
            {
                "properties": {
                    f"a{at}": {"type": "string", "pattern": f"a{at}"} for at in range(67)
                }
            },
            budget,
        )
        for _ in range(3)
    ]
    assert sum(bool(each.pattern) for form in forms for each in form.arguments.values()) == 200
    assert len(forms[2].unchecked) == 1


def test_references_that_double_end_in_a_bounded_number_of_steps():
    schema, defs = doubled(3)
    assert read(schema, **{"$defs": defs}).arguments["a"].kind == "integer"
    schema, defs = doubled(15)
    budget = reader.Budget()
    form = reader.read({"properties": {"a": schema}, "$defs": defs}, budget)
    assert form.problems[0].text == "its schema is too large, or nested too deep"
    assert reader.Budget().nodes - budget.nodes <= reader.NODES_MAX + 1


def test_one_budget_bounds_all_schemas_of_a_listing():
    budget = reader.Budget(nodes=10, patterns=1)
    wanted = {"properties": {"a": {"type": "string", "pattern": "a"}}}
    assert reader.read(wanted, budget).arguments["a"].pattern == "a"
    assert reader.read(wanted, budget).arguments["a"].pattern == ""
    forms = [reader.read(wanted, budget) for _ in range(10)]
    assert forms[-1].problems[0].text == "its schema is too large, or nested too deep"


def test_many_arguments_and_long_names_are_bounded():
    form = reader.read({"properties": {f"a{at}": INT for at in range(101)}})
    assert len(form.arguments) == 100
    assert [str(each) for each in form.problems] == ["it has 101 arguments, of which 100 are read"]
    odd = reader.read({"properties": {"": INT, "a" * 129: INT, "a\nb": INT}})
    assert odd.arguments == {}
    assert [str(each) for each in odd.problems] == [
        'argument "": such a name cannot be used',
        f"argument {'a' * 39}…: such a name cannot be used",
        'argument "a\\nb": such a name cannot be used',
    ]


def test_a_hostile_schema_takes_no_longer_than_a_large_honest_one():
    """In CPU time, which a busy machine does not add to: with 10 times the size, not 100."""
    values = [{"enum": [f"{at}-{each}" for each in range(50)]} for at in range(100)]
    huge = {"properties": {"a": {"anyOf": values * 10}}}
    started = time.process_time()
    form = reader.read(huge)
    assert time.process_time() - started < 2
    assert form.problems or form.arguments


WORDS = [
    (INT, "a whole number"),
    ({**INT, "minimum": 0, "maximum": 100}, "a whole number from 0 to 100"),
    ({**INT, "minimum": 5}, "a whole number of at least 5"),
    ({"type": "number", "exclusiveMinimum": 0, "maximum": 1}, "a number above 0 and of at most 1"),
    ({"type": "number", "exclusiveMaximum": 3}, "a number below 3"),
    ({**INT, "multipleOf": 5}, "a whole number in steps of 5"),
    (
        {"type": "number", "minimum": 5, "maximum": 30, "multipleOf": 0.5},
        "a number from 5 to 30 in steps of 0.5",
    ),
    ({"type": "string", "minLength": 1, "maxLength": 8}, "text of 1 to 8 characters"),
    ({"type": "array", "items": INT}, "a list of whole numbers"),
    ({"type": "array", "minItems": 1}, "a list of at least 1 entries"),
    ({"enum": ["dark", "light"]}, "one of dark, light"),
    ({"enum": list("abcdefghijklmn")}, "one of a, b, c, d, e, f, g, h, i, j, k, l, 2 more"),
    ({"enum": list("abcdefghijkl")}, "one of a, b, c, d, e, f, g, h, i, j, k, l"),
    ({"enum": list("abcdefghijklm")}, "one of a, b, c, d, e, f, g, h, i, j, k, l, 1 more"),
    ({"const": "x" * 40}, "x" * 40),
    ({"const": "x" * 41}, "x" * 39 + "…"),
    ({"const": 5}, "5"),
    ({"enum": ["a\x1b[2J\nb", True]}, "one of a b, true"),
    ({"type": "boolean"}, "true or false"),
    ({}, "a value"),
]


@pytest.mark.parametrize(("schema", "words"), WORDS)
def test_an_argument_says_what_it_must_be(schema, words):
    assert read(schema).arguments["a"].wanted == words


KEYWORDS = st.sampled_from([
    "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf", "minLength", "maxLength", "pattern", "items", "anyOf", "oneOf", "allOf", "$ref",
    "$defs", "$id", "nullable", "default", "title", "description", "properties", "required",
])  # fmt: skip
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["integer", "string", "null", "#", "#/properties/a", "#/$defs/x", "(", "a+"])
    | st.just(10**400)
)


def grown(inner):
    return st.lists(inner, max_size=4) | st.dictionaries(KEYWORDS, inner)


SCHEMAS = st.recursive(LEAVES, grown, max_leaves=20)


@given(st.dictionaries(KEYWORDS, SCHEMAS), SCHEMAS)
def test_any_schema_is_read_or_said_to_be_unreadable(root, schema):
    form = reader.read({**root, "properties": {"a": schema}})
    named = {each.argument for each in form.problems}
    assert "a" in form.arguments or named & {"", "a"} or schema is False
    for argument in form.arguments.values():
        assert isinstance(argument.wanted, str)
        json.dumps(argument.wanted).encode()


def test_a_step_too_small_to_tell_numbers_apart_is_none():
    assert read({"type": "number", "multipleOf": 1e-320}).arguments["a"].step is None
    assert read({"type": "number", "multipleOf": 0.01}).arguments["a"].step == 0.01
