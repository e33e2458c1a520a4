"""Which of several timers is meant."""

from timers import words
from timers.entry import MISSED, BookError, Entry, Now, left


def waiting(entries, kind: str, now: Now):
    """Those of a kind ("": all) that are still to ring or ring, the next first."""
    found = [entry for entry in entries if kind in ("", entry.kind) and entry.state != MISSED]
    found.sort(key=lambda entry: (left(entry, now) is None, left(entry, now) or 0, entry.id))
    return found


def pick(entries, kind: str, which: str, now: Now) -> Entry:
    """The one that is meant: by its id, by name, by length or time, or the only one.

    BookError when there is none, or several could be meant.
    """
    every = waiting(entries, kind, now)
    noun = kind or "timer"
    if not every:
        raise BookError("There is no %s." % noun)
    found = _matching(every, which) if which else every
    if not found:
        others = ", ".join([words.label(each) for each in every])
        raise BookError("There is no %s %s, only: %s." % (which, noun, others))
    if len(found) > 1:
        names = [words.label(each) for each in found]
        if len(set(names)) < len(names):  # two of one name: by what is left of them
            names = ["%s left" % words.length(left(each, now) or 0) for each in found]
        raise BookError("Which %s: %s?" % (noun, " or ".join(names)), names)
    return found[0]


def _matching(entries, which: str):
    """The entry of that id, or of that name, or those whose name has its words."""
    which = which.lower().strip()
    by_id = [entry for entry in entries if str(entry.id) == which]
    exact = [entry for entry in entries if words.label(entry).lower() == which]
    asked = {_singular(word) for word in which.split()}
    return by_id or exact or [
        entry for entry in entries
        if asked and asked <= {_singular(word) for word in words.label(entry).lower().split()}
    ]  # fmt: skip


def _singular(word: str) -> str:
    return word[:-1] if word in ("hours", "minutes", "seconds") else word
