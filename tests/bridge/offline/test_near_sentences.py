"""Sentences that lie near to a home's own: the one right thing is done, or nothing."""

from functools import cache
from pathlib import Path

import pytest
import yaml
from fakes import home
from fakes.offline.bridge_tools import BRIDGE_TOOLS
from fakes.offline.night_tools import NIGHT_TOOLS
from fakes.offline.timer_tools import TIMER_TOOLS
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.meanings import (
    Choice,
    Incomplete,
    Reading,
    Several,
    Understood,
)
from voxcard.assistants.offline.intents.normalise import words
from voxcard.assistants.offline.intents.sentences import sentence_files

GOLDEN = Path(__file__).parents[2] / "golden" / "sentences"
SHORT = {
    "volume": "self.audio_speaker.set_volume",
    "brightness": "self.screen.set_brightness",
    "theme": "self.screen.set_theme",
    "text": "self.screen.show_text",
    "size": "self.screen.set_text_size",
    "sizes": "self.screen.show_text_sizes",
    "photo": "self.camera.take_photo",
    "status": "self.get_device_status",
    "card": "bridge.show_last_card",
    "start": "self.timer.start",
    "add_time": "self.timer.add_time",
    "pause": "self.timer.pause",
    "resume": "self.timer.resume",
    "list": "self.timer.list",
    "cancel": "self.timer.cancel",
    "cancel_all": "self.timer.cancel_all",
    "stop": "self.timer.stop",
    "snooze": "self.timer.snooze",
    "night": "self.set_night_mode",
    "chimes": "self.audio_speaker.set_chime_volume",
    "alarms": "self.audio_speaker.set_alarm_volume",
    "announce": "bridge.announce",
    "alarm": "self.alarm.set",
    "remind": "self.reminder.set",
    "sum": "bridge.calculate",
    "zone": "bridge.get_time",
    "page": "self.screen.turn_page",
}


FILES = {
    "near.yaml": "homes",
    "near_spoken.yaml": "homes",
    "near_other.yaml": "other_homes",
    "near_names.yaml": "homes",
    "near_cottage.yaml": "cottage",
    "near_villa.yaml": "villa",
    "near_farm.yaml": "farm",
    "near_loft.yaml": "loft",
    "near_cabin.yaml": "cabin",
    "near_barge.yaml": "barge",
    "near_timers.yaml": "timers",
    "near_talk.yaml": "talk",
    "near_joined.yaml": "talk",
    "near_night.yaml": "night",
}


def tools(name):
    """The device's own tools, and those of the servers in a file."""
    file = "homes" if name in ("talk", "night") else name
    servers = yaml.safe_load((GOLDEN / f"{file}.yaml").read_text(encoding="utf-8"))
    device = [tool for tool in home.TOOLS if tool.source == "device"]
    device += BRIDGE_TOOLS if name == "talk" else (home.CARD,)
    device += TIMER_TOOLS if name == "timers" else ()
    device += NIGHT_TOOLS if name == "night" else ()
    device += (home.PAGE,) if name == "talk" else ()
    return device + [
        home.tool(f"{server}.{name}", *tool["sentences"], source=server, **tool["arguments"])
        for server, tools in servers.items()
        for name, tool in tools.items()
    ]


@cache
def catalogue_of(name):
    """The sentences of a home; made where they are needed, for every worker collects this file."""
    return Catalogue(sentence_files.language("en"), (), tools(name))


def rows(name):
    return yaml.safe_load((GOLDEN / name).read_text(encoding="utf-8"))


def outcome(reading):
    """What `reading` leads to, in the words of near.yaml."""
    match reading.meaning:
        case Understood(rule=rule) as understood if rule.tool is None:
            return {"do": "self"}
        case Understood(rule=rule) as understood:
            done = {"do": rule.tool}
            if rule.change:
                amount = (
                    understood.amount if understood.amount is not None else abs(rule.change.by)
                )
                done["by"] = -amount if rule.change.by < 0 else amount
            elif understood.arguments:
                done["with"] = dict(understood.arguments)
            return done
        case Several(steps=steps):
            return {"do": "several", "each": [outcome(Reading(meaning=each)) for each in steps]}
        case Incomplete() | Choice():
            return {"do": "ask"}
    return {"do": "nothing"}


def wanted(row):
    done = {key: row[key] for key in row if key not in ("say", "heard")}
    if "each" in row:
        done["each"] = [wanted(each) for each in row["each"]]
    return {**done, "do": SHORT.get(row["do"], row["do"])}


@pytest.mark.parametrize("name", FILES)
def test_a_near_sentence_has_its_one_right_outcome_when_typed(name):
    wrong = []
    for row in rows(name):
        done = outcome(catalogue_of(FILES[name]).understand(row["say"]))
        if done != wanted(row):
            wrong.append((row["say"], done))
    assert wrong == []


@pytest.mark.parametrize("name", FILES)
def test_a_near_sentence_is_done_or_asked_about_when_any_word_may_be_misheard(name):
    wrong = []
    for row in rows(name):
        uncommon = frozenset(word.text for word in words(row["say"]))
        reading = catalogue_of(FILES[name]).understand(row["say"], uncommon)
        guessed = reading.understood is not None and not reading.understood.exact
        asks = guessed and reading.understood.risky
        if outcome(reading) != wanted(row.get("heard", row)) and not asks:
            wrong.append((row["say"], outcome(reading)))
    assert wrong == []


def test_there_are_many_near_sentences():
    assert sum(len(rows(name)) for name in FILES) > 2000


@pytest.mark.parametrize("name", dict.fromkeys(FILES.values()))
def test_what_is_offered_does_what_it_says_and_no_harm(name):
    catalogue = catalogue_of(name)
    assert len(catalogue.examples) > 3
    for example in catalogue.examples:
        understood = catalogue.understand(example).understood
        assert understood is not None and not understood.risky, example
