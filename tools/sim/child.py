"""Becomes a command that ends with its parent, however that ends: child.py PARENT COMMAND...

PARENT is the pid of who starts it. Linux sends the signal; elsewhere a killed parent leaves its
child running.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # linux/prctl.h


def main() -> None:
    parent, *command = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != int(parent):  # it ended before that
            sys.exit(1)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
