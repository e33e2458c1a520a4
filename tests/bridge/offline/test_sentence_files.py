"""Sentence files: good ones are read, bad ones are refused with file, rule and remedy."""

from datetime import date

import pytest
from voxcard.assistants.offline.intents.sentences import sentence_files, templates
from voxcard.assistants.offline.intents.sentences.sentence_files import Change, Rule
from voxcard.errors import VoxcardError

ENDLESS = {"a": []}
ENDLESS["a"].append(ENDLESS)  # as YAML's anchors make it


def rule(**parts):
    return {"sentences": "a", "tool": "t", **parts}


def test_a_rule_is_read_with_all_its_parts():
    source = {
        "sentences": [
            {
                "sentences": ["(more|extra) light"],
                "tool": "self.screen.set_brightness",
                "change": {"argument": "brightness", "status": "screen.brightness", "by": 30},
                "reply": "It is {brightness}.",
            }
        ]
    }
    change = Change(argument="brightness", status="screen.brightness", by=30)
    assert sentence_files.parse(source, "x.yaml") == (
        Rule(
            sentences=("(more|extra) light",),
            tool="self.screen.set_brightness",
            change=change,
            reply=("It is {brightness}.",),
        ),
    )


def test_an_empty_file_holds_no_rules():
    assert sentence_files.parse(None, "x.yaml") == ()


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (["a"], "holds no list named `sentences`"),
        ({"sentence": []}, "has an unknown key `sentence`"),
        ({"sentences": ["a"]}, "rule 1: is not a table"),
        ({"sentences": [{"sentences": ["a"]}]}, "rule 1: has neither a `tool` nor a `reply`"),
        ({"sentences": [{"reply": "a"}]}, "rule 1: has no `sentences`"),
        ({"sentences": [{"sentences": [5], "reply": "a"}]}, "`sentences` is not a text or a list"),
        ({"sentences": [{"sentences": "{x}", "reply": "a"}]}, "no word that must be said"),
        ({"sentences": [{"sentences": "(a", "reply": "a"}]}, "sentence '(a': "),
        ({"sentences": [{"sentences": "a", "tool": 5}]}, "`tool` is not a name"),
        ({"sentences": [{"sentences": "a", "tool": "t", "arguments": [1]}]}, "`arguments` is not"),
        ({"sentences": [rule(arguments={"a": date(2026, 1, 1)})]}, "(write dates as text)"),
        ({"sentences": [rule(arguments={"a": {1: "b"}})]}, "a value that cannot be sent"),
        ({"sentences": [rule(arguments={"a": float("nan")})]}, "a value that cannot be sent"),
        ({"sentences": [rule(arguments={"a": "\ud800"})]}, "a value that cannot be sent"),
        ({"sentences": [rule(arguments=ENDLESS)]}, "a value that cannot be sent"),
        ({"sentences": [rule(sentences="a \ud800")]}, "`sentences` is too long, or has half"),
        ({"sentences": [rule(reply=["x" * 100_001])]}, "`reply` is too long, or has half"),
        ({"sentences": [{"sentences": "a", "tool": "t", "change": {}}]}, "`change` needs"),
        ({"sentences": [{"sentences": "a", "reply": "b", "x": 1}]}, "has an unknown key `x`"),
    ],
)
def test_a_bad_rule_is_refused_by_number(source, problem):
    with pytest.raises(VoxcardError) as caught:
        sentence_files.parse(source, "x.yaml")
    assert str(caught.value).startswith("Sentence file x.yaml") and problem in str(caught.value)
    assert caught.value.remedy == "Compare it with examples/sentences.yaml."


@pytest.mark.parametrize(
    "text",
    [
        "a: 2024-99-99",
        "a: 2001-01-01 00:00:00 +99:99",
        "a: !!int ''",
        "a: !!bool x",
        "a: !!timestamp x",
        "? [a]\n: b",
        "a: " + "[" * 5000,
        "a: *b",
        "\tx: 1",
    ],
)
def test_what_the_yaml_library_stumbles_over_is_refused(tmp_path, text):
    file = tmp_path / "s.yaml"
    file.write_text(text)
    with pytest.raises(VoxcardError) as caught:
        sentence_files.read(file)
    assert f"{file} is not YAML" in caught.value.problem


def test_a_file_that_is_no_yaml_is_refused_with_its_line(tmp_path):
    file = tmp_path / "s.yaml"
    file.write_text("sentences:\n  - [", encoding="utf-8")
    with pytest.raises(VoxcardError, match=r"s\.yaml is not YAML \(line 2|3\)"):
        sentence_files.read(file)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(VoxcardError, match=r"none\.yaml cannot be read"):
        sentence_files.read(tmp_path / "none.yaml")


def test_an_unknown_locale_is_refused_with_the_known_ones():
    with pytest.raises(VoxcardError, match="Set its locale to one of: de, en"):
        sentence_files.language("xx-YY")
    assert sentence_files.language("en-GB") == sentence_files.language("en_US")


def test_a_template_has_up_to_so_many_characters():
    word = "x" * templates.TEMPLATE_MAX
    assert len(templates.sentences(word)) == 1
    for longer in (word + "x", word + "x" * 50):
        with pytest.raises(templates.TemplateError, match="it is longer than"):
            templates.sentences(longer)


def test_a_file_with_a_byte_order_mark_is_read(tmp_path):
    file = tmp_path / "sentences.yaml"
    file.write_bytes(b"\xef\xbb\xbfsentences:\n- {sentences: [good night], reply: Sleep well.}\n")
    assert [rule.sentences for rule in sentence_files.read(file)] == [("good night",)]
