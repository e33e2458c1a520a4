"""Asks the network for the bridge, by mDNS; it never blocks the loop."""

import asyncio
import errno
import socket

import log

from provisioning import mdns

GROUP = ("224.0.0.251", 5353)
TIMES = 3
WAIT_MS, POLL_MS = 800, 50  # for the answers to one question
# Of an answer to a question that is not from port 5353 (RFC 6762, 6.7); a small heap in pieces
# has no room for the longest one.
_BYTES = 512


async def find(bridge_id="", root="voxcard", group=None):
    """The mdns.Bridge to connect to, None where none answers; the others are in the log.

    A query from a port of its own is answered to that port (RFC 6762, 6.7): no group is joined.
    """
    answers = mdns.Answers()
    try:
        asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    except OSError as error:
        log.warning("mdns", "no socket (%s)" % error)
        return None
    try:
        asking.setblocking(False)
        address = socket.getaddrinfo(*(group or GROUP))[0][-1]
        for _ in range(TIMES):
            await _ask(asking, address, answers)
            bridges = answers.bridges()
            if bridges and not answers.questions():
                break
    finally:
        asking.close()
    return _chosen(answers.bridges(), bridge_id, root)


async def _ask(asking, address, answers):
    try:
        asking.sendto(mdns.query(answers.questions()), address)
    except OSError as error:
        # Without a route, or with a full buffer: the next time.
        log.warning("mdns", "cannot ask (%s)" % error)
    for _ in range(WAIT_MS // POLL_MS):
        await asyncio.sleep_ms(POLL_MS)
        while True:
            try:
                packet = asking.recv(_BYTES)
            except OSError as error:
                if error.errno not in (errno.EAGAIN, errno.ECONNREFUSED):
                    raise
                break
            answers.add(packet)


def _chosen(bridges, bridge_id, root):
    chosen = mdns.choose(bridges, bridge_id, root)
    if chosen is not None:
        log.info("mdns", "the bridge is %s at %s:%d" % (chosen.label, chosen.address, chosen.port))
    for bridge in bridges:
        if bridge is not chosen:
            log.info("mdns", "also there: %s at %s:%d" % (bridge[0], bridge[2], bridge[3]))
    return chosen
