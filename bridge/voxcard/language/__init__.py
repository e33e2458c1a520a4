"""Locales, and what goes by them."""
