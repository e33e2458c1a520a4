"""When the MQTT client pings, gives up and tries again."""

from mqtt import timing


def test_an_idle_link_is_pinged_after_half_of_the_keepalive():
    assert timing.keepalive(14999, 14999, -1, 30000) == timing.NOTHING
    assert timing.keepalive(15000, 0, -1, 30000) == timing.PING
    assert timing.keepalive(0, 15000, -1, 30000) == timing.PING


def test_a_missing_answer_to_a_ping_is_a_lost_link():
    assert timing.keepalive(20000, 9999, 9999, 30000) == timing.NOTHING
    assert timing.keepalive(20000, 10000, 10000, 30000) == timing.LOST


def waits(chance):
    return [timing.back_off_ms(attempt, lambda bits: chance) for attempt in range(7)]


def test_the_back_off_doubles_from_one_to_thirty_seconds():
    assert waits(0) == [1500, 3000, 6000, 12000, 24000, 30000, 30000]


def test_jitter_shortens_a_pause_by_up_to_a_third():
    assert waits(65535) == [1001, 2001, 4001, 8001, 16001, 20001, 20001]
    assert waits(32768) == [1250, 2500, 5000, 10000, 20000, 25000, 25000]
