"""A2UI in tool results: where it is found, what the model reads, layouts published apart."""

import json

import pytest
from voxcard.cards.read.reading import read

LAYOUT = [
    {
        "version": "v0.9",
        "createSurface": {"surfaceId": "w"},
    },
    {
        "version": "v0.9",
        "updateComponents": {
            "surfaceId": "w",
            "components": [
                {"id": "root", "component": "Column", "children": ["t", "v"]},
                {"id": "t", "component": "Text", "text": {"path": "/place"}, "variant": "h2"},
                {
                    "id": "v",
                    "component": "Text",
                    "text": {"call": "formatString", "args": {"value": "${/degrees}°, ${/sky}"}},
                },
            ],
        },
    },
]
DATA = {"place": "Sibiu", "degrees": 4, "sky": "snow"}
UPDATE = {"version": "v0.9", "updateDataModel": {"surfaceId": "w", "value": DATA}}
URI = "a2ui://weather/current"


def resource(text, kind="application/a2ui+json"):
    return {"type": "resource", "resource": {"uri": "x://y", "mimeType": kind, "text": text}}


def shown(parsed):
    return [(each.title, [block.text for block in each.blocks]) for each in parsed.cards]


SIBIU = [("Sibiu", ["4°, snow"])]


@pytest.mark.parametrize(
    "result",
    [
        {"content": [resource(json.dumps([*LAYOUT, UPDATE]))]},
        {"content": [resource(json.dumps([*LAYOUT, UPDATE]), "application/json+a2ui")]},
        {"content": [{"type": "text", "text": json.dumps([*LAYOUT, UPDATE])}]},
        {"content": [{"type": "text", "text": "\n".join(map(json.dumps, [*LAYOUT, UPDATE]))}]},
        {"content": [resource(json.dumps(LAYOUT, indent=2)), resource(json.dumps(UPDATE))]},
        {"structuredContent": {"a2ui": [*LAYOUT, UPDATE]}},
        {"structuredContent": {"a2ui": {"messages": [*LAYOUT, UPDATE]}}},
        {"structuredContent": {"a2ui": json.dumps([*LAYOUT, UPDATE])}},
    ],
)
def test_a_result_brings_its_surface(result):
    parsed = read(result, call_id="7")
    assert shown(parsed) == SIBIU
    assert parsed.cards[0].id == "a2ui:7"
    assert read(result).needs_template is None


def test_without_words_the_model_reads_the_twin():
    result = {"content": [resource(json.dumps([*LAYOUT, UPDATE]))]}
    assert read(result).text == "**Sibiu**\n\n4°, snow"


def test_the_results_own_words_are_spoken():
    words = {"type": "text", "text": "It snows in Sibiu."}
    result = {"content": [words, resource(json.dumps([*LAYOUT, UPDATE]))]}
    assert read(result).cards[0].twin.speak == "It snows in Sibiu."


@pytest.mark.parametrize(
    ("result", "tool_meta"),
    [
        ({"structuredContent": {"a2ui": [UPDATE]}, "_meta": {"ui": {"resourceUri": URI}}}, None),
        ({"content": [resource(json.dumps(UPDATE))]}, {"ui": {"resourceUri": URI}}),
        ({"structuredContent": DATA}, {"ui/resourceUri": URI}),
        ({"structuredContent": DATA, "content": [{"type": "resource_link", "uri": URI}]}, None),
    ],
)
@pytest.mark.parametrize(
    "template",
    [
        LAYOUT,
        json.dumps(LAYOUT),
        "\n".join(map(json.dumps, LAYOUT)),
        {"messages": LAYOUT},
        {"contents": [{"uri": URI, "text": json.dumps(LAYOUT)}]},
    ],
)
def test_data_is_shown_in_the_layout_it_names(result, tool_meta, template):
    assert read(result, tool_meta=tool_meta).needs_template == URI
    assert shown(read(result, template=template)) == SIBIU


@pytest.mark.parametrize(
    "result",
    [
        None,
        [],
        {},
        {"structuredContent": DATA, "_meta": {"ui": {"resourceUri": "ui://weather"}}},
        {"structuredContent": DATA, "_meta": {"ui": {"resourceUri": 7}}},
        {"structuredContent": DATA, "_meta": {"ui": URI}},
        {"isError": True, "_meta": {"ui": {"resourceUri": URI}}},
        {"structuredContent": {"a2ui": LAYOUT}, "_meta": {"ui": {"resourceUri": URI}}},
    ],
)
def test_other_results_need_no_layout(result):
    assert read(result).needs_template is None


def test_a_layout_keeps_its_own_data_when_the_result_brings_none():
    assert shown(read({"content": []}, template=[*LAYOUT, UPDATE])) == SIBIU


def test_a_broken_layout_is_a_warning_and_the_words_remain():
    result = {"content": [{"type": "text", "text": "It snows."}], "structuredContent": DATA}
    parsed = read(result, template="{")
    assert parsed.cards == ()
    assert [each.detail for each in parsed.warnings][:1] == ["is no JSON of messages"]


@pytest.mark.parametrize(
    "text",
    [
        "Here: " + json.dumps(LAYOUT),
        json.dumps(LAYOUT) + "\nDone.",
        json.dumps({"updateDataModel": 1})[:-1],
        json.dumps({"a": {"createSurface": 1}}),
        '"createSurface"',
        "",
    ],
)
def test_a_text_that_is_more_than_messages_is_a_text(text):
    reading = read({"content": [{"type": "text", "text": text}]})
    assert reading.cards == () or reading.cards[0].dialect != "a2ui"
    assert reading.text == text.strip() or text in reading.text
