"""`voxcard release` and `voxcard update`: firmware for devices over the network."""
