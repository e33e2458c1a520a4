"""Reads cards out of tool results, model texts and files."""
