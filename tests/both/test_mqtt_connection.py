"""When a connection to the broker is pinged, ended and tried again, and in which words."""

import errno

from mqtt import timing
from mqtt.packet import RefusedError
from mqtt.reason import Reasons
from mqtt.timing import GREETING, OPENING, SUBSCRIBING, UP
from voxwire.errors import WireError

SILENT = OSError(errno.ETIMEDOUT, "silent")
RESET = OSError(errno.ECONNRESET, "reset")
GONE = "No connection to the broker at host:1883 (ECONNRESET): check that it runs."
TAKEN = (
    "Another device may use the id cam: the broker ends every connection soon."
    " Give one of them another id."
)


def reasons(host="host", user=None, tls=False):
    return Reasons("cam", host, 1883, user, tls)


def test_every_end_is_a_problem_with_its_remedy():
    for why, phase, sentence in (
        (OSError(errno.ECONNREFUSED, "refused"), OPENING, GONE.replace("RESET", "REFUSED")),
        (RESET, OPENING, GONE),
        (RESET, UP, GONE),
        (OSError(errno.EIO, "wire"), GREETING, GONE.replace("ECONNRESET", "EIO")),
        (SILENT, OPENING, "The broker at host does not answer: check it."),
        (SILENT, SUBSCRIBING, "The broker at host does not answer: check it."),
        (SILENT, UP, "The broker at host does not answer any more: check it."),
        (
            RESET,
            GREETING,
            "The broker at host:1883 hung up on user '(none)':"
            " check the user name, the password and the port.",
        ),
        (
            RefusedError(2),
            GREETING,
            "The broker refused the client id 'cam': give the device another id.",
        ),
        (
            WireError("mqtt", "begins without a CONNACK"),
            GREETING,
            "What host:1883 sends is not MQTT (mqtt: begins without a CONNACK):"
            " check host and port.",
        ),
    ):
        assert reasons().sentence(why, phase, 0) == sentence


def test_a_failure_of_tls_is_distinguished_from_a_missing_broker():
    secure = reasons(tls=True)
    sentence = "TLS with host:1883 failed (%s): check the broker's certificate and this clock."
    assert secure.sentence(ValueError("bad form"), OPENING, 0) == sentence % "bad form"
    assert secure.sentence(OSError(-9984, "expired"), OPENING, 0) == sentence % "expired"
    assert secure.sentence(RESET, OPENING, 0) == GONE


def test_a_host_with_more_than_a_name_is_the_first_thing_to_mend():
    for host in ("mqtt://host", "host:1883"):
        sentence = "The host %s must be a name or an address alone: set it again." % host
        assert reasons(host).sentence(OSError(-2, "unknown"), OPENING, 0) == sentence


def test_three_short_connections_in_a_row_that_the_broker_ends_were_taken_by_another_device():
    ends = reasons()
    sentences = [ends.sentence(RESET, UP, lived_ms) for lived_ms in (0, 59999, 100, 100)]
    assert sentences == [GONE, GONE, TAKEN, TAKEN]
    assert ends.sentence(RESET, UP, 60000) == GONE
    assert ends.sentence(RESET, SUBSCRIBING, 0) == GONE
    ends = reasons()
    assert [ends.sentence(RESET, SUBSCRIBING, 0) for _ in range(3)] == [GONE, GONE, TAKEN]
    assert [ends.sentence(RESET, UP, 60001) for _ in range(3)] == [GONE, GONE, GONE]
    assert [ends.sentence(RESET, OPENING, 0) for _ in range(3)] == [GONE, GONE, GONE]
    assert ends.sentence(SILENT, UP, 0).startswith("The broker at host does not answer")
    assert [ends.sentence(RESET, UP, 0) for _ in range(3)] == [GONE, GONE, TAKEN]


def test_an_idle_link_is_pinged_after_half_of_the_keepalive():
    assert timing.keepalive(14999, 14999, -1, 30000) == timing.NOTHING
    assert timing.keepalive(15000, 0, -1, 30000) == timing.PING
    assert timing.keepalive(0, 15001, -1, 30000) == timing.PING
    assert timing.keepalive(15000, 15000, 0, 30000) == timing.NOTHING


def test_a_missing_answer_to_a_ping_is_a_lost_link():
    assert timing.keepalive(20000, 9999, 9999, 30000) == timing.NOTHING
    assert timing.keepalive(20000, 10000, 10000, 30000) == timing.LOST
    assert timing.keepalive(20000, 10000, 10001, 30000) == timing.LOST
    assert len({timing.NOTHING, timing.PING, timing.LOST}) == 3


def test_a_connection_comes_through_its_phases_in_order():
    assert timing.CLOSED < OPENING < GREETING < SUBSCRIBING < UP


def waits(chance):
    def getrandbits(bits):
        assert bits == 16
        return chance

    return [timing.back_off_ms(attempt, getrandbits) for attempt in range(7)]


def test_the_back_off_doubles_from_one_to_thirty_seconds():
    assert waits(0) == [1500, 3000, 6000, 12000, 24000, 30000, 30000]


def test_jitter_shortens_a_pause_by_up_to_a_third():
    assert waits(65535) == [1001, 2001, 4001, 8001, 16001, 20001, 20001]
    assert waits(32768) == [1250, 2500, 5000, 10000, 20000, 25000, 25000]
