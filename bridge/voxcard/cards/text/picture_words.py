"""A picture that is not drawn, in words."""

from voxcard.cards.model import ImageRef
from voxcard.cards.text.sanitize import host


def picture_words(image: ImageRef) -> str:
    """What it shows, else where it is from: `[picture] The lake`, `[picture] cam.example`."""
    return f"[picture] {image.alt or host(image.url)}".strip()
