"""Plain MCP results: links and pictures worth a page, questions worth buttons, words to say."""

from base64 import b64encode

import pytest
from voxcard.cards.dialects.mcp_result import parse, visible_text
from voxcard.cards.model import CardRefused, KeyValueBlock, MoreBlock, NoCard, TextBlock
from voxcard.cards.read.reading import read

PNG = b"\x89PNG\r\n\x1a\n"
IMAGE = {"type": "image", "data": b64encode(PNG).decode(), "mimeType": "image/png"}
LINK = {"type": "resource_link", "uri": "https://files.example.com/a%20b.pdf"}


def result(*content, **more):
    return {"content": list(content), **more}


def text(words, **more):
    return {"type": "text", "text": words, **more}


def embedded(mime, **more):
    return {"type": "resource", "resource": {"uri": "x://y", "mimeType": mime, **more}}


def audience(*names):
    return {"annotations": {"audience": list(names)}}


def question(schema=None, **params):
    params = {"message": "Which day?", "requestedSchema": schema, **params}
    request = {"method": "elicitation/create", "params": params}
    return {"resultType": "input_required", "inputRequests": {"q1": request}}


def form(required=(), **properties):
    return {"type": "object", "properties": properties, "required": list(required)}


def options(source):
    return [(action.label, action.text) for action in parse(source).cards[0].actions]


def test_a_link_without_a_name_is_called_by_the_end_of_its_path():
    (card,) = parse(result(text("Your invoice"), LINK)).cards
    assert (card.title, card.actions[0].label) == ("a b.pdf", "a b.pdf")
    assert card.blocks[0].text == "Your invoice"


def test_content_for_the_assistant_alone_is_neither_shown_nor_said():
    hidden = audience("assistant")
    source = result(text("raw", **hidden), LINK | hidden, IMAGE | hidden)
    with pytest.raises(CardRefused, match="no card"):
        parse(source)
    assert read(source).text == ""
    both = result(text("raw", **audience("assistant", "user")), LINK | audience())
    assert visible_text(both) == "raw" and parse(both).cards[0].actions


def test_the_first_picture_is_the_cards_and_the_others_are_blocks():
    blob = embedded("image/png; x=1", blob=b64encode(b"second").decode())
    (card,) = parse(result(blob, IMAGE)).cards
    assert card.image.data == PNG
    assert [block.image.data for block in card.blocks] == [b"second"]


def test_a_picture_alone_has_a_twin_that_is_no_data():
    (card,) = read(result(IMAGE)).cards
    assert card.twin.text == "[picture]"


def test_what_is_no_picture_is_dropped_with_a_warning():
    parsed = parse(
        result(IMAGE, {"type": "image"}, {"type": "image", "data": "%%%"}, *[IMAGE] * 9)
    )
    assert sum(warned.code == "dropped" for warned in parsed.warnings) >= 1
    assert len(parsed.cards[0].blocks) <= 3


def test_embedded_plain_text_speaks_where_there_is_no_other_and_html_never():
    page, note = embedded("text/html", text="<html>"), embedded("text/plain", text="Saved.")
    assert visible_text(result(page, note)) == "Saved."
    assert visible_text(result(page, note, text("Words."))) == "Words."
    assert visible_text(result(page)) == ""


def test_structured_content_without_text_is_said_as_keys_and_values():
    data = {
        "total": 3,
        "items": ["a", "b"],
        "paid": True,
        "at": {"city": "Cluj", "deep": {"x": 1}},
    }
    assert read(result(structuredContent=data)).text == (
        "total: 3\nitems: a, b\npaid: yes\nat: city Cluj, deep x 1"
    )
    assert read(result(text("Words."), structuredContent=data)).text == "Words."


def test_a_text_that_is_data_is_said_as_keys_and_values_and_the_assistant_reads_it_as_it_is():
    for words in ('{"door":"shut"}', '```json\n{"door": "shut"}\n```'):
        reading = read(result(text(words)))
        assert (reading.cards, reading.text, reading.speak) == ((), words, "door: shut")


def test_a_text_longer_than_what_is_said_is_a_card_unless_the_tool_failed():
    long = text("One. Two. Three. Four.")
    (card,) = parse(result(long)).cards
    assert (card.blocks, card.twin.text) == (
        (TextBlock(text="One. Two. Three. Four."),),
        "One. Two. Three. Four.",
    )
    for source in (result(text("One. Two. Three.")), result(long, isError=True)):
        with pytest.raises(NoCard):
            parse(source)
    assert parse(result(text("- a\n- b\n- c\n- d"))).cards
    with pytest.raises(NoCard):
        parse(result(text("- a\n- b\n- c")))


