"""Recordings of people that hold no wake word: Debian's, as pcm16 at 16 kHz."""

from collections.abc import Iterator
from pathlib import Path

import av

ROOT = Path(__file__).parents[2] / "out" / "recordings" / "usr" / "share"
RATE_HZ = 16000
# Debian's package -> its folder, the names of its files, and how many there are at least.
CORPORA = {
    "asterisk-core-sounds-en-g722": ("asterisk/sounds", ("g722",), 500),
    "pocketsphinx-testdata": ("pocketsphinx/test/data", ("wav", "raw"), 10),
}


class MissingCorpusError(Exception):
    """A package of recordings is not here."""


def pieces(*packages: str) -> Iterator[tuple[str, bytes]]:
    """(name, pcm16) of every recording, or those of `packages`.

    MissingCorpusError names the package that is not here.
    """
    for package in packages or CORPORA:
        folder, endings, least = CORPORA[package]
        paths = [path for end in endings for path in sorted((ROOT / folder).rglob(f"*.{end}"))]
        if len(paths) < least:
            found = f"{package}: {len(paths)} recordings of {least} in {ROOT / folder}."
            raise MissingCorpusError(f"{found} Run tools/install_recordings.sh")
        for path in paths:
            yield path.name, _pcm(path)


def _pcm(path: Path) -> bytes:
    if path.suffix == ".raw":  # as it is wanted
        return path.read_bytes()
    with av.open(str(path), format=path.suffix[1:]) as file:
        resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE_HZ)
        frames = [out for frame in file.decode(audio=0) for out in resampler.resample(frame)]
        return b"".join(out.to_ndarray().tobytes() for out in frames)
