"""A2UI messages replayed to cards: versions, surfaces, bindings, layout, limits."""

import json
from itertools import count
from pathlib import Path

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.dialects.a2ui.parser import parse
from voxcard.cards.fit.fit import fit, wire_bytes
from voxcard.cards.model import (
    ImageBlock,
    ImageRef,
    InputBlock,
    KeyValueBlock,
    ListBlock,
    ListItem,
    MediaBlock,
    MoreBlock,
    TextBlock,
)
from voxcard.cards.text.twins import complete


def component(name, kind, /, **properties):
    return {"id": name, "component": kind, **properties}


def surface(*components, data=None, version="v0.9", name="s"):
    messages = [
        {"version": version, "createSurface": {"surfaceId": name}},
        {
            "version": version,
            "updateComponents": {"surfaceId": name, "components": list(components)},
        },
    ]
    if data is not None:
        messages.append(
            {"version": version, "updateDataModel": {"surfaceId": name, "value": data}}
        )
    return messages


def column(*children):
    return component("root", "Column", children=list(children))


def text(name, value, **properties):
    return component(name, "Text", text=value, **properties)


def card(messages):
    parsed = parse(messages, "c")
    assert len(parsed.cards) == 1
    return parsed.cards[0]


def details(parsed):
    return [(each.code, each.path, each.detail) for each in parsed.warnings]


def said(messages):
    """The title and texts of the one card."""
    parsed_card = card(messages)
    return [
        parsed_card.title,
        *(block.text for block in parsed_card.blocks if isinstance(block, TextBlock)),
    ]


# -- messages and surfaces


@pytest.mark.parametrize(
    "pack",
    [
        lambda messages: messages,
        lambda messages: {"messages": messages},
        json.dumps,
        lambda messages: json.dumps(messages, indent=1),
        lambda messages: json.dumps({"messages": messages}),
        lambda messages: "\n".join(map(json.dumps, messages)),
        lambda messages: "\r\n\r\n".join(map(json.dumps, messages)) + "\n",
        lambda messages: json.dumps(messages[:1]) + "\n" + json.dumps(messages[1:], indent=2),
        lambda messages: json.dumps(messages[0]) + "\nnot json\n" + json.dumps(messages[1]),
    ],
)
def test_messages_come_in_any_container(pack):
    parsed = parse(pack(surface(text("root", "Here"))), "c")
    assert [each.title for each in parsed.cards] == ["Here"]


@pytest.mark.parametrize(
    ("version", "shown"),
    [
        ("v0.9", "plain"),
        ("0.9", "plain"),
        ("v0.9.1", "plain"),
        ("V0.9.1", "plain"),
        ("v0.10", "plain"),
        ("v1.0", "path: /n"),
        ("1.0", "path: /n"),
    ],
)
def test_a_version_decides_how_bindings_are_spelled(version, shown):
    messages = surface(
        column("a", "b"),
        text("a", "Title", variant="h1"),
        text("b", {"path": "/n"}),
        text("unseen", {"@path": "/n"}),
        data={"n": "plain"},
        version=version,
    )
    assert said(messages) == ["Title", shown]


def test_a_surface_follows_the_version_of_the_message_that_created_it():
    messages = surface(text("root", {"path": "/n"}), data={"n": "old spelling"})
    for message in messages[1:]:
        message["version"] = "v1.0"
    assert said(messages) == ["old spelling"]


def test_an_unknown_version_is_left_out_with_a_warning():
    parsed = parse([*surface(text("root", "kept")), {"version": "v2.0", "deleteSurface": {}}], "c")
    assert [each.title for each in parsed.cards] == ["kept"]
    assert details(parsed) == [("unknown", "version", "is none of v0.9, v0.9.1 and v1.0")]


