"""A foreign list of tools: what of it is used, and what the log says of the rest."""

import dataclasses
import logging
import time
from pathlib import Path

import pytest
from voxcard.toolhub import listing
from voxcard.toolhub.listing import Entry, Limits, Listing, no_such_tool

PAGE = Path(__file__).parents[3] / "docs" / "adding-a-tool.md"
INT = {"type": "integer"}
FEW = Limits(
    tools=3, name=8, description=20, schema=300, total=700, meta=200, depth=6, sentences=2,
    sentence=30,
)  # fmt: skip


def entry(name="t", schema=None, description="", **meta):
    schema = {"type": "object", "properties": {"a": INT}} if schema is None else schema
    return Entry(name=name, description=description, input_schema=schema, scope="ai", meta=meta)


def sentences(*templates, locale="en"):
    return {"voxcard/sentences": {locale: list(templates)}}


def lab(limits=listing.SERVER):
    return Listing("tool server lab", source="lab", prefix="lab.", limits=limits)


@pytest.fixture
def log(caplog):
    caplog.set_level(logging.WARNING)
    return caplog


def test_a_tool_has_its_owners_name_and_its_arguments_in_the_plain_form(log):
    [spec] = lab().read([entry("t", description="Does it.\nWell.", **sentences("do {a}"))])
    assert (spec.name, spec.source, spec.scope) == ("lab.t", "lab", "ai")
    assert spec.description == "Does it.\nWell."
    assert spec.arguments["a"].kind == "integer"
    assert spec.sentences == {"en": ("do {a}",)}
    assert log.messages == []


ODD = [
    {"type": "integer", "minimum": None, "maximum": None},
    {"type": "integer", "minimum": "0"},
    {"enum": None},
    {"enum": 5},
    {"type": "string", "maxLength": "10"},
    {"$ref": "#/nowhere"},
]


@pytest.mark.parametrize("odd", ODD)
def test_an_argument_that_cannot_be_read_costs_its_tools_sentences_alone(log, odd):
    schema = {"properties": {"a": INT, "b": odd}}
    odd_tool = entry("odd", schema, **sentences("do {a}", "do it"))
    one, other = lab().read([odd_tool, entry("good", **sentences("be {a}"))])
    assert one.sentences == {} and other.sentences == {"en": ("be {a}",)}
    assert one.input_schema == schema and set(one.arguments) == {"a"}
    [line] = log.messages
    assert line.startswith("tool server lab: tool odd: argument b: ")
    assert line.endswith("; its sentences are not used")


def test_a_warning_is_logged_when_it_is_new(log):
    tools = lab()
    odd = entry("odd", {"properties": {"b": {"enum": 5}}}, **sentences("do it"))
    for _ in range(3):
        tools.read([odd])
    assert log.messages == [
        "tool server lab: tool odd: argument b: enum is no list of values; its sentences are not"
        " used"
    ]
    tools.read([])
    tools.read([odd])
    assert len(log.messages) == 2


def test_a_pattern_that_cannot_be_matched_is_said_and_limits_nothing(log):
    schema = {"properties": {"a": {"type": "string", "pattern": "(?=x)"}}}
    [spec] = lab().read([entry("t", schema, **sentences("say {a}"))])
    assert spec.sentences == {"en": ("say {a}",)}
    assert log.messages == [
        "tool server lab: tool t: argument a: pattern cannot be matched; any text is taken"
    ]


LIMITS = [
    (
        [entry(f"t{at}") for at in range(5)],
        ["t0", "t1", "t2"],
        "tool t3 and 1 more: left out: more than 3 tools are listed",
    ),
    (
        [entry("n" * 9), entry(""), entry(" t"), entry("t")],
        ["t"],
        "tool nnnnnnnnn and 2 more: left out: a name has 1 to 8 printable characters",
    ),
    ([entry("t"), entry("t", {})], ["t"], "tool t: listed twice, of which the first counts"),
    ([entry(description="d" * 21)], ["t"], "tool t: description cut to 20 characters"),
    (
        [entry(ui="x" * 201)],
        ["t"],
        "tool t: _meta has more than 200 characters or 6 levels; it is not used",
    ),
    (
        [entry(**sentences("a {a}", "b {a}", "c {a}"))],
        ["t"],
        "tool t: at most 2 sentences of 30 characters are used; the others are not",
    ),
    (
        [entry(**sentences("a {a}", "b" * 31))],
        ["t"],
        "tool t: at most 2 sentences of 30 characters are used; the others are not",
    ),
]


