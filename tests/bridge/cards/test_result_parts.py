"""What is looked at of a tool's result or of a file, and where a card may be in it."""

import json

import pytest
from voxcard.cards.model import CardRefused
from voxcard.cards.read import card_file, result_sources
from voxcard.cards.read.call import Call, is_sidetalk, loaded, sidetalk_text
from voxcard.cards.read.reading import read, read_text
from voxcard.cards.read.untagged import is_a2ui, is_companion, is_result

MEBIBYTE = 1 << 20
CARD = '{"blocks": [{"type": "text", "text": "a"}]}'
FENCED = f"```codai-card\n{CARD}\n```"
LAYOUT = "a2ui://home/lamp"


def text(words, **more):
    return {"type": "text", "text": words, **more}


def call(*content, **more):
    return Call({"content": list(content), **more})


def test_a_hundred_entries_of_a_result_are_read():
    entries = call(*[text(str(number)) for number in range(101)], 7).entries
    assert [entry["text"] for entry in entries] == [str(number) for number in range(100)]
    assert call(7, None, text("a")).entries == [text("a")]
    assert Call({"content": "a"}).entries == [] and Call({}).structured == {}
    assert call(structuredContent=[1]).structured == {}


def test_cards_fenced_in_words_are_no_words():
    parts = call(text(f"a\n{FENCED}\nb"), text("c"), text(7), {"type": "image", "text": "d"})
    assert parts.fenced == (CARD,) and parts.words == "a\nb\nc"
    hidden = text(FENCED, annotations={"audience": ["assistant"]})
    assert call(hidden).fenced == ()


def test_a_sidetalk_card_is_all_of_a_text():
    source = {"schema": "sidetalk.card.v1", "title": "T"}
    entry = text(json.dumps(source))
    assert call(text("a"), entry).sidetalk == source and call(text("a"), entry).words == "a"
    for other in (text("see sidetalk.card."), text('{"schema": "x", "a": "sidetalk.card."}')):
        assert sidetalk_text(other) is None
    assert is_sidetalk(source) and not is_sidetalk([source]) and not is_sidetalk({})


def test_json_is_read_to_a_mebibyte():
    longest = '"' + "a" * (MEBIBYTE - 2) + '"'
    assert len(loaded(longest)) == MEBIBYTE - 2
    assert loaded(longest + " ") is None
    assert loaded("{") is loaded("[" * 100_000) is loaded("9" * 5000) is None


def test_eight_cards_of_one_text_are_read():
    reading = read_text("\n".join([FENCED] * 9), "x")
    assert [card.id for card in reading.cards] == [f"x.{number}" for number in range(8)]
    reading = read_text("a\n```codai-card\n{\n```\n" + FENCED)
    assert ([card.id for card in reading.cards], reading.text) == (["codai.1"], "a")
    assert [warned.code for warned in reading.warnings] == ["refused"]


@pytest.mark.parametrize(
    ("meta", "uri"),
    [
        ({"ui": {"resourceUri": LAYOUT}}, LAYOUT),
        ({"ui/resourceUri": LAYOUT}, LAYOUT),
        ({"ui": 7, "ui/resourceUri": LAYOUT}, LAYOUT),
        ({"ui": {"resourceUri": "https://a.example"}}, None),
        ({"ui": {"resourceUri": "a2ui://" + "x" * 2041}}, "a2ui://" + "x" * 2041),
        ({"ui": {"resourceUri": "a2ui://" + "x" * 2042}}, None),
        ({"ui": {"resourceUri": 7}}, None),
        ({}, None),
    ],
)
def test_the_layout_of_a_result_is_named_by_it_or_by_its_tool(meta, uri):
    assert read({"content": [], "_meta": meta}).needs_template == uri
    assert read({"content": []}, tool_meta=meta).needs_template == uri
    assert read({"content": [], "isError": True}, tool_meta=meta).needs_template is None
    assert read({"content": []}, tool_meta=meta, template={}).needs_template is None


def test_a_linked_layout_counts_and_the_results_own_surfaces_need_none():
    link = {"type": "resource_link", "uri": LAYOUT, "name": "n"}
    assert read({"content": [link]}).needs_template == LAYOUT
    assert read({"content": [link | {"type": "link"}]}).needs_template is None
    surface = {"version": "v0.9", "createSurface": {"surfaceId": "s", "catalogId": "basic"}}
    own = {"content": [link], "structuredContent": {"a2ui": [surface]}}
    assert read(own).needs_template is None


