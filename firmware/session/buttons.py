"""What a press means, from the button's role, how long it lasts and what the screen shows."""

HOLD_MS = 400  # longer is push to talk
LONG_MS = 700  # longer acts on what the screen offers

# Roles: "talk" and "page" where a board has both, "only" where one button does everything; "back"
# is a page button the other way round, "louder" and "softer" act at once.
# What is shown, as far as buttons care: "" nothing to do for them, "more" something a short press
# turns or closes, "choice" also something a long press acts on (a question is one), "offer" only
# that: the last thing there is to see.
# A press that talks is a talk_down, then talk_held once it is known to be push to talk, then
# talk_up. tap: a short press that starts a turn.
ACTIONS = (
    "talk_down", "talk_held", "talk_up", "tap", "next_page", "previous_page", "activate",
    "louder", "softer",
)  # fmt: skip
# WAITING: it is open what the press will be; TALKING: whether it is push to talk; HELD: it is.
UP, WAITING, TALKING, HELD, SPENT = "up", "waiting", "talking", "held", "spent"


def step(role: str, state: str, down: bool, held_ms: int, shown: str):
    """(next state of the button, what to do: one of ACTIONS or "").

    `held_ms` counts from the press, `shown` is "" in a turn, whatever the screen shows: there a
    press must silence the device at once.
    """
    if state == UP:
        if not down:
            return UP, ""
        if role in ("louder", "softer"):
            return SPENT, role
        if role == "talk" or (role == "only" and shown == ""):
            return TALKING, "talk_down"
        return WAITING, ""
    if not down:
        if state in (TALKING, HELD):
            return UP, "talk_up"
        return UP, _tapped(role, shown) if state == WAITING else ""
    if state == WAITING:
        return _held(role, held_ms, shown)
    if state == TALKING and held_ms >= HOLD_MS:
        return HELD, "talk_held"
    return state, ""


def _tapped(role: str, shown: str) -> str:
    if role == "only" and shown in ("", "offer"):
        return "tap"
    return "previous_page" if role == "back" else "next_page"


def _held(role: str, held_ms: int, shown: str):
    if role in ("page", "back") or shown in ("choice", "offer"):
        return (SPENT, "activate") if held_ms >= LONG_MS else (WAITING, "")
    return (TALKING, "talk_down") if held_ms >= HOLD_MS else (WAITING, "")


def role_of(name: str, names) -> str:
    """The role of the button `name` on a board with the buttons `names`.

    A touch panel, and the middle one of three keys, are there to do everything.
    """
    if name in ("touch", "enter"):
        return "only"
    if name == "prev":
        return "back"
    if name.startswith("vol_"):
        return "louder" if name == "vol_up" else "softer"
    if name == "talk":
        return "talk" if "page" in names else "only"
    return "page"
