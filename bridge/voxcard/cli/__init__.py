"""The command `voxcard`."""
