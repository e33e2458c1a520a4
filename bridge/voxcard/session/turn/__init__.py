"""One turn: its pure rules, its shell, and what is kept of it."""
