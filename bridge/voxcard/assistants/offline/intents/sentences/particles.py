"""The other place of a verb's particle: "turn the pump off" is "turn off the pump"."""

from collections.abc import Collection, Sequence

from voxcard.assistants.offline.intents.slots import Slot

Items = tuple[str | Slot, ...]


def moved(items: Items, verbs: Collection[str], particles: Collection[str]) -> Items | None:
    """`items` with the particle of its verb in the other place; None where it has only one.

    From behind the verb it goes to the end of words and choices alone, and behind a word: behind
    a value it would be taken for a part of that, or for one more value.
    """
    if len(items) < 3 or items[0] not in verbs:
        return None
    verb, second, last = items[0], items[1], items[-1]
    if _is_particle(last, particles):
        return None if _is_particle(second, particles) else (verb, last, *items[1:-1])
    if _is_particle(second, particles) and isinstance(last, str) and _is_plain(items[2:]):
        return (verb, *items[2:], second)
    return None


def _is_particle(item: str | Slot, particles: Collection[str]) -> bool:
    if isinstance(item, str):
        return item in particles
    return item.argument.kind == "boolean" and bool(item.choices)


def _is_plain(items: Sequence[str | Slot]) -> bool:
    return all(isinstance(item, str) or bool(item.choices) for item in items)
