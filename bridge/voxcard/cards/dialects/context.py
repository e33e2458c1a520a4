"""What a dialect's parser may need besides the source of the card."""

from dataclasses import dataclass

from voxcard.json_value import Json

LOCALE = "en"  # numbers and dates of a language nobody knows are written as in English


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The layout a source is data for, and the locale of its readers.

    `template` is the layout the source is data for, where it names one (A2UI): the resource's
    text, its messages, or the resources/read result. `locale` is a language tag (`en`, `de_CH`).
    """

    template: Json = None
    locale: str = LOCALE


NO_CONTEXT = Context()
