"""Sound files and URLs of sound, read while they come."""
