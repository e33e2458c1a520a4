"""A page of `tools/list` as the SDK takes it, whatever its server wrote."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import ListToolsResult, methods
from voxcard.toolhub.mcp import tools_page

REVISIONS = ("2024-11-05", "2025-06-18", "2025-11-25")


def admitted(*tools, tools_max=10, **page):
    return tools_page.admissible({"tools": list(tools), **page}, tools_max)


def entries(page):
    tools = ListToolsResult.model_validate(page).tools
    return [
        tools_page.entry(each.name, each.description or "", each.input_schema, each.meta)
        for each in tools
    ]


def test_a_good_tool_keeps_what_is_used_of_it():
    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": True}}
    meta = {"voxcard/scope": "user"}
    tool = {"name": "t", "description": "D", "inputSchema": schema, "_meta": meta, "title": "T"}
    page = admitted(tool, nextCursor="n")
    assert page == {"tools": [tool], "nextCursor": "n"}
    [entry] = entries(page)
    assert (entry.name, entry.input_schema, entry.scope) == ("t", schema, "user")


def test_of_annotations_only_what_is_used_and_well_formed_is_kept():
    hints = {"readOnlyHint": False, "destructiveHint": "yes", "title": 5, "other": True}
    page = admitted({"name": "t", "inputSchema": {"type": "object"}, "annotations": hints})
    assert page["tools"][0]["annotations"] == {"readOnlyHint": False}
    page = admitted({"name": "t", "inputSchema": {"type": "object"}, "annotations": 5})
    assert "annotations" not in page["tools"][0]


ODD = [
    None,
    5,
    {},
    {"type": "string"},
    {"type": "object", "properties": {"a": 5}},
    {"type": "object", "required": [1]},
    {"type": "object", "$schema": 5},
]


@pytest.mark.parametrize("schema", ODD)
def test_a_schema_that_the_sdk_refuses_is_handed_round_it(schema):
    page = admitted({"name": "t", "inputSchema": schema, "_meta": {"a": 1}})
    for revision in REVISIONS:
        methods.validate_server_result("tools/list", revision, page)
    [entry] = entries(page)
    assert (entry.input_schema, dict(entry.meta)) == (schema, {"a": 1})


def test_no_foreign_schema_is_left_for_the_sdk_to_check_results_by():
    greedy = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}
    page = admitted({"name": "t", "inputSchema": {"type": "object"}, "outputSchema": greedy})
    assert "outputSchema" not in page["tools"][0]


def test_what_is_too_large_or_too_deep_to_be_copied_keeps_its_name():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    large = {"name": "large", "inputSchema": {"type": "object"}, "description": "x" * 5_000_000}
    page = admitted({"name": "deep", "inputSchema": {"default": deep}}, large)
    assert [entry.name for entry in entries(page)] == ["deep", "large"]


def nested(levels):
    value = []
    for _ in range(levels - 1):
        value = [value]
    return value


def test_an_entry_of_four_million_characters_or_200_levels_is_still_copied():
    # 30 characters are the names, the quotes and what is between them.
    for length, kept in ((4_000_000 - 30, True), (4_000_000 - 29, False)):
        [tool] = admitted({"name": "t", "description": "x" * length})["tools"]
        assert ("description" in tool) is kept
    for levels, kept in ((199, True), (200, False)):
        [tool] = admitted(
            {"name": "t", "inputSchema": {"type": "object", "default": nested(levels)}}
        )["tools"]
        assert ("default" in tool["inputSchema"]) is kept


def test_a_page_has_only_so_many_tools():
    assert len(admitted(*[{"name": "t"}] * 20)["tools"]) == 10


def test_other_results_are_no_page():
    assert tools_page.is_page({"tools": None})
    for other in ({"content": [], "tools": []}, {"prompts": []}, {}, None, []):
        assert not tools_page.is_page(other)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        "name",
        "title",
        "description",
        "inputSchema",
        "outputSchema",
        "_meta",
        "annotations",
        "icons",
    ]
)


@given(JSON | st.lists(JSON | st.dictionaries(KEYS, JSON), max_size=4), JSON)
def test_any_page_is_one_that_the_sdk_takes(tools, cursor):
    page = tools_page.admissible({"tools": tools, "nextCursor": cursor}, 10)
    for revision in REVISIONS:
        methods.validate_server_result("tools/list", revision, page)
    assert len(entries(page)) == (len(tools) if isinstance(tools, list) else 0)
