"""The chat server: what it is sent, and what comes back."""
