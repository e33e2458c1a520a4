"""The codai envelope: what is refused and where, caps, twins, actions, provenance."""

import json

import pytest
from voxcard.cards.dialects.codai.parser import parse
from voxcard.cards.model import Action, CardRefused, Provenance, Question
from voxcard.cards.read.reading import read, read_text
from voxcard.cards.text.links import links
from voxcard.cards.text.twins import complete

TEXT = {"type": "text", "text": "x"}
LINK = {"type": "links", "items": [{"title": "a", "url": "http://a.example"}]}


def card(*blocks, **envelope):
    return parse({"title": "Plan", "blocks": list(blocks) or [TEXT], **envelope}).cards[0]


def refusal(source):
    with pytest.raises(CardRefused) as refused:
        parse(source)
    return str(refused.value)


def visual(source, **more):
    return {"blocks": [{"type": "visual", "summary": "s", "source": source, **more}]}


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("text", "card: must be one JSON object"),
        (None, "card: must be one JSON object"),
        ({}, "blocks: is missing"),
        ({"blocks": {}}, "blocks: must be a list"),
        ({"blocks": []}, "blocks: is empty; a card needs at least one block"),
        ({"blocks": [TEXT] * 25}, "blocks: has 25 entries, the limit is 24"),
        ({"blocks": ["x"]}, "blocks.0: must be a JSON object with a type"),
        ({"blocks": [{}]}, "blocks.0.type: is missing"),
        ({"blocks": [{"type": 1}]}, "blocks.0.type: must be text"),
        ({"blocks": [TEXT], "title": 7}, "title: must be text"),
        ({"blocks": [TEXT], "fallback": "x"}, "fallback: must be a JSON object"),
        ({"blocks": [TEXT], "fallback": {"speak": 1}}, "fallback.speak: must be text"),
        ({"blocks": [TEXT], "a11y": {"label": []}}, "a11y.label: must be text"),
        ({"blocks": [TEXT], "live": "job"}, "live: must be a JSON object"),
        (
            {"blocks": [TEXT], "live": {}},
            "live.key: must be text that names what is updated",
        ),
        (
            {"blocks": [TEXT], "live": {"key": "k" * 201}},
            "live.key: has 201 characters, the limit is 200",
        ),
        ({"blocks": [TEXT], "provenance": "met"}, "provenance: must be a JSON object"),
        ({"blocks": [TEXT, LINK]}, "blocks.1.items.0.url: must be an https link"),
        ({"blocks": [TEXT], "actions": {}}, "actions: must be a list"),
        ({"blocks": [TEXT], "actions": ["x"]}, "actions.0: must be a JSON object"),
        ({"blocks": [TEXT], "image": "http://a.example/i.png"}, "image: must be an https link"),
        ({"blocks": [TEXT], "icon": "javascript:alert(1)"}, "icon: must be an https link"),
    ],
)
def test_a_refusal_names_the_path_and_what_to_change(source, why):
    assert refusal(source) == why


BUTTON = {"id": "a", "label": "Go", "kind": "prompt", "text": "go"}


@pytest.mark.parametrize(
    ("buttons", "why"),
    [
        ([BUTTON] * 2, "actions.1.id: a is used twice; give each action its own id"),
        ([BUTTON] * 7, "actions: has 7 entries, the limit is 6"),
        ([{**BUTTON, "label": None}], "actions.0.label: is missing"),
        ([{**BUTTON, "id": 3}], "actions.0.id: must be text"),
        (
            [{**BUTTON, "style": "blue"}],
            "actions.0.style: must be primary, secondary or danger",
        ),
        ([{"id": "a", "label": "Go", "kind": "open_url"}], "actions.0.url: is missing"),
        (
            [{"id": "a", "label": "Go", "kind": "link", "url": "http://a.example"}],
            "actions.0.url: must be an https link",
        ),
        ([{"id": "a", "label": "Go", "kind": "copy"}], "actions.0.text: is missing"),
    ],
)
def test_an_action_that_breaks_a_rule_refuses_the_card(buttons, why):
    assert refusal({"blocks": [TEXT], "actions": buttons}) == why