def test_several_surfaces_are_several_cards_of_one_group():
    messages = [*surface(text("root", "One"), name="a"), *surface(text("root", "Two"), name="b")]
    cards = parse(messages, "c").cards
    assert [(each.id, each.title, each.live_key) for each in cards] == [
        ("c.0", "One", "a"),
        ("c.1", "Two", "b"),
    ]
    assert [(each.group.index, each.group.count, each.group.mode) for each in cards] == [
        (0, 2, "surfaces"),
        (1, 2, "surfaces"),
    ]


def test_components_and_data_may_come_in_any_order_and_the_last_wins():
    messages = surface(text("root", {"path": "/n"}))
    messages.insert(
        1, {"version": "v0.9", "updateDataModel": {"surfaceId": "s", "value": {"n": "first"}}}
    )
    messages.append(
        {"version": "v0.9", "updateDataModel": {"surfaceId": "s", "path": "/n", "value": "last"}}
    )
    messages.append(
        {
            "version": "v0.9",
            "updateComponents": {
                "surfaceId": "s",
                "components": [
                    text("root", {"call": "formatString", "args": {"value": "${/n}!"}})
                ],
            },
        }
    )
    assert said(messages) == ["last!"]


def test_an_update_of_a_surface_that_was_never_created_is_a_warning():
    parsed = parse(surface(text("root", "lost"))[1:], "c")
    assert parsed.cards == ()
    assert details(parsed) == [
        ("dropped", "s", "no surface of this name was created"),
        ("empty", "", "no surface is alive"),
    ]


def test_a_deleted_surface_can_be_created_again():
    messages = [
        *surface(text("root", "Old")),
        {"version": "v0.9", "deleteSurface": {"surfaceId": "s"}},
        *surface(text("root", "New")),
    ]
    assert said(messages) == ["New"]


@pytest.mark.parametrize(
    ("version", "gone"),
    [("v0.9", {}), ("v1.0", {"value": None}), ("v1.0", {})],
)
def test_data_is_removed_as_each_version_says(version, gone):
    path = "@path" if version == "v1.0" else "path"
    messages = surface(
        column("a", "b"),
        text("a", "Kept"),
        text("b", {path: "/k"}),
        data={"k": "secret"},
        version=version,
    )
    removal = {"surfaceId": "s", "path": "/k", **gone}
    assert said([*messages, {"version": version, "updateDataModel": removal}]) == ["Kept"]


def test_the_source_is_not_changed():
    messages = surface(text("root", {"path": "/a/b"}), data={"a": {"b": 1}})
    messages.append(
        {"version": "v0.9", "updateDataModel": {"surfaceId": "s", "path": "/a/b", "value": 2}}
    )
    before = json.dumps(messages)
    assert said(messages) == ["2"]
    assert json.dumps(messages) == before


def test_a_path_through_a_text_is_told_and_changes_nothing():
    messages = surface(text("root", {"path": "/a"}), data={"a": "word"})
    messages.append(
        {"version": "v0.9", "updateDataModel": {"surfaceId": "s", "path": "/a/b", "value": 2}}
    )
    parsed = parse(messages, "c")
    assert parsed.cards[0].title == "word"
    assert details(parsed) == [
        ("dropped", "s.updateDataModel.path", "leads through a value that is no object")
    ]


# -- titles and layout


def test_the_title_is_the_first_heading_with_letters():
    parsed_card = card(
        surface(
            column("a", "b", "c"),
            text("a", "21°", variant="h1"),
            text("b", "Sibiu", variant="h3"),
            text("c", "# Later"),
        )
    )
    assert parsed_card.title == "Sibiu"
    assert parsed_card.blocks == (
        TextBlock(text="21°", level=1, markdown=True),
        TextBlock(text="Later", level=1, markdown=True),
    )


def test_without_a_heading_short_words_at_the_start_are_the_title():
    assert card(surface(column("a", "b"), text("a", "Short"), text("b", "More"))).title == "Short"
    assert card(surface(column("a", "b"), text("a", "long " * 20), text("b", "More"))).title == ""


