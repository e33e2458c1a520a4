"""Icons that stand for what a card or a row is about."""
