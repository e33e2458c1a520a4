"""What was heard in one written form."""

from voxcard.assistants.offline.intents.normalise import expand_contractions, normalise, words
from voxcard.assistants.offline.intents.sentences.sentence_files import language


def test_number_words_become_digits():
    rows = (
        ("Set it to sixty-five!", "set it to 65"),
        ("ten forty two", "10 42"),
        ("one zero four two", "1 0 4 2"),
        ("one oh four two", "1 0 4 2"),
        ("a hundred", "100"),
        ("hundred", "100"),
        ("one hundred and five", "105"),
        ("two thousand three hundred and four", "2304"),
        ("twenty twenty five", "20 25"),
        ("60%", "60 percent"),
        ("1,042", "1042"),
        ("10:42", "10 42"),
        ("10-42", "10 42"),
        ("3.5", "3.5"),
        ("1.2.3", "1.2.3"),
        ("minus eighteen", "-18"),
        ("-18 degrees", "-18 degrees"),
        ("− 5", "-5"),
        ("to - 5", "to -5"),
        ("to –5", "to -5"),
        ("photo - please", "photo please"),
        ("10−5", "10 − 5"),
        ("+5", "+ 5"),
        ("< 5", "< 5"),
        ("~5", "~ 5"),
        ("$5", "5 dollars"),
        ("5€", "5 euros"),
        ("$12.50", "12.50 dollars"),
        ("note #5", "note number 5"),
        ("c#", "c"),
        ("“stop” (now)!", "stop now"),
        ("nineteen point two five", "19.25"),
        ("point five", "0.5"),
        ("one and a half", "1.5"),
        ("three and three quarters", "3.75"),
        ("2½", "2.5"),
        ("half", "half"),
        ("a quarter", "quarter"),
        ("half past seven", "half past 7"),
        ("a third party", "a third party"),
        ("the minus sign", "the minus sign"),
        ("a", "a"),
        ("oh dear", "oh dear"),
        ("one oh", "1 oh"),
        ("one o four", "1 0 4"),
        ("four oh two oh", "4 0 2 oh"),
        ("oh one", "oh 1"),
        ("", ""),
    )
    for text, wanted in rows:
        assert normalise(text) == wanted, text


def test_contractions_are_expanded():
    for word, full in (
        ("what's", "what is"),
        ("isn't", "is not"),
        ("i'm", "i am"),
        ("can't", "can not"),
        ("won't", "will not"),
        ("they've", "they have"),
        ("today's", "today's"),
        ("plain", "plain"),
    ):
        assert " ".join(expand_contractions(word)) == full
    assert normalise("What’s up? I can’t.") == "what is up i can not"


def test_letters_are_compared_without_case_or_accents():
    assert normalise("Küche, SALÓN & Björn") == "kuche salon and bjorn"
    assert normalise("Ｃafe\u0301") == normalise("café")


def test_a_word_knows_its_place_in_the_text():
    text = "Write “Hello, World”, two eggs!"
    assert [text[word.start : word.end] for word in words(text)] == [
        "Write",
        "Hello",
        "World",
        "two",
        "eggs",
    ]


def test_a_misheard_word_may_differ_in_one_letter_and_a_long_one_in_two():
    vocabulary = language("en").words
    for word, meant, close in (
        ("volum", "volume", True),
        ("volumes", "volume", True),
        ("volyme", "volume", True),
        ("volym", "volume", False),
        ("brightnes", "brightness", True),
        ("brigtnes", "brightness", True),
        ("brigtnis", "brightness", False),
        ("volume", "volume", True),
    ):
        assert vocabulary.is_close(word, meant) is close, word
