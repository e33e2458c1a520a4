"""Every parser of the wire: garbage gives a value or the one typed error; values survive."""

import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st
from voxwire import audio, blob, card, message, tool
from voxwire.bridge_only import capability_reader, channels
from voxwire.bridge_only.card_writer import to_data
from voxwire.bridge_only.tool_reader import read_description
from voxwire.errors import WireError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=20,
)
KEYS = sorted(
    {field.name for kind in (*message.FROM_DEVICE.values(), *message.FROM_BRIDGE.values())
     for field in kind.fields}
)  # fmt: skip
NEAR_MESSAGE = st.fixed_dictionaries(
    {"type": st.sampled_from([*message.FROM_DEVICE, *message.FROM_BRIDGE])},
    optional=dict.fromkeys(KEYS, JSON),
)
NEAR_CARD = st.fixed_dictionaries(
    {
        "id": st.text(max_size=5),
        "pages": st.lists(
            st.fixed_dictionaries(
                {"k": st.sampled_from("tqaiz")},
                optional=dict.fromkeys("tlmsnzdobwh", JSON),
            ),
            max_size=3,
        ),
    },
    optional={"rev": JSON, "foot": JSON, "ttl": JSON, "play": JSON, "res": JSON},
)


def value_or_wire_error(call, *arguments):
    try:
        return call(*arguments)
    except WireError as error:
        assert error.part and error.reason
        return None


@given(st.binary(max_size=300))
def test_garbage_bytes_give_a_value_or_the_typed_error(data):
    value_or_wire_error(message.decode, message.FROM_DEVICE, data)
    value_or_wire_error(message.decode, message.FROM_BRIDGE, data)
    value_or_wire_error(capability_reader.decode, data)
    value_or_wire_error(audio.decode, data)
    value_or_wire_error(blob.decode, data)
    value_or_wire_error(blob.read_head, data)


@given(JSON)
def test_any_json_gives_a_value_or_the_typed_error(data):
    value_or_wire_error(card.from_data, data)
    value_or_wire_error(tool.parse, data)
    value_or_wire_error(read_description, data)
    value_or_wire_error(capability_reader.decode, json.dumps(data).encode())


@given(NEAR_MESSAGE)
def test_a_message_that_is_read_is_written_the_same_again(data):
    for table in (message.FROM_DEVICE, message.FROM_BRIDGE):
        decoded = value_or_wire_error(message.decode, table, json.dumps(data).encode())
        if decoded is not None:
            assert message.decode(table, message.encode(table, decoded[1])) == decoded


@given(NEAR_CARD)
def test_a_card_that_is_read_is_written_the_same_again(data):
    read = value_or_wire_error(card.from_data, data)
    if read is not None:
        assert card.from_data(json.loads(json.dumps(to_data(read)))) == read


@given(st.text(max_size=40))
def test_a_topic_is_one_of_a_device_or_refused(name):
    value_or_wire_error(channels.parse, "voxcard", "voxcard/" + name)


@given(st.binary(max_size=30000), st.data())
def test_a_blob_arrives_whole_whatever_is_repeated_or_lost_and_asked_again(data, draw):
    head = blob.Head("photo", len(data), hashlib.sha256(data).hexdigest(), "")
    received = bytearray()
    receiver = blob.Receiver(lambda _: received.extend, hashlib.sha256(), 30000)
    done, total = None, blob.count(head)
    for _ in range(4):
        for index in draw.draw(st.lists(st.integers(0, total - 1), max_size=6)):
            done = receiver.add(blob.chunk_at(1, head, data, index)) or done
    while done is None:
        done = receiver.add(blob.chunk_at(1, head, data, receiver.next))
    assert done == head and bytes(received) == data


@given(st.integers(0, 65535), st.integers(-32768, 32767))
def test_distance_is_what_was_added(base, step):
    assert audio.distance((base + step) & 0xFFFF, base) == step
