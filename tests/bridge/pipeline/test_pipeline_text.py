"""The pure parts: events, completions, sentences, thoughts, memory, prompt, names."""

import json

import pytest
from fakes.pipeline_home import TOOLS, place
from fakes.pipeline_servers import called, chunk
from voxcard.assistants.pipeline.chat_server import prompt
from voxcard.assistants.pipeline.chat_server.completion import Call, Completion, NoChunk
from voxcard.assistants.pipeline.chat_server.memory import (
    CHARACTERS_MAX,
    TURNS_MAX,
    Exchange,
    Memory,
)
from voxcard.assistants.pipeline.chat_server.sse import Events
from voxcard.assistants.pipeline.chat_server.thoughts import WithoutThoughts
from voxcard.assistants.pipeline.chat_server.tool_names import ToolNames
from voxcard.assistants.pipeline.health import Health
from voxcard.assistants.pipeline.speech.sentence_stream import SentenceStream
from voxcard.assistants.pipeline.speech.text_to_speech import wav_header
from voxcard.errors import VoxcardError
from voxcard.toolhub.model import ToolSpec


def spoken(text, size=1):
    """What is spoken of `text` that comes in pieces of `size`."""
    stream = SentenceStream()
    said = []
    for at in range(0, len(text), size):
        said += stream.push(text[at : at + size])
    return said + stream.end()


STREAM = (
    b': hello\r\nevent: x\ndata: {"a":\ndata: 1}\n\ndata:two\r\n\r\ndata: \xe2\x82\xac\rid: 7\r\r'
    b"\n\n\ndata: last"
)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_are_the_same_however_their_bytes_are_cut(size):
    events = Events()
    found = []
    for at in range(0, len(STREAM), size):
        found += events.push(STREAM[at : at + size])
    assert found + events.end() == ['{"a":\n1}', "two", "€", "last"]


SENTENCES = [
    ("It is 3.5 degrees. Dr. Smith comes at 9 a.m. and leaves at 5 p.m. tomorrow. Bye!",
     ["It is 3.5 degrees.", "Dr. Smith comes at 9 a.m. and leaves at 5 p.m. tomorrow.", "Bye!"]),
    ("Es sind 22,1 Grad im Haus. Gut.", ["Es sind 22,1 Grad im Haus.", "Gut."]),
    ("The weather in the city today is fine, with a little wind. Enjoy it.",
     ["The weather in the city today is fine,", "with a little wind.", "Enjoy it."]),
    ("Yes, of course. No, not that, never.", ["Yes, of course.", "No, not that, never."]),
    ("In all there are 1, 2, 3 and 22,1 of them.", ["In all there are 1, 2, 3 and 22,1 of them."]),
    ("**Bold** and `code`. A [link](http://x.y) ends it", ["Bold and code.", "A link ends it."]),
    ("- one\n- two\n\nThree.", ["one.", "two.", "Three."]),
    ("Look:\n```python\nprint(1. 2)\n```\nThat is it.", ["Look:", "That is it."]),
    ("Hello 😀! How are you? 🎉", ["Hello!", "How are you?"]),
    ("42. That is the answer. Really.", ["42.", "That is the answer.", "Really."]),
    ("", []),
    ("...", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), SENTENCES)
@pytest.mark.parametrize("size", [1, 4, 9])
def test_text_is_cut_where_a_sentence_ends_however_it_comes(text, said, size):
    assert spoken(text, size) == said


def test_the_first_clause_is_spoken_before_its_sentence_is_over():
    stream = SentenceStream()
    assert stream.push("The weather in the city today is fine, ") == []
    assert stream.push("with") == ["The weather in the city today is fine,"]
    assert stream.push(" some wind, and rain, and") == []


def test_text_without_an_end_is_spoken_all_the_same():
    said = spoken("word " * 1000, 50)
    assert sum(each.count("word") for each in said) == 1000 and len(said) > 3


@pytest.mark.parametrize("size", [1, 3, 100])
def test_thoughts_are_not_for_the_person(size):
    text = "<think>Hm, <b>.</think>It is 1 < 2. <think>no</think>Yes.<thin"
    filtered = WithoutThoughts()
    said = "".join(filtered.push(text[at : at + size]) for at in range(0, len(text), size))
    assert said + filtered.end() == "It is 1 < 2. Yes.<thin"


def completion(*deltas):
    found = Completion(5)
    text = "".join(found.push(chunk(each)) for each in deltas)
    return text, found.calls()


