"""What sentences stand for, what is offered of them, and what two readings have in common."""

import pytest
from voxcard.assistants.offline.intents.meanings import Reading, Understood
from voxcard.assistants.offline.intents.sentences.examples import Example, offered, prompt_of
from voxcard.assistants.offline.intents.sentences.sentence_files import Rule
from voxcard.assistants.offline.intents.sentences.sentence_trie import Node
from voxcard.assistants.offline.intents.sentences.templates import (
    Place,
    TemplateError,
    plainest,
    sentences,
)
from voxcard.assistants.offline.intents.slots import slot
from voxcard.toolhub.schema import Argument


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("turn it on", ["turn it on"]),
        ("turn (on|off) [now]", ["turn on now", "turn on", "turn off now", "turn off"]),
        ("set {volume}%", ["set {volume} percent"]),
        ("{a}{b} x", ["{a} {b} x"]),
        ("(a;b) c", ["a b c", "b a c"]),
        ("[the] lamp[s]", ["the lamps", "the lamp", "lamps", "lamp"]),
        ("(on|on) x", ["on x"]),
    ],
)
def test_a_template_stands_for_every_sentence_once(template, expected):
    words = [
        " ".join(item if isinstance(item, str) else f"{{{item.argument}}}" for item in sentence)
        for sentence in sentences(template)
    ]
    assert words == expected


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("{volume}", "no word that must be said"),
        ("[please] {volume}", "no word that must be said"),
        ("x" * 301, "longer than 300 characters"),
        ("<x> y", "mean something else"),
        ("(a", "do not match"),
        ("(a|b)" * 11, "more than 2000 sentences"),
        ("(a;b;c;d;e;f;g)", "more than 2000 sentences"),
    ],
)
def test_a_template_that_cannot_be_used_says_why(template, why):
    with pytest.raises(TemplateError, match=why):
        sentences(template, ("please",))


def test_a_template_is_counted_before_it_is_written_out():
    assert len(sentences("x" * 300)) == 1
    assert (
        len(sentences("".join(f"({n}|x{n}|y{n}|z{n}|w{n})" for n in "abc") + "(a|b|c|d) " * 2))
        == 2000
    )


@pytest.mark.parametrize(
    ("template", "keep", "words"),
    [
        ("turn (on|off) [the] lamp", (), ("turn", "on", "lamp")),
        ("turn (on|off) [the] lamp", ("the",), ("turn", "on", "the", "lamp")),
        ("[please] set {volume}", ("the",), ("set", Place("volume"))),
    ],
)
def test_the_plainest_sentence_has_nothing_that_may_be_left_out(template, keep, words):
    assert plainest(template, keep) == words


def number(name="level", **limits):
    return slot("t", Argument(name=name, kind="integer", **limits))


def example(*items, tool="t", **more):
    return Example(Rule(sentences=("x",), tool=tool), items, items)


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({}, "4"),
        ({"low": 0, "high": 100}, "40"),
        ({"low": 0, "high": 40}, "10"),
        ({"low": 0, "high": 39}, "15"),
        ({"low": 0, "high": 20}, "5"),
        ({"low": 0, "high": 8}, "2"),
        ({"low": 0, "high": 7}, "2"),
        ({"low": 10, "high": 30}, "15"),
        ({"low": 5}, "8"),
        ({"low": 0, "high": 4000}, "1000"),
        ({"low": 0, "high": 3999}, "1500"),
        ({"low": 0, "high": 2000}, "500"),
        ({"low": 0, "high": 400}, "100"),
        ({"low": 0, "high": 200}, "50"),
        ({"low": 0, "high": 100, "step": 15}, "45"),
        ({"low": 3, "high": 3}, "3"),
    ],
)
def test_an_example_has_a_round_number_in_the_lower_half(limits, said):
    assert example("set", number(**limits)).text == f"set {said}"


def test_an_example_says_a_value_of_each_kind():
    colour = slot("t", Argument(name="c", kind="string", values=("dark_red", "blue")))
    code = number("code")
    free = slot("t", Argument(name="text", kind="string"))
    coded = slot("t", Argument(name="x", kind="string", pattern="^[0-9]+$"))
    texts = [example("a", each).text for each in (colour, code, free, coded)]
    assert texts == ["a dark red", "a 1234", "a hello", "a 1234"]
    assert example("a", colour, number(), free).prompt == "a dark red"


def test_examples_of_each_server_take_turns_and_free_texts_are_none():
    free = slot("t", Argument(name="text", kind="string"))
    every = [example(word, tool=word) for word in ("a1", "a2", "a3", "b1")]
    every.append(example("c", free, tool="c1"))
    order = offered(every, lambda tool: tool[0])
    assert [each.text for each in order] == ["a1", "b1", "a2", "a3"]


def test_a_prompt_has_no_digits_and_220_letters_at_most():
    assert prompt_of([example("set 5 a"), example("b"), example("set 5 a")]) == "Set a. B."
    full = [example("x" * 107), example("y" * 109)]
    assert len(prompt_of(full)) == 219
    assert prompt_of([full[0], example("y" * 110), example("z")]) == "X" + "x" * 106 + "."


def test_a_tree_shares_beginnings_and_counts_what_it_takes():
    root, place = Node(), number()
    assert root.add(("set", place, "now"), 1) == 3
    assert root.add(("set", place), 2) == 0
    assert root.add(("set", number()), 2) == 1  # another argument
    assert root.add(("set", place), 2) == 0
    [(_, first), (_, second)] = root.words["set"].slots
    assert (first.ends, second.ends, first.words["now"].ends) == ([2], [2], [1])


def understood(tool="t", reply="", amount=None, **arguments):
    rule = Rule(sentences=("x",), tool=tool, reply=reply)
    return Understood(rule=rule, arguments=tuple(sorted(arguments.items())), amount=amount)


def test_the_number_of_a_sentence_is_the_only_one_it_has():
    for sentence, value in (
        (understood(a=16), 16),
        (understood(a="16"), 16),
        (understood(a="x", b=16), 16),
        (understood(a=1, b=2), None),
        (understood(a=True), None),
        (understood(a=1.5), None),
        (understood(amount=5), 5),
        (understood(a=1, amount=5), None),
        (understood(), None),
    ):
        assert sentence.number == value


def test_sentences_that_do_the_same_have_one_key():
    assert understood(a=1, b=2).key == understood(b=2, a=1).key
    assert understood(a=1).key != understood(a=2).key
    assert understood(a=1, amount=1).key != understood(a=1, amount=2).key
    assert understood(tool=None, reply="a").key == ("", "'a'")
    assert understood(reply="a").key != understood(reply="b").key
    assert understood(reply="a", a=1).key == understood(reply="b", a=1).key
    assert Reading().understood is None


def test_a_sentence_is_exact_whole_and_harmless_unless_it_says_otherwise():
    sentence = understood()
    assert sentence.exact and sentence.closed
    assert not (sentence.ends_in_id or sentence.risky or sentence.said)
    assert Reading().continues is False
