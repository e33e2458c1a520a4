"""Data that programs write into texts: found, read, and in words."""
