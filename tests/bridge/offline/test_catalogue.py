"""The sentences of a home: which tool, with which arguments, a text asks for."""

import re
from dataclasses import replace

import pytest
from fakes import home
from fakes.offline.night_tools import NIGHT_TOOLS
from fakes.offline.timer_tools import TIMER_TOOLS
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.meanings import Incomplete, OutOfRange
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.offline.intents.sentences.sentence_files import Rule

ENGLISH = sentence_files.language("en")
CATALOGUE = Catalogue(ENGLISH, (), home.TOOLS)


def understood(text, catalogue=CATALOGUE, *misheard):
    uncommon = frozenset(misheard) if misheard else None
    return catalogue.understand(text, uncommon).understood


def asked(text, catalogue=CATALOGUE, *misheard):
    """(tool, arguments) of what `text` asks for, or None; `misheard` words may be wrong."""
    sentence = understood(text, catalogue, *misheard)
    return None if sentence is None else (sentence.rule.tool, dict(sentence.arguments))


def test_a_number_slot_takes_words_and_digits():
    wanted = ("self.audio_speaker.set_volume", {"volume": 60})
    for text in (
        "Set the volume to 60.",
        "set the volume to sixty",
        "Volume 60%",
        "could you please turn the volume up to sixty percent?",
    ):
        assert asked(text) == wanted, text


def test_a_number_out_of_range_is_refused_with_its_range():
    for text in (
        "set the volume to 101",
        "set the volume to two hundred",
        "set the volume to minus five",
        "set the volume to -5",
    ):
        meaning = CATALOGUE.understand(text).meaning
        assert isinstance(meaning, OutOfRange), text
        assert meaning.argument.wanted == "a whole number from 0 to 100"


def test_numbers_are_said_in_many_ways():
    degrees = home.tool(
        "heat.set", "set it to {degrees} degrees", degrees={"type": "number", "minimum": -30}
    )
    catalogue = Catalogue(ENGLISH, (), (degrees,))
    for words, value in (
        ("minus eighteen", -18),
        ("-18", -18),
        ("negative three", -3),
        ("nineteen point five", 19.5),
        ("twenty and a half", 20.5),
        ("twenty and three quarters", 20.75),
        ("a hundred and one", 101),
        ("hundred", 100),
        ("2 hundred", 200),
        ("one thousand and five", 1005),
        ("1,005", 1005),
        ("20½", 20.5),
        ("half", 0.5),
    ):
        wanted = ("heat.set", {"degrees": value})
        assert asked(f"set it to {words} degrees", catalogue) == wanted, words


def test_a_share_is_a_number_of_percent():
    for words, value in (("half", 50), ("a quarter", 25), ("three quarters", 75)):
        assert asked(f"set the volume to {words}")[1] == {"volume": value}


def test_one_of_something_may_be_said_with_an_article():
    timer = home.tool("t.start", "timer for {minutes} minutes", minutes={"type": "integer"})
    catalogue = Catalogue(ENGLISH, (), (timer,))
    for text in ("timer for a minute", "timer for one minute", "timer for 1 minutes"):
        assert asked(text, catalogue) == ("t.start", {"minutes": 1})
    assert asked("timer for a", catalogue) is None


def test_a_number_without_its_unit_or_with_another_is_not_understood():
    timer = home.tool("t.start", "timer for {minutes} minutes", minutes={"type": "integer"})
    catalogue = Catalogue(ENGLISH, (), (timer,))
    for text in ("timer for ten", "timer for ten seconds", "timer for ten percent minutes"):
        assert asked(text, catalogue) is None, text


