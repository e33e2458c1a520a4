"""The MQTT client against a scripted broker: connecting, both QoS, back-pressure, faults."""

import asyncio
import sys

from fakes.device import log_lines
from fakes.device.mqtt_broker import CONNACK, SUBACK, Broker, Clock, until
from mqtt import packet
from mqtt.client import Client

CONNECT = b"\x10\x0f\x00\x04MQTT\x04\x02\x00\x1e\x00\x03cam"
SUBSCRIBE = b"\x82\x0f\x00\x01\x00\x04down\x01\x00\x03spk\x00"


class Device:
    """A client with its run task, and what its owner heard of it."""

    def __init__(self, host="host", **options):
        self.broker, self.clock, self.heard = Broker(), Clock(), []
        self.client = Client(
            host,
            1883,
            "cam",
            connect=self.broker.connect,
            clock=self.clock,
            sleep_ms=self.clock.sleep_ms,
            getrandbits=lambda bits: 0,
            **options,
        )
        self.client.subscribe(b"down", 1, lambda payload: self.heard.append(bytes(payload)))
        self.client.subscribe(b"spk", 0, lambda payload: self.heard.append(bytes(payload)))
        self.client.on_up = lambda: self.heard.append("up")
        self.client.on_down = lambda why: self.heard.append(why)
        self.task = asyncio.create_task(self.client.run())

    @property
    def wire(self):
        return self.broker.wires[-1]

    async def up(self, connections=1):
        await until(lambda: len(self.broker.wires) == connections)
        self.wire.send(CONNACK + SUBACK)
        await until(lambda: self.client.connected)
        return self.wire.received()

    async def end(self):
        await self.client.stop(0)
        await self.task


async def test_it_connects_subscribes_and_is_up_when_the_broker_has_taken_both():
    device = Device()
    await until(lambda: device.broker.wires and device.wire.writes)
    assert device.wire.received() == CONNECT
    device.wire.send(CONNACK)
    await until(lambda: device.wire.writes)
    assert device.wire.received() == SUBSCRIBE
    assert not device.client.connected
    device.wire.send(SUBACK)
    await until(lambda: device.client.connected)
    assert device.heard == ["up"]
    await device.end()


async def test_stop_says_goodbye_and_closes():
    device = Device()
    await device.up()
    wire = device.wire
    await device.end()
    assert wire.received() == b"\xe0\x00" and wire.closed


async def test_messages_reach_the_handler_of_their_topic_and_qos_1_is_acknowledged():
    device = Device()
    await device.up()
    device.wire.send(b"\x32\x0a\x00\x04down\x00\x07hi" + b"\x30\x07\x00\x03spk\x01\x02")
    device.wire.send(b"\x30\x06\x00\x03xxx!")
    await until(lambda: len(device.heard) == 3)
    assert device.heard == ["up", b"hi", b"\x01\x02"]
    assert device.wire.received() == b"\x40\x02\x00\x07"
    await device.end()


async def test_what_the_broker_kept_is_dropped_acknowledged_and_named_with_the_remedy():
    device = Device()
    await device.up()
    device.wire.send(b"\x33\x0a\x00\x04down\x00\x07hi" + b"\x31\x07\x00\x03spk\x01\x02")
    device.wire.send(b"\x32\x0a\x00\x04down\x00\x08ho")
    await until(lambda: len(device.heard) == 2)
    assert device.heard == ["up", b"ho"]
    assert device.wire.received() == b"\x40\x02\x00\x07\x40\x02\x00\x08"
    sentence = "%s has a retained message, which is dropped. Clear it: mosquitto_pub -r -n -t %s"
    for line, topic in zip(log_lines.lines()[-2:], ("down", "spk")):
        assert line.endswith("warning mqtt: " + sentence % (topic, topic))
    await device.end()


async def test_what_the_broker_kept_on_a_retained_topic_is_passed_over_in_silence():
    device = Device()
    hear = lambda payload: device.heard.append(bytes(payload))  # noqa: E731
    device.client.subscribe(b"st", 0, hear, "drop")
    await until(lambda: device.broker.wires)
    device.wire.send(CONNACK + b"\x90\x05\x00\x01\x01\x00\x00")
    await until(lambda: device.client.connected)
    lines = len(log_lines.lines())
    device.wire.send(b"\x31\x06\x00\x02stof" + b"\x30\x06\x00\x02ston")
    await until(lambda: len(device.heard) == 2)
    assert device.heard == ["up", b"on"] and len(log_lines.lines()) == lines
    await device.end()