@pytest.mark.parametrize(
    ("tool", "data", "is_card"),
    [
        ("create_trip_card", {"a": 1}, True),
        ("srv/create_trip_card", {"a": 1}, True),
        ("recreate_trip_card", {"a": 1}, False),
        ("create_trip_cards", {"a": 1}, False),
        ("create_trip_card", {}, False),
        ("x", {"card": 1, "parts": 2}, True),
        ("x", {"card": 1}, False),
        ("x", {"parts": 2}, False),
    ],
)
def test_a_chat_card_is_told_by_its_tool_or_its_parts(tool, data, is_card):
    found = result_sources.chat_cards(Call({"structuredContent": data}, tool=tool))
    assert (found is not None) is is_card


def test_a_hundred_events_are_looked_at():
    event = {"type": "companion.skill_card"}
    for before, found in ((99, True), (100, False)):
        data = {"events": [{}] * before + [event]}
        source = result_sources.companion_events(Call({"structuredContent": data}))
        assert (source == data) is found
    assert result_sources.companion_events(Call({"structuredContent": event})) == event


def test_surfaces_in_resources_are_read_by_their_type():
    def entry(kind, words="{}"):
        return {"type": "resource", "resource": {"mimeType": kind, "text": words}}

    for kind in ("application/a2ui+json", "Application/JSON+A2UI; charset=utf-8"):
        assert result_sources.a2ui(call(entry(kind), entry(kind, "[]"))) == "{}\n[]"
    assert result_sources.a2ui(call(entry("application/json"))) is None
    assert result_sources.a2ui(call(entry("application/a2ui+json", 7))) is None
    data = {"a": 1}
    assert result_sources.a2ui(Call({"structuredContent": data}, template={})) == data
    assert result_sources.a2ui(Call({}, template={})) == []
    assert result_sources.a2ui(call(structuredContent={"a2ui": "x"})) == "x"


def test_a_block_beside_a_text_has_it_as_its_twin():
    block, origin = {"type": "text", "text": "a"}, {"source": "s"}
    data = {"block": block, "provenance": origin}
    assert result_sources.codai(call(text("b"), structuredContent=data)) == {
        "fallback": {"text": "b"}, "blocks": [block], "provenance": origin,
    }  # fmt: skip
    whole = {"card": {"blocks": [block], "title": "T"}, "provenance": origin}
    assert result_sources.codai(call(text("b"), structuredContent=whole)) == {
        "provenance": origin, "blocks": [block], "title": "T",
    }  # fmt: skip
    assert result_sources.codai(call(structuredContent={"card": {}, "block": block})) is None


def test_the_first_twenty_entries_of_a_list_tell_what_it_is():
    for before, known in ((19, True), (20, False)):
        assert is_a2ui([{}] * before + [{"createSurface": {}}]) is known
        assert is_companion([{}] * before + [{"type": "companion.x"}]) is known
    assert is_a2ui({"messages": [{"createSurface": {}}]}) and not is_a2ui({"messages": 7})
    assert is_companion({"type": "companion.x"}) and not is_companion({"type": "x.companion."})
    assert is_result({"content": 7}) and not is_result({}) and not is_result(["content"])


def test_a_file_holds_a_card_in_any_of_its_forms():
    assert card_file.loaded(f"words\n{FENCED}\n```codai-card\n{{}}\n```") == json.loads(CARD)
    assert card_file.loaded('{"a": 1}\n\n{"b": 2}\n') == [{"a": 1}, {"b": 2}]
    assert card_file.loaded('{"a": 1}') == {"a": 1}
    assert card_file.loaded('10:42 got {"jsonrpc": "2.0"}\nand so on') == [{"jsonrpc": "2.0"}]
    assert card_file.loaded('"' + "a" * (MEBIBYTE - 2) + '"')[0] == "a"
    for wrong, why in (
        ('"' + "a" * (MEBIBYTE - 1) + '"', "is larger than 1048576 characters"),
        ("words {} [", "is not JSON"),
        ('words {"a": 1}', "is not JSON"),
    ):
        with pytest.raises(CardRefused, match=why):
            card_file.loaded(wrong)


def test_of_several_answers_the_last_is_read():
    answers = [{"jsonrpc": "2.0", "result": {"content": [], "n": n}} for n in range(3)]
    assert card_file.wrapped(answers)["n"] == 2
    assert card_file.wrapped([{"jsonrpc": "2.0", "method": "x"}, answers[0]])["n"] == 0
    assert card_file.wrapped({"a": 1}) == {"a": 1}
    with pytest.raises(CardRefused, match="holds no JSON object that could be a card"):
        card_file.wrapped([{"a": 1}])
    event = {"type": "tool_end", "card": {"title": "T"}}
    assert card_file.wrapped(event)["_meta"] == {"assistant_platform": {"card": {"title": "T"}}}
    blocks = {"type": "tool_end", "card": {"blocks": []}}
    assert card_file.wrapped(blocks) == blocks
    assert card_file.wrapped({"type": "tool_end"}) == {"type": "tool_end"}
