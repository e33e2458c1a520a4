"""The I2S parts on the port's rules: never blocked, what is lost is lost, samples as they are."""

from fakes.port import clock  # noqa: I001  the port's clock goes before all else
import asyncio

from fakes.port.i2s import I2S
from fakes.port.pins import Pin, journal
from hal.sound.i2s import I2sMicrophone, I2sSpeaker, Turn

IN, OUT = (5, 4, 6), (15, 16, 7)


def power_up(chip="esp32s3"):
    Pin.chip, Pin.forbidden = chip, ()
    Pin.levels.clear()
    for unit in list(I2S.units):
        I2S.units[unit].deinit()
    del journal[:]
    I2S.source, I2S.played = None, bytearray()
    clock.forget()


def ramp(frame):
    """Every frame tells itself from its neighbours; the right slot is another one."""
    return (frame & 0x3FFF) << 16, (frame & 0x3FFF) << 16 ^ 0x7FFFFFFF


class Amplifier:
    def on(self):
        journal.append(("amplifier", "on"))

    def off(self):
        journal.append(("amplifier", "off"))


def words(buffer, count):
    return [int.from_bytes(buffer[at : at + 2], "little") for at in range(0, count, 2)]


async def read(microphone, size):
    """`size` bytes, and the sizes they came in."""
    buffer, sizes = bytearray(size), []
    view, filled = memoryview(buffer), 0
    while filled < size:
        count = await microphone.readinto(view[filled:])
        assert count
        sizes.append(count)
        filled += count
    return buffer, sizes


async def test_a_microphone_gives_dma_steps_and_never_blocks():
    power_up()
    I2S.source = ramp
    microphone = I2sMicrophone(1, IN, Turn())
    microphone.start()
    _, sizes = await read(microphone, 1280)
    assert sizes == [256] * 5
    assert clock.longest_us == 0


async def test_the_first_tenth_of_a_second_is_not_heard():
    power_up()
    microphone = I2sMicrophone(1, IN, Turn())
    began_us = clock.now_us()
    microphone.start()
    await read(microphone, 512)
    # 1600 samples are begun 7 steps of 256; the eighth is the first that counts.
    assert 8 * 16000 <= clock.now_us() - began_us <= 8 * 16000 + 10000


async def test_what_is_not_read_within_the_dma_is_lost_without_a_word():
    power_up()
    microphone = I2sMicrophone(1, IN, Turn())
    microphone.start()
    await read(microphone, 1280)
    unit = I2S.units[1]
    clock.block(300000)
    await read(microphone, 1280)
    assert unit.lost >= (300 - 144) * 16 - 256


async def test_the_right_slot_is_taken_where_the_microphone_is_strapped_so():
    power_up()
    I2S.source = lambda frame: (0, 3000 << 16 if frame // 16 % 2 else (-3000 << 16) & 0xFFFFFFFF)
    microphone = I2sMicrophone(1, IN, Turn(), right=True)
    microphone.start()
    pcm, _ = await read(microphone, 1280)
    assert max(each for each in words(pcm, 1280) if each < 0x8000) > 2800


async def test_a_stopped_microphone_ends_a_waiting_read_within_10_ms():
    power_up()
    microphone = I2sMicrophone(1, IN, Turn())
    microphone.start()
    waiting = asyncio.create_task(microphone.readinto(memoryview(bytearray(1280))))
    await asyncio.sleep_ms(30)
    microphone.stop()
    stopped_us = clock.now_us()
    assert await waiting == 0
    assert clock.now_us() - stopped_us <= 10000
    assert I2S.units == {}


async def test_a_speaker_takes_a_ring_full_and_then_step_by_step_without_blocking():
    power_up()
    speaker = I2sSpeaker(0, OUT, Turn())
    speaker.start(16000)
    view, sizes = memoryview(b"\x01\x02" * 4096), []
    left = len(view)
    while left:
        count = await speaker.write(view[len(view) - left :])
        sizes.append(count)
        left -= count
    assert clock.longest_us == 0
    assert max(sizes) <= 8 * 512 and sum(sizes) == 8192


async def test_a_speaker_is_empty_only_when_the_last_sample_was_heard():
    for rate_hz in (16000, 24000):
        power_up()
        speaker = I2sSpeaker(0, OUT, Turn())
        speaker.start(rate_hz)
        assert speaker.buffered_ms() == 0
        view = memoryview(b"\x01\x02" * 3000)
        while view:
            view = view[await speaker.write(view) :]
        while speaker.buffered_ms():
            await asyncio.sleep_ms(10)
        speaker.stop()
        assert bytes(I2S.played).count(b"\x01\x02") == 3000
        # The ring is the most that is held; waiting longer would only be slow.
        assert len(I2S.played) <= 6000 + 2 * 8 * 512 + rate_hz // 50 * 2


async def test_the_pins_they_share_go_from_one_to_the_other():
    power_up("esp32c3")
    turn = Turn()
    microphone = I2sMicrophone(0, (8, 6, 7), turn)
    speaker = I2sSpeaker(0, (8, 6, 5), turn, amplifier=Amplifier())
    for _ in range(2):
        microphone.start()
        await read(microphone, 1280)
        speaker.start(16000)
        assert await microphone.readinto(memoryview(bytearray(640))) == 0
        assert await speaker.write(memoryview(bytes(640)))
    speaker.stop()
    speaker.stop()
    once = [
        ("i2s", 0, "rx", 32, 16000), ("i2s", 0, "off"), ("i2s", 0, "tx", 16, 16000),
        ("amplifier", "on"), ("amplifier", "off"), ("i2s", 0, "off"),
    ]  # fmt: skip
    assert journal == once + once


async def test_two_units_hear_and_speak_at_a_time():
    power_up()
    microphone, speaker = I2sMicrophone(1, IN, Turn()), I2sSpeaker(0, OUT, Turn())
    microphone.start()
    speaker.start(24000)
    assert await speaker.write(memoryview(bytes(640)))
    await read(microphone, 1280)
    assert sorted(I2S.units) == [0, 1]


def test_a_rate_that_the_board_lacks_is_refused():
    power_up()
    speaker = I2sSpeaker(0, OUT, Turn(), rates_hz=(16000,))
    try:
        speaker.start(24000)
    except ValueError as error:
        assert str(error) == "the speaker cannot play 24000 Hz"
    else:
        raise AssertionError("it was not refused")


async def test_reading_and_writing_allocate_nothing_once_they_run():
    import gc

    power_up()
    microphone = I2sMicrophone(1, IN, Turn())
    microphone.start()
    await read(microphone, 4096)
    buffer = memoryview(bytearray(1280))
    # What the fake itself takes is counted too, and taken off.
    clock.block(16000)
    unit, slots = I2S.units[1], microphone._beginning(256)
    gc.collect()
    before = gc.mem_alloc()
    unit.readinto(slots)
    fakes_own = gc.mem_alloc() - before
    clock.block(16000)
    before = gc.mem_alloc()
    microphone._read(buffer)
    assert gc.mem_alloc() - before <= fakes_own + 64
