"""mcp-chat-cards: scenes as timed pages, terms as a glossary, parts, and what is never run."""

from itertools import count

import pytest
from fakes.device.screens import screen_of
from voxcard.cards import model
from voxcard.cards.dialects.chat.cards import parse
from voxcard.cards.dialects.chat.scenes import chart_block, scene_blocks
from voxcard.cards.dialects.chat.terms import glossary
from voxcard.cards.fit.fit import fit
from voxcard.cards.model import MORE_ID, CardRefused
from voxcard.cards.read.reading import read
from voxcard.cards.text.twins import complete
from voxwire import card as wire
from voxwire.bridge_only.card_writer import to_data
from voxwire.capability import BLOCKS

SMALL = screen_of(
    128, 64, 1, "rect", 230, (6, 8), ((32, 0x2FF), (0x2010, 0x2027), (0x2190, 0x2193)), BLOCKS
)
TIDES = {
    "title": "Tides",
    "subtitle": "Moon and Sun",
    "sceneDurationMs": 5000,
    "loop": True,
    "scenes": [
        {"kind": "title", "title": "How tides work"},
        {"kind": "bullets", "heading": "Two pulls", "bullets": ["Moon", "Sun"], "duration": 2500},
        {"kind": "takeaway", "text": "A spring tide comes twice a month."},
    ],
    "tutorTerms": [
        {"term": "spring tide", "tip": "A tide higher than others."},
        {"term": "ebb", "tip": "Falling water."},
    ],
    "contextActions": [{"label": "Go deeper", "prompt": "Explain {{selection}} more"}],
}


def card(**changes):
    source = {"tool": "create_animation_card", "arguments": TIDES | changes}
    return complete(parse(source, "x").cards[0])


def scenes(*sources):
    return card(scenes=list(sources)).play.scenes


def pages(chat_card, screen=SMALL):
    fitted_card = fit(chat_card, screen, now=0, next_blob=count(1).__next__).card
    return fitted_card, [
        (page.title, [line.text for line in page.lines], page.ms) for page in fitted_card.pages
    ]


def test_scenes_are_pages_with_their_times_then_the_glossary_then_what_may_be_asked():
    fitted_card, shown = pages(card())
    assert shown == [
        ("Tides", ["Moon and Sun", "How tides work"], 5000),
        ("Tides", ["Two pulls", "• Moon", "• Sun"], 2500),
        ("Tides", ["A spring tide comes", "twice a month."], 5000),
        ("Tides", ["spring tide: A tide", "higher than others."], 0),
        ("Tides", [], 0),
    ]
    assert (fitted_card.auto, fitted_card.loop) == (True, True)
    assert [tuple(option) for option in fitted_card.pages[-1].options] == [
        ("c0", "Go deeper"),
        ("t0", "More: spring tide"),
    ]


def test_scenes_wait_for_the_button_when_autoplay_is_off():
    fitted_card, _ = pages(card(autoplay=False, loop=None))
    assert (fitted_card.auto, fitted_card.loop) == (False, False)
    assert wire.from_data(to_data(fitted_card)) == fitted_card


def test_context_actions_and_terms_are_messages():
    assert [(action.kind, action.text) for action in card().actions] == [
        ("message", "Explain Tides more"),
        ("message", "Tell me more about spring tide."),
    ]


def test_the_twin_tells_every_scene_and_the_speech_the_last():
    assert card().twin.text == (
        "**Tides**\nMoon and Sun\n\n**How tides work**\n\n**Two pulls**\n\n- Moon\n- Sun\n\n"
        "A spring tide comes twice a month.\n\n- Go deeper\n- More: spring tide"
    )
    assert card().twin.speak == "Tides. A spring tide comes twice a month."


