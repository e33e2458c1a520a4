"""The order of characters on a line of mixed directions (UAX 9)."""

import unicodedata

_CONTROLS = frozenset(("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"))


def levels(text: str, rtl: bool) -> list[tuple[str, int]]:
    """(character, embedding level) in logical order; direction controls are left out.

    `rtl` is the direction of the paragraph that the line is of.
    """
    import bidi.algorithm as bidi

    kept = [c for c in text if unicodedata.bidirectional(c) not in _CONTROLS]
    storage = bidi.get_empty_storage()
    storage["base_level"], storage["base_dir"] = (1, "R") if rtl else (0, "L")
    # What has no class yet (characters newer than these tables) goes with letters.
    known = (c if unicodedata.bidirectional(c) else "x" for c in kept)
    bidi.get_embedding_levels("".join(known), storage)
    bidi.explicit_embed_and_overrides(storage)
    bidi.resolve_weak_types(storage)
    bidi.resolve_neutral_types(storage, False)
    bidi.resolve_implicit_levels(storage, False)
    resolved = iter(storage["chars"])
    pairs, level = [], int(rtl)
    for character in kept:
        # The algorithm drops joiners (rule X9); shaping needs them, at their neighbour's level.
        if unicodedata.bidirectional(character) != "BN":
            level = next(resolved)["level"]
        pairs.append((character, level))
    return pairs


def visual_order(piece_levels: list[int]) -> list[int]:
    """Indices of pieces from left to right (UAX 9 rule L2)."""
    order = list(range(len(piece_levels)))
    for level in range(max(piece_levels, default=0), 0, -1):
        at = 0
        while at < len(order):
            end = at
            while end < len(order) and piece_levels[order[end]] >= level:
                end += 1
            order[at:end] = reversed(order[at:end])
            at = end + 1
    return order
