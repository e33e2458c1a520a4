"""The page: small, without anything from elsewhere, each error beside its field."""

from provisioning.portal.page import Content, escaped, pieces

TOKEN = "0123456789abcdef"
EVIL = "<script>'\"&"


def page(networks=(), values=None, errors=None, token=TOKEN, notice="", busy=""):
    content = Content("Kitchen", networks, values or {}, errors or {}, token, notice, busy)
    return "".join(pieces(content))


def test_it_is_small_and_needs_nothing_from_elsewhere():
    text = page([("Network %d" % number, "strong", False) for number in range(12)])
    assert len(text.encode()) <= 6144, len(text)
    for part in ("<script", "src=", "@import", "url(", "<link", "https:"):
        assert part not in text, part


def test_no_piece_is_larger_than_a_small_heap_likes():
    content = Content("x", [(EVIL * 4, "weak", True)] * 12, {"ssid": "y" * 32}, {}, TOKEN, "", "")
    assert max(len(piece.encode()) for piece in pieces(content)) <= 1024


def test_every_field_has_a_label():
    text = page()
    for name in ("pick", "ssid", "secret", "country", "name", "host", "port", "user", "password"):
        assert "<label for=%s>" % name in text and " id=%s " % name in text, name


def test_an_error_stands_at_its_field_and_is_read_aloud_with_it():
    text = page(errors={"host": "Bad host.", "secret": "Bad password."}, notice="Please look.")
    assert "<p role=alert>Please look.</p>" in text
    assert (
        "aria-describedby='e-secret' aria-invalid=true autofocus><p class=e id=e-secret>" in text
    )
    assert (
        "aria-describedby='e-host h-host' aria-invalid=true><p class=e id=e-host>Bad host." in text
    )
    assert text.count("autofocus") == 1
    assert "name=anyway" in text and "name=anyway" not in page()


def test_what_others_say_is_text():
    text = page([(EVIL, "strong", True)], {"ssid": EVIL}, {"ssid": EVIL}, notice=EVIL)
    assert EVIL not in text and text.count(escaped(EVIL)) == 5
    assert escaped(EVIL) == "&lt;script&gt;&#39;&quot;&amp;"


def test_the_network_that_was_chosen_stays_chosen():
    text = page([("a", "strong", False), ("b", "weak", True)], {"pick": "b"})
    assert "<option value='a'>a (strong)</option>" in text
    assert "<option value='b' selected>b (weak, open)</option>" in text


def test_while_it_joins_it_asks_again_and_has_no_form():
    text = page(busy="Joining home…")
    assert "<meta http-equiv=refresh content='3;url=/'>" in text
    assert "<p role=status>Joining home…</p>" in text and "<form" not in text
    assert "refresh" not in page()


def test_at_the_end_there_is_no_form():
    assert "<form" not in page(token="", notice="Joined.")


def test_enter_joins_and_does_not_look_for_networks():
    text = page()
    form = text[text.index("<form method=post") :]
    assert "<button form=again name=action value=scan>" in form
    assert form.count("<button name=") == 1 and "<button name=action value=join>" in form
