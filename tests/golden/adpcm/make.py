"""Write the golden ADPCM packets with CPython's audioop; --check compares instead.

python tests/golden/adpcm/make.py [--check]   Each NAME.pcm holds frames of 320 samples, NAME.adpcm
the packets of voxwire.audio made of them one after the other with the state carried over.
"""

import audioop
import math
import random
import struct
import sys
from pathlib import Path

HERE = Path(__file__).parent
SAMPLES, FRAMES = 320, 4


def signals() -> dict[str, list[int]]:
    """Samples of each golden file: speech-like, clamping, random, and a start out of silence."""
    count = SAMPLES * FRAMES
    noise = random.Random(1)
    tones = [int(12000 * math.sin(i * 0.1) + 3000 * math.sin(i * 0.73)) for i in range(count)]
    return {
        "tones": tones,
        "square": [32767 if i // 20 % 2 else -32768 for i in range(count)],
        "noise": [noise.randint(-32768, 32767) for _ in range(count)],
        "onset": [0] * 480 + tones[480:],
    }


def packets(pcm: bytes) -> bytes:
    """The packets of whole frames of `pcm`, header included, one after the other."""
    state, made = (0, 0), b""
    for start in range(0, len(pcm), SAMPLES * 2):
        header = struct.pack(">hBB", *state, 0)
        body, state = audioop.lin2adpcm(pcm[start : start + SAMPLES * 2], 2, state)
        made += header + body
    return made


def files() -> dict[str, bytes]:
    made = {}
    for name, samples in signals().items():
        pcm = struct.pack(f"<{len(samples)}h", *samples)
        made[f"{name}.pcm"] = pcm
        made[f"{name}.adpcm"] = packets(pcm)
    return made


def main() -> int:
    stale = []
    for name, data in files().items():
        path = HERE / name
        if "--check" not in sys.argv:
            path.write_bytes(data)
        elif not path.exists() or path.read_bytes() != data:
            stale.append(name)
    if stale:
        print(f"stale: {', '.join(stale)}; run python {Path(__file__).name}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
