"""`make chaos`: kills, bad networks and attacks on a whole home, in one bounded run."""
