"""What is said aloud of a text, and how it is given to the voice."""

from voxcard.assistants.spoken.sentences import sentences
from voxcard.assistants.spoken.speech_text import clauses, shortened, speakable


def test_markdown_and_addresses_are_not_read_aloud():
    text = (
        "## Result\n\n- **Lamp**: [track it](https://a.example/x) 🚚\n- see https://b.example/y\n"
    )
    assert speakable(text) == "Result. Lamp: track it. see the link."


def test_data_is_never_read_aloud():
    for text in (
        '{"a": 1}',
        '[{"a": 1}, {"b": [1, 2]}]',
        '{"a": {"b": "c", ',
        '```json\n{"a": 1}\n```',
        "[1, 2, 3]",
        "true",
        "null",
        "{}",
    ):
        assert shortened(text) == [], text
    assert shortened('Here it is. {"a": [1, "x"]}') == ["Here it is."]
    assert shortened('Kept {"a": 1} and kept.') == ["Kept and kept."]


def test_text_splits_into_sentences_but_not_after_an_abbreviation():
    rows = (
        ("It is Mr. Fox. He waits! Really?  Yes", 4),
        ("3.5 percent. ", 1),
        ("Open from 9 a.m. to 5 p.m. on weekdays. Closed on Sunday.", 2),
        ("It closes at 5 p.m. Then we go.", 2),
        ("J. R. R. Tolkien wrote it. I read it.", 2),
        ("Bring cups, plates, etc. to it. Thanks.", 2),
        ("It is e.g. red. Or blue.", 2),
        ("42. That is the answer.", 2),
        ('He said "Go." Then he left.', 2),
        (" ... ", 0),
    )
    for text, count in rows:
        assert len(sentences(text)) == count, text


def test_a_number_before_a_sentence_is_said_and_one_that_counts_a_list_is_not():
    assert speakable("42. That is the answer.") == "42. That is the answer."
    assert speakable("1. Bread\n2. Milk") == "Bread. Milk."


def test_a_long_answer_is_cut_after_whole_sentences():
    text = "First one. Second one. Third one. Fourth one."
    assert shortened(text) == ["First one.", "Second one.", "Third one."]
    assert shortened("A. " + "word " * 200)[0] != ""
    assert all(len(each) <= 321 for each in shortened("word " * 200))


def test_a_list_that_is_cut_says_how_much_is_left():
    text = "Your list:\n- milk\n- eggs\n- bread\n- butter\n- salt"
    assert shortened(text) == ["Your list:", "milk.", "eggs.", "And 3 more."]
    assert shortened("- milk\n- eggs\n- bread") == ["milk.", "eggs.", "bread."]


def test_what_is_cut_says_where_the_rest_is():
    rest = "The rest is on the screen."
    assert shortened("One. Two. Three. Four.", rest) == ["One.", "Two.", "Three.", rest]
    assert shortened("A:\n- b\n- c\n- d\n- e", rest) == ["A:", "b.", "c.", rest]
    assert shortened("word " * 200, rest)[1:] == [rest]
    assert shortened("One. " + "word " * 63 + "end.", rest) == ["One.", rest]
    assert shortened("One. Two. Three.", rest) == ["One.", "Two.", "Three."]
    assert shortened("", rest) == []


def test_a_long_sentence_starts_at_its_first_comma():
    sentence = "Your desk lamp is on its way to you, and it should be at your door by tomorrow."
    assert clauses(sentence) == [
        "Your desk lamp is on its way to you,",
        "and it should be at your door by tomorrow.",
    ]
    assert clauses("Yes, done.") == ["Yes, done."]


def test_a_sentence_longer_than_all_that_is_said_ends_after_a_whole_word():
    text = "one, two " * 60
    (said,) = shortened(text)
    assert said.endswith((" two.", " one.")) and 310 < len(said) <= 321
    assert said.startswith("one, two one, two")
    assert shortened("a " + "x" * 317 + ".") == ["a " + "x" * 317 + "."]
    assert shortened("a " + "x" * 318 + ".") == ["a."]


def test_what_is_synthesised_at_once_has_a_length():
    words = " ".join(["echo"] * 1000)
    pieces = clauses(words)
    assert " ".join(pieces) == words and max(map(len, pieces)) <= 200
    assert [len(piece) for piece in clauses("x" * 450)] == [200, 200, 50]
