"""Fixed words of cards by language: buttons, states, remarks. All other words are the author's."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from voxcard.cards.text.word_tables import TABLES
from voxcard.language.locales import HOME_LANGUAGE, best

# Set where a device's card is made; threads of asyncio.to_thread have it too. The parsers of
# dialects and the cutter ask for words deep inside, where no device is known.
_language: ContextVar[str] = ContextVar("language of cards", default=HOME_LANGUAGE)


def fixed_words(locale: str = HOME_LANGUAGE) -> Mapping[str, str]:
    """The words in the language of a locale such as `ro-RO`, English where there are none."""
    return TABLES[best(locale, TABLES)]


@contextmanager
def cards_in(locale: str) -> Iterator[None]:
    """What is made inside has its fixed words in the language of `locale`."""
    token = _language.set(best(locale, TABLES))
    try:
        yield
    finally:
        _language.reset(token)


class _Words(Mapping[str, str]):
    """The words in the language of the card that is being made."""

    def __getitem__(self, key: str) -> str:
        return TABLES[_language.get()][key]

    def __iter__(self) -> Iterator[str]:
        return iter(TABLES[HOME_LANGUAGE])

    def __len__(self) -> int:
        return len(TABLES[HOME_LANGUAGE])


WORDS = _Words()
