"""What a sound file is, by its first bytes; nothing else is ever opened.

A demuxer is chosen here because those that FFmpeg finds by itself include playlists, which open
what they name. Magic numbers: RFC 2361 (WAV), RFC 3533 (Ogg), RFC 9639 (FLAC), ISO 11172-3 and
13818-7 (MPEG and ADTS frames), id3.org (ID3v2), ISO 14496-12 (MP4).
"""

HEAD_BYTES = 12
_ID3_BYTES = 10


def format_of(head: bytes) -> str | None:
    """FFmpeg's name of the demuxer for a file that begins with `head` (HEAD_BYTES or more)."""
    if head[:4] in (b"RIFF", b"RF64") and head[8:12] == b"WAVE":
        return "wav"
    if head[:4] == b"OggS":
        return "ogg"
    if head[:4] == b"fLaC":
        return "flac"
    if head[4:8] == b"ftyp":
        return "mov"
    if head[:3] == b"ID3":
        return "mp3"
    return _frame_format(head)


def tag_bytes(head: bytes) -> int:
    """Length of the ID3 tag that `head` begins; 0 without one."""
    if head[:3] != b"ID3" or len(head) < _ID3_BYTES:
        return 0
    size = 0
    for byte in head[6:10]:
        size = size << 7 | byte & 0x7F
    return _ID3_BYTES + size


def _frame_format(head: bytes) -> str | None:
    if len(head) < 2 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return None
    layer, version = head[1] >> 1 & 3, head[1] >> 3 & 3
    if layer == 0:  # no layer of MPEG audio: ADTS, whose sync word has twelve bits
        return "aac" if head[1] & 0xF6 == 0xF0 else None
    return "mp3" if version != 1 else None
