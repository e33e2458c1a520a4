"""Releases of the firmware, and how devices get them over the network (docs/updates.md)."""
