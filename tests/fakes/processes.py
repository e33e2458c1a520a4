"""Processes by their ids: who descends from one, and waiting for their ends."""

import os
import select
import time
from pathlib import Path


def children_of(pid):
    """Its children now, as /proc tells."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


def descendants_of(pid):
    """Its children, their children and so on."""
    children = children_of(pid)
    return children + [each for child in children for each in descendants_of(child)]


def first_descendants_of(pid):
    """Those there are as soon as there are any; blocks. Nothing tells of them."""
    while not (found := descendants_of(pid)):
        time.sleep(0.01)
    return found


class Watched:
    """Processes held by descriptors: an id that is given away anew is not mistaken for them."""

    def __init__(self, pids):
        self._open = {pid: os.pidfd_open(pid) for pid in pids}

    def left(self, limit_s=120):
        """The ids of those that have not ended after `limit_s`."""
        left = []
        for pid, descriptor in self._open.items():
            if not select.select([descriptor], [], [], limit_s)[0]:
                left.append(pid)
                limit_s = 0
            os.close(descriptor)
        return left


def is_running(pid):
    """Whether a process of that id is there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
