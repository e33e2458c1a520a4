"""Texts set in the smoothed, proportional type of a panel."""
