"""The session table: every legal move, and what an illegal one does."""

from voxwire import session
from voxwire.errors import WireError


def walk(*events):
    state = session.start(0)
    for at, event in enumerate(events):
        state = session.apply(state, event, at)
    return state.state


def test_a_whole_turn_ends_idle():
    assert walk("link_up", "hello", "wake", "endpoint", "speak", "played") == "idle"


def test_a_question_is_listened_to_again():
    assert walk("link_up", "hello", "wake", "endpoint", "speak", "asked") == "listening"


def test_a_hushed_turn_speaks_again_and_an_open_microphone_is_heard_again():
    spoken = ("link_up", "hello", "wake", "endpoint", "speak")
    assert walk(*(spoken + ("hush", "speak", "played"))) == "idle"
    assert walk(*(spoken + ("again", "endpoint", "speak", "hush", "again"))) == "listening"


def test_an_illegal_event_changes_nothing_and_is_reported():
    idle = session.Session("idle", 5)
    try:
        session.apply(idle, "endpoint", 9)
    except WireError as error:
        assert str(error) == "session: endpoint is not legal in state idle"
    else:
        raise AssertionError("endpoint was legal in idle")
    assert idle == ("idle", 5)


def test_losing_the_link_or_the_bridge_is_legal_in_every_linked_state():
    for state in ("connecting", "idle", "listening", "thinking", "speaking"):
        moved = session.apply(session.Session(state, 0), "link_down", 1)
        assert moved == ("offline", 1)
        assert session.apply(session.Session(state, 0), "bridge_lost", 1).state == "connecting"


def test_a_hello_in_a_turn_ends_the_turn():
    for state in ("listening", "thinking", "speaking"):
        assert session.apply(session.Session(state, 0), "hello", 1).state == "idle"


def test_limits_bring_every_turn_to_an_end():
    assert session.overdue(session.Session("listening", 0), 29999) is None
    assert session.overdue(session.Session("listening", 0), 30000) == "endpoint"
    assert session.overdue(session.Session("thinking", 0), 60000) == "cancel"
    assert session.overdue(session.Session("idle", 0), 10**9) is None


def test_the_module_names_every_event_of_its_table():
    with open(session.__file__) as file:
        text = file.read().split('"""')[1]
    for _, event, _ in session.MOVES:
        assert "`%s`" % event in text, event


def test_the_table_knows_the_states_that_have_names_and_no_others():
    states = set()
    for before, _, after in session.MOVES:
        states.update(before + (after,))
    assert states == {
        session.OFFLINE,
        session.CONNECTING,
        session.IDLE,
        session.LISTENING,
        session.THINKING,
        session.SPEAKING,
    }


def test_the_limits_are_those_of_the_protocol():
    assert session.LIMITS == {
        "connecting": (10000, "bridge_lost"),
        "listening": (30000, "endpoint"),
        "thinking": (60000, "cancel"),
        "speaking": (300000, "cancel"),
    }
    assert (session.ACCEPT_MS, session.ALIVE_MS) == (3000, 2000)
    assert (session.SILENCE_MS, session.MICROPHONE_MS) == (8000, 2000)


def test_every_move_is_one_of_the_protocol():
    turn = ("listening", "thinking", "speaking")
    legal = {
        "link_up": {"offline": "connecting"},
        "hello": dict.fromkeys(("connecting", "idle") + turn, "idle"),
        "wake": {"idle": "listening"},
        "think": {"idle": "thinking"},
        "speak": {"idle": "speaking", "thinking": "speaking"},
        "endpoint": {"listening": "thinking"},
        "played": {"speaking": "idle"},
        "asked": {"speaking": "listening"},
        "hush": {"speaking": "thinking"},
        "again": {"thinking": "listening", "speaking": "listening"},
        "cancel": dict.fromkeys(turn, "idle"),
        "abort": dict.fromkeys(turn, "idle"),
        "link_down": dict.fromkeys(("connecting", "idle") + turn, "offline"),
        "bridge_lost": dict.fromkeys(("connecting", "idle") + turn, "connecting"),
    }
    moves = {(state, event): after for event in legal for state, after in legal[event].items()}
    table = {(state, event): after for states, event, after in session.MOVES for state in states}
    assert moves == table


def test_a_limit_holds_from_its_time_on():
    thinking = session.Session("thinking", 0)
    assert session.overdue(thinking, 59999) is None
    assert session.overdue(thinking, 60000) == session.overdue(thinking, 60001) == "cancel"


def test_a_state_begins_when_it_is_entered_and_not_again():
    idle = session.Session("idle", 5)
    assert session.apply(idle, "hello", 9) == ("idle", 5)
    assert session.apply(idle, "wake", 9) == ("listening", 9)
    assert session.start(7) == ("offline", 7)
