"""Finding the card in a tool's result: which detector wins, and what falls through."""

from voxcard.cards.read.reading import Reading, read

PLATFORM = {"title": "Order #1042", "fallback_text": "Shipped."}
LINK = {"type": "resource_link", "uri": "https://files.example.com/inv-9.pdf", "name": "inv-9.pdf"}


def result(*content, **more):
    return {"content": list(content), **more}


def text(words, **more):
    return {"type": "text", "text": words, **more}


def card(source):
    return {"assistant_platform": {"card": source}}


def test_the_platforms_card_wins_over_the_plain_result():
    parsed = read(result(text("On its way."), LINK, _meta=card(PLATFORM)), call_id="7")
    (found,) = parsed.cards
    assert (found.dialect, found.id) == ("assistant_platform", "assistant_platform:7")
    assert (found.title, found.twin.text, found.twin.speak) == (
        "Order #1042",
        "Shipped.",
        "On its way.",
    )


def test_an_invalid_higher_card_falls_through_with_a_warning_that_names_the_place():
    wrong = PLATFORM | {"actions": [{"kind": "url", "label": "Go", "url": "http://a.example"}]}
    parsed = read(result(text("On its way."), LINK, _meta=card(wrong)))
    assert [each.dialect for each in parsed.cards] == ["mcp_result"]
    (warned,) = parsed.warnings
    assert (warned.code, warned.path, warned.detail) == (
        "refused",
        "assistant_platform: actions.0.url",
        "must be an https link",
    )


def test_a_result_without_a_card_is_no_card_and_no_warning():
    assert read(result(text("Just words."))) == Reading(text="Just words.")


def test_a_card_with_nothing_to_show_is_not_made_whatever_its_dialect():
    divider = {"type": "divider"}
    surface = {
        "version": "v1.0",
        "createSurface": {"surfaceId": "s", "components": [{"id": "root", "component": "Spacer"}]},
    }
    event = {"type": "companion.skill_card", "payload": {"markdown": "***"}}
    for structured in ({"card": {"blocks": [divider]}}, {"a2ui": [surface]}, event):
        reading = read(result(text("Done."), structuredContent=structured))
        assert reading.cards == () and reading.warnings


def test_no_result_raises():
    for source in (None, [], "text", 7, {}, {"content": 7}, {"content": [7, None]}, {"_meta": []}):
        assert read(source).cards == ()


def test_a_card_too_deep_or_too_large_is_refused_in_one_line():
    deep = []
    for _ in range(200):
        deep = [deep]
    for more, why in (
        ({"x": deep}, "is nested deeper than 64 levels"),
        ({"x": [0] * 501}, "has 501 entries, the limit is 500"),
        ({"x": "y" * (1 << 20)}, "is larger than 1048576 bytes"),
    ):
        (warned,) = read(result(_meta=card(PLATFORM | more))).warnings
        assert warned.detail == why


def test_only_https_links_become_pages_and_each_has_a_name():
    links = [
        LINK,
        LINK | {"uri": "file:///etc/passwd"},
        {"type": "resource_link", "uri": "https://a.example/R%C3%A9.pdf"},
    ]
    (found,) = read(result(*links)).cards
    assert [(action.label, action.url) for action in found.actions] == [
        ("inv-9.pdf", "https://files.example.com/inv-9.pdf"),
        ("Ré.pdf", "https://a.example/R%C3%A9.pdf"),
    ]
    assert [warned.code for warned in found.warnings] == ["dropped"]


def test_content_for_the_assistant_alone_is_neither_shown_nor_spoken():
    for_assistant = text('{"raw":1}', annotations={"audience": ["assistant"]})
    assert read(result(for_assistant, text("Nice words"))).text == "Nice words"


def test_structured_content_without_text_is_said_as_keys_and_values():
    data = {"total": 3, "items": ["a", "b"], "open": True, "where": {"city": "Cluj"}, "none": None}
    assert read(result(structuredContent=data)).text == (
        "total: 3\nitems: a, b\nopen: yes\nwhere: city Cluj\nnone: none"
    )


def test_a_question_with_an_enum_becomes_choices():
    schema = {
        "type": "object",
        "properties": {
            "day": {"oneOf": [{"const": "mon", "title": "Monday"}, {"const": "tue", "title": "T"}]}
        },
    }
    asks = {
        "method": "elicitation/create",
        "params": {"message": "When?", "requestedSchema": schema},
    }
    (found,) = read({"resultType": "input_required", "inputRequests": {"q": asks}}).cards
    assert [(action.label, action.text) for action in found.actions] == [
        ("Monday", "mon"),
        ("T", "tue"),
    ]
    assert (found.question.prompt, found.extra["request"]) == ("When?", "q")


def test_the_assistant_reads_the_result_or_else_the_cards_twin():
    source = result(_meta=card(PLATFORM))
    assert read(source).text == "Shipped."
    source = result(text("Words."), _meta=card(PLATFORM))
    assert read(source).text == "Words."
