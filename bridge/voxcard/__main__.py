"""`python -m voxcard` is the command `voxcard`."""

from voxcard.cli import main

main()
