"""Smoothed, proportional type."""
