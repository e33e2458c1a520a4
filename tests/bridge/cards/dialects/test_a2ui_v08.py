"""A2UI v0.8 in the messages of v0.9: nested components, literals, typed contents, a named root."""

import pytest
from voxcard.cards.dialects.a2ui.parser import data_only, parse
from voxcard.cards.dialects.a2ui.v08.translation import Translation
from voxcard.cards.read.dialects import dialect_of
from voxcard.cards.read.reading import read


def update(*components, surface="m"):
    listed = [{"id": name, "component": {kind: more}} for name, kind, more in components]
    return {"surfaceUpdate": {"surfaceId": surface, "components": listed}}


def data(*contents, surface="m", **more):
    return {"dataModelUpdate": {"surfaceId": surface, "contents": list(contents), **more}}


def begin(root="root", surface="m"):
    return {"beginRendering": {"surfaceId": surface, "root": root}}


def component(kind, properties):
    translated = list(Translation().messages(update(("x", kind, properties))))
    (entry,) = translated[-1]["updateComponents"]["components"]
    return {key: value for key, value in entry.items() if key not in ("id", "component")}


@pytest.mark.parametrize(
    ("kind", "older", "newer"),
    [
        ("Text", {"text": {"literalString": "a"}, "usageHint": "h2"},
         {"text": "a", "variant": "h2"}),
        ("Text", {"text": {"path": "/a"}}, {"text": {"path": "/a"}}),
        ("Text", {"text": {"path": "/a", "literalString": "b"}},
         {"text": {"path": "/a", "default": "b"}}),
        ("Row", {"children": {"explicitList": ["a", "b"]}}, {"children": ["a", "b"]}),
        ("List", {"children": {"template": {"componentId": "r", "dataBinding": "/xs"}}},
         {"children": {"componentId": "r", "path": "/xs"}}),
        ("Tabs", {"tabItems": [{"title": {"literalString": "T"}, "child": "c"}]},
         {"tabs": [{"title": "T", "child": "c"}]}),
        ("Modal", {"entryPointChild": "a", "contentChild": "b"}, {"trigger": "a", "content": "b"}),
        ("TextField", {"text": {"literalString": "x"}, "textFieldType": "obscured"},
         {"value": "x", "variant": "obscured"}),
        ("Slider", {"value": {"literalNumber": 2}, "minValue": 1, "maxValue": 3},
         {"value": 2, "min": 1, "max": 3}),
        ("MultipleChoice", {"selections": {"literalArray": ["m"]}}, {"value": ["m"]}),
        ("Button", {"child": "t", "primary": True, "action": {"name": "go", "context": [
            {"key": "n", "value": {"literalNumber": 1}}, {"key": "p", "value": {"path": "/p"}}]}},
         {"child": "t", "primary": True, "variant": "primary", "action": {"event": {
             "name": "go", "context": {"n": 1, "p": {"path": "/p"}}}}}),
        ("Own", {"city": {"literalString": "Oslo"}}, {"city": "Oslo"}),
    ],
)  # fmt: skip
def test_each_component_has_the_properties_of_v09(kind, older, newer):
    assert component(kind, older) == newer


def test_typed_contents_are_the_data_model():
    messages = [
        update(("root", "Text", {"text": {"path": "/who/name"}})),
        data(
            {"key": "who", "valueMap": [{"key": "name", "valueString": "Mira"}]},
            {"key": "n", "valueNumber": 2},
            {"key": "on", "valueBoolean": False},
        ),
        data({"key": "name", "valueString": "Paul"}, path="/who"),
        begin(),
    ]
    assert parse(messages).cards[0].title == "Paul"


def test_data_without_a_path_is_the_whole_model():
    texts = update(("root", "Row", {"children": {"explicitList": ["a", "b"]}}),
                   ("a", "Text", {"text": {"path": "/a"}}),
                   ("b", "Text", {"text": {"path": "/b"}}))  # fmt: skip
    first, second = data({"key": "a", "valueString": "x"}), data({"key": "b", "valueString": "y"})
    assert parse([texts, begin(), first, second]).cards[0].title == "y"


