"""Control messages: the table, one real example a kind, and what is refused how."""

import json

from voxwire import message
from voxwire.errors import WireError

GOLDEN = __file__.rsplit("/", 3)[0] + "/golden/wire/messages.json"
SIDES = (("device", message.FROM_DEVICE), ("bridge", message.FROM_BRIDGE))


def refusal(call, *arguments):
    try:
        call(*arguments)
    except WireError as error:
        return str(error)
    raise AssertionError("was not refused")


def examples():
    with open(GOLDEN) as file:
        golden = json.load(file)
    for side, table in SIDES:
        for example in golden[side]:
            yield table, example


def test_every_kind_of_both_tables_has_a_golden_example():
    with open(GOLDEN) as file:
        golden = json.load(file)
    for side, table in SIDES:
        assert sorted(example["type"] for example in golden[side]) == sorted(table)


def test_every_example_survives_the_round_trip():
    for table, example in examples():
        type_name, decoded = message.decode(table, json.dumps(example).encode())
        assert type_name == example["type"]
        assert json.loads(message.encode(table, decoded)) == example


def test_what_newer_peers_say_is_absent_where_older_ones_do_not():
    older = b'{"type":"tts","session_id":"s","state":"stop","last_seq":9}'
    assert message.decode(message.FROM_BRIDGE, older)[1].cut is False
    nothing_heard = message.make(message.FROM_DEVICE, "played", session_id="s")
    encoded = message.encode(message.FROM_DEVICE, nothing_heard)
    assert json.loads(encoded) == {"type": "played", "session_id": "s"}


def test_a_missing_field_is_named_and_refused_in_every_kind():
    for table, example in examples():
        for field in table[example["type"]].fields:
            if field.required:
                cut = dict(example)
                del cut[field.name]
                said = refusal(message.decode, table, json.dumps(cut).encode())
                assert said == "%s.%s: is missing" % (example["type"], field.name)


def test_a_mistyped_field_is_named_and_refused_in_every_kind():
    for table, example in examples():
        for field in table[example["type"]].fields:
            wrong = dict(example)
            wrong[field.name] = 3.5 if field.schema.kind != "number" else "3.5"
            said = refusal(message.decode, table, json.dumps(wrong).encode())
            assert said.startswith("%s.%s: must be" % (example["type"], field.name))


def test_a_boolean_is_no_integer():
    payload = b'{"type":"played","session_id":"s","seq":true}'
    assert refusal(message.decode, message.FROM_DEVICE, payload) == (
        "played.seq: must be a whole number from 0 to 65535"
    )


def test_a_number_that_acts_has_a_range():
    for table, payload, sentence in (
        ("device", '"played","session_id":"s","seq":%d', "a whole number from 0 to 65535"),
        ("device", '"blob","id":%d,"next":1', "a whole number from 0 to 65535"),
        (
            "device",
            '"event","name":"n","session_id":"s","value":%d',
            "of type number, of up to 15 digits",
        ),
        ("bridge", '"tts","session_id":"s","state":"start","seq":%d', "a whole number from 0 to"),
        ("bridge", '"hello","session_id":"s","audio_params":{},"time":%d', "a whole number from"),
    ):
        for number in (10**400, -(10**400)):
            said = refusal(
                message.decode, dict(SIDES)[table], ('{"type":' + payload % number + "}").encode()
            )
            assert ": must be " + sentence in said, said


def test_messages_that_act_need_their_session():
    for side, types in (
        ("device", ("listen", "abort", "mcp", "card", "played", "event", "goodbye")),
        ("bridge", ("turn", "stt", "tts", "llm", "mcp", "card", "goodbye")),
    ):
        for name in types:
            fields = dict(SIDES)[side][name].fields
            assert [field.required for field in fields if field.name == "session_id"] == [True]


