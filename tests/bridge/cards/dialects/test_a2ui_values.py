"""A2UI values: pointers, expressions, formatting; the same as the reference implementation's."""

import pytest
from voxcard.cards.dialects.a2ui import pointer
from voxcard.cards.dialects.a2ui.formatting.expressions import (
    Call,
    ExpressionError,
    Path,
    template,
)
from voxcard.cards.dialects.a2ui.notes import Notes
from voxcard.cards.dialects.a2ui.values import Scope, Values, spelled

from tests.fakes.a2ui_oracle import Oracle

DATA = {
    "n": 1234567,
    "s": "txt",
    "b": True,
    "o": {"a": [1, 2]},
    "l": ["x", "y"],
    "zero": 0,
    "null": None,
    "d": "2026-12-04T07:05:09Z",
    "user": {"name": "Ana"},
    "a/b": {"c~d": "deep"},
}


def values(data=None, *, marked=False, locale="en_US"):
    notes = Notes()
    made = Values(DATA if data is None else data, marked=marked, locale=locale, notes=notes)
    return made, notes


def shown(value, data=None, *, marked=False, scope=None, locale="en_US"):
    made, _ = values(data, marked=marked, locale=locale)
    return made.text(value, scope or Scope())


def warned(value, *, marked=False):
    made, notes = values(marked=marked)
    assert made.text(value, Scope(), "s.t") == ""
    return [(each.code, each.path, each.detail) for each in notes.warnings]


def call(name, **args):
    return {"call": name, "args": args}


def formatted(text):
    return shown(call("formatString", value=text))


# -- pointers


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/s", "txt"),
        ("s", "txt"),
        ("/user/name", "Ana"),
        ("/l/1", "y"),
        ("/l/9", ""),
        ("/l/-1", ""),
        ("/l/x", ""),
        ("/a~1b/c~0d", "deep"),
        ("/nothing/at/all", ""),
        ("/null", ""),
        ("/s/deeper", ""),
        ("/b", "true"),
        ("/o", "a: 1, 2"),
        ("/l", "x, y"),
    ],
)
def test_a_path_leads_to_a_value_or_to_nothing(path, value):
    assert shown({"path": path}) == value


def test_relative_paths_begin_at_the_item_and_absolute_ones_do_not():
    scope = Scope(base=("user",), index=0)
    assert shown({"path": "name"}, scope=scope) == "Ana"
    assert shown({"path": "/s"}, scope=scope) == "txt"
    assert shown({"path": ""}, scope=scope) == "name: Ana"
    assert shown(call("formatString", value="${name}, ${/s}"), scope=scope) == "Ana, txt"


def test_a_value_is_put_with_its_parents():
    assert pointer.put({}, ("x", "y"), 1) == {"x": {"y": 1}}
    assert pointer.put({}, ("l", "2", "n"), 1) == {"l": [None, None, {"n": 1}]}
    assert pointer.put(None, ("0",), "a") == ["a"]
    assert pointer.put({"a": None}, ("a", "b"), 1) == {"a": {"b": 1}}
    assert pointer.put({"a": 1}, (), [2]) == [2]


@pytest.mark.parametrize(
    ("data", "place", "reason"),
    [
        ({"a": 1}, ("a", "b"), "leads through a value that is no object"),
        ("word", ("a",), "leads through a value that is no object"),
        ({"a": []}, ("a", "b"), "names an entry of a list by something that is no number"),
        ({}, ("a", "100000"), "is entry 100000 of a list, the limit is 500"),
        ({}, ("a",) * 65, "is deeper than 64 levels"),
    ],
)
def test_a_value_is_not_put_where_it_cannot_be(data, place, reason):
    with pytest.raises(ValueError, match=reason):
        pointer.put(data, place, 1)


def test_removing_a_list_entry_leaves_the_others_at_their_index():
    assert pointer.remove({"a": 1, "b": 2}, ("a",)) == {"b": 2}
    assert pointer.remove({"l": [1, 2]}, ("l", "0")) == {"l": [None, 2]}
    assert pointer.remove({"a": 1}, ("x", "y")) == {"a": 1}
    assert pointer.remove({"a": 1}, ()) == {}


# -- expressions


