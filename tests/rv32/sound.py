"""Runs under MicroPython: everything that is native code in the firmware, a line a case.

Every result has guard bytes around it, so that a store beside its place shows. The noise is the
same everywhere. A line holds what was returned, and a digest of the bytes.
"""

from array import array
from binascii import hexlify
from hashlib import sha256

from audio import adpcm, buffers, level
from hal.sound import pcm, stretch

GUARD = 8
PACKET = 4 + 320 // 2


def noise(count, seed):
    """`count` bytes."""
    data = bytearray(count)
    for i in range(count):
        seed = (seed * 1103515245 + 12345) & 0x3FFFFFFF
        data[i] = seed >> 16
    return data


def samples(values):
    return bytearray(array("h", values))


def signals():
    """(name, pcm16) of silence, full scale, one loud sample, a ramp over all values, noise."""
    yield "silence", samples([0] * 320)
    yield "highest", samples([32767] * 320)
    yield "lowest", samples([-32768] * 320)
    yield "square", samples([32767, -32768] * 160)
    yield "slow square", samples(([32767] * 20 + [-32768] * 20) * 8)
    yield "one", samples([0] * 100 + [-32768] + [0] * 219)
    yield "ramp", samples([i * 205 - 32768 for i in range(320)])
    yield "least", samples([0, 1, 0, -1] * 80)
    for seed in range(8):
        yield f"noise {seed}", noise(640, seed + 1)


def text(value):
    if isinstance(value, int):
        return str(value)
    return str(hexlify(sha256(value).digest()[:8]), "ascii")


def say(name, *results):
    print(name, *[text(each) for each in results])


def guarded(size, offset=0):
    """(whole, view): room for `size` bytes from `offset` bytes behind the guard."""
    whole = bytearray(b"\xa5" * (GUARD + offset + size + GUARD))
    return whole, memoryview(whole)[GUARD + offset : GUARD + offset + size]


def golden(read):
    """The packets of every golden recording, and what is decoded from audioop's."""
    for name in ("tones", "square", "noise", "onset"):
        recorded, packets = read(name + ".pcm"), read(name + ".adpcm")
        state = adpcm.new_state()
        for frame in range(len(recorded) // 640):
            whole, packet = guarded(PACKET)
            size = adpcm.encode(recorded[frame * 640 :], 320, packet, state)
            say(f"golden {name} {frame} {size}", packet)
            say("around", whole, state)
            decode("decoded", packets[frame * PACKET : (frame + 1) * PACKET])


def decode(name, packet):
    whole, decoded = guarded((len(packet) - 4) * 4)
    say(name, adpcm.decode(packet, len(packet), decoded), whole)


def encoded():
    """Every signal, in frames of many lengths, from many states, at many places in a buffer."""
    for name, recorded in signals():
        for count in (0, 1, 2, 3, 160, 318, 319, 320):
            for predictor, index in ((0, 0), (0x8000, 88), (0x7FFF, 44), (0xFFFF, 1)):
                state = array("H", [predictor, index])
                whole, packet = guarded(4 + (count + 1) // 2, offset=count % 4)
                size = adpcm.encode(recorded, count, packet, state)
                say(f"encode {name} {count} {predictor} {index}", size, whole, state)


def decoded():
    """Every step index with every code, from the ends of the range; packets of all short sizes."""
    for index in range(89):
        for predictor in (0, 0x7FFF, 0x8000, 0xFFFF):
            head = bytes([predictor >> 8, predictor & 255, index, 0])
            decode(f"decode {index} {predictor}", head + bytes(range(0, 256, 5)))
    for size in range(4, 40):
        decode(f"short {size}", bytes([0x12, 0x34, 50, 0]) + noise(size - 4, size))


def levels():
    """Gain, fading, clearing, the mean: every signal, and lengths that are odd, or none."""
    for name, recorded in signals():
        for count in (1, 2, 7, 319, 320):
            say(f"mean {name} {count}", level.mean(recorded, count))
            for gain in (0, 1, 10, 1023, 1024, 1025, 5000, level.GAIN_MAX):
                changed(f"amplify {name} {count} {gain}", recorded, level.amplify, count, gain)
        for count in (0, 1, 2, 3, 7, 319, 320):
            changed(f"fade {name} {count}", recorded, level.fade_out, count)
            changed(f"clear {name} {count}", recorded, level.clear, count // 2, count)
    changed("clear nothing", noise(640, 3), level.clear, 9, 3)
    long = samples([-32768] * 32767)
    say("mean of the loudest", level.mean(long, 32767), level.mean(long, 1))


def changed(name, recorded, function, *arguments):
    whole, view = guarded(len(recorded))
    view[:] = recorded
    function(view, *arguments)
    say(name, whole)


def slots():
    """What a microphone's slots become, left and right, from every shift, with DC carried over."""
    for name, high in signals():
        for shift in range(9, 17):
            for first, stride in ((0, 1), (0, 2), (1, 2)):
                read = bytearray(1280)
                for i in range(320):
                    read[4 * i], read[4 * i + 1] = i & 255, i * 7 & 255
                    read[4 * i + 2 : 4 * i + 4] = high[2 * i : 2 * i + 2]
                whole, view = guarded(320)
                dc = pcm.narrow(read, first, stride, 160, shift, view, 0)
                again = pcm.narrow(read, first, stride, 159, shift, view, dc)
                say(f"narrow {name} {shift} {first} {stride}", dc, again, whole)


def stretched():
    """What comes of 15625 samples a second, from many places, in pieces of many lengths."""
    # Its own is made of floats, which are not everywhere the same.
    table = array("h", [(weight - 128) * 16 for weight in noise(1024, 7)])
    for name, recorded in signals():
        for count in (0, 1, 2, 124, 125, 256):
            for place in (0, 1, 64, 127):
                wire, view = guarded(14 + 2 * count)
                view[:] = recorded[: 14 + 2 * count]
                whole, made = guarded(2 * (count * 128 // 125 + 2))
                state = stretch.stretch(view, count, place, table, made)
                say(f"stretch {name} {count} {place}", state, wire, whole)
    for first in (0, 1, 5):
        whole, view = guarded(9)
        stretch._move(noise(20, 6), first, 9, view)
        say(f"move {first}", whole)


def copies():
    """Copies from any offset, to any place, of any short length."""
    source = noise(64, 5)
    for first in range(5):
        for size in (0, 1, 2, 3, 31, 59):
            whole, view = guarded(size, offset=first)
            buffers.copy(source, first, size, view)
            say(f"copy {first} {size}", whole)


def main(folder):
    """`folder` has the golden recordings."""

    def read(name):
        with open(folder + "/" + name, "rb") as file:
            return file.read()

    golden(read)
    encoded()
    decoded()
    levels()
    slots()
    stretched()
    copies()
