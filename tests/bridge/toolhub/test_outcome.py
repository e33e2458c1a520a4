"""What a tool's result becomes: words, pictures, or a failure said in a sentence."""

import base64
import json

import pytest
from fakes.tools import says
from hypothesis import given
from hypothesis import strategies as st
from voxcard.errors import VoxcardError
from voxcard.toolhub import outcome
from voxcard.toolhub.model import Picture

READ = [
    ({"content": []}, "", False),
    (says("Just words."), "Just words.", False),
    (says("legacy", resultType="complete"), "legacy", False),
    (says("Date must be in the future.", isError=True), "Date must be in the future.", True),
    ({"content": [], "isError": True}, "a.b failed and did not say why.", True),
    ({"content": "x", "isError": "yes"}, "", False),
    (
        {"content": [{"type": "text", "text": "a"}, 5, {"type": "text", "text": "b"}]},
        "a\nb",
        False,
    ),
    (
        {"content": [], "structuredContent": {"total": 3, "items": ["a", "b", "c"]}},
        "total: 3\nitems: a, b, c",
        False,
    ),
    (
        {"structuredContent": {"on": True, "by": None, "at": {"lat": 1.5, "lon": 2}}},
        "on: yes\nby: none\nat: lat 1.5, lon 2",
        False,
    ),
    ({"structuredContent": [1, 2]}, "1, 2", False),
    (says("ok", structuredContent={"total": 3}), "ok", False),
    (says("Done.", inputRequests={"q": {"params": {"message": "Which?"}}}), "Done.", False),
    (says("Which?", resultType="input_required", inputRequests=5), "Which?", False),
    (
        {
            "resultType": "input_required",
            "inputRequests": {"q1": {"params": {"message": "Which day?"}}, "q2": 5},
        },
        "Which day?",
        False,
    ),
    (
        {
            "content": [
                {"type": "resource", "resource": {"mimeType": "text/plain", "text": "note"}},
                {"type": "resource", "resource": {"mimeType": "application/json", "text": "{}"}},
                {"type": "resource_link", "uri": "https://a.example", "name": "x"},
            ]
        },
        "note",
        False,
    ),
]


@pytest.mark.parametrize(("result", "text", "is_error"), READ)
def test_what_a_result_says(result, text, is_error):
    read = outcome.read("a.b", result)
    assert (read.text, read.is_error) == (text, is_error)
    assert read.result is result


def test_what_is_only_for_the_assistant_is_neither_shown_nor_spoken():
    content = [
        {"type": "text", "text": '{"raw":1}', "annotations": {"audience": ["assistant"]}},
        {"type": "text", "text": "Nice words", "annotations": {"audience": ["user"]}},
        {"type": "text", "text": "For both", "annotations": {"audience": ["user", "assistant"]}},
        {"type": "image", "data": "AAAA", "annotations": {"audience": ["assistant"]}},
    ]
    for audience in ([], None, "assistant", 5):
        odd = {"type": "text", "text": "All", "annotations": {"audience": audience}}
        assert outcome.read("a.b", {"content": [odd]}).text == "All"
    read = outcome.read("a.b", {"content": content})
    assert read.text == "Nice words\nFor both" and read.pictures == ()


def test_a_result_of_an_unknown_type_is_not_read():
    with pytest.raises(VoxcardError, match=r"a\.b sent a result of an unknown type"):
        outcome.read("a.b", says("x", resultType="teleported"))


def test_pictures_are_decoded_and_broken_ones_left_out():
    data = base64.b64encode(b"\x89PNG").decode()
    content = [
        {"type": "image", "data": data, "mimeType": "image/png"},
        {"type": "image", "data": "%%%", "mimeType": "image/png"},
        {"type": "image", "data": "é", "mimeType": "image/png"},
        {"type": "image", "mimeType": "image/png"},
        {"type": "image", "data": "", "mimeType": "image/png"},
        {"type": "image", "data": 5, "mimeType": "image/png"},
        {"type": "audio", "data": data, "mimeType": "audio/wav"},
        {"type": "image", "data": data},
    ]
    assert outcome.read("a.b", {"content": content}).pictures == (
        Picture(data=b"\x89PNG", mime_type="image/png"),
        Picture(data=b"\x89PNG", mime_type="application/octet-stream"),
    )


def test_long_structured_content_is_cut_and_says_so():
    structured = {f"k{i}": i for i in range(50)}
    lines = outcome.read("a.b", {"structuredContent": structured}).text.splitlines()
    assert len(lines) == 31 and lines[0] == "k0: 0" and lines[-1] == "+20 more"


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        ((1, 4, None), "1 of 4"),
        ((1.5, None, ""), "1.5"),
        ((2, 0, None), "2"),
        ((2, 3, "Half way"), "Half way"),
    ],
)
def test_progress_is_one_line(progress, text):
    assert outcome.progress_text(*progress) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=15,
)
KEYS = st.sampled_from(
    ["content", "structuredContent", "isError", "resultType", "_meta", "inputRequests"]
)


@given(st.dictionaries(KEYS, JSON))
def test_any_result_is_an_outcome_or_the_one_error(result):
    try:
        assert isinstance(outcome.read("a.b", result).text, str)
    except VoxcardError:
        assert result["resultType"] not in ("complete", "input_required")


def test_an_outcome_of_a_failure_is_a_whole_result():
    failed = outcome.failed("No.")
    assert json.loads(json.dumps(failed.result)) == says("No.", isError=True)