@pytest.mark.parametrize(
    ("value", "ms"),
    [
        (800, 800),
        (2500.7, 2500),
        (0, 5000),
        (-1, 5000),
        ("800", 5000),
        (True, 5000),
        (1e300, 5000),
    ],
)
def test_a_duration_that_makes_no_sense_is_the_default(value, ms):
    chat_card = card(scenes=[{"text": "a", "durationMs": value}])
    assert chat_card.play.durations_ms == (ms,)
    assert card(scenes=["a"], sceneDurationMs=None).play.durations_ms == (3500,)


def test_arrows_are_joined_where_they_meet_and_lone_shapes_follow():
    shapes = [
        {"id": "p", "type": "rect", "label": "Phone"},
        {"type": "arrow", "from": "p", "to": "c"},
        {"id": "c", "type": "cloud", "text": "Cloud"},
        {"type": "arrow", "from": "Cloud", "to": "Home"},
        {"type": "arrow", "from": "Home", "to": "p"},
        {"type": "circle", "label": "Alone", "svg": "<svg onload=x>"},
        "junk",
    ]
    ((block,),) = scenes({"kind": "diagram", "shapes": shapes})
    assert block.text == "Phone → Cloud → Home\nHome → Phone\nAlone"


def test_a_chart_keeps_its_numbers_and_says_what_it_zooms_into():
    chart = {
        "labels": ["Jan", "Feb", "Mar"],
        "values": [12, "x", 7.5],
        "unit": "mm",
        "type": "line",
    }
    block = chart_block(chart | {"zoom": {"from": "Jan", "to": "Feb"}}, "Rain")
    assert block == model.ChartBlock(
        title="Rain",
        summary="Jan – Feb",
        points=(("Jan", 12.0), ("Mar", 7.5)),
        kind="line",
        unit="mm",
    )
    rows = {"data": [{"label": "Jan", "value": 1}, {"label": "Feb", "value": 10**400}, 7]}
    assert chart_block(rows).points == (("Jan", 1.0), ("", 7.0))
    assert chart_block({"labels": ["Jan"], "values": []}) is None


def test_readable_parts_of_a_scene_of_an_unknown_kind_are_shown():
    scene = {
        "kind": "hologram",
        "title": "A",
        "text": "B",
        "items": [{"text": "C"}],
        "svg": "<g/>",
    }
    assert scene_blocks(scene, "T") == (
        model.TextBlock(text="A", level=1),
        model.TextBlock(text="B"),
        model.ListBlock(items=(model.ListItem(title="C"),)),
    )
    assert scene_blocks({"kind": "text", "html": "<b>x</b>"}, "T") == ()
    assert scene_blocks({"heading": "T", "text": "x"}, "T") == (model.TextBlock(text="x"),)


def test_a_scene_with_nothing_to_show_is_dropped_and_its_time_with_it():
    source = {"tool": "create_animation_card", "arguments": TIDES | {"scenes": [{}, "a", 7]}}
    parsed = parse(source)
    assert len(parsed.cards[0].play.scenes) == len(parsed.cards[0].play.durations_ms) == 1
    assert [warned.path for warned in parsed.warnings] == ["scenes.0", "scenes.2"]
    with pytest.raises(CardRefused, match="scenes"):
        card(scenes=[{}, 7])


@pytest.mark.parametrize(
    ("terms", "text", "expected"),
    [
        ([("PATH", "t")], "a path", []),
        ([("PATH", "t")], "PATHS", []),
        ([("PATH", "t")], "the $PATH.", ["PATH"]),
        ([("tide", "t"), ("spring tide", "s")], "spring tide, tide", ["spring tide", "tide"]),
        ([("tide", "t"), ("spring tide", "s")], "a spring tide", ["spring tide"]),
        ([("조수", "t")], "조수는 간만이다", ["조수"]),
        ([("a.c", "t")], "abc", []),
        ([("b", "t"), ("a", "s")], "a b", ["a", "b"]),
        ([("a", "first"), ("a", "second")], "a", ["a"]),
    ],
)
def test_terms_are_whole_words_longest_first_once_a_card(terms, text, expected):
    rows = [{"term": term, "tip": tip} for term, tip in terms]
    assert [term for term, _ in glossary(rows, [text])] == expected


