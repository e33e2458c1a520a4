"""A2UI v0.8: its messages said in those of v0.9."""
