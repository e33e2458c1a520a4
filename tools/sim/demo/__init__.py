"""`make demo`: a conversation that is played, checked and kept."""
