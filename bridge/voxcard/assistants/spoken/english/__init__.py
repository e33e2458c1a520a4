"""How English is said."""
