"""Tries a Wi-Fi without losing the one that is known."""


async def attempt(network, credentials) -> str:
    """Join with `credentials`; "" or the sentence why not: the known ones are tried again then."""
    if getattr(network, "trying", False):
        return "Another attempt is under way: try again in a moment."
    known = network.credentials
    network.trying = True
    joined = False
    try:
        network.use(credentials)
        await network.connect()
        joined = True
    except OSError as error:
        return str(error)
    finally:
        network.trying = False
        if not joined:
            network.use(known)
    return ""