def test_an_entry_of_a_list_is_never_the_title():
    messages = surface(
        component("root", "List", children={"componentId": "t", "path": "/n"}),
        text("t", {"path": ""}),
        data={"n": ["one", "two"]},
    )
    assert card(messages).title == ""
    assert card(messages).blocks == (
        ListBlock(items=(ListItem(title="one"), ListItem(title="two"))),
    )


def test_labels_and_values_side_by_side_become_rows():
    parsed_card = card(
        surface(
            column("r", "q"),
            component("r", "Row", children=["l", "v"]),
            text("l", "Gate:", variant="caption"),
            text("v", "B 12"),
            component("q", "Row", children=["c1", "c2"]),
            component("c1", "Column", children=["n1", "l1"]),
            text("n1", "7", variant="h2"),
            text("l1", "Stops", variant="caption"),
            component("c2", "Column", children=["l2", "n2"]),
            text("l2", "Fare", variant="caption"),
            text("n2", "3 lei"),
        )
    )
    assert parsed_card.blocks == (
        KeyValueBlock(rows=(("Gate", "B 12"), ("Stops", "7"), ("Fare", "3 lei"))),
    )


def test_a_row_is_one_line_and_a_long_row_is_not():
    row = component("r", "Row", children=["a", "b"])
    short_row = surface(
        column("t", "r"), text("t", "T"), row, text("a", "4 km"), text("b", "9 min")
    )
    assert said(short_row) == ["T", "4 km · 9 min"]
    long = surface(column("t", "r"), text("t", "T"), row, text("a", "a" * 99), text("b", "b" * 99))
    assert said(long) == ["T", "a" * 99, "b" * 99]


def test_icons_that_say_something_join_the_words_beside_them():
    messages = surface(
        column("t", "r", "m"),
        text("t", "Parcel"),
        component("r", "Row", children=["i", "w"]),
        component("i", "Icon", name="check"),
        text("w", "Shipped"),
        component("m", "Row", children=["i2", "w2"]),
        component("i2", "Icon", name="mail"),
        text("w2", "Post"),
    )
    assert said(messages) == ["Parcel", "✓ Shipped", "Post"]


def test_a_label_for_the_ear_stands_for_what_is_seen():
    parsed_card = card(
        surface(
            column("t", "i"),
            text("t", "★★★★☆", accessibility={"label": "Four of five stars"}),
            component(
                "i", "Image", url="https://a.example/x.png", accessibility={"label": "A cat"}
            ),
        )
    )
    assert parsed_card.title == "Four of five stars"
    assert parsed_card.blocks == (
        ImageBlock(image=ImageRef(alt="A cat", url="https://a.example/x.png")),
    )


def test_the_label_of_the_root_is_the_label_of_the_card():
    root = column("a") | {"accessibility": {"label": "Bus times", "description": "Two buses."}}
    parsed_card = complete(card(surface(root, text("a", "41"))))
    assert (parsed_card.label, parsed_card.summary) == ("Bus times", "Two buses.")


def test_a_list_in_an_entry_says_its_entries():
    messages = surface(
        component("root", "List", children={"componentId": "d", "path": "/days"}),
        component("d", "Column", children=["n", "l"]),
        text("n", {"path": "name"}),
        component("l", "List", children={"componentId": "e", "path": "events"}),
        text("e", {"path": "what"}),
        data={
            "days": [
                {"name": "Mon", "events": [{"what": "Choir"}, {"what": "Tea"}]},
                {"name": "Tue", "events": []},
            ]
        },
    )
    items = (ListItem(title="Mon", detail="Choir, Tea"), ListItem(title="Tue"))
    assert card(messages).blocks == (ListBlock(items=items),)


def test_a_video_without_other_pictures_lends_its_poster():
    parsed_card = card(
        surface(
            component(
                "root",
                "Video",
                url="https://v.example/a.mp4",
                posterUrl="https://v.example/a.jpg",
            )
        )
    )
    poster = ImageRef(url="https://v.example/a.jpg")
    assert parsed_card.image == poster
    assert parsed_card.blocks == (
        MediaBlock(kind="video", title="Video", url="https://v.example/a.mp4", poster=poster),
    )