async def test_what_the_broker_kept_on_a_topic_of_kept_messages_is_delivered():
    device = Device()
    hear = lambda payload: device.heard.append(bytes(payload))  # noqa: E731
    device.client.subscribe(b"of", 1, hear, "deliver")
    await until(lambda: device.broker.wires)
    device.wire.send(CONNACK + b"\x90\x05\x00\x01\x01\x00\x01")
    await until(lambda: device.client.connected)
    device.wire.send(b"\x33\x08\x00\x02of\x00\x07of" + b"\x32\x06\x00\x02of\x00\x08")
    await until(lambda: len(device.heard) == 3)
    assert device.heard == ["up", b"of", b""]
    await device.end()


async def test_a_frame_is_one_write():
    device = Device()
    await device.up()
    assert device.client.send(b"mic", bytearray(b"abcdef"), 4)
    assert device.wire.writes == [b"\x30\x09\x00\x03micabcd"]
    await device.end()


async def test_a_full_socket_drops_new_frames_and_finishes_the_begun_one():
    device = Device()
    await device.up()
    device.wire.takes = 5
    assert device.client.send(b"mic", b"one", 3)
    assert not device.client.send(b"mic", b"two", 3)
    assert not device.client.send(b"mic", b"three", 5)
    assert device.client.frames_dropped == 2
    device.wire.takes = None
    assert device.client.send(b"mic", b"four", 4)
    assert device.wire.writes == [b"\x30\x08\x00\x03m", b"icone", b"\x30\x09\x00\x03micfour"]
    await device.end()


async def test_keep_alive_finishes_a_begun_frame_when_nothing_follows():
    device = Device()
    await device.up()
    device.wire.takes = 5
    assert device.client.send(b"mic", b"one", 3)
    device.wire.takes = None
    keeper = asyncio.create_task(device.client.keep_alive())
    await until(lambda: len(device.wire.writes) == 2)
    assert device.wire.received() == b"\x30\x08\x00\x03micone"
    keeper.cancel()
    await device.end()


async def test_frames_without_a_connection_are_dropped():
    device = Device()
    assert not device.client.send(b"mic", b"one", 3)
    await device.end()


async def test_a_frame_over_the_tx_buffer_is_a_fault_of_the_program():
    device = Device(tx_bytes=64)
    try:
        device.client.send(b"mic", bytes(64), 64)
    except ValueError as error:
        assert str(error) == "a frame of 64 bytes does not fit"
    else:
        raise AssertionError("was taken")
    await device.end()


async def test_publish_waits_for_the_connection_and_for_a_full_socket():
    device = Device()
    sending = asyncio.create_task(device.client.publish(b"up", b"early", 1))
    await device.up()
    await sending
    assert device.wire.received() == b"\x32\x0b\x00\x02up\x00\x02early"
    device.wire.takes = 3
    await device.client.publish(b"up", b"a")
    sending = asyncio.create_task(device.client.publish(b"up", b"b"))
    await asyncio.sleep_ms(0)
    assert device.wire.received() == b"\x30\x05\x00"
    device.wire.takes = None
    await sending
    assert device.wire.received() == b"\x02upa" + b"\x30\x05\x00\x02upb"
    await device.end()


async def test_a_large_message_is_written_from_where_it_lies():
    device = Device(tx_bytes=64)
    await device.up()
    payload = bytes(range(200))
    await device.client.publish(b"up", payload, 1)
    assert len(device.wire.writes) == 2
    assert device.wire.received() == b"\x32\xce\x01\x00\x02up\x00\x02" + payload
    await device.end()


async def test_after_a_reconnect_it_subscribes_again_then_sends_what_is_in_flight_in_order():
    device = Device()
    assert await device.up() == CONNECT + SUBSCRIBE
    ids = []
    for text in (b"one", b"two", b"six"):
        ids.append(await device.client.publish(b"up", text, 1, retain=text == b"two"))
    assert ids == [2, 3, 4]
    device.wire.send(b"\x40\x02\x00\x02")
    device.wire.end()
    assert await device.up(2) == (
        CONNECT
        + b"\x82\x0f\x00\x05\x00\x04down\x01\x00\x03spk\x00"
        + b"\x3b\x09\x00\x02up\x00\x03two"
        + b"\x3a\x09\x00\x02up\x00\x04six"
    )
    waiting = asyncio.create_task(device.client.acknowledged(4))
    device.wire.send(b"\x40\x02\x00\x04")
    await waiting
    device.wire.end()
    again = await device.up(3)
    assert b"two" in again and b"six" not in again
    await device.end()


async def test_a_full_table_makes_publish_wait_for_an_acknowledgement():
    device = Device()
    await device.up()
    for number in range(8):
        await device.client.publish(b"up", b"%d" % number, 1)
    device.wire.received()
    ninth = asyncio.create_task(device.client.publish(b"up", b"9", 1))
    for _ in range(20):
        await asyncio.sleep_ms(0)
    assert device.wire.received() == b""
    device.wire.send(b"\x40\x02\x00\x05")
    await ninth
    assert device.wire.received() == b"\x32\x07\x00\x02up\x00\x0a9"
    await device.end()


