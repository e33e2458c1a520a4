"""`voxcard say`, `voxcard announce`."""
