"""Every block type of codai cards: what it becomes, what it refuses, how it looks on a panel."""

from itertools import count

import pytest
from fakes.device.screens import screen_of
from voxcard.cards.dialects.codai.fields import moment, named_unit, words
from voxcard.cards.dialects.codai.parser import parse
from voxcard.cards.fit.fit import fit
from voxcard.cards.model import (
    CardRefused,
    ChartBlock,
    CodeBlock,
    DividerBlock,
    ImageBlock,
    ImageRef,
    KeyValueBlock,
    ListBlock,
    ListItem,
    MapBlock,
    MetricBlock,
    Pin,
    QrBlock,
    Question,
    Step,
    TableBlock,
    TextBlock,
    TimelineBlock,
    VisualBlock,
)
from voxcard.cards.text.diagrams import diagram_words, math_words
from voxcard.cards.text.twins import complete
from voxwire.capability import BLOCKS

OLED = screen_of(128, 64, 1, "rect", 170, (6, 8), ((32, 0x52F),), BLOCKS)


def card(kind, **fields):
    return parse({"blocks": [{"type": kind, **fields}]}).cards[0]


def blocks(kind, **fields):
    return card(kind, **fields).blocks


def refusal(kind, **fields):
    with pytest.raises(CardRefused) as refused:
        card(kind, **fields)
    return str(refused.value)


def drawn(kind, **fields):
    """The lines of each page on a 128x64 panel; a code by its caption in brackets."""
    fitted_card = fit(
        complete(card(kind, **fields)), OLED, now=0, next_blob=count(1).__next__
    ).card
    return [[line.text for line in page.lines] for page in fitted_card.pages]


def test_a_text_is_markdown_and_maybe_a_heading():
    assert blocks("text", text="**a**") == (TextBlock(text="**a**", markdown=True),)
    assert blocks("text", text="A", variant="heading")[0].level == 1
    assert refusal("text") == "blocks.0.text: is missing"
    assert refusal("text", text={}) == "blocks.0.text: must be text"


def test_a_table_has_rows_of_cells_or_of_objects():
    columns = [{"key": "p", "label": "Plan"}, "Preț"]
    rows = [["Mic", 10], {"p": "Mare", "Preț": 25.5}, ["x", None], {"cells": ["y", True]}]
    assert blocks("table", title="Prices", columns=columns, rows=rows) == (
        TextBlock(text="Prices", level=1),
        TableBlock(
            columns=("Plan", "Preț"),
            rows=(("Mic", "10"), ("Mare", "25.5"), ("x", ""), ("y", "yes")),
        ),
    )
    assert blocks("table", rows=[{"a": 1, "b": 2}])[0].columns == ("a", "b")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"columns": ["a"]}, "blocks.0.rows: is missing"),
        ({"columns": ["a"], "rows": "oops"}, "blocks.0.rows: must be a list"),
        ({"columns": "a", "rows": []}, "blocks.0.columns: must be a list"),
        ({"columns": ["a"], "rows": [["x"], 3]}, "blocks.0.rows.1: must be a list of cells"),
        ({"columns": ["a"], "rows": [["x"]] * 501}, "blocks.0.rows: has 501 entries, the limit"),
        ({"rows": [[0] * 100] * 41}, "blocks.0.rows: has more than 4000 cells"),
    ],
)
def test_a_table_that_is_none_says_where(fields, why):
    assert refusal("table", **fields).startswith(why)


def test_a_metric_has_a_value_its_unit_and_a_change_with_its_sign():
    assert blocks("metric", label="EUR", value=4.97, unit="RON", delta=0.01) == (
        MetricBlock(label="EUR", value="4.97", unit="RON", delta="+0.01"),
    )
    assert blocks(
        "metric", label="Sum", value={"amount": 12, "currency": "EUR"}, change="-3 %"
    ) == (MetricBlock(label="Sum", value="12 EUR", delta="-3 %"),)
    assert (
        len(blocks("metric", items=[{"label": "a", "value": 1}, {"label": "b", "value": 2}])) == 2
    )
    assert refusal("metric", label="EUR") == "blocks.0.value: is missing"
    assert refusal("metric", items=[{"label": "a"}]) == "blocks.0.items.0.value: is missing"


