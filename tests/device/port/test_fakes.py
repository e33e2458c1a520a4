"""The fakes keep the port's rules, so that what passes on them has a chance on a board."""

from fakes.port import clock  # noqa: I001  the port's clock goes before all else
import asyncio
import select
import sys
import time

import esp32
import machine
import umachine
from fakes.port.i2s import I2S
from fakes.port.pins import Pin


def i2s(unit=0, mode=I2S.RX, bits=32, form=I2S.MONO, rate=16000, ibuf=8192, sd=7):
    return I2S(unit, sck=Pin(8), ws=Pin(6), sd=Pin(sd), mode=mode, bits=bits, format=form,
               rate=rate, ibuf=ibuf)  # fmt: skip


def power_up(chip):
    Pin.chip, Pin.forbidden = chip, ()
    for unit in list(I2S.units):
        I2S.units[unit].deinit()
    clock.forget()


def refused(call, kind):
    try:
        call()
    except kind as error:
        return str(error)
    raise AssertionError("it was not refused")


def test_machine_is_shadowed_and_the_built_in_is_umachine():
    assert machine.__file__.endswith("/modules/machine.py")
    assert hasattr(umachine, "mem32") and not hasattr(umachine, "I2S")


def test_a_c3_has_one_unit_the_others_have_two():
    for chip, units in (("esp32", 2), ("esp32s3", 2), ("esp32c3", 1)):
        power_up(chip)
        i2s(units - 1)
        assert refused(lambda units=units: i2s(units), ValueError) == "invalid id"


def test_a_unit_has_one_direction_and_no_master_clock():
    power_up("esp32s3")
    first = i2s()
    i2s(mode=I2S.TX, bits=16, sd=5)
    assert refused(lambda: first.readinto(bytearray(4)), OSError) == "-258"
    wires = {"sck": Pin(8), "ws": Pin(6), "sd": Pin(7)}
    wires.update({"mode": I2S.RX, "bits": 32, "format": I2S.MONO, "rate": 16000, "ibuf": 8192})
    assert refused(lambda: I2S(0, mck=Pin(2), **wires), TypeError)


def test_a_read_blocks_until_it_was_polled_once_and_never_after():
    power_up("esp32s3")
    unit = i2s()
    assert unit.readinto(bytearray(4096)) == 4096
    assert clock.longest_us >= 1024 * 1000000 // 16000
    clock.forget()
    poller = select.poll()
    poller.register(unit, select.POLLIN)
    poller.poll(0)
    assert unit.readinto(bytearray(4096)) == 0
    assert clock.longest_us == 0
    clock.block(17000)
    assert unit.readinto(bytearray(4096)) == 1024, "one step of 256 frames"


def test_a_write_blocks_until_it_was_polled_once():
    power_up("esp32s3")
    unit = i2s(mode=I2S.TX, bits=16, ibuf=4096)
    assert unit.write(bytes(8192)) == 8192
    assert clock.longest_us > 100000


def test_an_unread_dma_loses_its_oldest_frames_in_silence():
    power_up("esp32s3")
    unit = i2s(ibuf=8192)
    unit.ioctl(3, 1)
    clock.block(1000000)
    assert unit.readinto(bytearray(4 * 16000)) == 4 * 4 * 256
    assert unit.lost > 14000


def test_a_bus_takes_the_time_of_its_bits():
    power_up("esp32s3")
    spi = machine.SPI(
        1, baudrate=40000000, polarity=0, phase=0, sck=Pin(1), mosi=Pin(2), miso=None
    )
    before_us = clock.now_us()
    spi.write(bytes(5000))
    assert clock.now_us() - before_us == 1000
    bus = machine.I2C(0, sda=Pin(4), scl=Pin(5), freq=100000)
    before_us = clock.now_us()
    refused(lambda: bus.writeto(1, bytes(9)), OSError)
    assert clock.now_us() - before_us == 900


def test_pins_that_the_image_has_not_are_refused():
    Pin.chip, Pin.forbidden = "esp32s3", (35, 36, 37)
    assert refused(lambda: Pin(36), ValueError) == "invalid pin"
    Pin.chip, Pin.forbidden = "esp32", ()
    assert refused(lambda: Pin(34, Pin.OUT), ValueError) == "pin can only be input"


def test_what_nvs_did_not_commit_is_gone():
    esp32.NVS.stored.clear()
    esp32.NVS("voxcard").set_blob("wifi", b"x")
    assert refused(lambda: esp32.NVS("voxcard").get_blob("wifi", bytearray(8)), OSError) == "-4354"
    store = esp32.NVS("voxcard")
    store.set_blob("wifi", b"x")
    store.commit()
    assert esp32.NVS("voxcard").get_blob("wifi", bytearray(8)) == 1
    assert refused(lambda: store.set_blob("a" * 16, b"x"), OSError) == "-4105"


async def test_time_passes_while_all_sleep_and_seconds_count_from_2000():
    begun_us = clock.now_us()
    await asyncio.sleep_ms(30000)
    assert 29999000 <= clock.now_us() - begun_us <= 30000000  # ticks are whole milliseconds
    assert sys.modules["time"] is clock and time.gmtime(0)[0] == 2000