def test_actions_open_links_send_prompts_copy_values_and_control_runs():
    buttons = card(
        actions=[
            {"id": "o", "label": "Open", "kind": "open_url", "url": "https://a.example",
             "style": "primary", "confirm": True},
            {"id": "p", "label": "Ask", "kind": "prompt", "prompt": "How long?"},
            {"id": "c", "label": "Copy", "kind": "copy", "value": "AB-12"},
            {"id": "stop", "label": "Oprește", "kind": "control", "confirm": "Sigur?"},
            {"id": "x", "label": "Yes", "kind": "approve"},
        ]
    ).actions  # fmt: skip
    assert buttons == (
        Action(id="o", label="Open", kind="link", url="https://a.example", style="primary",
               confirm="Open?"),
        Action(id="p", label="Ask", kind="message", text="How long?"),
        Action(id="c", label="Copy", kind="copy", text="AB-12"),
        Action(id="stop", label="Oprește", kind="control", text="stop", confirm="Sigur?"),
        Action(id="x", label="Yes", kind="control", text="allow"),
    )  # fmt: skip


def test_a_button_that_only_the_agents_own_device_can_do_is_left_out_with_a_warning():
    parsed = parse({"blocks": [TEXT], "actions": [{"id": "pause", "label": "P", "kind": "run"}]})
    assert parsed.cards[0].actions == ()
    assert [(each.path, each.detail) for each in parsed.warnings] == [
        ("actions.0", "pause needs the device that runs the agent")
    ]


def test_an_action_of_an_unknown_kind_does_what_its_fields_say():
    buttons = card(
        actions=[
            {"id": "a", "label": "A", "kind": "navigate", "url": "https://a.example"},
            {"id": "b", "label": "B", "text": "say b"},
            {"id": "k" * 65, "label": "C", "kind": "say"},
        ]
    ).actions
    assert [(each.id, each.kind, each.url or each.text) for each in buttons] == [
        ("a", "link", "https://a.example"), ("b", "message", "say b"), ("a2", "message", "C"),
    ]  # fmt: skip


def sized(size):
    source = {
        "title": "Sized",
        "blocks": [{"type": "text", "text": ""}],
        "fallback": {"text": "t", "speak": "s"},
        "a11y": {"label": "l", "summary": "m"},
    }
    source["blocks"][0]["text"] = "a" * (size - len(json.dumps(source, separators=(",", ":"))))
    return source


def test_a_card_of_32768_bytes_is_taken_and_one_byte_more_is_refused():
    assert parse(sized(32_768)).cards[0].title == "Sized"
    assert refusal(sized(32_769)) == "card exceeds 32768 bytes"


def test_the_twins_that_are_built_count_too():
    assert refusal({"blocks": [{"type": "text", "text": "w " * 12_000}]}) == (
        "card exceeds 32768 bytes"
    )


def test_inline_images_have_a_budget_of_their_own():
    def gallery(size):
        uri = "data:image/png;base64," + "A" * (size - 22)
        return {"blocks": [{"type": "gallery", "images": [{"url": uri, "alt": "big"}]}]}

    assert parse(gallery(256 << 10)).cards[0].blocks[0].image.alt == "big"
    assert refusal(gallery((256 << 10) + 1)) == (
        "blocks.0.images.0.url: inline images exceed 262144 bytes; use https links"
    )


def test_a_visuals_source_has_a_budget_of_its_own_in_bytes():
    assert parse(visual("<svg>" + "x" * 65_531)).cards[0].blocks[0].summary == "s"
    assert refusal(visual("<svg>" + "ș" * 32_766)).startswith("blocks.0.source: exceeds 65536")


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("<html><img src='https://evil.example/x.png'>", "must not refer to http(s):// or //"),
        ("<html><img src='HTTP://evil.example'>", "must not refer to http(s):// or //"),
        ("<html><script src=//cdn.example/a.js>", "must not refer to http(s):// or //"),
        ("<style>a{background:url(//x.example/a)}", "must not refer to http(s):// or //"),
        ("<script>fetch('https:\\/\\/x.example')", "must not refer to http(s):// or //"),
        ("<img src='&#104;ttps://x.example'>", "must not refer to http(s):// or //"),
        ("<html><base href='/x'>", "must not contain <base>"),
        ("<META content=0 HTTP-EQUIV = 'Refresh'>", "must not contain a meta refresh"),
        ("<?xml version='1.0'?>\n<svg></svg>", "an svg must start with <svg"),
        ("<!-- x --><SVG></SVG>", "an svg must start with <svg"),
    ],
)
def test_a_visual_that_could_reach_the_network_is_refused(source, why):
    assert refusal(visual(source)).startswith(f"blocks.0.source: {why}")