def test_weather_says_place_and_sky_then_what_else_is_known_then_the_days():
    days = [{"day": "Tue", "highC": 22, "lowC": 11, "condition": "rain", "rainMm": 4},
            {"date": "2026-12-01T00:00:00Z", "max": 20}]  # fmt: skip
    assert blocks("weather", place="Cluj", tempC=21, condition="cloudy", windKmh=12,
                  humidityPct=81, icon="mdi:cloud", daily=days) == (
        TextBlock(text="Cluj: 21 °C, cloudy"),
        KeyValueBlock(rows=(("Wind", "12 km/h"), ("Humidity", "81 %"))),
        ListBlock(items=(ListItem(title="Tue", detail="11 °C – 22 °C, rain, rain 4 mm"),
                         ListItem(title="2026-12-01", detail="20 °C"))),
    )  # fmt: skip
    now = {"temperature": 3.5, "symbolCode": "partlycloudy_day"}
    assert blocks("weather", name="Iași", current=now) == (
        TextBlock(text="Iași: 3.5 °C, Partly cloudy"),
    )


def test_places_are_lettered_pins_with_a_link_to_a_map():
    items = [{"name": "Cafe", "address": "Str. 1", "rating": 4.5, "lat": 44.4, "lng": 26.1,
              "openNow": True},
             {"name": "Bar", "distanceM": 1234, "url": "https://bar.example"},
             {"location": {"lat": 1, "lng": 2}}]  # fmt: skip
    assert blocks("places", items=items)[0].pins == (
        Pin(letter="A", label="Cafe", detail="Str. 1 · ★ 4.5 · open", latitude=44.4,
            longitude=26.1, url="https://maps.google.com/?q=44.4,26.1"),
        Pin(letter="B", label="Bar", detail="1.23 km", url="https://bar.example"),
        Pin(letter="C", label="1, 2", latitude=1.0, longitude=2.0,
            url="https://maps.google.com/?q=1,2"),
    )  # fmt: skip


NO_IMAGE = "No map image."


def test_a_map_has_markers_a_route_and_at_most_twenty_letters():
    markers = [{"label": f"P{index}", "lat": 1, "lng": index} for index in range(22)]
    route = {"mode": "drive", "durationS": 3900, "distanceM": 12_400}
    parsed = parse({"blocks": [{"type": "map", "markers": markers, "route": route}]})
    block = parsed.cards[0].blocks[0]
    assert [pin.letter for pin in block.pins] == list("ABCDEFGHIJKLMNOPQRST")
    assert sum(bool(pin.url) for pin in block.pins) == 5
    assert block.pins[1].detail == "1, 1"
    assert block.links == (("Open in OpenStreetMap", "https://openstreetmap.org/?mlat=1&mlon=0"),)
    assert block.note == f"12.4 km, 1 h 5 min (drive)\n+2 more\n{NO_IMAGE}"
    assert parsed.warnings[0].detail == "2 places more than letters"
    assert blocks("map", center={"lat": 44.43, "lng": 26.1}) == (
        MapBlock(pins=(Pin(letter="A", label="44.43, 26.1", latitude=44.43, longitude=26.1,
                           url="https://maps.google.com/?q=44.43,26.1"),), note=NO_IMAGE,
                 links=(("Open in OpenStreetMap",
                         "https://openstreetmap.org/?mlat=44.43&mlon=26.1"),)),
    )  # fmt: skip
    assert blocks("map", markers=[{"label": "x", "lat": 91, "lng": 0}])[0].pins[0].url == ""
    assert refusal("map", markers="x") == "blocks.0.markers: must be a list"


def test_links_have_a_title_a_description_and_where_they_lead():
    items = [{"title": "Știri", "url": "https://news.example/a", "siteName": "News",
              "image": "https://news.example/i.jpg"}]  # fmt: skip
    assert blocks("links", items=items) == (
        ListBlock(items=(ListItem(title="Știri", detail="News", url="https://news.example/a",
                                  image=ImageRef(url="https://news.example/i.jpg")),)),
    )  # fmt: skip
    assert blocks("links", variant="preview", url="https://a.example", title="A") == (
        ListBlock(items=(ListItem(title="A", url="https://a.example"),)),
    )
    assert refusal("links", items=[{"url": "ftp://a.example"}]) == (
        "blocks.0.items.0.url: must be an https link"
    )