def test_an_optional_argument_is_spoken_like_any_other():
    water = home.tool(
        "garden.water",
        "water the garden for {minutes} minutes",
        minutes={"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
    )
    catalogue = Catalogue(ENGLISH, (), (water,))
    wanted = ("garden.water", {"minutes": 5})
    assert asked("water the garden for five minutes", catalogue) == wanted


def test_a_list_of_one_may_be_spoken():
    clean = home.tool(
        "robot.clean",
        "clean the {rooms}",
        rooms={"type": "array", "items": {"enum": ["kitchen", "hall"]}},
    )
    wanted = ("robot.clean", {"rooms": ["kitchen"]})
    assert asked("clean the kitchen", Catalogue(ENGLISH, (), (clean,))) == wanted


def test_a_value_is_asked_for_when_it_alone_is_missing():
    for text, argument, last in (
        ("set the volume to", "volume", "to"),
        ("where is my order", "order", "order"),
        ("switch to", "theme", "to"),
        ("show the text", "text", "text"),
    ):
        meaning = CATALOGUE.understand(text).meaning
        assert isinstance(meaning, Incomplete), text
        assert (meaning.argument.name, meaning.last) == (argument, last)
    assert CATALOGUE.understand("volume").meaning is None


def test_a_relative_change_may_say_by_how_much():
    for text, amount in (
        ("turn the volume up by 20", 20),
        ("raise the volume by five percent", 5),
        ("turn the volume down by ten", 10),
        ("ten percent quieter", 10),
        ("louder", None),
    ):
        assert understood(text).amount == amount, text


def test_a_command_taken_back_in_the_same_sentence_is_not_carried_out():
    for text in ("take a photo never mind", "set the volume to sixty, forget it"):
        assert understood(text).rule.reply == ("Okay.",)


def test_a_tool_that_cannot_be_undone_is_marked_risky():
    said_so = replace(home.CARD, name="x.go", source="x", sentences={"en": ("go now",)})
    catalogue = Catalogue(
        ENGLISH,
        (),
        (
            *home.TOOLS,
            replace(said_so, destructive=True),
            home.tool("door.unlock", "let {who} in", source="door", who={"type": "string"}),
            home.tool("shop.list", "delete nothing but list it", source="shop"),
            home.tool("gate.move", "open the gate", source="gate"),
            home.tool("memo.add", "remind me to {task}", source="memo", task={"type": "string"}),
        ),
    )
    for text, risky in (
        ("cancel my order 1042", True),
        ("go now", True),
        ("let Anna in", True),
        ("open the gate", True),
        ("where is my order 1042", False),
        ("remind me to cancel my order", False),
        ("delete nothing but list it", False),
        ("set the volume to 60", False),
    ):
        assert understood(text, catalogue).risky == risky, text


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


def test_one_misheard_word_is_taken_for_the_word_it_is_like():
    assert asked("set the volme to 60", CATALOGUE, "volme")[1] == {"volume": 60}
    assert asked("nute the speaker", CATALOGUE, "nute")[1] == {"volume": 0}
    assert asked("set the volume 2 60", CATALOGUE, "other")[1] == {"volume": 60}
    assert not understood("nute the speaker", CATALOGUE, "nute").exact


def test_in_a_typed_sentence_no_letter_may_differ():
    assert asked("set the volme to 60") is None
    assert asked("set the volume 2 60") is None


TIMER = home.tool(
    "t.start", "(start|set) a timer for {minutes} minutes", minutes={"type": "integer"}
)
CODE = home.tool("a.code", "code [to] {code}", code={"type": "integer", "minimum": 1})
HEAT = home.tool("h.set", "set the heating to {degrees}", degrees={"type": "number"})


@pytest.mark.parametrize("number", ["2", "5", "20", "45", "100"])
def test_to_and_for_before_a_number_may_be_heard_as_one(number):
    catalogue = Catalogue(ENGLISH, (), (*home.TOOLS, TIMER, HEAT))
    value = int(number)
    for heard in ("2", "two", "too"):
        for text, wanted in (
            ("volume {} {}", {"volume": value}),
            ("set the volume {} {}", {"volume": value}),
            ("turn the volume up {} {}", {"volume": value}),
            ("brightness {} {}", {"brightness": value}),
            ("set the heating {} {}", {"degrees": value}),
        ):
            assert asked(text.format(heard, number), catalogue, "other")[1] == wanted
            assert asked(text.format(heard, number), catalogue) is None  # typed
    for heard in ("4", "four", "fore"):
        text = f"set a timer {heard} {number} minutes"
        assert asked(text, catalogue, "other")[1] == {"minutes": value}


def test_one_word_that_sounds_like_a_number_is_not_another():
    catalogue = Catalogue(ENGLISH, (), (*home.TOOLS, TIMER))
    for text in (
        "set the volume 4 20",
        "set a timer 2 20 minutes",
        "set a timer for 2 20",
        "set a timer for 4 20 minutes",
        "set the volume to 2 20",
        "set the volume 2 2 20",
        "volume 2 200",
        "volume too loud",
        "timer 2 20",
    ):
        assert asked(text, catalogue, "other") is None, text


def test_where_the_number_may_be_meant_it_is_asked_about():
    catalogue = Catalogue(ENGLISH, (), (CODE,))
    meaning = catalogue.understand("code 2 1042", frozenset()).meaning
    assert [dict(each.arguments) for each in meaning.options] == [{"code": 1042}, {"code": 21042}]
    assert asked("code 2 1042", catalogue) == ("a.code", {"code": 21042})  # typed
    assert asked("code 21042", catalogue, "other")[1] == {"code": 21042}
    assert asked("code to 1042", catalogue, "other")[1] == {"code": 1042}


def test_an_everyday_word_is_misheard_only_where_nothing_is_changed():
    assert asked("what is the brightest", CATALOGUE, "other") == ("self.get_device_status", {})
    assert asked("take a phono", CATALOGUE, "other") is None


def test_a_misheard_word_never_turns_the_meaning():
    lock = home.tool("d.lock", "lock the back door", "increase the heat", "enable it now")
    catalogue = Catalogue(ENGLISH, (), (lock,))
    for text in (
        "unlock the back door",
        "relock the back door",
        "deblock the back door",
        "decrease the heat",
        "disable it now",
        "lock the black door",
    ):
        assert asked(text, catalogue, *text.split()) is None, text


def test_a_guess_at_a_servers_sentence_is_asked_about():
    lock = home.tool("d.push", "push the button", source="d")
    catalogue = Catalogue(ENGLISH, (), (lock,))
    assert understood("push the buttom", catalogue, "buttom").risky
    assert not understood("push the button", catalogue).risky


def test_a_misheard_word_between_two_meanings_is_not_understood():
    pair = (
        home.tool("a.one", "show the plank again"),
        home.tool("a.two", "show the blank again"),
    )
    catalogue = Catalogue(ENGLISH, (), pair)
    assert asked("show the blank again", catalogue) == ("a.two", {})
    assert asked("show the flank again", catalogue, "flank") is None


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
    assert understood("louder").rule.change.by == 10
    assert understood("turn it down a bit").rule.change.by == -10
    assert understood("louder", Catalogue(ENGLISH, (), (home.VOLUME,))) is None


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


def test_how_a_sentence_may_go_on_is_known():
    assert not understood("where is my order 10").closed
    assert understood("where is my order 10").ends_in_id
    assert not understood("set the volume to 20").closed
    assert not understood("set the volume to 20").ends_in_id
    assert understood("take a photo").closed
    assert understood("switch to dark mode").closed
    for text in ("set the volume", "set the volume to", "turn off the", "show the last"):
        assert CATALOGUE.understand(text).continues, text
    assert not CATALOGUE.understand("the weather is fine").continues


def test_a_template_that_stands_for_too_much_is_left_out_before_it_is_written_out(caplog):
    for template in (
        "zebra " + "[word] " * 26,
        "(a|b) " * 26 + "zebra",
        "zebra (w0;w1;w2;w3;w4;w5;w6;w7;w8;w9)",
        "zebra ([word] [word] [word] [word] [word] [word] [word] [word] [word] [word] [word])",
        "zebra (((((a|b) (a|b)) (a|b) (a|b)) (a|b) (a|b)) (a|b) (a|b)) ((a|b) (a|b) (a|b) (a|b))",
    ):
        caplog.clear()
        tool = home.tool("srv.t", template, "open sesame", source="srv")
        catalogue = Catalogue(ENGLISH, (), (tool,))
        assert asked("zebra", catalogue) is None
        assert asked("open sesame", catalogue) == ("srv.t", {})
        (record,) = caplog.records
        assert record.getMessage() == (
            f"srv: tool srv.t: sentence {template!r:.80} is not used:"
            " it stands for more than 2000 sentences"
        )


def test_a_server_with_too_many_sentences_has_the_rest_left_out(caplog):
    many = "(a|b|c) (a|b|c) (a|b|c) (a|b|c) (a|b|c) (a|b|c) word{at}"
    names = [first + second for first in "abcde" for second in "uvwxyz"]
    tools = [home.tool(f"srv.{name}", many.replace("{at}", name), source="srv") for name in names]
    other = home.tool("good.t", "open sesame", source="good")
    catalogue = Catalogue(ENGLISH, (), (*tools, other))
    assert asked("a b c a b c wordau", catalogue) == ("srv.au", {})
    assert asked("a b c a b c wordew", catalogue) == ("srv.ew", {})  # 27 of 729 each
    assert asked("a b c a b c wordex", catalogue) is None
    assert asked("a b c a b c wordez", catalogue) is None
    assert asked("open sesame", catalogue) == ("good.t", {})
    assert any("srv has more than 20000 sentences" in record.message for record in caplog.records)


def test_every_first_sentence_is_understood_as_its_own_rule():
    plain, timers = (*home.TOOLS, home.PAGE, *NIGHT_TOOLS), tuple(TIMER_TOOLS)
    of_timers = {tool.name for tool in timers}
    without, everything = Catalogue(ENGLISH, (), plain), Catalogue(ENGLISH, (), plain + timers)
    for rule in ENGLISH.rules:
        text = rule.sentences[0]
        for slot, value in (
            ("volume", "35"),
            ("brightness", "35"),
            ("by", "5"),
            ("theme", "dark"),
            ("text_size", "small"),
            ("text", "hello"),
            ("seconds", "ten minutes"),
            ("minutes", "ten"),
            ("label", "pizza"),
            ("which", "pizza"),
            ("time", "half past seven"),
            ("day", "monday"),
            ("days", "monday"),
        ):
            text = text.replace("{" + slot + "}", value)
        text = first_of(text)
        # With timers "stop" silences what rings.
        sentence = understood(text, everything if rule.tool in of_timers else without)
        assert sentence is not None and sentence.rule == rule, text


def first_of(template):
    """A sentence of `template`, without what may be left out."""
    template = re.sub(r"\[[^\[\]]*\]", " ", template)
    while "(" in template:
        template = re.sub(r"\(([^()|]*)[^()]*\)", r"\1", template)
    return template


def test_the_prompt_names_the_tools_holds_no_number_and_stays_short():
    assert len(CATALOGUE.prompt) <= 300
    assert not any(each.isdigit() for each in CATALOGUE.prompt)
    for words in ("Where is order", "Set the volume to", "Take a photo", "last card"):
        assert words in CATALOGUE.prompt
    assert CATALOGUE.examples[0] == "set the volume to 40"


def test_what_is_offered_is_one_of_each_server_in_turn_and_no_text_of_ones_own():
    assert CATALOGUE.examples[:4] == (
        "set the volume to 40",
        "show the last card again",
        "where is order 1234",
        "set the brightness to 40",
    )
    assert not any("hello" in each for each in CATALOGUE.examples)


@pytest.mark.parametrize(
    ("tool", "warning"),
    [
        (
            "self.audio_speaker.set_volme",
            "there is no tool self.audio_speaker.set_volme."
            " Did you mean self.audio_speaker.set_volume?",
        ),
        ("order.where_is_order", "no tool order.where_is_order. Did you mean orders.where_is_ord"),
        ("orders.refund", "sentence file: there is no tool orders.refund."),
    ],
)
def test_a_rule_of_ones_own_whose_tool_is_mistyped_is_named(caplog, tool, warning):
    rule = Rule(sentences=("do it",), tool=tool)
    Catalogue(sentence_files.language("en"), (rule,), home.TOOLS)
    assert [warning in line for line in caplog.messages] == [True]


def test_a_rule_for_a_tool_of_another_device_or_of_a_server_that_is_away_is_no_mistake(caplog):
    for tool in ("self.lamp.set_level", "heating.set"):
        rule = Rule(sentences=("do it",), tool=tool)
        Catalogue(sentence_files.language("en"), (rule,), home.TOOLS)
    assert caplog.messages == []
