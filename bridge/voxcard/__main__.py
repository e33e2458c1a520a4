"""`python -m voxcard` is the command `voxcard`."""

from voxcard.cli.commands import main

main()
