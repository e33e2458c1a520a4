"""History of turns and cards in one SQLite file."""
