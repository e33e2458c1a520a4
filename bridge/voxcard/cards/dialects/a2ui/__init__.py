"""A2UI: messages replayed to surfaces, each of which becomes a card."""
