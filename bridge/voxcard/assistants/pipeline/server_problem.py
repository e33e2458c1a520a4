"""What can be wrong with a server, as one sentence and what to do about it; pure."""

from voxcard.config import Server
from voxcard.errors import VoxcardError
from voxcard.text_safety import safe_line

_SAID_MAX = 200  # characters of a server's own words


class ServerProblem(VoxcardError):  # noqa: N818 - names the state
    """A server cannot be used now; another assistant may answer instead."""


class Subject:
    """A server as errors name it: `what` it is, and the `keys` of voxcard.toml about it."""

    def __init__(self, what: str, keys: str, server: Server) -> None:
        self._name = f"{what} {server.url}"
        self._keys = keys
        self._model = server.model
        self._secret = server.key.value

    def away(self) -> ServerProblem:
        """It takes no connection."""
        remedy = f"Start it, or correct its address in {self._keys}."
        return ServerProblem(f"{self._name} cannot be reached.", remedy)

    def late(self, limit_s: float) -> ServerProblem:
        """Nothing came for `limit_s`."""
        remedy = "It may be loading its model; a smaller one is quicker, limit_s waits longer."
        return ServerProblem(f"{self._name} said nothing for {limit_s:g} s.", remedy)

    def broken(self, how: str) -> ServerProblem:
        """It breaks its protocol; `how` completes "it ..."."""
        remedy = f"See its log, and whether {self._keys} means a server of this kind."
        return ServerProblem(f"{self._name} {how}.", remedy)

    def empty(self, finish: str) -> ServerProblem:
        """It answered nothing; `finish` is its reason to stop."""
        how = "answered nothing, because its limit of tokens was reached first"
        how = how if finish == "length" else "answered nothing"
        return ServerProblem(f"{self._name} {how}.", "Try again, or try another model.")

    def refused(self, status: int, said: str) -> ServerProblem:
        """It answers with an HTTP status that is no success; `said` are its own words."""
        if status in (401, 403):  # its words may repeat the key
            remedy = f"Check the key_env or key_file beside {self._keys}."
            return ServerProblem(f"{self._name} refuses the key ({status}).", remedy)
        if status == 404:
            model = f"no model {self._model!r}, or " if self._model else ""
            remedy = f"Check model and address in {self._keys}; the address ends in /v1."
            return ServerProblem(f"{self._name} has {model}no such interface (404).", remedy)
        if status == 429:
            remedy = "Wait a little, or look at the account's limits."
            return ServerProblem(f"{self._name} is asked too often, or its quota is used.", remedy)
        if status >= 500:
            return ServerProblem(f"{self._name} has a fault ({status}).", "See its log.")
        return ServerProblem(
            f"{self._name} does not take the request ({status}): {self.words(said)}",
            f"Check {self._keys}.",
        )

    def words(self, said: str) -> str:
        """A server's own words, short and without the key."""
        if self._secret:
            said = said.replace(self._secret, "***")
        return safe_line(said)[:_SAID_MAX] or "it does not say why"
