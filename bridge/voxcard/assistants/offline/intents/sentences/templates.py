"""Sentence templates (hassil's syntax): what one stands for, counted before it is written out."""

import itertools
import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from hassil.expression import Alternative, Expression, Group, ListReference, Permutation, TextChunk
from hassil.parse_expression import parse_sentence
from hassil.parser import ParseError

from voxcard.assistants.offline.intents.normalise import Forms, words

TEMPLATE_MAX = 300  # characters
SENTENCES_MAX = 2000  # that one template may stand for
_SPECIAL = frozenset("<>:@")  # mean something else to hassil


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence has an argument's value."""

    argument: str


Item = str | Place
Sentence = tuple[Item, ...]  # normalised words and places


class TemplateError(ValueError):
    """Why a template cannot be used, as the end of "it is not used: …"."""


def sentences(
    template: str, fillers: Iterable[str] = (), forms: Forms | None = None
) -> list[Sentence]:
    """Every sentence `template` stands for, each once; raises TemplateError.

    `fillers` are words that need not be said: a sentence of them alone would be understood in
    everything.
    """
    expression = _parsed(template)
    if count(expression) > SENTENCES_MAX:
        raise TemplateError(f"it stands for more than {SENTENCES_MAX} sentences")
    optional = frozenset(fillers)
    expanded = dict.fromkeys(_normalised(each, forms) for each in _written_out(expression))
    for sentence in expanded:
        if not any(isinstance(item, str) and item not in optional for item in sentence):
            raise TemplateError("it holds no word that must be said")
    return list(expanded)


def plainest(template: str, keep: Collection[str] = (), forms: Forms | None = None) -> Sentence:
    """The sentence of a usable `template` without what may be left out, but for `keep`."""
    return _normalised(tuple(_plain(_parsed(template), keep)), forms)


def count(expression: Expression) -> int:
    """How many sentences `expression` stands for, without writing one out."""
    if isinstance(expression, Alternative):
        return sum(count(each) for each in expression.items)
    if isinstance(expression, Group):
        product = math.prod(count(each) for each in expression.items)
        orders = isinstance(expression, Permutation)
        return product * math.factorial(len(expression.items)) if orders else product
    return 1


def _parsed(template: str) -> Expression:
    if len(template) > TEMPLATE_MAX:
        raise TemplateError(f"it is longer than {TEMPLATE_MAX} characters")
    if _SPECIAL.intersection(template):
        raise TemplateError("it holds one of < > : @, which mean something else to hassil")
    try:
        expression: Expression = parse_sentence(template).expression
    except (ParseError, ValueError, IndexError, AssertionError, RecursionError) as error:
        raise TemplateError("its brackets do not match") from error
    return expression


def _written_out(expression: Expression) -> Iterator[tuple[str | Place, ...]]:
    """The sentences as pieces of text and places."""
    if isinstance(expression, TextChunk):
        yield (expression.original_text,)
    elif isinstance(expression, ListReference):
        yield (Place(expression.list_name),)
    elif isinstance(expression, Alternative):
        for each in expression.items:
            yield from _written_out(each)
    elif isinstance(expression, Group):
        parts = [list(_written_out(each)) for each in expression.items]
        orders = itertools.permutations(parts) if isinstance(expression, Permutation) else (parts,)
        for order in orders:
            for pieces in itertools.product(*order):
                yield tuple(itertools.chain.from_iterable(pieces))
    else:
        raise TemplateError("it holds something that is no text, choice or {argument}")


def _plain(expression: Expression, keep: Collection[str]) -> Iterator[str | Place]:
    if isinstance(expression, Alternative):
        first = list(_plain(expression.items[0], keep))
        if expression.is_optional and "".join(map(str, first)).strip() not in keep:
            first = list(_plain(expression.items[-1], keep))
        yield from first
    elif isinstance(expression, Group):
        for each in expression.items:
            yield from _plain(each, keep)
    elif isinstance(expression, ListReference):
        yield Place(expression.list_name)
    elif isinstance(expression, TextChunk):
        yield expression.original_text


def _normalised(pieces: tuple[str | Place, ...], forms: Forms | None) -> Sentence:
    items: list[Item] = []
    text = ""
    for piece in (*pieces, Place("")):
        if isinstance(piece, str):
            text += piece
            continue
        items.extend(word.text for word in words(text, forms))
        items.append(piece)
        text = ""
    return tuple(items[:-1])
