"""Every way in which words may be the value of one argument, by what its schema allows."""

import pytest
from voxcard.assistants.offline.intents.names import Surroundings
from voxcard.assistants.offline.intents.normalise import Request, composed, words
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.offline.intents.slots import Span, slot
from voxcard.toolhub.schema import Argument

VOCABULARY = sentence_files.language("en").words
ANYTHING = Surroundings(openings=("turn", "set"))


def spans(argument, text, at=0):
    """Each reading of an argument from the word `at` of a text."""
    text = composed(text)
    request = Request(tuple(words(text)), text)
    return list(slot("tool", argument).spans(request, at, ANYTHING, VOCABULARY))


def number(name="level", kind="integer", **limits):
    return Argument(name=name, kind=kind, **limits)


def values(argument, text, at=0):
    """The readings as (words, value), those a schema does not allow with a !."""
    return [
        (each.length, each.value) if each.fits else (each.length, each.value, "!")
        for each in spans(argument, text, at)
    ]


@pytest.mark.parametrize(
    ("limits", "fitting", "others"),
    [
        ({}, (-1000, 0, 1000), ()),
        ({"low": 5}, (5, 6), (4,)),
        ({"high": 5}, (4, 5), (6,)),
        ({"low": 5, "high": 5}, (5,), (4, 6)),
        ({"low": 5, "low_open": True}, (6,), (4, 5)),
        ({"high": 5, "high_open": True}, (4,), (5, 6)),
        ({"low": 0, "high": 0}, (0,), (-1, 1)),
        ({"step": 5}, (0, 5, 10, -5), (1, 4, 6, 9)),
        ({"step": 0.1}, (0.3, 0.7, 5), (0.25,)),
    ],
)
def test_a_number_is_allowed_within_its_limits_and_steps(limits, fitting, others):
    argument = number(kind="number", **limits)
    for value in (*fitting, *others):
        [span] = spans(argument, str(value))
        assert (span.value, span.fits) == (value, value in fitting), value


def test_a_whole_number_has_no_fraction():
    assert values(number(), "5.0") == [(1, 5)]
    assert isinstance(values(number(), "5.0")[0][1], int)
    assert values(number(), "5.5") == []
    assert values(number(kind="number"), "5.5") == [(1, 5.5)]
    assert values(number(), "lamp") == []


def test_one_may_be_an_article_before_its_unit():
    assert spans(number(), "a minute") == [Span(1, 1, with_unit=True)]
    assert spans(number(), "set an hour", 1) == [Span(1, 1, with_unit=True)]
    assert spans(number(low=2), "a minute") == [Span(1, 1, fits=False, with_unit=True)]
    assert spans(number(), "a") == spans(number(), "the minute") == []


@pytest.mark.parametrize(
    ("argument", "text", "readings"),
    [
        (number(low=0, high=100), "60 percent", [(1, 60), (2, 60)]),
        (number(low=1, high=100), "60 percent", [(1, 60), (2, 60)]),
        (number(low=2, high=100), "60 percent", [(1, 60)]),
        (number(low=0, high=99), "60 percent", [(1, 60)]),
        (number(description="Volume in percent"), "60 percent", [(1, 60), (2, 60)]),
        (number(kind="number", low=0, high=1), "60 percent", [(1, 0.6), (2, 0.6)]),
        (number(kind="number", low=0, high=1), "0.5 please", [(1, 0.5)]),
        (number(kind="number", low=0, high=2), "60 percent", [(1, 60, "!")]),
        (number(kind="number", low=1, high=1), "60 percent", [(1, 60, "!")]),
        (number(low=0, high=1), "1 percent", [(1, 1)]),
        (number("minutes"), "5 minutes", [(1, 5), (2, 5)]),
        (number("minutes"), "5 hours", [(1, 5), (2, 300)]),
        (number("celsius"), "5 degrees celsius now", [(1, 5), (2, 5), (3, 5)]),
    ],
)
def test_a_number_may_be_said_with_its_own_unit(argument, text, readings):
    assert values(argument, text) == readings