def test_an_expression_is_read_to_its_parts():
    text = r"a ${/p} \${b} ${f(x: 'it\'s', y: ${g(z: -1.5)}, w: true)}"
    assert list(template(text)) == [
        "a ",
        Path(path="/p"),
        " ",
        "${",
        "b} ",
        Call(
            name="f",
            args=(("x", "it's"), ("y", Call(name="g", args=(("z", -1.5),))), ("w", True)),
        ),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("${/n", "an interpolation is unclosed: add a }"),
        ("${f(x: 1}", "a function call lacks its )"),
        ("${f(}", "a function call lacks its )"),
        ("${f(x: 1", "an interpolation is unclosed: add a }"),
        ("${f(x 1)}", "an argument of a function lacks its name or :"),
        ("${f(x: (}", "a function call lacks its )"),
        ("${/a /b}", "has unexpected characters at the end of an expression"),
        ("${1.2.3}", "has a number that is no number"),
        ("${1e}", "has a number that is no number"),
        ("${'a}", "an interpolation is unclosed: add a }"),
        ("${" * 30 + "/n" + "}" * 30, "is nested deeper than 24 levels"),
        ("x" * 10_001, "is longer than 10000 characters"),
        ("${/n}" * 1001, "has more than 1000 parts"),
    ],
)
def test_an_expression_that_cannot_be_read_says_why(text, reason):
    *_, last = template(text)
    assert isinstance(last, ExpressionError) and str(last) == reason


def test_one_broken_interpolation_does_not_cost_the_rest():
    assert formatted("${/user/name} ${1.2.3} is ${/s}") == "Ana  is txt"


# -- v1.0


def test_marked_objects_bind_and_plain_ones_are_data():
    assert shown({"@path": "/s"}, marked=True) == "txt"
    assert shown({"path": "/s"}, marked=True) == "path: /s"
    assert shown({"call": "formatNumber"}, marked=True) == "call: formatNumber"
    assert shown({"@@path": {"@path": "/s"}}, marked=True) == "@path: txt"
    nested = {"@call": "formatNumber", "args": {"value": {"@path": "/n"}}}
    assert shown(nested, marked=True) == "1,234,567"


@pytest.mark.parametrize("key", ["@if", "@", "@Path"])
def test_an_unknown_key_with_an_at_sign_is_refused(key):
    assert warned({key: 1, "then": "x"}, marked=True) == [
        ("dropped", "s.t", "an object has a key with one @ that means nothing")
    ]


def test_the_index_counts_entries():
    scope = Scope(base=("l", "1"), index=1)
    assert shown({"call": "@index", "args": {"offset": 1}}, scope=scope) == "2"
    assert shown(call("formatString", value="${@index()}: ${/s}"), scope=scope) == "1: txt"
    assert warned({"call": "@index"}) == [
        ("dropped", "s.t", "@index: is outside of a list's template")
    ]


# -- functions


def test_numbers_and_money_are_grouped_as_the_locale_does():
    assert shown(call("formatNumber", value=1234567.891)) == "1,234,567.891"
    assert shown(call("formatNumber", value=1234567, decimals=2, grouping=False)) == "1234567.00"
    assert shown(call("formatCurrency", value=1250000, currency="VND")) == "₫1,250,000.00"
    assert shown(call("formatCurrency", value=99.9, currency="RON")) == "RON\xa099.90"
    money = call("formatCurrency", value=1234.5, currency="EUR")
    assert shown(money, locale="ro-RO") == "1.234,50\xa0EUR"
    assert shown(money, locale="no such place") == "€1,234.50"


def test_a_date_is_written_in_its_own_zone():
    date = call("formatDate", value="2026-12-04T07:05:09+02:00", format="EEEE d MMM, HH:mm")
    assert shown(date) == "Friday 4 Dec, 07:05"
    assert shown(date, locale="ro") == "vineri 4 dec., 07:05"
    assert shown(call("formatDate", value=0, format="yyyy-MM-dd HH:mm")) == "1970-01-01 00:00"
    assert shown(call("formatDate", value="18:30", format="h:mm a")) == "6:30 PM"
    assert shown(call("formatDate", value="2026-12-04", format="d 'of' MMMM")) == "4 of December"


def test_plural_forms_are_the_locales():
    forms = {"one": "ora", "few": "ore", "other": "de ore"}
    said = [shown(call("pluralize", value=n, **forms), locale="ro") for n in (1, 3, 25)]
    assert said == ["ora", "ore", "de ore"]


@pytest.mark.parametrize(
    ("value", "detail"),
    [
        (call("formatNumber", value="many"), "formatNumber: the value is no number"),
        (
            call("formatNumber", value=1, decimals=99),
            "formatNumber: decimals must be between 0 and 20",
        ),
        (
            call("formatCurrency", value=1, currency="lei noi"),
            "formatCurrency: the currency must be a code of three letters",
        ),
        (
            call("formatNumber", value=10**300, decimals=20),
            "formatNumber: the number has more digits than can be written",
        ),
        (call("formatDate", value="soon"), "formatDate: the value is no date or time"),
        (call("formatDate", value=1e300), "formatDate: the value is no date or time"),
        (
            call("formatDate", value="2026-12-04", format="y" * 101),
            "formatDate: the format must be a pattern of at most 100 characters",
        ),
        (call("formatString", value="${"), "formatString: an interpolation is unclosed: add a }"),
        ({"path": "/a" * 600}, "a path is longer than 1024 characters"),
    ],
)
def test_a_value_that_cannot_be_formatted_is_empty_with_a_warning(value, detail):
    assert warned(value) == [("dropped", "s.t", detail)]


