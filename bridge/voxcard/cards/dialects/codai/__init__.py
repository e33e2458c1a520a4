"""codai cards: typed blocks in an envelope."""