def test_a_term_ignores_case_only_if_it_says_so():
    assert glossary([{"term": "PATH", "tip": "t", "caseInsensitive": True}], ["a path"])
    assert not glossary([{"term": "PATH", "tip": "t", "caseInsensitive": "yes"}], ["a path"])
    assert not glossary([{"term": "PATH"}, 7, {"tip": "x"}, {"term": " ", "tip": "x"}], ["PATH"])


def result(text="Guide, first half.", tool="create_markdown_card", arguments=None, **structured):
    tool_result = {"content": [{"type": "text", "text": text}], "structuredContent": structured}
    return read(tool_result, tool=tool, call_id="1", arguments=arguments)


def test_more_parts_are_an_option_and_the_next_call_is_the_same_with_the_next_part():
    parts = {"current": 1, "total": 3, "hasMore": True}
    arguments = {"title": "Guide", "markdown": "..."}
    (chat_card,) = result(card={"title": "Guide (1/3)"}, parts=parts, arguments=arguments).cards
    assert chat_card.parts.next_call == {"title": "Guide", "markdown": "...", "part": 2}
    assert chat_card.extra["tool"] == "create_markdown_card"
    fitted_card, _ = pages(chat_card)
    assert [tuple(option) for option in fitted_card.pages[-1].options] == [(MORE_ID, "More")]


@pytest.mark.parametrize(
    ("parts", "more"),
    [
        ({"current": 1, "total": 3, "hasMore": False}, False),
        ({"current": 3, "total": 3, "hasMore": True}, True),
        ({"current": 1, "total": 3}, False),
        ({"hasMore": "true"}, False),
        (None, False),
        ([], False),
    ],
)
def test_only_has_more_says_whether_there_is_more(parts, more):
    (chat_card,) = result(card={"title": "Guide (1/3)"}, parts=parts).cards
    assert chat_card.parts.has_more is more
    assert (chat_card.parts.next_call is not None) is more


def test_a_markdown_cards_text_is_shown_as_blocks_with_its_links():
    text = "# Setup\n\n- one\n- two\n\nSee [docs](https://docs.example)."
    parts = {"current": 1, "total": 1, "hasMore": False}
    (chat_card,) = result(text, card={"title": "Guide"}, parts=parts).cards
    assert (chat_card.title, [type(block).__name__ for block in chat_card.blocks]) == (
        "Guide",
        ["TextBlock", "ListBlock", "TextBlock"],
    )
    assert chat_card.actions[0].url == "https://docs.example"
    assert chat_card.twin.text == text
    assert chat_card.twin.speak == "Setup\n\n• one\n• two\n\nSee docs."


def test_an_animations_result_still_plays_its_scenes():
    parts = {"current": 1, "total": 1, "hasMore": False}
    more = {"tool": "create_animation_card", "arguments": TIDES}
    (chat_card,) = result("Card ready", card={"title": "Tides"}, parts=parts, **more).cards
    assert len(chat_card.play.scenes) == 3
    assert chat_card.twin.speak == "Card ready"
    assert "Two pulls" in chat_card.twin.text


def test_a_widget_is_never_run_nor_shown_and_that_is_noted():
    display = {"shown": False, "action": "call show_widget", "title": "t_card",
               "loading_messages": [], "widget_code": "<div>HTML</div>"}  # fmt: skip
    parsed = result("Card ready", tool="create_chart_card", card={"title": "T"}, display=display)
    (chat_card,) = parsed.cards
    assert chat_card.twin.text == "Card ready"
    assert "<div>" not in repr(chat_card)
    assert [(warned.code, warned.path) for warned in parsed.warnings] == [("dropped", "display")]
