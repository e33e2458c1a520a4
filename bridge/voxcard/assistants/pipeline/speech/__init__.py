"""Speech both ways: where it ends, and the servers of it."""