def test_an_inline_picture_is_decoded():
    parsed_card = card(surface(component("root", "Image", url="data:image/png;base64,aGVq")))
    assert parsed_card.blocks == (ImageBlock(image=ImageRef(data=b"hej")),)


@pytest.mark.parametrize(
    "url", ["http://a.example/x.png", "javascript:alert(1)", "data:text/html;base64,aGVq", 7, {}]
)
def test_a_picture_that_is_no_https_link_leaves_its_words(url):
    parsed = parse(surface(component("root", "Image", url=url, description="A cat")), "c")
    assert parsed.cards[0].blocks == (ImageBlock(image=ImageRef(alt="A cat")),)
    assert len(parsed.warnings) == bool(url)


# -- inputs


def test_inputs_show_their_values():
    parsed_card = card(
        surface(
            column("a", "b", "c", "d", "e", "f"),
            component("a", "TextField", label="Name", value={"path": "/name"}),
            component("b", "CheckBox", label="Loud", value=False),
            component("c", "Slider", label="Volume", value=7, max=10),
            component(
                "d",
                "ChoicePicker",
                label="Days",
                options=[{"label": "Monday", "value": "mo"}, {"label": "Friday", "value": "fr"}],
                value=["fr", "mo"],
            ),
            component("e", "DateTimeInput", label="On", value="2026-12-24", enableDate=True),
            component(
                "f", "DateTimeInput", label="At", value="2026-12-24T18:30", enableDate=False
            ),
            data={"name": ""},
        )
    )
    assert parsed_card.blocks == (
        InputBlock(label="Name", value="–"),
        InputBlock(label="Loud", value="no"),
        InputBlock(label="Volume", value="7"),
        InputBlock(label="Days", value="Friday, Monday"),
        InputBlock(label="On", value="Thu, Dec 24, 2026"),
        InputBlock(label="At", value="6:30 PM"),
    )


def test_the_value_of_an_obscured_input_is_never_shown_spoken_or_sent():
    parsed = parse(
        surface(
            column("t", "p", "echo", "all", "b", "l"),
            text("t", "Sign in", variant="h1"),
            component(
                "p", "TextField", label="PIN", value={"path": "/form/pin"}, variant="obscured"
            ),
            text("echo", {"call": "formatString", "args": {"value": "PIN is ${/form/pin}"}}),
            text("all", {"path": "/form"}),
            component(
                "b",
                "Button",
                child="bt",
                action={
                    "event": {
                        "name": "go",
                        "context": {"pin": {"path": "/form/pin"}, "who": {"path": "/form/who"}},
                    }
                },
            ),
            text("bt", "Go"),
            component("l", "TextField", label="Old", value="48151623", variant="obscured"),
            data={"form": {"pin": 48151623, "who": "Radu"}},
        ),
        "c",
    )
    parsed_card = complete(parsed.cards[0])
    assert "48151623" not in repr(parsed_card)
    assert InputBlock(label="PIN", value="", secret=True) in parsed_card.blocks
    assert [action.text for action in parsed_card.actions] == ["Go (who: Radu)"]
    assert parsed_card.twin.text == (
        "**Sign in**\n\nPIN: ••••\n\nPIN is ••••\n\npin: ••••\nwho: Radu\n\nOld: ••••\n\n- Go"
    )


def test_an_obscured_input_in_a_template_covers_each_entry():
    messages = surface(
        column("h", "l"),
        text("h", "Keys"),
        component("l", "List", children={"componentId": "r", "path": "/keys"}),
        component("r", "Column", children=["n", "v", "w"]),
        text("n", {"path": "name"}),
        component("v", "TextField", label="Key", value={"path": "key"}, variant="obscured"),
        text("w", {"path": "/keys/1/key"}),
        data={"keys": [{"name": "a", "key": "hunter2"}, {"name": "b", "key": "swordfish"}]},
    )
    parsed_card = repr(complete(card(messages)))
    assert "hunter2" not in parsed_card and "swordfish" not in parsed_card


