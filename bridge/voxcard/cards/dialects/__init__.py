"""Card dialects: each module reads one into the card model."""
