"""Text of cards: cleaned, measured in cells, and its twins in words."""