def test_products_say_price_old_price_rating_and_seller():
    item = {"name": "Mouse", "price": 129.9, "currency": "RON", "oldPrice": 150, "rating": 4.5,
            "reviews": 120, "seller": "Shop", "availability": "In stock",
            "url": "https://s.example/m"}  # fmt: skip
    expected = ListItem(title="Mouse", url="https://s.example/m",
                    detail="129.9 RON · (old 150) · ★ 4.5 (120) · Shop · In stock")  # fmt: skip
    assert blocks("products", items=[item]) == (ListBlock(items=(expected,)),)
    assert blocks("products", **item) == (ListBlock(items=(expected,)),)


def test_a_timeline_has_steps_with_their_time():
    events = [{"time": "2026-11-30T08:00:00Z", "title": "Picked up", "location": "Cluj",
               "status": "done"}, {"label": "Out", "done": True}, "Delivered"]  # fmt: skip
    assert blocks("timeline", events=events) == (
        TimelineBlock(steps=(
            Step(what="Picked up (Cluj)", when="2026-11-30 08:00", done=True),
            Step(what="Out", done=True),
            Step(what="Delivered"),
        )),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "points"),
    [
        ({"data": [{"x": "Q1", "y": 3}, {"label": "Q2", "value": "4.5"}]},
         (("Q1", 3.0), ("Q2", 4.5))),
        ({"data": [["a", 1], ["b", 2]]}, (("a", 1.0), ("b", 2.0))),
        ({"labels": ["Jan", "Feb"], "values": [1, 2, 3]},
         (("Jan", 1.0), ("Feb", 2.0), ("3", 3.0))),
        ({"labels": ["Jan"], "series": [{"name": "A", "data": [1]}, {"name": "B", "values": [2]}]},
         (("A Jan", 1.0), ("B Jan", 2.0))),
        ({"data": [{"x": "a", "y": None}, {"x": "b", "y": True}, "c", {"x": "d", "y": 0}]},
         (("d", 0.0),)),
        ({"data": []}, ()),
    ],
)  # fmt: skip
def test_a_chart_is_points_however_they_are_written(fields, points):
    assert blocks("chart", summary="It grew.", unit="k", **fields) == (
        ChartBlock(summary="It grew.", points=points, unit="k"),
    )


def test_a_chart_must_say_what_it_shows():
    why = "say in one sentence what the chart shows"
    assert refusal("chart", data=[]) == f"blocks.0.summary: is missing; {why}"
    assert refusal("chart", data=[], summary=" ") == f"blocks.0.summary: is missing; {why}"
    assert refusal("chart", data="x", summary="s") == "blocks.0.data: must be a list"


def test_a_code_holds_text_or_a_secure_link_and_a_secret_stays_here():
    assert blocks("qr", data="WIFI:S:home;;", caption="Wi-Fi", secret=True) == (
        QrBlock(data="WIFI:S:home;;", caption="Wi-Fi", local_only=True),
    )
    assert refusal("qr") == "blocks.0.data: is missing"
    assert refusal("qr", data="http://a.example") == "blocks.0.data: must be an https link"
    assert refusal("qr", data="javascript:x()") == "blocks.0.data: must be an https link"
    assert refusal("qr", data="x" * 2954).startswith("blocks.0.data: exceeds 2953 bytes")


def test_a_picture_needs_words_for_what_it_shows():
    images = [{"url": "https://i.example/1.jpg", "alt": "Lacul"},
              {"src": "data:image/png;base64,iVBORw0KGgo=", "alt": "dot"},
              {"url": "data:image/svg+xml;base64,PHN2Zz4=", "alt": "svg"},
              {"url": "data:image/png;base64,!!", "alt": "broken"}]  # fmt: skip
    assert blocks("gallery", images=images) == (
        ImageBlock(image=ImageRef(url="https://i.example/1.jpg", alt="Lacul")),
        ImageBlock(image=ImageRef(data=b"\x89PNG\r\n\x1a\n", alt="dot")),
        ImageBlock(image=ImageRef(alt="svg")),
        ImageBlock(image=ImageRef(alt="broken")),
    )
    assert refusal("gallery", images=[{"url": "https://i.example/1.jpg"}]) == (
        "blocks.0.images.0.alt: is missing; say in words what the image shows"
    )
    assert refusal("gallery") == "blocks.0.images: needs at least one image with url and alt"
    assert refusal("gallery", images=[{"url": "data:text/html,x", "alt": "x"}]) == (
        "blocks.0.images.0.url: must be an https link"
    )


