"""Roles of a theme's colours: what ink and paper are called on the wire and in pictures."""

PAPER, INK, BAR, BAR_INK, DIM, ACCENT, GOOD, WARN, BAD = range(9)
# Only on panels with colour: a card's own surface, states as ink, what a bar or a ring fills.
RAISED, GOOD_INK, WARN_INK, BAD_INK, TRACK = range(9, 14)
ROLES = 14