def test_a_visual_that_says_it_is_an_svg_must_start_as_one():
    assert (
        refusal(visual("<g></g>", format="svg")) == "blocks.0.source: an svg must start with <svg"
    )


@pytest.mark.parametrize(
    "source",
    [
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'/>",
        "<script>let a = 1; // a comment\nlet half = n / 2</script>",
        "<img src='data:image/png;base64,AAAA'><meta charset=utf-8>",
    ],
)
def test_namespaces_comments_and_inline_images_are_no_network(source):
    assert parse(visual(source)).cards[0].twin.text == ""


def test_a_card_holds_one_visual():
    one = visual("<svg/>")["blocks"][0]
    assert refusal({"blocks": [one, one]}) == (
        "blocks.1.type: a card holds at most one visual block"
    )


def test_the_visuals_source_is_nowhere_in_the_card():
    parsed_card = complete(parse(visual("<svg><text>hidden words</text></svg>")).cards[0])
    assert "hidden words" not in repr(parsed_card)


def test_twins_and_labels_are_built_when_they_are_absent():
    parsed_card = complete(
        card({"type": "text", "text": "Mon: swim"}, {"type": "text", "text": "Tue"})
    )
    assert parsed_card.twin.text == "**Plan**\n\nMon: swim\n\nTue"
    assert parsed_card.twin.speak == "Plan. Mon: swim."
    assert (parsed_card.label, parsed_card.summary) == ("Plan", "Plan. Mon: swim.")


def test_authored_twins_are_kept_word_for_word():
    parsed_card = complete(card(fallback={"text": "**Plan**\n- swim", "speak": "You swim."}))
    assert (parsed_card.twin.text, parsed_card.twin.speak) == ("**Plan**\n- swim", "You swim.")
    assert parsed_card.twin.authored == {"text", "speak"}
    assert parsed_card.summary == "You swim."


@pytest.mark.parametrize(
    ("source", "provenance"),
    [
        ({"source": "met_norway", "fetchedAt": "2026-11-30T08:00:00Z", "license": "CC BY 4.0"},
         Provenance(source="met_norway", fetched_at="2026-11-30T08:00:00Z", licence="CC BY 4.0")),
        ({"source": {"name": "MET Norway", "url": "https://met.example"}, "attribution": "MET"},
         Provenance(source="MET Norway", url="https://met.example", attribution="MET")),
        ({"attribution": "Google Maps", "costMicroUsd": 5000},
         Provenance(source="Google Maps", attribution="Google Maps")),
        ({"costMicroUsd": 5000}, None),
        (None, None),
    ],
)  # fmt: skip
def test_provenance_says_where_the_data_is_from(source, provenance):
    assert card(provenance=source).provenance == provenance


def test_links_inside_markdown_text_are_offered_and_http_ones_are_not():
    text = "See [docs](https://d.example/x), [again](https://d.example/x), [old](http://o.example)"
    parsed_card = card({"type": "text", "text": text}, actions=[BUTTON])
    assert [(each.label, each.url) for each in links(parsed_card)] == [
        ("docs", "https://d.example/x")
    ]


def test_unknown_fields_are_ignored_and_null_is_absent():
    parsed_card = card(
        version=3, subtitle=None, actions=None, fallback=None, live=None, extra={"a": [1]}
    )
    assert (parsed_card.title, parsed_card.subtitle, parsed_card.actions, parsed_card.extra) == (
        "Plan",
        "",
        (),
        {},
    )