def test_choices_ask_the_question_and_answer_as_the_user():
    options = [{"id": "r", "label": "Red", "value": "the red one", "description": "hot"}, "Blue"]
    parsed_card = card("choices", question="Which?", options=options)
    assert parsed_card.question == Question(kind="choice", prompt="Which?")
    assert [(each.id, each.label, each.kind, each.text) for each in parsed_card.actions] == [
        ("choice.r", "Red", "message", "the red one"), ("choice.1", "Blue", "message", "Blue"),
    ]  # fmt: skip
    assert parsed_card.blocks == (ListBlock(items=(ListItem(title="Red", detail="hot"),
                                            ListItem(title="Blue"))),)  # fmt: skip
    assert refusal("choices", question="?") == "blocks.0.options: needs at least one option"


def test_choices_with_the_same_id_stay_apart():
    parsed_card = card("choices", question="?", options=[{"id": "a", "label": "1"},
                                                  {"id": "a", "label": "2"}])  # fmt: skip
    assert [each.id for each in parsed_card.actions] == ["choice.a", "choice.a.2"]


def test_a_comparison_is_a_table_of_what_is_the_same_kind_of_thing():
    items = [{"name": "S", "attributes": {"Price": 10, "GB": 5}, "pros": ["small", "cheap"]},
             {"name": "L", "attributes": {"Price": 25}}]  # fmt: skip
    assert blocks("comparison", items=items) == (
        TableBlock(columns=("", "S", "L"),
                   rows=(("Price", "10", "25"), ("GB", "5", ""), ("Pros", "small, cheap", ""))),
    )  # fmt: skip
    assert blocks("comparison", columns=["a", "b"], rows=[["1", "2"]]) == (
        TableBlock(columns=("a", "b"), rows=(("1", "2"),)),
    )


def test_a_visual_is_its_summary():
    assert blocks("visual", source="<svg/>", summary="A circle.") == (
        VisualBlock(summary="A circle."),
    )
    assert refusal("visual", summary="x") == "blocks.0.source: is missing"
    assert refusal("visual", source="<svg/>").startswith("blocks.0.summary: is missing")


def test_code_keeps_its_language_and_changes_their_counts():
    assert blocks("code", language="python", code="print(1)") == (
        CodeBlock(text="print(1)", language="python"),
    )
    files = [{"path": "a.py", "additions": 12, "deletions": 3, "status": "modified", "diff": "+a"}]
    assert blocks("changes", files=files, summary="Two lines.") == (
        TextBlock(text="Two lines.", markdown=True),
        ListBlock(items=(ListItem(title="a.py", detail="modified +12 −3"),)),
        CodeBlock(text="+a", language="diff", summary="a.py"),
    )


def test_an_approval_shows_what_would_be_done():
    parsed_card = card("approval", question="Run it?", command="rm -r out", tool="shell",
                args={"cwd": "/tmp"})  # fmt: skip
    assert parsed_card.blocks == (
        CodeBlock(text="rm -r out"),
        KeyValueBlock(rows=(("Tool", "shell"), ("cwd", "/tmp"))),
    )
    assert parsed_card.question == Question(kind="approval", prompt="Run it?")
    assert [(each.id, each.kind) for each in parsed_card.actions] == [
        ("allow", "control"), ("deny", "control"),
    ]  # fmt: skip


def test_a_list_a_divider_and_a_single_image_are_known_too():
    assert blocks("list", items=["a", {"title": "b", "detail": "c"}], ordered=True) == (
        ListBlock(
            items=(ListItem(title="a", mark="1."), ListItem(title="b", detail="c", mark="2."))
        ),
    )
    rule, words = {"type": "divider"}, {"type": "text", "text": "x"}
    assert parse({"blocks": [rule, words]}).cards[0].blocks[0] == DividerBlock()
    with pytest.raises(CardRefused, match="hold nothing to show"):
        parse({"blocks": [rule]})
    assert blocks("image", url="https://i.example/1.jpg", alt="x", caption="Fig. 1")[1] == (
        TextBlock(text="Fig. 1")
    )


