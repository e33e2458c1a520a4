"""Button presses: rows of (at_ms, down) and what each makes the device do."""

from session.buttons import UP, role_of, step


def actions(role, shown, *rows):
    """What a press does, asked every 10 ms; rows are (at_ms, down)."""
    state, pressed_ms, down, done = UP, 0, False, []
    for now_ms in range(0, rows[-1][0] + 20, 10):
        for at_ms, is_down in rows:
            if at_ms == now_ms:
                down = is_down
                pressed_ms = now_ms if down else pressed_ms
        state, action = step(role, state, down, now_ms - pressed_ms, shown)
        if action:
            done.append((now_ms, action))
    return done


def press(role, shown, ms):
    return actions(role, shown, (100, True), (100 + ms, False))


def test_the_talk_button_talks_from_the_first_moment():
    assert press("talk", "more", 100) == [(100, "talk_down"), (200, "talk_up")]
    assert press("talk", "", 390) == [(100, "talk_down"), (490, "talk_up")]


def test_a_press_of_400_ms_is_push_to_talk():
    held = [(100, "talk_down"), (500, "talk_held"), (2100, "talk_up")]
    assert press("talk", "more", 2000) == held
    assert press("only", "", 2000) == held


def test_the_page_button_turns_pages_and_acts_when_it_is_held():
    assert press("page", "more", 100) == [(200, "next_page")]
    assert press("page", "offer", 690) == [(790, "next_page")]
    assert press("page", "offer", 2000) == [(800, "activate")]
    for shown in ("", "more"):
        assert press("page", shown, 100) == [(200, "next_page")]
        assert press("page", shown, 2000) == [(800, "activate")]


def test_a_press_is_long_from_700_ms_on_and_held_from_400():
    assert step("page", "waiting", True, 699, "offer") == ("waiting", "")
    assert step("only", "waiting", True, 399, "more") == ("waiting", "")
    assert step("talk", "talking", True, 399, "more") == ("talking", "")
    for late_ms in (0, 1, 1000):
        assert step("page", "waiting", True, 700 + late_ms, "offer") == ("spent", "activate")
        assert step("only", "waiting", True, 400 + late_ms, "more") == ("talking", "talk_down")
        assert step("talk", "talking", True, 400 + late_ms, "more") == ("held", "talk_held")


def test_a_touch_panel_and_the_middle_key_do_everything():
    names = ["talk", "prev", "enter", "next", "touch"]
    assert [role_of(name, names) for name in names] == ["only", "back", "only", "page", "only"]


def test_a_key_that_goes_back_is_a_page_key_the_other_way_round():
    for shown in ("", "more", "choice", "offer"):
        assert press("back", shown, 100) == [(200, "previous_page")]
        assert press("back", shown, 2000) == [(800, "activate")]


def test_the_keys_of_the_volume_act_at_once_and_once_a_press():
    names = ["talk", "vol_up", "vol_down", "vol_down_boot"]
    assert [role_of(name, names) for name in names] == ["only", "louder", "softer", "softer"]
    for role in ("louder", "softer"):
        for shown in ("", "more", "choice", "offer"):
            assert press(role, shown, 100) == press(role, shown, 5000) == [(100, role)]
        presses = actions(role, "", (100, True), (150, False), (200, True), (250, False))
        assert presses == [(100, role), (200, role)]


def test_the_only_button_talks_when_no_card_waits():
    assert press("only", "", 100) == [(100, "talk_down"), (200, "talk_up")]


def test_the_only_button_turns_pages_and_talks_when_it_is_held():
    assert press("only", "more", 100) == [(200, "next_page")]
    assert press("only", "more", 1000) == [
        (500, "talk_down"),
        (510, "talk_held"),
        (1100, "talk_up"),
    ]


def test_the_only_button_acts_on_choices_and_questions_when_it_is_held():
    for shown in ("choice", "offer"):
        assert press("only", shown, 1000) == [(800, "activate")]
    assert press("only", "choice", 100) == [(200, "next_page")]


def test_a_short_press_on_the_last_page_talks():
    assert press("only", "offer", 100) == [(200, "tap")]


def test_roles_come_from_the_buttons_a_board_has():
    assert role_of("talk", ("talk",)) == "only"
    assert role_of("talk", ("talk", "page")) == "talk"
    assert role_of("page", ("talk", "page")) == "page"
    assert role_of("up", ("talk", "up")) == role_of("down", ("talk", "down")) == "page"
