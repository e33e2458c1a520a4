"""Whatever bytes come on whatever topic: no exception, and the bridge still serves a turn."""

import json

from fakes.admission import Known
from fakes.bridge import HELLO, FakeAssistant, FakeDevice, run_virtual
from hypothesis import given, settings
from hypothesis import strategies as st
from voxcard.assistants import Done, Transcript
from voxcard.link.devices import Devices
from voxcard.link.hello_requests import HelloRequests
from voxcard.link.hello_watch import HelloWatch
from voxcard.link.problems import Problems
from voxcard.session.relays import Relays
from voxcard.switchboard import Options, Switchboard
from voxwire import message

CHANNELS = ("hello", "status", "up", "mic", "blob/up", "nothing", "")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=5,
)


def almost(kind):
    """Objects that look like a message of this kind."""
    fields = {field.name: JSON | st.just("s1") for field in kind.fields}
    return st.fixed_dictionaries({"type": st.just(kind.type)}, optional=fields)


MESSAGES = st.one_of(*(almost(kind) for kind in message.FROM_DEVICE.values()))
PAYLOADS = st.one_of(
    st.binary(max_size=64),
    JSON.map(lambda value: json.dumps(value).encode()),
    MESSAGES.map(lambda value: json.dumps(value).encode()),
    st.binary(max_size=40).map(lambda rest: b"\1\1" + rest),
)


async def answer(heard):
    yield Transcript(text="still here")
    yield Done()


@settings(max_examples=150)
@given(st.lists(st.tuples(st.sampled_from(CHANNELS), PAYLOADS, st.booleans()), max_size=8))
def test_garbage_changes_nothing_for_the_next_turn(sent):
    async def conversation():
        # Garbage may be a legal listen: each opens a turn.
        device = FakeDevice(FakeAssistant(*[answer] * (len(sent) + 1)))
        board = Switchboard(
            "voxcard",
            Devices(lambda: 0.0, iter(["s1"] * (len(sent) + 2)).__next__),
            Relays(),
            make_relay=lambda device_id: device.relay,
            options=lambda device_id: Options(name="", locale="en", cards="full"),
            requests=HelloRequests(
                lost=list,
                has_session=lambda device_id: False,
                root="voxcard",
                publish=lambda topic, payload: True,
                now_s=lambda: 0.0,
            ),
            watch=HelloWatch("voxcard", Problems(lambda: 0.0), lambda: 0.0),
            admission=Known(),
        )
        hello = json.dumps(HELLO).encode()
        board.message("voxcard/kitchen/hello", hello, False)
        for channel, payload, retained in sent:
            board.message(f"voxcard/kitchen/{channel}", payload, retained)
        board.message("voxcard/kitchen/hello", hello, False)
        before = len(device.records)
        listen = {"type": "listen", "session_id": "s1", "id": "last", "state": "start"}
        board.message("voxcard/kitchen/up", json.dumps(listen).encode(), False)
        while not any(record.turn == "last" for record in device.records[before:]):
            await device.done(len(device.records) + 1)
        assert device.records[-1].transcript == "still here"

    run_virtual(conversation())
