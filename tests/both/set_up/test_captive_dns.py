"""The name server of the portal, from the bytes of real resolvers."""

from provisioning.portal.captive_dns import answer

HERE = bytes((192, 168, 4, 1))
NAME = b"\x08captive\x00"
NAME = b"\x07captive\x05apple\x03com\x00"
A, AAAA, HTTPS = b"\x00\x01", b"\x00\x1c", b"\x00\x41"


def question(kind=A, name=NAME, flags=b"\x01\x00", counts=b"\x00\x01\x00\x00\x00\x00\x00\x00"):
    return b"\xab\xcd" + flags + counts + name + kind + b"\x00\x01"


def test_every_name_is_here():
    assert answer(question(), HERE) == (
        b"\xab\xcd\x85\x00\x00\x01\x00\x01\x00\x00\x00\x00" + NAME + A + b"\x00\x01"
        b"\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x05\x00\x04" + HERE
    )


def test_other_questions_have_an_empty_answer_so_that_nobody_waits():
    for kind in (AAAA, HTTPS):
        assert answer(question(kind), HERE) == (
            b"\xab\xcd\x85\x00\x00\x01\x00\x00\x00\x00\x00\x00" + NAME + kind + b"\x00\x01"
        )


def test_an_additional_record_of_edns_is_left_away():
    edns = (
        question(counts=b"\x00\x01\x00\x00\x00\x00\x00\x01") + b"\x00\x00\x29\x10\x00" + bytes(6)
    )
    assert answer(edns, HERE)[:12] == b"\xab\xcd\x85\x00\x00\x01\x00\x01\x00\x00\x00\x00"


def test_what_is_no_question_has_no_answer():
    whole = question()
    for size in range(len(whole)):
        assert answer(whole[:size], HERE) is None
    for request in (
        question(flags=b"\x81\x00"),  # an answer: two servers would talk for ever
        question(flags=b"\x28\x00"),  # an update
        question(counts=bytes(8)),
        question(name=b"\xc0\x0c"),  # a name that points at itself
        question(name=b"\x40" + b"x" * 64 + b"\x00"),
        question(name=b"\x3f" + b"x" * 63),
        question(name=(b"\x3f" + b"x" * 63) * 5 + b"\x00"),
        bytes(600),
    ):
        assert answer(request, HERE) is None
