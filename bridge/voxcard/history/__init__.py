"""What was said and shown, kept in one SQLite file."""