def test_a_live_card_keeps_its_source_for_patches():
    source = {"blocks": [TEXT], "live": {"key": "job:12"}}
    parsed_card = parse(source, "codai:7").cards[0]
    assert (parsed_card.id, parsed_card.live_key, parsed_card.extra) == (
        "codai:7",
        "job:12",
        {"source": source},
    )


def test_an_approval_block_asks_with_controls_once():
    approval = {"type": "approval", "question": "Delete it?", "danger": True}
    parsed_card = card(approval, actions=[{"id": "no", "label": "Never", "kind": "deny"}])
    assert parsed_card.question == Question(kind="approval", prompt="Delete it?")
    assert [(each.id, each.label, each.text, each.confirm) for each in parsed_card.actions] == [
        ("no", "Never", "deny", ""), ("allow", "Allow", "allow", "Delete it?"),
    ]  # fmt: skip


WEATHER = {"type": "weather", "place": "Cluj", "tempC": 21}


def test_the_text_of_a_gateway_result_is_the_cards_markdown_twin():
    result = {
        "content": [{"type": "text", "text": "**Weather**: 21°"}],
        "structuredContent": {
            "block": WEATHER,
            "provenance": {"source": "met_norway"},
            "card": {"title": "Weather", "blocks": [WEATHER]},
        },
    }
    parsed_card = read(result, call_id="7").cards[0]
    assert (parsed_card.id, parsed_card.title, parsed_card.twin.text) == (
        "codai:7",
        "Weather",
        "**Weather**: 21°",
    )
    assert parsed_card.twin.speak == "Weather: 21°"
    assert parsed_card.provenance == Provenance(source="met_norway")


def test_a_block_alone_is_a_card_and_a_null_one_is_none():
    parsed = read({"structuredContent": {"block": WEATHER, "provenance": {"source": "m"}}})
    assert complete(parsed.cards[0]).twin.text == "Cluj: 21 °C\n\nSource: m"
    nothing = {"content": [], "structuredContent": {"block": None, "card": None}}
    assert read(nothing).cards == ()


FENCED = '```codai-card\n{"title":"Fence","blocks":[{"type":"text","text":"inside"}]}\n```'


def test_a_fenced_card_leaves_the_text_it_was_in():
    reading = read_text(f"Here you go:\n{FENCED}\nDone.", "turn.3")
    assert [(card.id, card.title) for card in reading.cards] == [("turn.3.0", "Fence")]
    assert reading.text == "Here you go:\nDone."


def test_a_fenced_card_in_a_result_is_not_spoken_as_json():
    result = {"content": [{"type": "text", "text": f"Look:\n{FENCED}"}]}
    parsed = read(result)
    assert parsed.cards[0].twin.speak == "Look:"
    assert read(result).text == "Look:"
    alone = {"content": [{"type": "text", "text": FENCED}]}
    assert read(alone).text == "**Fence**\n\ninside"


@pytest.mark.parametrize(
    ("text", "cards", "rest"),
    [
        ("~~~ codai-card\r\n{BODY}\r\n~~~\r\nend", 1, "end"),
        ("  ````codai-card\n{BODY}\n````", 1, ""),
        ("a\n```codai-card {BODY}\n```\nb", 1, "a\nb"),
        ("a\n```codai-card {BODY}```\nb", 1, "a\nb"),
        ("never closed\n```CODAI-CARD\n{BODY}", 1, "never closed"),
        ("```md\n```codai-card\n{BODY}\n```", 0, None),
        ("no fence ```codai-card", 0, None),
        ("```codai-cards\n{BODY}\n```", 0, None),
        ("```codai-card\n{BODY}\n```\nand\n```codai-card\n{BODY}\n```", 2, "and"),
    ],
)
def test_fences_are_found_as_markdown_has_them(text, cards, rest):
    text = text.replace("{BODY}", json.dumps({"blocks": [TEXT]}))
    reading = read_text(text)
    assert len(reading.cards) == cards
    assert reading.text == (text if rest is None else rest)


def test_a_fence_with_broken_json_is_refused_and_taken_out():
    reading = read_text("```codai-card\n{oops}\n```\nyes")
    assert reading.cards == ()
    assert [warning.detail for warning in reading.warnings] == ["must be one JSON object"]
    assert reading.text == "yes"