@pytest.mark.parametrize(("entries", "names", "line"), LIMITS)
def test_each_limit_has_one_warning_that_names_the_first_tool(log, entries, names, line):
    specs = lab(FEW).read(entries)
    assert [spec.name for spec in specs] == [f"lab.{name}" for name in names]
    assert log.messages == [f"tool server lab: {line}"]


def nested(levels):
    schema = INT
    for _ in range(levels):
        schema = {"items": schema}
    return {"properties": {"a": schema}}


UNUSABLE = [
    {"properties": {"a": {**INT, "description": "x" * 300}}},
    nested(6),
    nested(100_000),
    {"properties": {"a": {"const": "\ud800"}}},
    {"properties": {"a": {"const": 10**5000}}},
]


@pytest.mark.parametrize("schema", UNUSABLE)
def test_a_tool_whose_schema_is_no_size_for_a_home_can_still_be_called(log, schema):
    [spec] = lab(FEW).read([entry("t", schema, **sentences("do it"))])
    assert spec.input_schema == {"type": "object"}
    assert log.messages == [
        "tool server lab: tool t: inputSchema is no object, or has more than 300 characters (700"
        " of all tools) or 6 levels, or half characters; its arguments are not checked"
    ]


@pytest.mark.parametrize("schema", [None, 5, [], "x"])
def test_a_schema_that_is_none_leaves_the_check_to_the_tool(log, schema):
    [spec] = lab().read([Entry(name="t", description="", input_schema=schema, scope="ai", meta=5)])
    assert spec.input_schema == {"type": "object"} and spec.meta == {}
    assert "tool t: inputSchema is no object, or has" in log.messages[0]


def test_the_schemas_of_a_list_have_a_common_limit(log):
    large = {"properties": {"a": {**INT, "description": "x" * 200}}}
    specs = lab(FEW).read([entry(name, large) for name in "abc"])
    assert [spec.input_schema == large for spec in specs] == [True, True, False]
    assert log.messages[0].startswith("tool server lab: tool c: inputSchema is no object, or has")


def test_names_and_texts_cannot_act_on_a_terminal_or_write_a_log_line(log):
    [spec] = lab().read(
        [
            entry("\x1b[2Jx"),
            entry("pay\u202ecod"),
            entry("a\nb"),
            entry("a\ud800"),
            entry(
                "t", description="\x1b]52;c;aGk=\x07Say\x00 it.\r\u202e", **sentences("do\x07 it")
            ),
        ]
    )
    assert (spec.name, spec.description, spec.sentences) == (
        "lab.t",
        "Say it.",
        {"en": ("do it",)},
    )
    [line] = log.messages
    assert line.isprintable() and line.startswith("tool server lab: tool x and 3 more: left out")


def test_the_log_does_not_grow_with_the_faults_of_a_list(log):
    odd = [
        entry(f"t{at}", {"properties": {f"a{at}": {"enum": 5}}}, **sentences("do it"))
        for at in range(60)
    ]
    lab().read(odd)
    assert len(log.messages) == 41
    assert log.messages[-1] == "tool server lab: 20 more kinds of faults"


def test_as_many_kinds_of_faults_as_are_named_leave_no_rest(log):
    odd = [
        entry(f"t{at}", {"properties": {f"a{at}": {"enum": 5}}}, **sentences("do it"))
        for at in range(40)
    ]
    lab().read(odd)
    assert len(log.messages) == 40 and not any("more kinds" in each for each in log.messages)


