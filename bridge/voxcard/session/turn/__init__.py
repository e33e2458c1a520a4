"""One turn: pure rules, shell, record."""