def test_other_functions_are_not_run():
    assert warned(call("regex", value="x", pattern="(a+)+$")) == [
        ("unknown", "s.t", "calls a function that a card does not run")
    ]


def test_nothing_is_formatted_to_nothing():
    assert shown(call("formatNumber", value={"path": "/none"})) == ""
    assert shown(call("formatCurrency", value=None, currency="EUR")) == ""
    assert shown(call("formatDate", value="", format="E")) == ""


def test_values_are_spelled_plainly():
    assert [spelled(each) for each in (5, 5.0, 0.5, True, None, "x", 1e300, float("nan"))] == [
        "5", "5", "0.5", "true", "", "x", "1e+300", "NaN"
    ]  # fmt: skip
    assert spelled(10**5000) == "…"


# -- the reference implementation

TEMPLATES = [
    "plain", "", "a ${/n} b", "${/user/name}", "${user/name}", r"\${x} ${/s}", "${/o}", "${/l}",
    "${/b}", "${/null}|", "${/none}|", "${formatNumber(value: /n)}", "${/l/1}", "${/l/9}|",
    "${formatNumber(value: ${/n}, decimals: 2)}", r"${'it\'s'}", '${"q"}', "${true}", "${1.5}",
    "${-3}", "${1.2.3}", "${", "${/n", "${foo(", "${formatNumber(value /n)}", "${/n extra}",
    "${}", "${ /s }", "${${/s}}", "$ {x}", "$${/s}", "{${/s}}", "${null}|", "${nope(x: 1)}",
    "${formatDate(value: /d, format: 'MMM d, yyyy')}", "${formatString(value: 'in ${/s}')}",
    "${pluralize(value: /zero, zero: 'none', one: 'one', other: 'many')}",
]  # fmt: skip
FORMATS = [
    "yyyy-MM-dd",
    "MMM d",
    "MMMM d, yyyy",
    "E",
    "EEEE",
    "h:mm a",
    "HH:mm:ss",
    "ISO",
    "d/M/yy",
]
COMPARED = [
    *(call("formatString", value=text) for text in TEMPLATES),
    *(
        call("formatCurrency", value=value, currency=code)
        for code in ("USD", "EUR", "VND", "RON", "JPY", "CHF", "ron", "GBP", "XXX")
        for value in (12.5, 1234.5, 1250000, 0, -5)
    ),
    call("formatCurrency", value=1.5, currency="USD", decimals=0),
    call("formatCurrency", value=12345.678, currency="USD", decimals=3, grouping=False),
    *(
        call("formatNumber", value=value, **options)
        for value in (0, -1, 1234567, 1234567.891, 0.5, 0.125, 1e21)
        for options in ({}, {"decimals": 0}, {"decimals": 2}, {"grouping": False})
    ),
    *(
        call("formatDate", value=value, format=form)
        for form in FORMATS
        for value in ("2026-12-04", "2026-01-31T23:59:00Z", "2026-07-15T12:00", "soon", "")
    ),
    *(
        call("pluralize", value=value, **forms)
        for value in (0, 1, 2, 3, 1.5)
        for forms in (
            {"one": "1 thing", "other": "things"},
            {"zero": "none", "one": "1", "two": "pair", "few": "f", "many": "m", "other": "o"},
        )
    ),
    {"path": "/o"}, {"path": "o/a/1"}, {"path": ""}, {"path": "."},
    {"x": {"path": "/s"}, "y": [{"path": "/n"}]}, [1, {"path": "/s"}], 5, True, "t", None,
]  # fmt: skip


@pytest.mark.parametrize("version", ["v0.9", "v1.0"])
def test_values_are_those_of_the_reference_implementation(version):
    marked = version == "v1.0"
    ours, _ = values(marked=marked)
    reference = Oracle(DATA, version)
    different = {}
    for dynamic in map(_marked, COMPARED) if marked else COMPARED:
        expected = reference.value(dynamic)
        got = ours.resolve(dynamic, Scope())
        if spelled(got) != spelled(expected):
            different[str(dynamic)] = (spelled(expected), spelled(got))
    assert different == {}


def _marked(value):
    """A dynamic value in v1.0's spelling."""
    if isinstance(value, list):
        return [_marked(each) for each in value]
    if isinstance(value, dict):
        keys = {"path": "@path", "call": "@call"}
        return {keys.get(key, key): _marked(each) for key, each in value.items()}
    return value
