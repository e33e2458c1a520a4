"""Inline data (`data:` URIs) in a text: pictures are decoded, no letter of it is shown."""

import re
from base64 import b64decode

from voxcard.cards.text.sanitize import BYTES_MAX

PICTURE_MAX = 5 << 20  # bytes of one picture
PICTURES_MAX = 4

# The payload is one run of a class, so the search is linear whatever the text is.
_URI = re.compile(
    r"data:(?:([a-z]{1,20})/[\w.+-]{1,60})?(?:;[\w=.+-]{1,60}){0,4},[\w+/=%.~-]*", re.IGNORECASE
)
_BASE64 = re.compile(r"data:image/(?!svg)[\w.+-]{1,60}(?:;[\w=.+-]{1,60}){0,3};base64,", re.I)
_PLACE = re.compile(r"data:,(\d{1,3})\Z")
_POINTING = ("](", "](<", 'src="', "src='")
_BARE_MIN = 200
_RUN = re.compile(
    rf"(?:^|(?<=[\s\"'`(\[:,]))([A-Za-z0-9+/]{{{_BARE_MIN},}}={{0,2}})", re.MULTILINE
)
_LINES = re.compile(r"^((?:[A-Za-z0-9+/]{60,80}\n){3,}[A-Za-z0-9+/]{0,80}={0,2})$", re.MULTILINE)
SHORT = 16  # a URI of so few characters may stand in a text


def lifted(text: str) -> tuple[str, tuple[str, ...]]:
    """`text` (its first 1 MiB) without its data URIs, and those URIs.

    One that a link or an image points at becomes `data:,<its number>` (see `picture`), one that
    stands alone becomes [picture] or [file].
    """
    text = text[:BYTES_MAX]
    if "data:" not in text.lower():
        return text, ()
    uris: list[str] = []

    def place(match: re.Match[str]) -> str:
        if len(match[0]) < SHORT or (match[1] is None and "base64" not in match[0]):
            return match[0]
        if text[max(0, match.start() - 5) : match.start()].endswith(_POINTING):
            uris.append(match[0])
            return f"data:,{len(uris) - 1}"
        return "[picture]" if str(match[1]).lower() == "image" else "[file]"

    return _URI.sub(place, text), tuple(uris)


def without_files(text: str) -> str:
    """`text` with [file] for base64 that stands in it without a `data:`, in a run or in lines."""
    if len(text) < _BARE_MIN:
        return text
    return _LINES.sub(_file, _RUN.sub(_file, text))


def _file(match: re.Match[str]) -> str:
    """What has capitals, small letters and digits is no word, however long."""
    kinds = (str.isupper, str.islower, str.isdigit)
    if all(any(map(kind, match[1][:_BARE_MIN])) for kind in kinds):
        return match[0].replace(match[1], "[file]")
    return match[0]


def picture(source: str, uris: tuple[str, ...]) -> bytes:
    """The bytes behind an image's source: a place that `lifted` left, or a data URI; else none."""
    match = _PLACE.match(source)
    number = int(match[1]) if match else -1
    if 0 <= number < len(uris):
        source = uris[number] if number < PICTURES_MAX else ""
    start = _BASE64.match(source)
    if start is None or len(source) > PICTURE_MAX * 4 // 3:
        return b""
    try:
        return b64decode(source[start.end() :])
    except ValueError:
        return b""
