"""Warnings about what was dropped or mended, without duplicates and bounded in number."""

from voxcard.cards.model import Warned
from voxcard.cards.text.sanitize import label

NOTES_MAX = 100
_PATH_MAX = 120


class Notes:
    """Collects warnings; a detail never holds a value of the data model."""

    def __init__(self) -> None:
        self._notes: dict[Warned, None] = {}

    def add(self, code: str, path: str, detail: str) -> None:
        """Remember one drop; after NOTES_MAX of them further ones are not told apart."""
        if len(self._notes) < NOTES_MAX:
            path = label(path[:_PATH_MAX])
            self._notes[Warned(code=code, path=path, detail=detail)] = None

    @property
    def warnings(self) -> tuple[Warned, ...]:
        return tuple(self._notes)