def test_long_structured_content_alone_is_a_card_of_its_values():
    (card,) = parse(result(structuredContent={f"k{n}": n for n in range(5)})).cards
    assert card.blocks[0].rows[4] == ("k4", "4")


def test_a_texts_markdown_is_the_cards_title_blocks_and_links():
    (card,) = parse(result(text("# Boiler\n**Bar**: 1.4\n\n[Log](https://l.example)"), LINK)).cards
    assert (card.title, card.blocks) == (
        "Boiler",
        (KeyValueBlock(rows=(("Bar", "1.4"),)), TextBlock(text="Log")),
    )
    assert [(action.id, action.label) for action in card.actions] == [
        ("l0", "a b.pdf"),
        ("l1", "Log"),
    ]


def test_texts_that_are_one_object_each_are_one_list():
    source = result(text('{"n":"a","x":1}'), text('{"n":"b","x":2}'))
    assert read(source).speak == "n a, x 1\nn b, x 2"


def test_links_and_pictures_over_the_limit_are_counted():
    links = [{**LINK, "uri": f"https://f.example/{n}"} for n in range(30)]
    (card,) = parse(result(*links)).cards
    assert (len(card.actions), card.blocks[-1]) == (24, MoreBlock(count=6))
    (card,) = parse(result(*[IMAGE] * 6)).cards
    assert card.blocks[-1] == MoreBlock(count=2)


def test_a_failed_tools_words_are_still_said():
    assert read(result(text("The date is past."), isError=True)).text == "The date is past."


def test_the_choices_of_an_enum_are_buttons_that_know_what_they_answer():
    source = question(form(day={"type": "string", "enum": ["Mon", "Tue"]}))
    (card,) = parse(source).cards
    assert options(source) == [("Mon", "Mon"), ("Tue", "Tue")]
    assert (card.question.kind, card.question.prompt) == ("choice", "Which day?")
    answers = {"o0": "Mon", "o1": "Tue"}
    assert dict(card.extra) == {"request": "q1", "field": "day", "answers": answers}


@pytest.mark.parametrize(
    ("field", "choices"),
    [
        ({"enum": ["a", "b"], "enumNames": ["Ay", "Bee"]}, [("Ay", "a"), ("Bee", "b")]),
        ({"enum": ["a", 7, ""]}, [("a", "a")]),
        ({"oneOf": [{"const": "a", "title": "Ay"}, {"const": "b"}]}, [("Ay", "a"), ("b", "b")]),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, [("a", "a"), ("b", "b")]),
        ({"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}}, [("A", "a")]),
        ({"type": "boolean"}, [("Yes", "Yes"), ("No", "No")]),
    ],
)
def test_every_form_of_an_enum_is_read(field, choices):
    assert options(question(form(day=field))) == choices


def test_what_a_choice_answers_is_what_the_form_wants():
    several = {"type": "array", "items": {"enum": ["a", "b"]}}
    for field, answers in (
        ({"type": "boolean"}, {"o0": True, "o1": False}),
        ({"enum": [" a ", "b" * 300]}, {"o0": " a ", "o1": "b" * 300}),
        (several, {"o0": ["a"], "o1": ["b"]}),
    ):
        (card,) = parse(question(form(day=field))).cards
        assert card.extra["answers"] == answers


def test_a_form_that_asks_for_more_than_one_answer_is_no_card():
    day, name = {"enum": ["Mon"]}, {"type": "string"}
    for schema in (form(("name", "day"), name=name, day=day), form(name=name), None, {}):
        with pytest.raises(CardRefused, match="no question with choices"):
            parse(question(schema))
    assert options(question(form(("day",), name=name, day=day))) == [("Mon", "Mon")]


def test_a_link_to_answer_at_is_a_code_and_its_host_is_seen():
    source = question(mode="url", url="https://login.example.com/x")
    (card,) = parse(source).cards
    assert [(action.kind, action.url) for action in card.actions] == [
        ("link", "https://login.example.com/x")
    ]
    with pytest.raises(CardRefused):
        parse(question(mode="url", url="javascript:alert(1)"))
