"""A2UI from any JSON: cards within their limits, never an error, the same each time."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from voxcard.cards.dialects.a2ui import pointer
from voxcard.cards.dialects.a2ui.formatting.expressions import ExpressionError, template
from voxcard.cards.dialects.a2ui.formatting.functions import FUNCTIONS
from voxcard.cards.dialects.a2ui.parser import parse
from voxcard.cards.model import Parsed
from voxcard.cards.read.reading import Reading, read
from voxcard.cards.text.twins import complete

SECRET = "correct-horse-48151623"
TEXT = st.sampled_from(
    ("Order 1042", "# Title", "주문", "طلبك", "a\x00\u202eb", "\ud800", "x" * 200, "", " ",
     "**b**", "${/a}", "${a} ${", "${@index()}", "https://a.example/x", "javascript:x",
     "2026-12-04")
) | st.text(max_size=30)  # fmt: skip
PATH = st.sampled_from(("/", "/a", "a", "", "/list", "/list/0", "b/c", "/a/b/c", "~1", "/list/99"))
SCALAR = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
JSON = st.recursive(
    SCALAR,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("a", "b", "c", "list", "@x", "@@y")), inner, max_size=3)
    ),
    max_leaves=8,
)
CALL = st.sampled_from(("formatString", "formatNumber", "formatCurrency", "formatDate",
                        "pluralize", "@index", "openUrl", "regex"))  # fmt: skip
ARGS = st.dictionaries(
    st.sampled_from(("value", "currency", "decimals", "format", "one", "other", "offset", "url")),
    SCALAR | st.builds(lambda path: {"path": path, "@path": path}, PATH),
    max_size=4,
)
DYNAMIC = (
    JSON
    | st.builds(lambda path: {"path": path}, PATH)
    | st.builds(lambda path: {"@path": path}, PATH)
    | st.builds(lambda name, args: {"call": name, "args": args}, CALL, ARGS)
    | st.builds(lambda name, args: {"@call": name, "args": args}, CALL, ARGS)
)
IDS = st.sampled_from(("root", "a", "b", "c", "d"))
KINDS = st.sampled_from(
    ("Text", "Image", "Icon", "Video", "AudioPlayer", "Row", "Column", "List", "Card", "Tabs",
     "Modal", "Divider", "Button", "TextField", "CheckBox", "ChoicePicker", "Slider",
     "DateTimeInput", "Hologram")
)  # fmt: skip
CHILDREN = st.lists(IDS, max_size=4) | st.builds(
    lambda name, path: {"componentId": name, "path": path}, IDS, PATH
)
ACTION = st.one_of(
    st.builds(lambda name, context: {"event": {"name": name, "context": context}}, TEXT, ARGS),
    st.builds(lambda args: {"functionCall": {"call": "openUrl", "args": args}}, ARGS),
    JSON,
)
COMPONENT = st.fixed_dictionaries(
    {"id": IDS, "component": KINDS},
    optional={
        "children": CHILDREN | JSON,
        "child": IDS | JSON,
        "text": DYNAMIC,
        "label": DYNAMIC,
        "value": DYNAMIC,
        "url": DYNAMIC,
        "posterUrl": DYNAMIC,
        "name": DYNAMIC,
        "variant": st.sampled_from(("h1", "caption", "obscured", "primary")) | DYNAMIC,
        "description": DYNAMIC,
        "options": DYNAMIC,
        "tabs": st.lists(st.fixed_dictionaries({"title": DYNAMIC, "child": IDS})) | JSON,
        "trigger": IDS,
        "content": IDS,
        "action": ACTION,
        "accessibility": st.builds(lambda text: {"label": text}, DYNAMIC) | JSON,
    },
)
VERSION = st.sampled_from(("v0.9", "v0.9.1", "v1.0", "1.0", "v7"))


def _messages(version, components, data, path, more):
    return [
        {"version": version, "createSurface": {"surfaceId": "s"}},
        {"version": version, "updateComponents": {"surfaceId": "s", "components": components}},
        {"version": version, "updateDataModel": {"surfaceId": "s", "value": data}},
        {"version": version, "updateDataModel": {"surfaceId": "s", "path": path, "value": more}},
    ]


MESSAGES = st.builds(
    _messages, VERSION, st.lists(COMPONENT, max_size=8) | JSON, JSON, PATH | JSON, JSON
)


def _within(parsed):
    assert isinstance(parsed, Parsed | Reading)
    for card in parsed.cards:
        assert len(card.blocks) <= 24 and len(card.actions) <= 6
        assert all(each.url[:8].lower() == "https://" for each in card.actions if each.url)
        complete(card)


@given(MESSAGES | JSON | TEXT)
def test_any_source_gives_cards_within_their_limits(source):
    parsed = parse(source, "c")
    _within(parsed)
    assert parse(source, "c") == parsed


@given(MESSAGES, JSON)
def test_any_layout_and_any_data_give_cards(layout, data):
    result = {"structuredContent": data, "_meta": {"ui": {"resourceUri": "a2ui://x"}}}
    assert read(result).needs_template in (None, "a2ui://x")
    _within(read(result, template=layout))


@given(MESSAGES)
def test_a_list_and_lines_of_json_are_the_same(messages):
    lines = "\n".join(json.dumps(each) for each in messages)
    assert _repeatable(parse(lines, "c")) == _repeatable(
        parse(json.loads(json.dumps(messages)), "c")
    )


def _repeatable(parsed):
    return repr(parsed)  # NaN is not equal to itself


@given(st.lists(COMPONENT, max_size=8), VERSION)
@settings(max_examples=200)
def test_the_value_of_an_obscured_input_is_in_no_part_of_a_card(components, version):
    path = "@path" if version in ("v1.0", "1.0") else "path"
    secret = {"id": "p", "component": "TextField", "variant": "obscured", "value": {path: "/a"}}
    root = {"id": "root", "component": "Column", "children": ["p", "a", "b", "c", "d"]}
    others = [each for each in components if each["id"] != "root"]
    messages = _messages(version, [root, secret, *others], {"a": SECRET, "list": [1]}, "/b", 2)
    assert SECRET not in repr([complete(card) for card in parse(messages, "c").cards])


@given(st.text(alphabet="${}()\\'\":,/ab1.@ -", max_size=80))
def test_any_template_is_read_to_its_end(text):
    parts = list(template(text))
    literal = "".join(each for each in parts if isinstance(each, str))
    assert any(isinstance(each, ExpressionError) for each in parts) or len(literal) <= len(text)


ARGUMENT = JSON | st.sampled_from(
    (20, 10**300, -(10**27), 1e308, "1e99", "EUR", "yyyy", "'open", "GGGGGG", "ZZZZZZ")
)
NAMES = st.sampled_from(("value", "currency", "decimals", "grouping", "format", "one", "other"))


@given(st.sampled_from(sorted(FUNCTIONS)), st.dictionaries(NAMES, ARGUMENT, max_size=5))
def test_a_function_gives_a_value_or_a_value_error(name, args):
    try:
        FUNCTIONS[name](args, "en_US")
    except ValueError as error:
        assert str(error)


@given(JSON, PATH, JSON)
def test_what_is_put_is_found_again(data, path, value):
    place = pointer.tokens(path)
    try:
        changed = pointer.put(data, place, value)
    except ValueError:
        return
    assert repr(pointer.get(changed, place)) == repr(value)
