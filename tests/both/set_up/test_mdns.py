"""The bridge among the answers of mDNS; the packets are written here, label by label."""

import struct

from provisioning.mdns import SERVICE, Answers, choose, query, records
from voxwire.errors import WireError

A, PTR, TXT, SRV = 1, 12, 16, 33
FLUSH = 0x8001
INSTANCE = (b"Voxcard on box.lan",) + SERVICE
TARGET = (b"voxcard-a1b2", b"local")
FACTS = ("v=1", "id=a1b2", "root=voxcard", "tls=0")


def name(labels):
    return b"".join(bytes((len(each),)) + each for each in labels) + b"\x00"


def record(owner, kind, data, space=FLUSH):
    owner = owner if isinstance(owner, bytes) else name(owner)
    return owner + struct.pack(">HHIH", kind, space, 120, len(data)) + data


def packet(*answers, flags=0x8400, questions=b"", count=0):
    return (
        struct.pack(">HHHHHH", 0, flags, count, len(answers), 0, 0) + questions + b"".join(answers)
    )


def texts(facts=FACTS):
    return b"".join(bytes((len(each),)) + each.encode() for each in facts)


def service(instance=INSTANCE, target=TARGET, address=b"\xc0\xa8\x01\x14", port=1883, facts=FACTS):
    return packet(
        record(SERVICE, PTR, name(instance)),
        record(instance, SRV, struct.pack(">HHH", 0, 0, port) + name(target)),
        record(instance, TXT, texts(facts)),
        record(target, A, address),
    )


def heard(*packets):
    answers = Answers()
    for each in packets:
        answers.add(each)
    return answers


def test_the_question_is_for_every_service_of_the_kind():
    assert query(Answers().questions()) == (
        b"\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00"
        b"\x08_voxcard\x04_tcp\x05local\x00\x00\x0c\x00\x01"
    )


def test_one_packet_says_all_of_a_bridge():
    (bridge,) = heard(service()).bridges()
    assert bridge.label == "Voxcard on box.lan" and bridge.id == "a1b2"
    assert (bridge.address, bridge.port, bridge.root) == ("192.168.1.20", 1883, "voxcard")
    assert bridge.tls is False and bridge.host == ""


def test_tls_names_the_host_of_the_certificate():
    facts = ("v=1", "id=a", "root=home", "tls=1", "host=broker.lan")
    (bridge,) = heard(service(facts=facts)).bridges()
    assert bridge.tls is True and bridge.host == "broker.lan" and bridge.root == "home"


def test_what_is_missing_is_asked_for_by_its_own_name():
    answers = heard(packet(record(SERVICE, PTR, name(INSTANCE))))
    assert answers.bridges() == []
    assert answers.questions() == [(INSTANCE, SRV), (INSTANCE, TXT)]
    answers.add(packet(record(INSTANCE, SRV, struct.pack(">HHH", 0, 0, 1883) + name(TARGET))))
    assert answers.questions() == [(TARGET, A)]
    answers.add(packet(record(TARGET, A, b"\x0a\x00\x00\x02")))
    assert answers.bridges()[0].address == "10.0.0.2" and answers.questions() == []


def test_compressed_names_and_repeated_questions_are_read():
    # As a legacy answer repeats the question; the owner is a pointer to it.
    question = name(SERVICE) + struct.pack(">HH", PTR, 1)
    instance = b"\x01x\xc0\x0c"
    owner_of_srv = b"\xc0" + bytes((12 + len(question) + 12,))
    data = packet(
        record(b"\xc0\x0c", PTR, instance),
        record(owner_of_srv, SRV, struct.pack(">HHH", 0, 0, 1884) + name(TARGET)),
        record(TARGET, A, b"\x0a\x00\x00\x03"),
        questions=question,
        count=1,
    )
    (bridge,) = heard(data).bridges()
    assert (bridge.label, bridge.address, bridge.port) == ("x", "10.0.0.3", 1884)


def test_names_are_alike_in_any_case():
    instance = (b"VOXCARD ON BOX.LAN", b"_VoxCard", b"_TCP", b"LOCAL")
    data = packet(
        record((b"_VOXCARD", b"_tcp", b"local"), PTR, name(instance)),
        record(INSTANCE, SRV, struct.pack(">HHH", 0, 0, 1883) + name((b"H", b"local"))),
        record((b"h", b"LOCAL"), A, b"\x0a\x00\x00\x04"),
    )
    assert heard(data).bridges()[0].address == "10.0.0.4"


def test_broken_packets_change_nothing():
    whole = service()
    for size in range(len(whole)):
        heard(whole[:size]).bridges()
    for data in (
        b"", bytes(11), bytes(2000), whole[:2] + b"\x00\x00" + whole[4:],  # a question
        packet(record(b"\xc0\x0c", PTR, name(INSTANCE))),  # the name points at itself
        packet(record(b"\xc0\xff", PTR, name(INSTANCE))),  # and ahead
        packet(record((b"x" * 60,) * 6, PTR, name(INSTANCE))),
        packet(record(SERVICE, PTR, b"\x3fabc")),
        packet(record(SERVICE, PTR, name(INSTANCE)))[:-3],
        packet(record(SERVICE, PTR, name((b"no", b"service", b"of", b"ours")))),
    ):  # fmt: skip
        assert heard(data).bridges() == []
        assert heard(data, whole).bridges()[0].id == "a1b2"


def test_a_pointer_in_a_circle_ends():
    data = packet(record(b"\x01a\xc0\x0c", PTR, name(INSTANCE)))
    try:
        records(data)
    except WireError as error:
        assert str(error) == "mdns: has a name that does not end"
    else:
        raise AssertionError("it was read")


def test_a_flood_is_bounded():
    answers = Answers()
    for number in range(300):
        instance = (b"b%d" % number,) + SERVICE
        answers.add(service(instance=instance, target=(b"h%d" % number, b"local")))
    assert 1 <= len(answers.bridges()) <= 8
    assert len(answers.questions()) <= 16


def test_a_text_that_is_cut_or_no_text_is_left_out():
    facts = texts(FACTS) + b"\x03\xff=x" + b"\x40id=z"
    data = packet(
        record(SERVICE, PTR, name(INSTANCE)),
        record(INSTANCE, SRV, struct.pack(">HHH", 0, 0, 1883) + name(TARGET)),
        record(INSTANCE, TXT, facts),
        record(TARGET, A, b"\x0a\x00\x00\x05"),
    )
    assert heard(data).bridges()[0].id == "a1b2"


def test_the_id_that_is_known_goes_before_the_topics_and_these_before_the_first():
    bridges = [
        heard(service(facts=("v=1", "id=" + each, "root=" + root))).bridges()[0]
        for each, root in (("one", "other"), ("two", "voxcard"), ("three", "other"))
    ]
    assert choose(bridges, "three", "voxcard").id == "three"
    assert choose(bridges, "", "voxcard").id == "two"
    assert choose(bridges, "gone", "nothing").id == "one"
    assert choose([], "one", "voxcard") is None


def test_a_bridge_of_another_protocol_is_not_chosen():
    bridges = heard(service(facts=("v=99", "id=a1b2", "root=voxcard"))).bridges()
    assert len(bridges) == 1 and choose(bridges, "a1b2", "voxcard") is None