PERCENT = number(low=0, high=100)
RATIO = number(kind="number", low=0, high=1)
DEGREES = number(kind="number", low=-30, high=30)


@pytest.mark.parametrize(
    ("argument", "text", "at", "expected"),
    [
        (PERCENT, "half", 0, [Span(1, 50)]),
        (PERCENT, "two thirds", 0, [Span(1, 67)]),
        (PERCENT, "to half", 1, [Span(1, 50)]),
        (PERCENT, "by half", 1, [Span(1, 50, with_unit=True)]),
        (PERCENT, "half percent", 0, []),
        (PERCENT, "¼ percent", 0, []),
        (PERCENT, "by ½", 1, [Span(1, 50)]),
        (RATIO, "half", 0, [Span(1, 0.5)]),
        (DEGREES, "half", 0, [Span(1, 0.5, with_unit=True)]),
        (DEGREES, "half a degree", 0, [Span(2, 0.5, with_unit=True)]),
        (DEGREES, "half an hour", 0, [Span(2, 0.5, with_unit=True)]),
        (DEGREES, "½ degree", 0, [Span(1, 0.5)]),
        (
            number(kind="number", low=1, high=3),
            "half",
            0,
            [Span(1, 0.5, fits=False, with_unit=True)],
        ),
        (number(), "half", 0, []),
    ],
)
def test_a_fraction_alone_is_of_the_whole_range_or_wants_its_unit(argument, text, at, expected):
    assert spans(argument, text, at) == expected


@pytest.mark.parametrize(
    ("argument", "is_id"),
    [
        (number("order_number"), True),
        (number("order"), True),
        (number("pin"), True),
        (number("code", low=0, high=9999), True),
        (number("code", high=1042), True),
        (number("code", high=999), False),
        (number("code", low=-1), False),
        (number("code", kind="number"), False),
        (number("flight_level", description="An amount"), False),
        (number("code", description="Number of tries"), False),
        (number("level", description="the id of it"), True),
        (number("level"), False),
        (Argument(name="order", kind="string"), True),
        (Argument(name="text", kind="string"), False),
    ],
)
def test_a_number_that_names_something_may_be_said_in_groups(argument, is_id):
    assert slot("tool", argument).is_id is is_id
    if argument.kind == "integer":
        groups, first = (3, 1042), (1, 10)
        assert values(argument, "10 4 2 please") == [groups if is_id else first]


def test_an_id_has_fifteen_digits_at_most_and_its_limits():
    assert values(number("code"), "9" * 14 + " 1") == [(2, int("9" * 14 + "1"))]
    assert values(number("code"), "9" * 14 + " 10") == []
    assert values(number("code", low=0, high=2000), "30 42") == [(2, 3042, "!")]


def test_values_are_said_as_words():
    colour = Argument(name="colour", kind="string", values=("dark_red", "light", "!"))
    assert spans(colour, "dark red lamp") == [Span(2, "dark_red")]
    assert spans(colour, "a light", 1) == [Span(1, "light")]
    assert spans(colour, "dark blue") == spans(colour, "dark") == []
    assert [value for _, value in slot("tool", colour).choices] == ["dark_red", "light"]
    switch = Argument(name="on", kind="boolean")
    assert [spans(switch, text)[0].value for text in ("on", "true", "off", "false")] == [
        True,
        True,
        False,
        False,
    ]
    assert spans(number(values=(10, 20)), "20") == [Span(1, 20)]
    assert not slot("tool", number(values=(10, 20))).is_number