def test_a_block_newer_than_us_is_shown_as_its_texts():
    parsed = parse({"blocks": [{
        "type": "hologram", "text": "Still readable", "speedKmh": 3, "style": "x",
        "children": [{"label": "A"}, "loose"],
    }, {"type": "void"}]})  # fmt: skip
    assert parsed.cards[0].blocks == (
        TextBlock(text="Still readable"),
        KeyValueBlock(rows=(("Speed", "3 km/h"),)),
        ListBlock(items=(ListItem(title="A"), ListItem(title="loose"))),
        TextBlock(text="[void]"),
    )
    assert [(each.code, each.path) for each in parsed.warnings] == [
        ("unknown", "blocks.0"), ("unknown", "blocks.1"),
    ]  # fmt: skip


def test_a_diagram_is_said_as_its_arrows_and_keeps_its_source_for_the_twin():
    source = "graph TD\n A[Phone] --> B(Cloud);\n B -->|sends| C{Done?}\n C -.-> A"
    parsed_card = card("diagram", source=source)
    assert parsed_card.blocks[0].summary == "Phone → Cloud\nCloud → Done?: sends\nDone? → Phone"
    assert complete(parsed_card).twin.text.endswith(f"```mermaid\n{source}\n```")
    assert (
        complete(parsed_card).twin.speak
        == "Phone to Cloud, Cloud to Done?: sends, Done? to Phone."
    )
    assert drawn("diagram", source=source) == [
        ["Phone → Cloud", "Cloud → Done?: sends", "Done? → Phone"]
    ]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("sequenceDiagram\n Ana->>Bob: Hello\n Bob-->>Ana: Hi", "Ana → Bob: Hello\nBob → Ana: Hi"),
        ("flowchart LR\nA --> B --> C", "A → B → C"),
        ('A["Order placed"] ==> B', "Order placed → B"),
        ("pie title Pets\n \"Dogs\" : 3", "Pets\nDogs: 3"),
        ("%% nothing", "A diagram"),
    ],
)  # fmt: skip
def test_arrows_of_mermaid(source, said):
    assert diagram_words(source) == said


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (r"\frac{-b \pm \sqrt{b^2-4ac}}{2a}", "(-b ± √(b²-4ac))/2a"),
        (r"$E = mc^2$", "E = mc²"),
        (r"x_{12} \leq \alpha \cdot 10^{-3}", "x₁₂ ≤ α · 10⁻³"),
        (r"\text{area} = \pi r^{2}", "area = π r²"),
        (r"\left( a \right)", "( a )"),
    ],
)
def test_formulas_of_latex(source, said):
    assert math_words(source) == said
    assert drawn("math", latex=source) == [[said]]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (21.0, "21"), (0.1, "0.1"), (True, "yes"), (None, ""), ([1, "a", None], "1, a"),
        (float("nan"), ""), (10**40, "…"), ({"value": 3, "unit": "kg"}, "3 kg"), ({}, ""),
        ("a\x00b", "ab"),
    ],
)  # fmt: skip
def test_any_value_has_words(value, text):
    assert words(value) == text


def test_keys_name_their_unit_and_times_lose_their_seconds():
    assert named_unit("windKmh") == ("Wind", "km/h")
    assert named_unit("feels_like") == ("Feels like", "")
    assert named_unit("C") == ("C", "")
    assert moment("2026-11-30T08:00:12.5+02:00") == "2026-11-30 08:00"
    assert moment("noon") == "noon"


def test_a_map_on_a_small_panel_shows_the_first_three_and_codes_to_open_them():
    markers = [{"label": f"Stop {index}", "lat": 44.4, "lng": index} for index in range(5)]
    pages = drawn("map", markers=markers)
    assert pages[0] == [
        "A. Stop 0",
        "  44.4, 0",
        "B. Stop 1",
        "  44.4, 1",
        "C. Stop 2",
        "  44.4, 2",
    ]
    assert pages[1][0] == "+2 more"
    codes = ["".join(lines) for lines in pages[-6:]]
    assert codes[:5] == ["maps.google.com"] * 5
    assert codes[5].endswith("openstreetmap.org")
