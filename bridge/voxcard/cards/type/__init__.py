"""Smoothed, proportional type as a panel has it."""