# -- buttons


def button(name, action, **properties):
    return component(name, "Button", child=f"{name}t", action=action, **properties)


def test_buttons_are_links_or_messages():
    parsed_card = card(
        surface(
            column("a", "b", "c"),
            button(
                "a",
                {"functionCall": {"call": "openUrl", "args": {"url": "https://a.example/1"}}},
                variant="primary",
            ),
            text("at", "Open"),
            button("b", {"event": {"name": "more", "context": {"page": 2, "none": None}}}),
            text("bt", "More"),
            button("c", {"event": {"name": "refresh"}}),
            component("ct", "Icon", name="refresh"),
        )
    )
    assert [
        (each.id, each.label, each.kind, each.url or each.text, each.style)
        for each in parsed_card.actions
    ] == [
        ("a0", "Open", "link", "https://a.example/1", "primary"),
        ("a1", "More", "message", "More (page: 2)", ""),
        ("a2", "Refresh", "message", "Refresh", ""),
    ]


@pytest.mark.parametrize(
    ("action", "detail"),
    [
        (None, "a button without an action"),
        ({"functionCall": {"call": "print"}}, "a button runs a function that a card does not run"),
        (
            {"functionCall": {"call": "openUrl", "args": {"url": "http://a.example"}}},
            "a button's link is not https",
        ),
        (
            {"functionCall": {"call": "openUrl", "args": {"url": "javascript:alert(1)"}}},
            "a button's link is not https",
        ),
        ({"functionCall": {"call": "openUrl"}}, "a button's link is not https"),
    ],
)
def test_a_button_that_a_card_cannot_carry_out_is_a_warning(action, detail):
    messages = surface(
        column("t", "a"), text("t", "Do it?"), button("a", action), text("at", "Go")
    )
    parsed = parse(messages, "c")
    assert parsed.cards[0].actions == ()
    assert [each.detail for each in parsed.warnings] == [detail]


def test_the_users_sentence_starts_the_message():
    event = {
        "name": "book",
        "userMessage": {"@path": "/say"},
        "context": {"room": {"@path": "/room"}},
    }
    messages = surface(
        button("root", {"event": event}),
        text("roott", "Book"),
        data={"say": "Book it", "room": "B2"},
        version="v1.0",
    )
    assert [each.text for each in card(messages).actions] == ["Book it (room: B2)"]


# -- limits


def test_more_than_24_blocks_say_how_many_are_left_out():
    names = [f"i{index}" for index in range(30)]
    images = [
        component(name, "Image", url=f"https://a.example/{name}", description=name)
        for name in names
    ]
    parsed = parse(surface(column(*names), *images), "c")
    blocks = parsed.cards[0].blocks
    assert len(blocks) == 24 and blocks[-1] == MoreBlock(count=7)
    assert details(parsed) == [("truncated", "s", "a card holds 24 blocks and 32 KB")]


def test_a_card_with_its_text_is_at_most_32_kb():
    messages = surface(
        column("t", "a", "b", "c"),
        text("t", "Long", variant="h1"),
        *(text(name, "ă" * 8000) for name in "abc"),
    )
    parsed = parse(messages, "c")
    parsed_card = complete(parsed.cards[0])
    sizes = [len(block.text.encode()) for block in parsed_card.blocks[:-1]]
    assert sum(sizes) + len(parsed_card.twin.text.encode()) < 32_768
    assert parsed_card.blocks[-1] == MoreBlock(count=2)
    assert [each.code for each in parsed.warnings] == ["truncated"]


def test_a_long_list_is_cut_between_its_entries():
    messages = surface(
        component("root", "List", children={"componentId": "t", "path": "/n"}),
        text("t", {"path": ""}),
        data={"n": [f"entry {index} " + "x" * 90 for index in range(450)]},
    )
    parsed_card = card(messages)
    assert 100 < len(parsed_card.blocks[0].items) < 200
    left = 450 - len(parsed_card.blocks[0].items)
    assert parsed_card.blocks[1:] == (MoreBlock(count=left),)
    assert parsed_card.blocks[0].items[0].title == "entry 0 " + "x" * 90


