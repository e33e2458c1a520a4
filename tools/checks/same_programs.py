"""Mutants that no test can notice, each with the reason why it is the same program."""

# module -> (the line, the line of the mutant, why they do the same)
SAME: dict[str, tuple[tuple[str, str, str], ...]] = {}


def reason(module: str, difference: str) -> str:
    """Why the mutant of this difference is the same program; empty for one that is not listed."""
    lines = difference.splitlines()
    removed = " ".join(line[1:].strip() for line in lines if line.startswith("-"))
    added = " ".join(line[1:].strip() for line in lines if line.startswith("+"))
    for before, after, why in SAME.get(module, ()):
        if (before, after) == (removed, added):
            return why
    return ""
