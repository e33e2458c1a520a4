"""Every rule of a turn on the device: what each event does in each situation."""

from collections import namedtuple

from session import flow_state, reply, talk, voice_flow
from session.voice_flow import RULES, Event, apply
from voxwire import message, session

Report = namedtuple("Report", ("seq", "lost", "late", "duplicate", "stray"))
WHOLE = Report(9, 0, 0, 0, 0)


def tts(**values):
    return message.make(message.FROM_BRIDGE, "tts", session_id="s", **values)


def turn(turn_id, state, text=None, hear_ms=None):
    values = {"id": turn_id, "state": state, "text": text, "hear_ms": hear_ms}
    return message.make(message.FROM_BRIDGE, "turn", session_id="s", **values)


STOP = tts(state="stop", last_seq=9)
ASKS = tts(state="stop", last_seq=9, listen=True)
CUTS = tts(state="stop", last_seq=9, cut=True)
OF_THIS, OF_ANOTHER = tts(state="stop", seq=5, last_seq=9), tts(state="stop", seq=4, cut=True)

# name of an event in the rows -> the event; "turn" ones are of the turn that runs
EVENTS = {
    "talk_down": Event("talk_down", None),
    "talk_held": Event("talk_held", None),
    "talk_up": Event("talk_up", None),
    "microphone_started": Event("microphone_started", 40),
    "microphone_lost": Event("microphone_lost", None),
    "microphone_muted": Event("microphone_muted", None),
    "word": Event("word", ("t-w1", 40, "okay_nabu")),
    "link_up": Event("link_up", None),
    "link_down": Event("link_down", None),
    "hello": Event("hello", "sound"),
    "hello_refused": Event("hello_refused", "no such sound"),
    "goodbye": Event("goodbye", "The bridge stops."),
    "turn accepted": "accepted",
    "turn alive": "alive",
    "turn thinking": "thinking",
    "turn thinking, hear on": "thinking, hear on",
    "turn done": "done",
    "turn listening": "listening",
    "other turn accepted": Event("turn", turn("b-1", "accepted")),
    "other turn thinking": Event("turn", turn("b-1", "thinking")),
    "other turn done": Event("turn", turn("b-1", "done")),
    "stt": Event("stt", ("hi", False)),
    "tts_start": Event("tts_start", 5),
    "tts_sentence": Event("tts_sentence", "Done."),
    "tts_stop": Event("tts_stop", STOP),
    "tts_stop listen": Event("tts_stop", ASKS),
    "tts_stop cut": Event("tts_stop", CUTS),
    "tts_stop of this": Event("tts_stop", OF_THIS),
    "tts_stop of another": Event("tts_stop", OF_ANOTHER),
    "played": Event("played", WHOLE),
    "endpoint": Event("endpoint", None),
    "hear_over": Event("hear_over", None),
    "cancel": Event("cancel", None),
    "bridge_lost": Event("bridge_lost", None),
    "guard_over": Event("guard_over", None),
    "abort_settled": Event("abort_settled", None),
}

_IDLE = ("link_up", "hello")
_PRESSED = _IDLE + ("talk_down", "microphone_started")
_LISTENING = _PRESSED + ("talk_up", "turn accepted")
_SPEAKING = _LISTENING + ("turn thinking", "tts_start")
_GUARDING = _SPEAKING + ("tts_stop listen", "played")

