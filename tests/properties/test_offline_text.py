"""Whatever is heard or answered: text in, text out, never an exception, never a long wait."""

import string

from fakes import home
from hypothesis import given, settings
from hypothesis import strategies as st
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.normalise import normalise
from voxcard.assistants.offline.intents.sentences import sentence_files, templates
from voxcard.assistants.offline.speech.endpoint import Endpoint
from voxcard.assistants.spoken.sentences import sentences
from voxcard.assistants.spoken.speech_text import clauses, shortened, speakable
from voxcard.assistants.spoken.verbalise import spoken
from voxcard.errors import VoxcardError

CATALOGUE = Catalogue(sentence_files.language("en"), (), home.TOOLS)
# fmt: off
WORDS = st.sampled_from((
    "set", "the", "volume", "to", "sixty", "60", "one", "hundred", "thousand", "and", "oh", "#",
    "show", "text", "{x}", "(", "|", "[", "where", "is", "my", "order", "percent", "%", "please",
))
UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# fmt: on


@given(st.text(max_size=200))
def test_normalised_text_stays_as_it_is(text):
    once = normalise(text)
    assert normalise(once) == once


@given(st.integers(0, 9999))
def test_a_number_is_the_same_in_words_and_digits(number):
    assert normalise(_in_words(number)) == str(number)


@settings(max_examples=60)
@given(st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=80))
def test_any_text_is_understood_or_not_and_arguments_fit(text):
    understood = CATALOGUE.understand(text, frozenset(text.split())).understood
    if understood is not None:
        for name, value in understood.arguments:
            if name in ("volume", "brightness"):
                assert type(value) is int and 0 <= value <= 100
            elif name == "order":
                assert type(value) is int and value >= 0


@given(st.text(max_size=400))
def test_spoken_text_holds_no_markup_and_every_clause_is_kept(text):
    said = speakable(text)
    assert not set("*_`#|\\{}") & set(said) and "\n" not in said
    assert "http://" not in said and "https://" not in said
    for sentence in sentences(said):
        assert " ".join(clauses(sentence)) == sentence
    assert len(shortened(text)) <= 4


@settings(max_examples=60)
@given(st.text(alphabet=string.ascii_lowercase + "(|)[]{}<>:@;\\ ", max_size=40))
def test_a_template_is_usable_or_refused_with_a_reason(template):
    tools = (home.tool("a.b", template, "open sesame", x={"type": "string"}),)
    catalogue = Catalogue(sentence_files.language("en"), (), tools)
    assert catalogue.understand("open sesame").understood is not None
    try:
        assert len(templates.sentences(template)) <= templates.SENTENCES_MAX
        assert templates.plainest(template)
    except templates.TemplateError as error:
        assert str(error)


@given(st.text(max_size=400))
def test_text_for_the_voice_is_one_line_with_the_same_words(text):
    form = spoken(speakable(text))
    assert "\n" not in form and "  " not in form
    assert bool(form) >= any(each.isalpha() and each.isascii() for each in speakable(text))


@given(st.recursive(st.none() | st.integers() | st.text(max_size=8), lambda each: (
    st.lists(each, max_size=3) | st.dictionaries(
        st.sampled_from(["sentences", "tool", "reply", "change", "arguments", "x"]), each,
        max_size=4)), max_leaves=12))  # fmt: skip
def test_any_yaml_gives_rules_or_the_one_error(source):
    try:
        assert isinstance(sentence_files.parse(source, "x.yaml"), tuple)
    except VoxcardError as error:
        assert error.remedy


@given(st.lists(st.floats(0, 1), max_size=600))
def test_an_endpoint_ends_once_and_its_times_are_in_order(probabilities):
    endpoint = Endpoint()
    events = [event for each in probabilities if (event := endpoint.push(each))]
    assert sum(event in ("ended", "nothing", "too_long") for event in events) <= 1
    assert 0 <= endpoint.speech_ms <= endpoint.heard_ms


def _in_words(number: int) -> str:
    if number < 20:
        return UNITS[number]
    if number < 100:
        rest = number % 10
        return TENS[number // 10 - 2] + (f"-{UNITS[rest]}" if rest else "")
    scale, word = (1000, "thousand") if number >= 1000 else (100, "hundred")
    rest = number % scale
    return f"{_in_words(number // scale)} {word}" + (f" and {_in_words(rest)}" if rest else "")
