"""What was heard in one written form, and what is said in words."""

from voxcard.assistants.offline.intents.normalise import contract, joined, normalise, plain
from voxcard.assistants.offline.speech.speech_text import clauses, sentences, shortened, speakable


def test_number_words_become_digits():
    rows = (
        ("Set it to sixty-five!", "set it to 65"),
        ("ten forty two", "10 42"),
        ("one zero four two", "1 0 4 2"),
        ("one oh four two", "1 0 4 2"),
        ("a hundred", "100"),
        ("one hundred and five", "105"),
        ("two thousand three hundred and four", "2304"),
        ("twenty twenty five", "20 25"),
        ("60%", "60 percent"),
        ("1,042", "1042"),
        ("10:42", "10 42"),
        ("3.5", "3.5"),
        ("a", "a"),
        ("oh dear", "oh dear"),
        ("", ""),
    )
    for text, wanted in rows:
        assert normalise(text) == wanted


def test_short_forms_are_written_out():
    assert contract("What's up, isn't it, I'm here, can’t") == (
        "What is up, is not it, I am here, can not"
    )


def test_a_spoken_number_is_joined_and_other_text_is_left():
    assert joined("ten forty two") == "1042"
    assert joined("10-42") == "1042"
    assert joined("Two eggs") == "Two eggs"


def test_plain_text_keeps_capitals_and_numbers():
    assert plain("Write “Hello, World”, now!") == "Write Hello World now"
    assert plain("it's 3.5%.") == "it's 3.5 percent"


def test_markdown_and_addresses_are_not_read_aloud():
    text = (
        "## Result\n\n- **Lamp**: [track it](https://a.example/x) 🚚\n- see https://b.example/y\n"
    )
    assert speakable(text) == "Result. Lamp: track it. see."


def test_units_are_words():
    assert speakable("21 °C, 60%, -5 km, 12 km/h & 3€") == (
        "21 degrees, 60 percent, minus 5 kilometres, 12 kilometres per hour and 3 euros."
    )


def test_text_splits_into_sentences_but_not_after_a_title():
    assert sentences("It is Mr. Fox. He waits! Really?  Yes") == [
        "It is Mr. Fox.",
        "He waits!",
        "Really?",
        "Yes",
    ]
    assert sentences("3.5 percent. ") == ["3.5 percent."]
    assert sentences(" ... ") == []


def test_a_long_answer_is_cut_after_whole_sentences():
    text = "First one. Second one. Third one. Fourth one."
    assert shortened(text) == ["First one.", "Second one.", "Third one."]
    assert shortened("A. " + "word " * 200)[0] != ""
    assert all(len(each) <= 321 for each in shortened("word " * 200))


def test_a_long_sentence_starts_at_its_first_comma():
    sentence = "Your desk lamp is on its way to you, and it should be at your door by tomorrow."
    assert clauses(sentence) == [
        "Your desk lamp is on its way to you,",
        "and it should be at your door by tomorrow.",
    ]
    assert clauses("Yes, done.") == ["Yes, done."]
