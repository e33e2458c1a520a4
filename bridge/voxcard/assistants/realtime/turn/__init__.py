"""One turn with a Realtime server: its rules are pure, turn.py runs them."""