async def test_an_idle_link_is_pinged_and_a_silent_broker_is_left():
    device = Device()
    await device.up()
    device.clock.now_ms += 14999
    device.client.tick()
    assert device.wire.received() == b""
    device.clock.now_ms += 1
    device.client.tick()
    assert device.wire.received() == b"\xc0\x00"
    device.wire.send(b"\xd0\x00")
    for _ in range(5):
        await asyncio.sleep_ms(0)
    device.clock.now_ms += 15000
    device.client.tick()
    assert device.wire.received() == b"\xc0\x00"
    device.clock.now_ms += 10000
    device.client.tick()
    assert not device.client.connected
    await until(lambda: len(device.heard) == 2)
    assert device.heard[1] == "The broker at host does not answer any more: check it."
    assert device.broker.wires[0].closed
    await device.up(2)
    await device.end()


async def test_a_broker_that_never_acknowledges_is_left():
    device = Device()
    await device.up()
    await device.client.publish(b"up", b"one", 1)
    device.wire.send(b"\x30\x05\x00\x03spk")
    device.clock.now_ms += 19999
    device.wire.send(b"\x30\x05\x00\x03spk")
    for _ in range(5):
        await asyncio.sleep_ms(0)
    device.client.tick()
    assert device.client.connected
    device.clock.now_ms += 1
    device.client.tick()
    assert not device.client.connected
    await until(lambda: device.broker.wires[0].closed)
    await device.end()


async def test_a_broker_that_never_greets_is_left_after_the_limit():
    device = Device()
    await until(lambda: device.broker.wires)
    device.clock.now_ms += 14999
    device.client.tick()
    for _ in range(5):
        await asyncio.sleep_ms(0)
    assert not device.heard
    device.clock.now_ms += 1
    device.client.tick()
    await until(lambda: device.heard)
    assert device.heard == ["The broker at host does not answer: check it."]
    await device.end()


async def test_tries_back_off_and_a_steady_connection_starts_anew():
    device = Device()
    device.broker.away = True
    await until(lambda: len(device.clock.sleeps) == 6)
    assert device.clock.sleeps == [1500, 3000, 6000, 12000, 24000, 30000]
    assert device.heard[0] == (
        "No connection to the broker at host:1883 (ECONNREFUSED): check that it runs."
    )
    device.broker.away = False
    await device.up()
    device.clock.now_ms += 10000
    device.clock.sleeps.clear()
    device.wire.end()
    await until(lambda: device.clock.sleeps)
    assert device.clock.sleeps[0] == 1500
    await device.up(2)
    device.clock.now_ms += 9999
    device.clock.sleeps.clear()
    device.wire.end()
    await until(lambda: device.clock.sleeps)
    assert device.clock.sleeps[0] == 3000
    await device.end()


async def test_a_connection_that_breaks_at_once_goes_on_backing_off():
    device = Device()
    for connections in (1, 2, 3):
        await device.up(connections)
        device.wire.end()
        await until(lambda: not device.client.connected)
    await until(lambda: len(device.clock.sleeps) == 3)
    assert device.clock.sleeps == [1500, 3000, 6000]
    await device.end()


async def test_a_refusal_is_a_clear_sentence_without_the_password():
    device = Device(user="anna", password="geheim")
    await until(lambda: device.broker.wires)
    device.wire.send(b"\x20\x02\x00\x05")
    await until(lambda: device.heard)
    assert device.heard == [
        "The broker refused user 'anna': check the password and the broker's access list."
    ]
    assert device.client.problem == device.heard[0]
    assert "geheim" not in "".join(log_lines.lines())
    await device.end()


async def test_without_memory_for_the_reason_the_end_is_said_all_the_same():
    device = Device()
    await device.up()

    def full():
        raise MemoryError

    device.client._reason = full
    device.wire.end()
    await until(lambda: device.client.problem)
    assert device.heard[-1] == device.client.problem == "The connection to the broker is lost."
    del device.client._reason
    await device.up(2)
    await device.end()


async def test_the_sentences_are_in_the_heap_while_one_is_needed():
    device = Device()
    await device.up()
    device.wire.end()
    await until(lambda: device.client.problem)
    assert "check that it runs" in device.client.problem
    assert "mqtt.reason" not in sys.modules
    await device.end()


async def test_a_broker_that_hangs_up_instead_of_greeting_makes_the_user_suspect():
    device = Device(user="anna", password="geheim")
    await until(lambda: device.broker.wires)
    device.wire.end()
    await until(lambda: device.heard)
    assert device.heard == [
        "The broker at host:1883 hung up on user 'anna': "
        "check the user name, the password and the port."
    ]
    await device.end()


