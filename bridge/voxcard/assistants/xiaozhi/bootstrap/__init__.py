"""How a device comes to its server: who it is, where to connect, activation by code."""
