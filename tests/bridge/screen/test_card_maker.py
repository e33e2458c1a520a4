"""Cards made from results: read once, and again in the layout that the result names."""

import json

from fakes.bridge import card_maker, run_virtual

URI = "a2ui://weather/current"
LAYOUT = [
    {"version": "v0.9", "createSurface": {"surfaceId": "w"}},
    {
        "version": "v0.9",
        "updateComponents": {
            "surfaceId": "w",
            "components": [{"id": "root", "component": "Text", "text": {"path": "/sky"}}],
        },
    },
]
RESULT = {"content": [], "structuredContent": {"sky": "snow"}}


class Servers:
    """Tool servers: the `_meta` of their tools, and their resources by tool and uri."""

    def __init__(self, meta=None, resources=None):
        self._meta, self._resources = meta or {}, resources or {}
        self.asked = []

    def tool_meta(self, tool):
        return self._meta.get(tool, {})

    async def resource(self, tool, uri):
        self.asked.append((tool, uri))
        return self._resources.get((tool, uri))


def texts(servers, result=RESULT, tool="weather.now"):
    """What the cards say that the result of a call of `tool` gives."""
    maker = card_maker(servers=servers)
    reading = run_virtual(maker.read(result, tool=tool, call_id="1", arguments={}, locale="en"))
    return [card.twin.text for card in reading.cards]


def test_data_is_shown_in_the_layout_of_the_tools_own_server():
    servers = Servers(
        {"weather.now": {"ui": {"resourceUri": URI}}}, {("weather.now", URI): json.dumps(LAYOUT)}
    )
    assert texts(servers) == ["**snow**"]
    assert servers.asked == [("weather.now", URI)]


def test_a_layout_that_a_result_names_is_asked_of_the_server_of_its_tool_alone():
    servers = Servers(resources={("weather.now", URI): json.dumps(LAYOUT)})
    foreign = {**RESULT, "_meta": {"ui": {"resourceUri": URI}}}
    assert texts(servers, foreign, tool="other.tool") == []
    assert servers.asked == [("other.tool", URI)]


def test_a_layout_that_cannot_be_had_leaves_the_card_that_is_there():
    servers = Servers({"weather.now": {"ui": {"resourceUri": URI}}})
    block = {"type": "text", "text": "Snow in Sibiu."}
    result = {"content": [], "structuredContent": {"block": block}}
    assert texts(servers, result) == ["Snow in Sibiu."]
    assert servers.asked == [("weather.now", URI)]


def test_a_result_that_names_no_layout_asks_no_server():
    servers = Servers()
    assert texts(servers) == []
    assert servers.asked == []
