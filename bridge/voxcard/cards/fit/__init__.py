"""Lays out a card as finished pages for one screen."""