# situation -> (state, the events that lead to it)
SITUATIONS = {
    "offline": ("offline", ()),
    "connecting": ("connecting", ("link_up",)),
    "idle": ("idle", _IDLE),
    "waking": ("listening", _IDLE + ("talk_down",)),
    "pressed": ("listening", _PRESSED),
    "asked": ("listening", _PRESSED + ("talk_up",)),
    "listening": ("listening", _LISTENING),
    "push to talk": ("listening", _PRESSED + ("talk_held", "turn accepted")),
    "guarding": ("listening", _GUARDING),
    "waking again": ("listening", _GUARDING + ("guard_over",)),
    "thinking": ("thinking", _LISTENING + ("turn thinking",)),
    "hearing on": ("thinking", _LISTENING + ("turn thinking, hear on",)),
    "serving": ("thinking", _IDLE + ("other turn thinking",)),
    "speaking": ("speaking", _SPEAKING),
    "last words": ("speaking", _SPEAKING + ("tts_stop",)),
    "announcing": ("speaking", _IDLE + ("tts_start",)),
    "replied": ("idle", _SPEAKING + ("tts_stop", "played")),
}
LISTENING = [name for name in SITUATIONS if SITUATIONS[name][0] == "listening"]
THINKING = [name for name in SITUATIONS if SITUATIONS[name][0] == "thinking"]
SPEAKING = [name for name in SITUATIONS if SITUATIONS[name][0] == "speaking"]
LISTENING_ON = [name for name in LISTENING if name != "guarding"]

NO_BRIDGE = "The bridge does not answer. Check that it is running."
NO_MICROPHONE = "No sound comes from the microphone. Check its wires, then restart the device."
TOO_LONG = "The answer took too long. Ask again."
MUTE = "alert Microphone: " + NO_MICROPHONE
OFF = "alert Microphone: The microphone is off. Hold the button to switch it on."
LATE = "alert Sorry: " + TOO_LONG


def ended(mode):
    """What the end of listening does."""
    return ["stop_listening " + mode, "stop_capture", "-> thinking"]


def each(names, effects):
    return dict.fromkeys(names, effects)


def table(*parts):
    """One row of many: the later parts count."""
    row = {}
    for part in parts:
        row.update(part)
    return row


def leaving(effects):
    """The effects in every situation but offline, after what leaving its state does."""
    row = {}
    for name in SITUATIONS:
        first = {"listening": ["stop_capture"], "speaking": ["stop_playback"]}
        row[name] = first.get(SITUATIONS[name][0], []) + effects
    row["hearing on"] = ["stop_capture"] + effects
    del row["offline"]
    return row


WAKES = ["-> listening", "start_capture"]
CALLED = ["-> listening", "post listen start auto"]  # the microphone is on already
INTERRUPTS = ["abort button", "stop_playback", "-> idle"] + WAKES
GONE = ["-> connecting: " + NO_BRIDGE, "log warning", "say_hello"]

