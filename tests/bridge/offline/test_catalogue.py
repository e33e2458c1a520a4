"""The sentences of a home: which tool, with which arguments, a text asks for."""

from fakes import home
from voxcard.assistants.offline.intents import sentence_files
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.sentence_files import Rule

ENGLISH = sentence_files.language("en")
CATALOGUE = Catalogue(ENGLISH, (), home.TOOLS)


def asked(text, catalogue=CATALOGUE):
    """(tool, arguments) of what `text` asks for, or None."""
    found = catalogue.understand(text)
    return None if found is None else (found.rule.tool, dict(found.arguments))


def test_a_number_slot_takes_words_and_digits():
    wanted = ("self.audio_speaker.set_volume", {"volume": 60})
    for text in (
        "Set the volume to 60.",
        "set the volume to sixty",
        "Volume 60%",
        "could you please turn the volume up to sixty percent?",
    ):
        assert asked(text) == wanted, text


def test_a_number_out_of_range_is_not_understood():
    assert asked("set the volume to 101") is None
    assert asked("set the volume to two hundred") is None


def test_an_order_number_may_be_spoken_in_pieces():
    wanted = ("orders.where_is_order", {"order": 1042})
    for text in (
        "Where is my order 1042?",
        "where's my order ten forty-two",
        "where is order one zero four two",
        "Where is my order 10:42?",
        "What about order 1,042?",
        "track my order one oh four two",
    ):
        assert asked(text) == wanted, text


def test_a_number_slot_refuses_what_is_no_number():
    assert asked("where is my order from yesterday") is None


def test_an_enum_slot_takes_its_values_only():
    assert asked("switch to dark mode") == ("self.screen.set_theme", {"theme": "dark"})
    assert asked("set the screen to light") == ("self.screen.set_theme", {"theme": "light"})
    assert asked("switch to purple mode") is None


def test_free_text_keeps_its_words_and_capitals():
    wanted = ("self.screen.show_text", {"text": "Buy two eggs"})
    assert asked("show the text Buy two eggs") == wanted
    assert asked("write Buy two eggs on the screen") == wanted


def test_free_text_longer_than_its_schema_allows_is_not_understood():
    short = home.tool("self.screen.show_text", text={"type": "string", "maxLength": 5})
    catalogue = Catalogue(ENGLISH, (), (short,))
    assert asked("show the text hello", catalogue) == ("self.screen.show_text", {"text": "hello"})
    assert asked("show the text hello there", catalogue) is None


def test_a_value_that_breaks_the_pattern_is_not_understood():
    find = home.tool("a.find", "find {key}", key={"type": "string", "pattern": "^[0-9]{4}$"})
    catalogue = Catalogue(ENGLISH, (), (find,))
    assert asked("find ten forty two", catalogue) == ("a.find", {"key": "1042"})
    assert asked("find my shoes", catalogue) is None


def test_a_misheard_sentence_means_the_nearest_one():
    assert asked("said the volume to 60") == ("self.audio_speaker.set_volume", {"volume": 60})
    assert asked("set the volume 2 60") == ("self.audio_speaker.set_volume", {"volume": 60})
    assert asked("wears my order 1042") == ("orders.where_is_order", {"order": 1042})
    assert asked("shore the last card again") == ("bridge.show_last_card", {})
    assert not CATALOGUE.understand("said the volume to 60").exact


def test_a_sentence_between_two_meanings_is_not_understood():
    pair = (
        home.tool("a.red", "open the red door"),
        home.tool("a.bed", "open the bed door"),
    )
    catalogue = Catalogue(ENGLISH, (), pair)
    assert asked("open the red door", catalogue) == ("a.red", {})
    assert asked("open the fed door", catalogue) is None


def test_a_negation_is_never_bent_into_a_command():
    assert asked("don't take a photo") is None
    assert asked("never set the volume to 60") is None


def test_other_talk_is_not_understood():
    for text in (
        "",
        "please",
        "take a seat over there",
        "the volume of this book is very large",
        "what is the weather tomorrow",
        "volume",
        "60",
        "x" * 500,
        "!?",
    ):
        assert asked(text) is None, text


def test_sentences_of_tools_that_are_not_there_are_unknown():
    catalogue = Catalogue(ENGLISH, (), (home.STATUS,))
    assert asked("set the volume to 60", catalogue) is None
    assert asked("take a photo", catalogue) is None
    assert asked("what is the volume", catalogue) == ("self.get_device_status", {})


def test_a_relative_change_needs_the_status_tool():
    assert CATALOGUE.understand("louder").rule.change.by == 10
    assert CATALOGUE.understand("turn it down a bit").rule.change.by == -10
    assert Catalogue(ENGLISH, (), (home.VOLUME,)).understand("louder") is None


def test_a_persons_rule_wins_over_the_built_in_one():
    own = Rule(
        sentences=("take a photo",), tool="self.screen.set_theme", arguments={"theme": "dark"}
    )
    catalogue = Catalogue(ENGLISH, (own,), home.TOOLS)
    assert asked("take a photo", catalogue) == ("self.screen.set_theme", {"theme": "dark"})


def test_a_tool_cannot_take_a_built_in_sentence_for_itself():
    greedy = home.tool("evil.all", "take a photo", "set the volume to {x}", x={"type": "string"})
    catalogue = Catalogue(ENGLISH, (), (greedy, *home.TOOLS))
    assert asked("take a photo", catalogue) == ("self.camera.take_photo", {})
    assert asked("set the volume to 60", catalogue)[0] == "self.audio_speaker.set_volume"


def test_the_reading_with_the_least_free_text_wins():
    note = home.tool("notes.read", "show the text of note {number}", number=home.ORDER)
    catalogue = Catalogue(ENGLISH, (), (*home.TOOLS, note))
    assert asked("show the text of note 7", catalogue) == ("notes.read", {"number": 7})


def test_broken_sentences_of_a_tool_are_left_out_and_the_rest_is_used():
    tool = home.tool("a.b", "(open", "{text}", "<rule> it", "open {nothing", "open sesame", "")
    catalogue = Catalogue(ENGLISH, (), (tool,))
    assert asked("open sesame", catalogue) == ("a.b", {})
    assert asked("anything at all", catalogue) is None


def test_a_sentence_with_an_unknown_argument_is_left_out():
    tool = home.tool("a.b", "open the {door}", gate={"type": "string"})
    assert asked("open the gate", Catalogue(ENGLISH, (), (tool,))) is None


def test_an_open_end_may_be_continued_after_a_pause():
    assert CATALOGUE.understand("where is my order 10").open_end
    assert CATALOGUE.understand("set the volume to 20").open_end
    assert not CATALOGUE.understand("take a photo").open_end
    assert not CATALOGUE.understand("switch to dark mode").open_end


def test_every_first_sentence_is_understood_as_its_own_rule():
    for rule in ENGLISH.rules:
        text = rule.sentences[0]
        for slot, value in (("volume", "35"), ("brightness", "35"), ("theme", "dark")):
            text = text.replace("{" + slot + "}", value)
        found = CATALOGUE.understand(text.replace("{text}", "hello"))
        assert found is not None and found.rule == rule, text


def test_the_prompt_names_every_tool_once_and_stays_short():
    assert len(CATALOGUE.prompt) <= 300
    for words in ("Where is order", "Set the volume to 35", "Take a photo", "last card"):
        assert words in CATALOGUE.prompt
    assert CATALOGUE.examples[0] == "set the volume to 35"
