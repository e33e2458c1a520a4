"""The schema of a value: what each kind takes, what it becomes, what a refusal says."""

from voxwire.errors import WireError
from voxwire.fields import parse
from voxwire.value import (
    ARRAY,
    BOOLEAN,
    INTEGER,
    OBJECT,
    OPEN,
    STRING,
    array,
    check,
    choice,
    integer,
    number,
    string,
)

NUMBER = OPEN["number"]
NAN, INFINITY = float("nan"), float("inf")
DEPTH = choice((1, 16))
NAMES = array(string(4, low=1), 2, low=1)

LEGAL = (
    # schema, value, what it becomes
    (STRING, "", ""),
    (string(3, low=1), "a", "a"),
    (string(3, low=1), "abc", "abc"),
    (INTEGER, -(10**15) + 1, -(10**15) + 1),
    (INTEGER, 10**15 - 1, 10**15 - 1),
    (INTEGER, 60.0, 60),
    (integer(0, 100), 0, 0),
    (integer(0, 100), 100.0, 100),
    (NUMBER, 0.25, 0.25),
    (NUMBER, 7, 7),
    (number(-1, 1), -1, -1),
    (BOOLEAN, False, False),
    (OBJECT, {"a": 1}, {"a": 1}),
    (ARRAY, [1, "a", None], [1, "a", None]),
    (array(integer(0, 9), 3), [], []),
    (array(integer(0, 9), 3), [1, 2.0], [1, 2]),
    (choice(("dark", "light")), "light", "light"),
    (DEPTH, 16, 16),
    (DEPTH, 1.0, 1),
)
ILLEGAL = (
    # schema, values, the end of the sentence "NAME must be ..."
    (STRING, (5, None, True, [], b"x"), "of type string"),
    (string(3, low=1), ("", "long", 1), "text of 1 to 3 characters"),
    (string(2), ("abc", None), "text of 0 to 2 characters"),
    (array(INTEGER, 1), ([1, 2], None), "a list of 0 to 1 items"),
    (
        INTEGER,
        (1.5, "1", True, None, NAN, INFINITY, -INFINITY, 10**15, -(10**400)),
        "of type integer, of up to 15 digits",
    ),
    (
        integer(0, 100),
        (-1, 101, 99.5, "60", False, [1], NAN, INFINITY),
        "a whole number from 0 to 100",
    ),
    (
        NUMBER,
        ("1", True, None, NAN, INFINITY, 1e15, 10**400),
        "of type number, of up to 15 digits",
    ),
    (number(0, 0.5), (0.6, -1, NAN, INFINITY, "0", True), "a number from 0 to 0.5"),
    (BOOLEAN, (0, 1, "true", None), "true or false"),
    (OBJECT, ([], "{}", None), "of type object"),
    (ARRAY, ({}, "[]", (1,), None), "of type array"),
    (NAMES, ([], ["a", "b", "c"], "ab", None), "a list of 1 to 2 items"),
    (choice(("dark", "light")), ("pink", 1, None, True, ["dark"]), "one of dark, light"),
    (DEPTH, (2, "1", True, None, 1.5, NAN), "one of 1, 16"),
)


def refusal(value, schema):
    try:
        check(value, schema, "x")
    except WireError as error:
        return (error.part, error.reason)
    raise AssertionError("%r was taken" % (value,))


def test_a_legal_value_is_returned_and_a_whole_number_as_an_int():
    for schema, value, expected in LEGAL:
        result = check(value, schema, "x")
        assert result == expected, (schema, value)
        assert type(result) is type(expected), (schema, value)


def test_an_illegal_value_is_refused_with_what_is_allowed():
    for schema, values, sentence in ILLEGAL:
        for value in values:
            assert refusal(value, schema) == ("x", "must be " + sentence), (schema, value)


def test_the_refusal_of_an_item_names_its_place():
    assert refusal(["a", ""], NAMES) == ("x[1]", "must be text of 1 to 4 characters")
    grid = array(array(integer(0, 1), 2), 2)
    assert refusal([[0, 1], [1, 2]], grid) == ("x[1][1]", "must be a whole number from 0 to 1")


def test_a_text_of_fields_is_read_as_names_schemas_and_defaults():
    text = "a:string b:integer? c:array? d:boolean=true e:on|off=off f:1|16=16 g:0..9=3 h:8"
    text += " i:boolean=false j:string=7"
    rows = [(f.name, f.schema.kind, f.required, f.default) for f in parse(text)]
    assert rows == [
        ("a", "string", True, None),
        ("b", "integer", False, None),
        ("c", "array", False, None),
        ("d", "boolean", False, True),
        ("e", "choice", False, "off"),
        ("f", "choice", False, 16),
        ("g", "integer", False, 3),
        ("h", "choice", True, None),
        ("i", "boolean", False, False),
        ("j", "string", False, "7"),
    ]
    schemas = [field.schema for field in parse(text)]
    assert schemas[4].values == ("on", "off")
    assert schemas[5].values == (1, 16)
    assert (schemas[6].low, schemas[6].high) == (0, 9)
    assert schemas[7].values == (8,)
