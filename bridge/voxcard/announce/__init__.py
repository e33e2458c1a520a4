"""Announcements: to whom, when, in which order, and what came of them."""