def test_as_many_sentences_as_are_used_are_no_fault(log):
    [spec] = lab(FEW).read([entry(**sentences("a {a}", "b" * 30))])
    assert spec.sentences == {"en": ("a {a}", "b" * 30)} and log.messages == []


def test_the_page_for_makers_of_tools_says_what_a_list_may_hold():
    limits = listing.SERVER
    texts = f"{limits.sentences} of {limits.sentence} characters, in {limits.locales} locales"
    page = PAGE.read_text(encoding="utf-8")
    for row in (
        f"| tools | {limits.tools} | {listing.DEVICE.tools} |",
        f"| name | {limits.name} printable characters | the same |",
        f"| description | {limits.description} characters; the rest is cut | the same |",
        f"| `inputSchema` and `_meta` of one tool | {limits.schema:,} characters each,"
        f" {limits.depth} levels | the same |",
        f"| of all tools together | {limits.total:,} characters | the same |",
        f"| sentences of a tool in one locale | {texts} | the same |",
    ):
        assert row in page
    assert limits.meta == limits.schema
    assert dataclasses.replace(listing.DEVICE, tools=limits.tools) == limits


META = [
    ({"voxcard/sentences": {"en": ["a", 5, "b"], "de": "x"}}, {"en": ("a", "b")}),
    ({"voxcard/sentences": 5}, {}),
    ({"voxcard/sentences": {"e\x1bn": ["a"]}}, {}),
    ({}, {}),
]


@pytest.mark.parametrize(("meta", "expected"), META)
def test_sentences_are_texts_by_locale(meta, expected):
    [spec] = lab().read([entry(**meta)])
    assert spec.sentences == expected


def test_the_scope_is_one_that_exists():
    assert listing.scope({"voxcard/scope": "user"}) == "user"
    for nothing in (None, [], {}, {"voxcard/scope": ["ai"]}, {"voxcard/scope": "root"}):
        assert listing.scope(nothing) == "ai"


UI = [
    (None, False),
    ({"ui": {"visibility": ["app"]}}, True),
    ({"ui": {"visibility": ["model", "app"]}}, False),
    ({"ui": {"resourceUri": "ui://x"}}, False),
]


@pytest.mark.parametrize(("meta", "hidden"), UI)
def test_a_tool_for_its_own_app_alone_is_not_listed(meta, hidden):
    assert listing.is_for_apps_only(meta) is hidden


def test_twenty_thousand_tools_of_two_hundred_characters_are_read_in_no_time(log):
    started = time.process_time()
    specs = lab().read([entry(f"{at:x>200}") for at in range(20_000)])
    specs += lab().read([entry(f"{at:x>100}") for at in range(20_000)])
    assert time.process_time() - started < 5
    assert len(specs) == listing.SERVER.tools
    assert len(log.messages) == 2


def test_the_nearest_name_is_found_among_as_many_names_as_a_home_can_have():
    names = [f"lab.{at:x>120}" for at in range(5000)]
    started = time.process_time()
    assert no_such_tool("x" * 10**6, names).startswith("There is no tool xxx")
    assert no_such_tool("lab.\x1b[2J", [*names, "lab.on"]).startswith("There is no tool lab.. ")
    assert time.process_time() - started < 10
    assert no_such_tool("lab.of", ["lab.on", "lab.off"]) == (
        "There is no tool lab.of. Did you mean lab.off?"
    )


def test_a_name_with_many_letters_more_is_not_nearer_than_one_with_another_letter():
    names = [f"lamp{at:->40}" for at in range(300)]
    assert no_such_tool("lamp", [*names, "lump"]).endswith("Did you mean lump?")


def test_what_is_exactly_as_long_as_allowed_is_kept_whole(log):
    [spec] = lab(FEW).read([entry("n" * 8, description="d" * 20)])
    assert (spec.name, spec.description) == ("lab." + "n" * 8, "d" * 20)
    assert log.messages == []
    assert lab(FEW).read([entry("n" * 9)]) == ()
    [spec] = lab(FEW).read([entry("n", description="d" * 21)])
    assert spec.description == "d" * 20
    assert log.messages[-1].endswith("tool n: description cut to 20 characters")