LIGHT = Call(id="c1", name="light", arguments={"on": True})
CALLS = [
    ("fragments by index", called("light", '{"on": true}'), [LIGHT]),
    ("whole", [{"tool_calls": [{"index": 0, "id": "c1", "function":
        {"name": "light", "arguments": '{"on": true}'}}]}], [LIGHT]),
    ("arguments as an object, no index, no id", [{"tool_calls": [{"function":
        {"name": "light", "arguments": {"on": True}}}]}],
     [Call(id="call_5", name="light", arguments={"on": True})]),
    ("two whole ones without index and id", [{"tool_calls": [
        {"function": {"name": "a", "arguments": "{}"}},
        {"function": {"name": "b", "arguments": ""}}]}],
     [Call(id="call_5", name="a"), Call(id="call_6", name="b")]),
    ("two of the same index, by id", [
        {"tool_calls": [{"index": 0, "id": "x", "function": {"name": "a", "arguments": "{}"}}]},
        {"tool_calls": [{"index": 0, "id": "y", "function": {"name": "b", "arguments": "{}"}}]}],
     [Call(id="x", name="a"), Call(id="y", name="b")]),
    ("two of the same id", [
        {"tool_calls": [{"index": 0, "id": "x", "function": {"name": "a", "arguments": "{}"}}]},
        {"tool_calls": [{"index": 1, "id": "x", "function": {"name": "b", "arguments": "{}"}}]}],
     [Call(id="x", name="a"), Call(id="call_6", name="b")]),
    ("interleaved", [
        *called("a", '{"n": 1}', 0, "x")[:2], *called("b", '{"n": 2}', 1, "y"),
        *called("a", '{"n": 1}', 0, "x")[2:]],
     [Call(id="x", name="a", arguments={"n": 1}), Call(id="y", name="b", arguments={"n": 2})]),
    ("null for no arguments", called("a", "null"), [Call(id="c1", name="a")]),
    ("half of its arguments", called("a", '{"n": '),
     [Call(id="c1", name="a", fault="The arguments must be one JSON object.")]),
    ("rubbish", [{"tool_calls": "x"}, {"tool_calls": [7, None]}], []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("deltas", "calls"), [row[1:] for row in CALLS], ids=[r[0] for r in CALLS]
)
def test_tool_calls_arrive_in_every_shape_servers_send(deltas, calls):
    assert completion(*deltas)[1] == calls


def test_text_arrives_as_text_in_parts_or_as_a_refusal():
    parts = [{"type": "text", "text": "a"}, {"type": "image"}]
    assert completion({"content": "x"}, {"content": parts}, {"refusal": "No."})[0] == "xaNo."
    assert Completion().push({"choices": [], "usage": {"total_tokens": 3}}) == ""
    with pytest.raises(NoChunk, match="failed: broken"):
        Completion().push({"error": {"message": "broken"}})


def exchange(question, answer):
    made = Exchange(question)
    made.answer(answer)
    return made


def test_the_oldest_turns_are_forgotten_by_number_and_by_size():
    memory = Memory()
    for number in range(TURNS_MAX + 3):
        memory.keep(exchange(f"q{number}", "a"))
    assert len(memory.messages()) == 2 * TURNS_MAX
    assert memory.messages()[0]["content"] == "q3"
    memory.keep(exchange("long", "x" * CHARACTERS_MAX))
    assert [each["content"][:4] for each in memory.messages()] == ["long", "xxxx"]


def test_a_turn_without_an_answer_is_not_remembered():
    memory = Memory()
    memory.keep(Exchange("hello?"))
    memory.interrupted("what")
    assert memory.messages() == []


def test_calls_of_a_turn_that_was_cut_off_have_a_result_each():
    memory, made = Memory(), Exchange("do it")
    made.answer("Well.", [(Call(id="a", name="x"), "{}"), (Call(id="b", name="x"), "{}")])
    made.result("a", "done")
    memory.keep(made)
    memory.interrupted("")
    assert [each["content"] for each in memory.messages()] == ["do it", "", "done", "Cancelled."]
    assert json.dumps(memory.messages())


def test_the_prompt_is_a_file_of_the_persons_own(tmp_path):
    file = tmp_path / "prompt.txt"
    file.write_text("I am {device}, it is {time}. {not a fact}", encoding="utf-8")
    text = prompt.filled(prompt.read(str(file)), place())
    assert text == "I am kitchen, it is Tuesday, 2026-12-01 09:30+00:00. {not a fact}"
    for wrong, problem in (("", "must have 1 to"), ("{moon}", "unknown fact {moon}")):
        file.write_text(wrong, encoding="utf-8")
        with pytest.raises(VoxcardError, match=problem):
            prompt.read(str(file))
    with pytest.raises(VoxcardError, match=r"gone\.txt cannot be read"):
        prompt.read(str(tmp_path / "gone.txt"))


def test_names_of_tools_are_those_that_every_server_takes_and_stay_apart():
    more = [
        ToolSpec(name=name, description="", input_schema={}, source="x")
        for name in ("home_light", "a" * 80, "a" * 80 + "b")
    ]
    names = ToolNames([*TOOLS, *more])
    listed = [each["function"]["name"] for each in names.definitions()]
    assert listed == [
        "home_light", "self_camera_take_photo", "home_light_2", "a" * 64, "a" * 60 + "_2",
    ]  # fmt: skip
    assert [names.of(each) for each in listed] == [each.name for each in [*TOOLS, *more]]
    assert names.of("home.light") == "home.light" and names.of("other") == ""


def test_a_failure_is_forgotten_after_a_while():
    health = Health()
    health.failed("Away.", 10.0)
    assert (health.why(39.9), health.why(40.0)) == ("Away.", "")
    health.failed("Away.", 50.0)
    health.worked()
    assert health.why(51.0) == ""


def wav(bits=16, rate=22050, extra=b""):
    form = b"\x01\0\x01\0" + rate.to_bytes(4, "little") + bytes(4) + b"\x02\0"
    form += bits.to_bytes(2, "little")
    return b"RIFF\xff\xff\xff\xffWAVE" + extra + b"fmt \x10\0\0\0" + form + b"data\xff\xff\xff\xff"


def test_samples_with_the_header_of_a_wav_file_are_taken_by_it():
    assert wav_header(wav() + b"12") == (22050, 44)
    assert wav_header(wav(extra=b"LIST\x03\0\0\0abc\0") + b"12") == (22050, 56)
    assert wav_header(wav(bits=8)) == (0, 44)
    assert wav_header(b"\x01\0\x02\0") == (24000, 0)
    for size in range(44):
        assert wav_header(wav()[:size]) in (None, (24000, 0) if size == 0 else None)
