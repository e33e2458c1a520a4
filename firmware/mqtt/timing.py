"""When an MQTT client pings, gives up and tries again, as functions of elapsed time."""

# How far a connection is: TCP and TLS, CONNECT, SUBSCRIBE, then messages go both ways.
CLOSED, OPENING, GREETING, SUBSCRIBING, UP = 0, 1, 2, 3, 4

CONNECT_MS = 15000  # TCP, TLS, CONNACK and SUBACK together
PINGRESP_MS = 10000  # PINGREQ to PINGRESP; later the link is lost
ACKNOWLEDGE_MS = 20000  # PUBLISH to PUBACK; later the link is lost
STEADY_MS = 10000  # a connection that lived this long starts the back-off anew
BACK_OFF_MS_MAX = 30000

NOTHING, PING, LOST = 0, 1, 2


def keepalive(heard_ms: int, sent_ms: int, ping_ms: int, keepalive_ms: int) -> int:
    """NOTHING, PING or LOST, from the ms since something was heard, sent, and pinged for.

    `ping_ms` is -1 when no PINGREQ waits for its answer. Half of the keepalive leaves the broker
    (which waits 1.5 times of it) and a slow link their time. Not hearing is a reason to ping too:
    a device that only sends sound would never notice a dead link.
    """
    if ping_ms >= 0:
        return LOST if ping_ms >= PINGRESP_MS else NOTHING
    return PING if max(heard_ms, sent_ms) >= keepalive_ms // 2 else NOTHING


def back_off_ms(attempt: int, getrandbits) -> int:
    """How long to wait before try `attempt` (0 = the first after a loss), 1000 to 30000 ms.

    Doubles, with a third of jitter so that a home of devices does not come back at once;
    `getrandbits(16)` gives the chance.
    """
    longest = BACK_OFF_MS_MAX if attempt > 4 else 1500 << attempt
    return longest - (longest // 3 * getrandbits(16) >> 16)