# event -> {situation -> effects}; [] changes the flow alone, what is missing changes nothing.
ROWS = {
    "talk_down": table(
        {
            "idle": WAKES,
            "replied": WAKES,
            "asked": [],
            "waking again": [],
            "listening": ended("auto"),
            "thinking": ["abort button", "-> idle"],
            "hearing on": ["abort button", "stop_capture", "-> idle"],
            "serving": ["abort button", "-> idle"],
        },
        each(SPEAKING, INTERRUPTS),
    ),
    "talk_held": {"waking": [], "pressed": ["post listen start manual"]},
    "talk_up": {
        "waking": [],
        "pressed": ["post listen start auto"],
        "push to talk": ended("manual"),
    },
    "microphone_started": {"waking": [], "waking again": ["post listen start auto"]},
    "microphone_lost": table(
        each(LISTENING, ["post event microphone", "stop_capture", "-> idle", MUTE]),
        each(
            ("asked", "listening", "push to talk"),
            ["post event microphone", "abort microphone", "stop_capture", "-> idle", MUTE],
        ),
    ),
    "microphone_muted": table(
        each(LISTENING, ["stop_capture", "-> idle", OFF]),
        each(
            ("asked", "listening", "push to talk"), ["abort muted", "stop_capture", "-> idle", OFF]
        ),
        {"hearing on": ["stop_capture"]},  # the answer comes all the same
    ),
    "word": table(
        each(("idle", "replied"), CALLED),
        each(("thinking", "serving"), ["abort wake", "-> idle"] + CALLED),
        {"hearing on": ["abort wake", "stop_capture", "-> idle"] + CALLED},
        each(SPEAKING, ["abort wake", "stop_playback", "-> idle"] + CALLED),
    ),
    "link_up": {"offline": ["-> connecting"]},
    "link_down": leaving(["-> offline"]),
    "hello": leaving(["-> idle", "configure sound"]),
    "hello_refused": {"connecting": ["show connecting: no such sound", "log warning"]},
    "goodbye": leaving(["-> connecting: The bridge stops.", "log warning", "say_hello"]),
    "turn accepted": each(LISTENING_ON, ["open_capture"]),
    "turn alive": {},
    "turn thinking": table(
        each(LISTENING_ON, ["stop_capture", "-> thinking"]),
        {"idle": ["-> thinking"]},  # where no turn runs, every id is a new one
        {"hearing on": ["stop_capture"]},  # something is done
    ),
    "turn thinking, hear on": table(
        each(LISTENING_ON, ["stop_capture", "-> thinking"]),
        each(("idle", "listening", "push to talk"), ["-> thinking"]),
    ),
    "turn done": table(
        each(LISTENING_ON, ["stop_capture", "-> idle"]),
        each(("thinking", "serving"), ["-> idle"]),
        {"hearing on": ["stop_capture", "-> idle"]},
        {"speaking": ["stop_playback", "-> idle"], "last words": [], "replied": []},
    ),
    "turn listening": {"hearing on": ["-> listening"]},
    "other turn accepted": {},
    "other turn thinking": {"idle": ["-> thinking"], "replied": ["-> thinking"]},
    "other turn done": {"serving": ["-> idle"]},
    "stt": each(LISTENING + SPEAKING + THINKING, ["transcript hi False"]),
    "tts_start": table(
        each(("idle", "replied", "thinking", "serving"), ["-> speaking", "begin_playback 5"]),
        {"hearing on": ["stop_capture", "-> speaking", "begin_playback 5"]},
        each(
            ("listening", "push to talk"),
            ["stop_capture", "-> thinking", "-> speaking", "begin_playback 5"],
        ),
    ),
    "tts_sentence": each(SPEAKING, ["sentence Done."]),
    "tts_stop": each(SPEAKING, ["finish_playback 9"]),
    "tts_stop listen": each(SPEAKING, ["finish_playback 9"]),
    "tts_stop cut": table(
        each(("speaking", "last words"), ["hush", "stop_playback", "-> thinking"]),
        {"announcing": ["hush", "stop_playback", "-> idle"]},
    ),
    "tts_stop of this": each(SPEAKING, ["finish_playback 9"]),
    "tts_stop of another": {},
    "played": each(SPEAKING, ["post played", "stop_playback", "-> idle"]),
    "endpoint": table(
        each(("waking", "pressed"), ["stop_capture", "-> idle"]),
        {"asked": [], "waking again": []},
        {"listening": ended("auto"), "push to talk": ended("manual")},
    ),
    "hear_over": {"hearing on": ["stop_listening auto"]},
    "cancel": table(
        each(("thinking", "serving"), ["abort timeout", "-> idle", LATE]),
        {"hearing on": ["abort timeout", "stop_capture", "-> idle", LATE]},
        each(SPEAKING, ["abort timeout", "stop_playback", "-> idle", LATE]),
    ),
    "bridge_lost": table(
        {"connecting": ["show connecting: " + NO_BRIDGE, "log warning"]},
        each(LISTENING, ["stop_capture"] + GONE),
        each(("thinking", "serving"), GONE),
        {"hearing on": ["stop_capture"] + GONE},
        each(SPEAKING, ["stop_playback"] + GONE),
    ),
    "guard_over": {"guarding": ["start_capture"]},
    "abort_settled": {},
}


def event_of(name, flow):
    event = EVENTS[name]
    if isinstance(event, str):  # a turn message for the turn that runs
        state, _, hear_on = event.partition(", ")
        turn_id = "none" if flow.turn is None else flow.turn.id
        event = Event("turn", turn(turn_id, state, hear_ms=1200 if hear_on else None))
    return event


