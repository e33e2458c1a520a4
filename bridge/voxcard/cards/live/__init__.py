"""Cards that change while they are shown."""
