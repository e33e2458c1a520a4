"""Texts of a form of their own: times of day, sums, places."""