def short(effect):
    """An effect as the rows write it."""
    name = effect[0]
    if name == "move":
        _, _, _, state, detail = effect
        return "-> " + state + (": " + detail if detail else "")
    if name == "log":
        return "log " + effect[1]
    if name == "post":
        values = effect[2]
        words = [str(values[key]) for key in ("name", "state", "mode") if key in values]
        return " ".join(["post", effect[1]] + words)
    if name in ("abort", "stop_listening"):
        return name + " " + effect[2]
    if name in ("show", "alert"):
        return "%s %s: %s" % effect
    return " ".join([str(part) for part in effect])


def after(names, guard_ms=200, now_ms=1000):
    """The flow after some events."""
    flow = flow_state.start("t", guard_ms, 0)
    for name in names:
        flow, _ = apply(flow, event_of(name, flow), now_ms)
    return flow


def does(flow, name, now_ms=2000):
    """(the flow after an event, its effects as the rows write them)."""
    flow, effects = apply(flow, event_of(name, flow), now_ms)
    return flow, [short(effect) for effect in effects]


def test_the_rows_cover_every_event():
    named = {event if isinstance(event, str) else event.name for event in EVENTS.values()}
    of_turns = {"accepted", "alive", "thinking", "thinking, hear on", "done", "listening"}
    assert named - of_turns == {row[0] for row in RULES}
    assert set(ROWS) == set(EVENTS)


def test_a_rule_is_a_function_and_no_state_has_two_for_one_event():
    legal = (session.OFFLINE, session.CONNECTING, session.IDLE, session.LISTENING)
    legal += (session.THINKING, session.SPEAKING)
    assert [(a, b) for a in legal for b in legal if a != b and a in b] == []
    places = []
    for event, states, module, rule in RULES:
        owner = {"talk": talk, "reply": reply, "": voice_flow}[module]
        assert callable(getattr(owner, rule)), rule
        states = states.split()
        assert [state for state in states if state not in legal] == []
        places += [(event, state) for state in states]
    assert len(set(places)) == len(places)


def test_the_situations_cover_every_state():
    for name in SITUATIONS:
        state, events = SITUATIONS[name]
        assert after(events).session.state == state, name


def test_every_event_in_every_situation_does_what_its_row_says():
    for name in EVENTS:
        for situation in SITUATIONS:
            before = after(SITUATIONS[situation][1])
            flow, effects = does(before, name)
            expected = ROWS[name].get(situation)
            if expected is None:
                # A word of the bridge counts even where it changes nothing else.
                assert flow_state.with_(flow, bridge_ms=before.bridge_ms) == before, (
                    name,
                    situation,
                )
                assert all(e.startswith("log ") for e in effects), (name, situation, effects)
            else:
                assert effects == expected, (name, situation, effects)
                assert effects or flow != before, (name, situation)


def test_the_state_is_that_of_the_last_move():
    for name in EVENTS:
        for situation in SITUATIONS:
            state, events = SITUATIONS[situation]
            flow, effects = does(after(events), name)
            moves = [e[3:].split(":")[0] for e in effects if e.startswith("-> ")]
            assert flow.session.state == (moves[-1] if moves else state), (name, situation)


def test_the_start_of_the_microphone_is_the_last_effect():
    for name in EVENTS:
        for situation in SITUATIONS:
            _, effects = does(after(SITUATIONS[situation][1]), name)
            assert "start_capture" not in effects[:-1], (name, situation)


def test_a_turn_keeps_its_id_and_mode_from_start_to_stop():
    flow = after(_PRESSED)
    flow, start = apply(flow, Event("talk_held", None), 1500)
    flow, _ = apply(flow, Event("turn", turn("t-1", "accepted")), 1600)
    flow, stop = apply(flow, Event("talk_up", None), 3000)
    values = {"id": "t-1", "state": "start", "mode": "manual", "seq": 40}
    assert start == (("post", "listen", values),)
    assert stop[0] == ("stop_listening", "t-1", "manual")