async def test_a_port_that_resets_before_the_greeting_is_out_has_no_broker():
    device = Device(user="anna")
    device.broker.breaks = True
    await until(lambda: device.heard)
    assert device.heard == [
        "No connection to the broker at host:1883 (ECONNRESET): check that it runs."
    ]
    await device.end()


async def test_a_host_that_is_no_name_is_named():
    for host in ("mqtt://broker", "broker:1883", "broker/"):
        device = Device(host=host)
        device.broker.away = True
        await until(lambda device=device: device.heard)
        sentence = "The host %s must be a name or an address alone: set it again."
        assert device.heard == [sentence % host]
        await device.end()


TAKEN = (
    "Another device may use the id cam: the broker ends every connection soon."
    " Give one of them another id."
)
ENDED = "No connection to the broker at host:1883 (ECONNRESET): check that it runs."


async def ends(*lives_ms):
    """What the person reads when the broker ends connections that lived so long."""
    device, sentences = Device(), []
    for count, life_ms in enumerate(lives_ms):
        await device.up(count + 1)
        device.heard.clear()
        device.clock.now_ms += life_ms
        device.wire.end()
        await until(lambda: device.heard)
        sentences.append(device.heard[0])
    await device.end()
    return sentences


async def test_a_broker_that_ends_each_connection_soon_may_have_another_device_of_this_id():
    assert await ends(1000, 3000, 12000, 500) == [ENDED, ENDED, TAKEN, TAKEN]


async def test_a_connection_that_lasts_shows_that_no_other_device_takes_it():
    assert await ends(1000, 3000, 60000, 500, 500) == [ENDED] * 5


async def answered_with(garbage):
    device = Device()
    await device.up()
    device.wire.send(garbage)
    await until(lambda: len(device.broker.wires) == 2)
    assert device.broker.wires[0].closed
    assert device.heard[1].startswith("What host:1883 sends is not MQTT (mqtt")
    await device.up(2)
    await device.end()


async def test_garbage_is_a_clean_reconnect():
    await answered_with(b"HTTP/1.1 400 Bad")
    await answered_with(b"\x30\xff\xff\xff\xff\xff")
    await answered_with(b"\x20\x02\x00\x00")


async def test_an_oversized_message_is_skipped_acknowledged_and_logged():
    device = Device(rx_bytes=64, rx_bytes_max=64)
    await device.up()
    body = b"\x00\x04down\x00\x07" + bytes(2000)
    device.wire.send(b"\x32\xd8\x0f" + body + b"\x30\x07\x00\x03spkok")
    await until(lambda: len(device.heard) == 2)
    assert device.heard == ["up", b"ok"]
    assert device.wire.received() == b"\x40\x02\x00\x07"
    assert log_lines.lines()[-1].endswith(
        "warning mqtt: skipped 2011 bytes on down: more than the 64 of the buffer"
    )
    await device.end()


async def test_a_write_that_fails_ends_the_connection_from_any_task():
    device = Device()
    await device.up()
    device.wire.broken = True
    assert not device.client.send(b"mic", b"one", 3)
    assert not device.client.connected
    await until(lambda: len(device.broker.wires) == 2)
    await device.up(2)
    await device.end()


async def test_many_messages_to_a_broker_that_does_not_read_wait_in_the_socket():
    device = Device()
    await device.up()
    device.wire.takes = 0
    device.wire.send(b"\x32\x0a\x00\x04down\x00\x07hi" * 100)
    for _ in range(50):
        await asyncio.sleep_ms(0)
    assert len(device.heard) < 20
    device.wire.takes = None
    await until(lambda: len(device.heard) == 101)
    assert device.wire.received() == b"\x40\x02\x00\x07" * 100
    await device.end()


async def test_a_refused_subscription_is_named():
    device = Device()
    await until(lambda: device.broker.wires)
    device.wire.send(CONNACK + b"\x90\x04\x00\x01\x80\x00")
    await until(lambda: device.client.connected)
    assert any("refuses this device the topic down" in line for line in log_lines.lines())
    await device.end()


async def test_cancelling_run_closes_the_connection():
    device = Device()
    await device.up()
    device.task.cancel()
    try:
        await device.task
    except asyncio.CancelledError:
        pass
    assert device.wire.closed and not device.client.connected


async def test_the_last_will_is_in_the_connect_packet():
    device = Device(will=packet.Will(b"st", b"off", 1, True))
    await until(lambda: device.broker.wires and device.wire.writes)
    assert device.wire.received() == (
        b"\x10\x18\x00\x04MQTT\x04\x2e\x00\x1e\x00\x03cam\x00\x02st\x00\x03off"
    )
    await device.end()