def test_a_list_has_one_entry_of_its_kind():
    entries = Argument(name="names", kind="array", items=number("pin", kind="integer"))
    assert spans(entries, "10 42 please") == [Span(2, (1042,))]
    lamps = Argument(name="lamps", kind="array", items=Argument(kind="string", values=("hall",)))
    assert spans(lamps, "hall") == [Span(1, ("hall",))]
    nested = Argument(kind="array", items=entries)
    assert spans(nested, "10") == []
    free = Argument(name="who", kind="array")
    assert spans(free, "anna") == [Span(1, ("anna",), cost=1)]
    minutes = Argument(kind="array", items=number(low=2))
    assert spans(minutes, "a minute") == [Span(1, (1,), fits=False, with_unit=True)]


def texts(name, text, at=0, **limits):
    """The readings of a free text, each at the cost of its words."""
    found = spans(Argument(name=name, kind="string", **limits), text, at)
    assert all(each.cost == each.length and each.fits for each in found)
    return [(each.length, each.value) for each in found]


def test_a_message_is_any_words_as_they_were_written():
    assert texts("message", "say  Hello,  you", 1) == [(1, "Hello"), (2, "Hello, you")]
    assert texts("message", "wait please") == [(1, "wait")]
    assert texts("message", "please") == [(1, "please")]
    assert texts("message", "thanks to you", 0)[-1] == (3, "thanks to you")
    many = "word " * 30
    assert len(texts("message", many)) == 30
    assert len(texts("song", many)) == 30
    assert len(texts("who", many)) == 6
    assert len(texts("who", "the " + many)) == 6


def test_a_text_has_as_many_letters_as_its_schema_wants():
    assert texts("text", "a bc def", low=2, high=4) == [(2, "a bc")]
    assert texts("text", "abc", low=3, high=3) == [(1, "abc")]
    assert texts("text", "abc", low=4) == texts("text", "abc", high=2) == []
    assert texts("text", "abc", high=0) == []
    assert texts("text", "x" * 200) == [(1, "x" * 200)]
    assert texts("text", "x" * 201) == []
    assert texts("text", "x" * 201, high=201) == [(1, "x" * 201)]
    assert texts("who", "anna bell", pattern="^a.*a$") == [(1, "anna")]


def test_digits_of_a_text_may_be_said_in_groups():
    assert texts("flight", "10 42") == [(2, "1042"), (1, "10")]
    assert texts("flight", "10 42", high=3) == [(1, "10")]


def test_a_title_ends_where_another_request_begins_and_a_message_does_not():
    title = texts("song", "yesterday and turn off the light")
    assert title == [(1, "yesterday"), (2, "yesterday and"), (3, "yesterday and turn")]
    assert len(texts("note", "yesterday and turn off the light")) == 6
    both = Argument(name="song", kind="string", description="a note")
    assert len(spans(both, "yesterday and turn off the light")) == 6


def test_a_name_has_no_article_and_no_filler_at_its_end():
    assert texts("who", "the lamp now") == [(2, "lamp")]
    assert texts("who", "the") == []


def test_a_number_of_four_digits_may_be_an_id_and_one_of_three_not():
    for high, is_id in ((1000, True), (999, False)):
        assert slot("tool", number("code", high=high)).is_id is is_id


def test_a_code_is_written_as_its_pattern_has_it():
    berth = Argument(name="berth", kind="string", pattern="^[A-F][0-9]{1,2}$")
    for said in ("C12", "c12", "c 12", "C twelve", "c, 12", "see 12"):
        wanted = [] if said.startswith("see") else ["C12"]
        assert [each.value for each in spans(berth, said)] == wanted, said
    assert [each.value for each in spans(berth, "c 1 2")] == ["C1", "C12"]
    lower = Argument(name="room", kind="string", pattern="^[a-z]{2}-?[0-9]+$")
    assert [each.value for each in spans(lower, "AB 7")] == ["ab7"]
    free = Argument(name="room", kind="string", pattern="[A-F][0-9]")
    assert [each.value for each in spans(free, "c 1")] == []
    assert spans(berth, "g 4") == [] and spans(berth, "c 120") == []