def test_who_speaks_on_in_thinking_is_heard_as_the_same_turn():
    flow = after(SITUATIONS["hearing on"][1] + ("turn listening",))
    assert (flow.turn.id, flow.turn.base, flow.turn.mode, flow.hear_ms) == ("t-1", 40, "auto", 0)
    flow, effects = does(flow, "turn thinking, hear on")
    assert effects == ["-> thinking"] and flow.hear_ms == 1200
    flow, effects = does(flow, "hear_over")
    assert effects == ["stop_listening auto"] and flow.hear_ms == 0
    assert does(flow, "turn listening")[1] == []  # crossed the end on its way
    assert does(flow, "turn thinking, hear on")[1] == []


def test_every_turn_has_an_id_of_its_own():
    flow = after(_SPEAKING)
    first = flow.turn.id
    flow, _ = does(flow, "talk_down")
    assert (first, flow.turn.id, flow.over_id) == ("t-1", "t-2", "t-1")


def test_an_interrupted_announcement_gets_an_id_to_be_aborted_by():
    flow, effects = apply(after(_IDLE + ("tts_start",)), Event("talk_down", None), 2000)
    assert effects[0] == ("abort", "t-1", "button")
    assert flow.turn.id == "t-2"


def test_a_release_before_the_bridge_accepted_is_carried_out_when_it_accepts():
    flow, effects = does(after(_PRESSED + ("talk_held",)), "talk_up")
    assert effects == [] and flow.turn.ending
    _, effects = does(flow, "turn accepted")
    assert effects == ["open_capture"] + ended("manual")


def test_a_press_decided_before_the_microphone_started_is_asked_for_then():
    for event, mode in (("talk_held", "manual"), ("talk_up", "auto")):
        flow, _ = does(after(_IDLE + ("talk_down",)), event)
        assert does(flow, "microphone_started")[1] == ["post listen start " + mode]


def test_the_aborted_reply_is_dropped_until_the_abort_has_settled():
    flow = after(_LISTENING + ("turn thinking", "talk_down"))
    assert flow.aborted_ms == 1000
    assert does(flow, "tts_start")[1] == ["log info"]
    flow, _ = does(flow, "abort_settled")
    assert does(flow, "tts_start")[1] == ["-> speaking", "begin_playback 5"]


def test_an_accepted_turn_settles_the_abort_before_it():
    flow = after(_SPEAKING + ("talk_down", "microphone_started", "talk_up"))
    assert flow.aborted_ms is not None
    flow, _ = does(flow, "turn accepted")
    assert flow.aborted_ms is None


def test_what_the_bridge_did_not_hear_of_is_not_aborted():
    flow, effects = does(after(_PRESSED), "microphone_lost")
    assert flow.aborted_ms is None and not any(e.startswith("abort") for e in effects)


def test_a_turn_that_is_over_does_not_begin_again():
    flow = after(_LISTENING + ("turn thinking", "talk_down"))
    _, effects = apply(flow, Event("turn", turn("t-1", "thinking")), 2000)
    assert [short(effect) for effect in effects] == ["log debug"]


def test_words_of_a_turn_show_that_the_bridge_is_alive_and_those_of_others_do_not():
    flow = after(_LISTENING)
    for name in ("turn alive", "stt", "tts_sentence", "tts_stop"):
        assert does(flow, name)[0].bridge_ms == 2000, name
    assert does(flow, "other turn accepted")[0].bridge_ms == 1000
    later = Event("turn", turn("t-2", "accepted"))
    assert apply(flow, later, 2000)[0].bridge_ms == 1000


def test_what_means_nothing_is_logged_where_it_is_news():
    for name, logged in (("played", True), ("tts_stop", True), ("talk_held", False),
                         ("talk_up", False), ("hello_refused", False)):  # fmt: skip
        assert does(after(_IDLE), name)[1] == (["log info"] if logged else []), name