def test_half_a_character_is_refused_wherever_it_stands():
    lone = ("\\ud800", "\\uDFFF", "a\\ud83cb", "\\udf81\\ud83c", "\\udbff", "\\udc00",
            "\\udf81\\udf82", "\\udc00\\udc00")  # fmt: skip
    twice = ("\\ud83c\\ud83c\\udf81", "\\ud83c\\u0041", "\\ud83c\\udbff", "\\ud83c\\ue000")
    for text in lone + twice:
        for form in ('"text":"%s"', '"mood":"%s"', '"%s":1', '"mood":[{"a":"%s"}]'):
            payload = '{"type":"stt","session_id":"s",' + form % text + "}"
            said = refusal(message.decode, message.FROM_BRIDGE, payload.encode())
            assert said == "message: has half a character: send text as UTF-8", payload
    for half in (b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xed\x9f\xbf\xed\xa0\x80"):
        raw = b'{"type":"stt","session_id":"s","text":"' + half + b'"}'
        assert refusal(message.decode, message.FROM_BRIDGE, raw) == "message: is not JSON"


def test_escapes_that_are_no_half_of_a_character_are_read():
    for escaped, text in (
        ("\\ud83c\\udf81!", "\U0001f381!"),
        ("\\ud800\\udc00", "\U00010000"),
        ("\\ud83d\\udc01", "\U0001f401"),
        ("\\udbff\\udfff", "\U0010ffff"),
        ("\\ud83C\\uDF81\\ud83c\\udf82", "\U0001f381\U0001f382"),
        ("\\\\ud800", "\\ud800"),
        ("\\\\\\ud83c\\udf81", "\\\U0001f381"),
        ("\\u00e9\\ud7ff\\ue000", "\xe9\ud7ff\ue000"),
        ("\\ud55c\\u0000", "\ud55c\x00"),
        ("\ud55c\xe9\U0001f381", "\ud55c\xe9\U0001f381"),
    ):
        payload = ('{"type":"stt","session_id":"s","text":"%s"}' % escaped).encode()
        assert message.decode(message.FROM_BRIDGE, payload)[1].text == text


def test_unknown_types_and_unknown_fields_are_ignored():
    assert message.decode(message.FROM_DEVICE, b'{"type":"telepathy","x":1}') is None
    decoded = message.decode(
        message.FROM_DEVICE, b'{"type":"played","session_id":"s","seq":1,"mood":"fine"}'
    )
    assert decoded == ("played", ("s", 1))


def test_absent_optional_fields_take_their_defaults_and_null_counts_as_absent():
    _, listen = message.decode(
        message.FROM_DEVICE,
        b'{"type":"listen","session_id":"s","id":"1","state":"start","mode":null}',
    )
    assert (listen.mode, listen.seq, listen.text) == ("auto", None, None)


def test_garbage_gives_the_one_typed_error():
    for payload, said in (
        (b"", "message: is not JSON"),
        (b"\xff\xfe{}", "message: is not JSON"),
        (b"[1]", "message: must be a JSON object"),
        (b"{}", "message.type: is missing"),
        (b'{"type":1}', "message.type: must be text"),
        (b'{"type":"listen"', "message: is not JSON"),
        (b"[" * 3000, "message: is not JSON"),
        (b'{"type":"\\ud8', "message: is not JSON"),
        (b'{"type":"\\u0, \\"e"}', "message: is not JSON"),
        (b'{"type":"\\u+123"}', "message: is not JSON"),
        (b'{"type":"\\ud83c\\u 123"}', "message: is not JSON"),
        (b'{"type":"\\', "message: is not JSON"),
        (b" " * 8193, "message: is 8193 bytes, the limit is 8192"),
    ):
        assert refusal(message.decode, message.FROM_DEVICE, payload) == said


def test_text_of_any_script_travels_as_utf_8():
    said = message.make(message.FROM_BRIDGE, "stt", session_id="s", text="n\u0103 \U0001f381")
    payload = message.encode(message.FROM_BRIDGE, said)
    assert b"n\xc4\x83 \xf0\x9f\x8e\x81" in payload
    assert message.decode(message.FROM_BRIDGE, payload) == ("stt", said)


def test_a_message_over_the_limit_is_not_sent():
    long = message.make(message.FROM_BRIDGE, "alert", status="x", message="y" * 9000)
    assert refusal(message.encode, message.FROM_BRIDGE, long).startswith("alert: is 90")


def test_what_has_no_end_cannot_be_written():
    endless = []
    endless.append(endless)
    assert refusal(message.dump, endless, "card").startswith("card: cannot be written as JSON (")


def test_a_message_of_the_other_side_is_not_sent():
    played = message.make(message.FROM_DEVICE, "played", session_id="s", seq=1)
    assert refusal(message.encode, message.FROM_BRIDGE, played) == (
        "message: is not of this side's table"
    )


def test_each_kind_has_the_class_of_its_name_and_no_other_name_has_one():
    for name, type_name in (("Listen", "listen"), ("CardEvent", "card"), ("Played", "played")):
        assert getattr(message, name) is message.FROM_DEVICE[type_name].make
    for name, type_name in (("CardOrder", "card"), ("Tts", "tts"), ("Hello", "hello")):
        assert getattr(message, name) is message.FROM_BRIDGE[type_name].make
    for name in ("Other", "Hell", "Z", "A"):
        try:
            getattr(message, name)
        except AttributeError as error:
            assert name in str(error)
        else:
            raise AssertionError(name)


def test_a_message_of_exactly_the_limit_is_sent_and_read():
    def alert(length):
        return message.make(message.FROM_BRIDGE, "alert", status="x", message="y" * length)

    room = 8192 - len(message.encode(message.FROM_BRIDGE, alert(0)))
    payload = message.encode(message.FROM_BRIDGE, alert(room))
    assert len(payload) == message.LIMIT_BYTES == 8192
    assert message.decode(message.FROM_BRIDGE, payload)[1].message == "y" * room
    assert refusal(message.encode, message.FROM_BRIDGE, alert(room + 1)) == (
        "alert: is 8193 bytes, the limit is 8192"
    )
