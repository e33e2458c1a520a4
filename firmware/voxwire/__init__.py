"""The wire between a Voxcard device and its bridge: names, bytes and tables, nothing that acts."""

PROTOCOL = 1