def test_the_text_of_a_turn_is_its_progress_or_why_it_failed():
    flow = after(_LISTENING + ("turn thinking",))
    _, effects = apply(flow, Event("turn", turn("t-1", "alive", "Asking the shop")), 2000)
    assert effects == (("progress", "Asking the shop"),)
    flow, effects = apply(flow, Event("turn", turn("t-1", "done", "I do not know.")), 2000)
    assert effects[-1] == ("alert", "Sorry", "I do not know.")
    assert [short(effect) for effect in effects] == ["-> idle", "alert Sorry: I do not know."]
    assert flow.session.state == "idle" and flow.turn is None


def test_a_turn_that_was_hushed_speaks_again_and_is_played():
    flow = after(_SPEAKING + ("tts_stop cut", "tts_start", "tts_sentence", "tts_stop"))
    assert flow.session.state == "speaking" and flow.turn.id == "t-1"
    flow, effects = does(flow, "played")
    assert effects == ["post played", "stop_playback", "-> idle"]
    flow, effects = does(after(_SPEAKING + ("tts_stop cut",)), "turn done")
    assert effects == ["-> idle"] and flow.turn is None


def test_an_end_that_comes_again_ends_no_other_speech():
    hushed = Event("tts_stop", tts(state="stop", seq=5, last_seq=9, cut=True))
    flow, _ = apply(after(_SPEAKING), hushed, 2000)
    flow, _ = apply(flow, Event("tts_start", 10), 2000)
    flow, effects = apply(flow, hushed, 2000)
    assert [short(effect) for effect in effects] == ["log info"]
    assert flow.session.state == "speaking" and not flow.speech_ended
    # A start that named no number can be ended by any stop.
    flow, _ = apply(after(_LISTENING + ("turn thinking",)), Event("tts_start", None), 2000)
    assert apply(flow, hushed, 2000)[0].session.state == "thinking"


def test_after_a_question_the_microphone_waits_for_the_echo():
    flow, effects = does(after(_SPEAKING + ("tts_stop listen",)), "played")
    assert effects == ["post played", "stop_playback", "-> listening"]
    assert flow.turn is None and flow.guard_from_ms == 2000


def test_a_board_that_hears_while_it_speaks_does_not_wait():
    flow, effects = does(after(_SPEAKING + ("tts_stop listen",), guard_ms=0), "played")
    assert effects == ["post played", "stop_playback", "-> listening", "start_capture"]
    assert flow.turn.mode == "auto" and flow.guard_from_ms is None


def test_faults_of_a_stream_are_posted_before_its_last_frame():
    _, effects = apply(after(_SPEAKING), Event("played", Report(9, 2, 1, 0, 0)), 2000)
    text = "lost 2, late 1, duplicate 0, stray 0"
    assert effects[:3] == (
        ("log", "info", "speech: " + text),
        ("post", "event", {"name": "playback", "value": 2, "text": text}),
        ("post", "played", {"seq": 9}),
    )


def test_each_kind_of_fault_is_a_reason_to_post():
    for faults in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, 1, 0, 0),
                   (0, 0, 1, 1)):  # fmt: skip
        _, effects = apply(after(_SPEAKING), Event("played", Report(9, *faults)), 2000)
        assert [short(effect) for effect in effects[:2]] == ["log info", "post event playback"]


def test_a_stream_of_no_frames_is_not_posted():
    _, effects = apply(after(_SPEAKING), Event("played", Report(None, 0, 0, 0, 0)), 2000)
    assert [short(effect) for effect in effects] == ["stop_playback", "-> idle"]


def test_a_missing_bridge_is_shown_once():
    flow, _ = does(after(("link_up",)), "bridge_lost")
    assert flow.warned
    _, effects = apply(after(("link_up",)), Event("bridge_lost", "Nobody lets it."), 2000)
    assert effects[0] == ("show", "connecting", "Nobody lets it.")
    flow, _ = does(flow, "hello")
    assert not flow.warned
    flow, _ = does(after(_SPEAKING), "bridge_lost")
    assert flow.warned
