"""The assistant that needs no network."""