def test_a_component_that_contains_itself_is_left_out_there():
    messages = surface(
        column("a", "b"), component("a", "Row", children=["root", "b"]), text("b", "x")
    )
    parsed = parse(messages, "c")
    assert ("dropped", "s.root", "the component contains itself") in details(parsed)
    assert parsed.cards[0].title == "x"


def test_a_template_may_repeat_itself_as_deep_as_its_data():
    messages = surface(
        component("root", "List", children={"componentId": "n", "path": "/tree"}),
        component("n", "Column", children=["w", "l"]),
        text("w", {"path": "name"}),
        component("l", "List", children={"componentId": "n", "path": "in"}),
        data={"tree": [{"name": "a", "in": [{"name": "b", "in": [{"name": "c"}]}]}]},
    )
    assert card(messages).blocks == (ListBlock(items=(ListItem(title="a", detail="b"),)),)


def test_components_that_multiply_end_within_bounds():
    levels = [component(f"c{level}", "Row", children=[f"c{level + 1}"] * 8) for level in range(12)]
    messages = surface(column("c0"), *levels, text("c12", "again and again"))
    parsed = parse(messages, "c")
    assert ("truncated", "s", "holds more than a card can say") in details(parsed)
    assert len(parsed.cards[0].blocks) <= 24


def test_templates_that_format_themselves_end_within_bounds():
    bomb = "${formatString(value: /t)}" * 8
    messages = surface(
        text("root", {"call": "formatString", "args": {"value": {"path": "/t"}}}),
        data={"t": bomb},
    )
    parsed = parse(messages, "c")
    assert parsed.cards == ()
    assert {each.detail for each in parsed.warnings} & {
        "the values take too long to work out",
        "a value is nested deeper than 96 levels",
    }


def test_deep_json_is_one_warning():
    deep = '{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":' + "[" * 100_000
    assert details(parse(deep, "c")) == [
        ("dropped", "json", "is no JSON of messages"),
        ("empty", "", "no surface is alive"),
    ]


def test_a_container_of_one_child_does_not_count_as_a_level():
    chain = [component(f"n{index}", "Card", child=f"n{index + 1}") for index in range(500)]
    assert said(surface(column("n0"), *chain, text("n500", "At the bottom"))) == ["At the bottom"]


def test_an_unknown_component_is_a_warning_and_its_children_are_kept():
    parsed = parse(
        surface(column("h"), component("h", "Carousel", children=["t"]), text("t", "x")), "c"
    )
    assert parsed.cards[0].title == "x"
    assert details(parsed) == [("unknown", "s.h", "a component that no card draws")]


# -- on the smallest screen

SMALL = screen_of(
    128, 64, 1, "rect", 170, (6, 8), ((32, 0x52F), (0x1E00, 0x1EFF)), ("text", "qr", "choices")
)
EXAMPLES = sorted((Path(__file__).parents[3] / "golden/cards/a2ui_examples").glob("*.json"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_fits_the_smallest_screen_in_a_few_pages(path):
    messages = json.loads(path.read_text(encoding="utf-8"))["input"]["messages"]
    fitted = fit(complete(card(messages)), SMALL, now=0.0, next_blob=count(1).__next__)
    assert len(fitted.card.pages) <= 3
    assert wire_bytes(fitted.card) <= 600
    assert fitted.left_out == 0


@pytest.mark.parametrize("odd", [{"a": 1}, ["x"], None, 5, True])
def test_a_child_of_an_unknown_component_that_is_no_id_is_left_out(odd):
    for children in ({"componentId": odd}, [{"componentId": odd}], [odd], {"slot": odd}):
        shown = card(surface(component("root", "Gauge", content=children, label="Tank")))
        assert "Tank" in complete(shown).twin.text