def test_the_root_has_any_name_and_an_older_root_is_not_shown():
    messages = [update(("main", "Text", {"text": {"literalString": "Main"}})), begin("main")]
    assert parse(messages).cards[0].title == "Main"


def test_a_surface_is_deleted_and_made_anew():
    text = update(("root", "Text", {"text": {"literalString": "Back"}}))
    gone = {"deleteSurface": {"surfaceId": "m"}}
    assert parse([text, begin(), gone]).cards == ()
    assert parse([text, begin(), gone, text, begin()]).cards[0].title == "Back"


def test_data_alone_waits_for_its_layout():
    assert data_only([data({"key": "a", "valueString": "b"})])
    assert not data_only([update(("root", "Divider", {})), begin()])


def test_a_v08_surface_is_recognised_alone_and_in_a_result():
    messages = [update(("root", "Text", {"text": {"literalString": "Hello"}})), begin()]
    assert dialect_of(messages) == "a2ui"
    assert dialect_of({"version": "v0.8", **messages[0]}) == "a2ui"
    (card,) = read({"content": [], "structuredContent": {"a2ui": messages}}).cards
    assert card.title == "Hello"


@pytest.mark.parametrize(
    "message",
    [
        {"surfaceUpdate": None},
        {"surfaceUpdate": {"surfaceId": "m", "components": "x"}},
        {"surfaceUpdate": {"surfaceId": "m", "components": [7, {"id": 1}, {"component": {}}]}},
        {"dataModelUpdate": {"surfaceId": "m", "contents": [1, {"key": 2}]}},
        {"beginRendering": {"surfaceId": "m", "root": 7}},
        {"beginRendering": {"surfaceId": 3}},
    ],
)
def test_a_broken_message_is_a_warning_and_the_others_are_read(message):
    parsed = parse([message, update(("root", "Text", {"text": {"literalString": "x"}})), begin()])
    assert [card.title for card in parsed.cards] == ["x"]


def test_messages_without_a_name_are_of_one_surface():
    messages = [
        {"surfaceUpdate": {"components": [{"id": "root", "component": {"Text": {
            "text": {"path": "/step"}}}}]}},
        {"dataModelUpdate": {"contents": [{"key": "step", "valueString": "3 of 4"}]}},
        {"beginRendering": {"root": "root"}},
    ]  # fmt: skip
    assert [card.title for card in parse(messages).cards] == ["3 of 4"]
    named = [{**message} for message in messages]
    named[1] = {"dataModelUpdate": {"surfaceId": "other", **messages[1]["dataModelUpdate"]}}
    assert parse(named).cards == ()


def test_components_written_as_in_v09_keep_their_values_of_v08():
    components = [
        {"id": "root", "component": "Column", "children": {"explicitList": ["t", "b"]}},
        {"id": "t", "component": "Text", "text": {"literalString": "Tides"}, "usageHint": "h1"},
        {"id": "b", "component": "Button", "child": "l", "action": {"name": "go"}},
        {"id": "l", "component": "Text", "text": "Go"},
    ]
    messages = [{"surfaceUpdate": {"surfaceId": "m", "components": components}}, begin()]
    (card,) = parse(messages).cards
    assert card.title == "Tides" and [action.label for action in card.actions] == ["Go"]


@pytest.mark.parametrize("version", ["v0.9", "v1.0"])
def test_a_literal_of_v08_is_its_value_in_v09_and_data_in_v10(version):
    text = {"literalString": "Tides"}
    messages = [
        {"version": version, "createSurface": {"surfaceId": "m"}},
        {"version": version, "updateComponents": {"surfaceId": "m", "components": [
            {"id": "root", "component": "Text", "text": text}]}},
    ]  # fmt: skip
    (card,) = parse(messages).cards
    assert (card.title == "Tides") is (version == "v0.9")
