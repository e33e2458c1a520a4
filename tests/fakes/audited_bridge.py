"""The real bridge under an audit hook: audited_bridge.py FILE ARGUMENTS...

Writes every address that it connects or sends to, and every name that it looks up, as a line of
FILE, whoever in its process does so by Python's sockets.
"""

import sys

EVENTS = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
}  # event -> which of its arguments is the address


def main() -> None:
    file = open(sys.argv[1], "a", encoding="utf-8", buffering=1)  # noqa: SIM115 - until the end

    def hook(event: str, arguments: "tuple[object, ...]") -> None:
        if event in EVENTS:
            address = arguments[EVENTS[event]]
            host = address[0] if isinstance(address, tuple) else address
            file.write(f"{host!s}\n")

    sys.addaudithook(hook)
    sys.argv[1:] = sys.argv[2:]
    from voxcard.cli.commands import main as voxcard

    voxcard()


main()
