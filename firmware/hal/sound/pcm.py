"""From the slots of an I2S microphone to pcm16: shift, DC blocked, clamped.

The I2S unit of an ESP32 always receives 32-bit stereo, so microphones are read in 32 bits.
"""


@micropython.viper
def narrow(
    slots: ptr16, first: int, stride: int, samples: int, shift: int, pcm: ptr16, dc: int
) -> int:
    """Put `samples` samples of `slots` into `pcm`; returns the DC to pass with the next ones.

    A slot is 32 bits, little-endian; the first sample is in slot `first`, the next `stride`
    further. `shift` (9 to 16) is how far a slot goes down: 16 takes the upper 16 bits, 12 makes it
    16 times as loud; at 8 the DC of a full scale would leave a word of 32 bits. `dc` is in 256ths,
    0 at first; it follows by 1/512 a sample, 5 Hz at 16 kHz.
    """
    i = 0
    at = first * 2
    step = stride * 2
    while i < samples:
        high = int(slots[at + 1])
        if high & 0x8000:
            high -= 65536
        sample = high * (1 << (16 - shift)) + (int(slots[at]) >> shift)
        dc += ((sample << 8) - dc) >> 9
        sample -= (dc + 128) >> 8
        if sample > 32767:
            sample = 32767
        elif sample < -32768:
            sample = -32768
        pcm[i] = sample
        i += 1
        at += step
    return dc
