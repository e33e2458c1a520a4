"""Lines of a server that the SDK refuses."""

import pytest
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError
from voxcard.toolhub.mcp.line_repair import WARNINGS_MAX, LineRepair


def refused(line):
    with pytest.raises(ValidationError) as caught:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    return caught.value


def repaired(line, told=None):
    return LineRepair((told if told is not None else []).append)(refused(line))


def result(text):
    return '{"jsonrpc":"2.0","id":7,"result":{"a":' + text + "}}"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"half \\ud83d"', "half \ufffd"),
        ('"\\udc00\\ud83d\\ude00"', "\ufffd😀"),
        ("9" * 5000, None),
    ],
)
def test_what_is_wrong_with_characters_or_numbers_costs_those_alone(text, value):
    message = repaired(result(text)).message
    assert (message.id, message.result["a"]) == (7, value)


@pytest.mark.parametrize(
    "line",
    [
        '{"jsonrpc":"2.0","id":7,"error":{"code":"x","message":{}}}',
        '{"jsonrpc":"1.0","id":7,"result":5}',
    ],
)
def test_an_answer_that_cannot_be_read_is_an_error_for_who_waits_for_it(line):
    message = repaired(line).message
    assert (message.id, message.error.message) == (7, "its answer cannot be read")


def test_what_is_nested_too_deep_is_left_out_where_it_is():
    message = repaired(result('{"deep":' + "[" * 500 + "]" * 500 + ',"flat":1}')).message
    assert message.result["a"]["flat"] == 1
    assert repr(message.result).count("[") < 100


@pytest.mark.parametrize("line", ["Listening\x1b[2J on 8000", "{", "[]", "5", "{}", "[" * 5000])
def test_what_is_no_message_is_told_in_one_line(line):
    told = []
    assert repaired(line, told) is None
    assert len(told) == 1 and told[0].startswith("a line that is no message: ")
    assert "\x1b" not in told[0] and len(told[0]) < 120


def test_a_program_that_prints_its_log_is_told_a_few_times():
    told = []
    repair = LineRepair(told.append)
    for _ in range(100):
        assert repair(refused("debug")) is None
    assert len(told) == WARNINGS_MAX
    assert told[-1] == "a line that is no message; no more of them is told: debug"
