"""What can be wrong with a xiaozhi server, as one sentence and what to do about it; pure."""

from voxcard.config import Server
from voxcard.errors import VoxcardError


class XiaozhiProblem(VoxcardError):  # noqa: N818 - names the state
    """The server cannot be used now; another assistant may answer instead."""


class ActivationNeeded(VoxcardError):  # noqa: N818 - names the state
    """The server wants this device to be registered first.

    `code` is what a person types at the server's console, `text` what the server says about it.
    """

    def __init__(self, subject: str, code: str, text: str) -> None:
        digits = " ".join(code)
        problem = f"{subject} does not know this device yet; its code is {digits}."
        super().__init__(problem, "Register it with that code, then ask again.")
        self.code = code
        self.text = text


class Subject:
    """The server as errors name it; no error repeats a token or what the server wrote."""

    def __init__(self, name: str, server: Server) -> None:
        self.name = f"The xiaozhi server {server.url}"
        self._key = f"server of [assistants.{name}]"
        self._section = f"[assistants.{name}]"

    def away(self) -> XiaozhiProblem:
        """It takes no connection."""
        return XiaozhiProblem(
            f"{self.name} cannot be reached.", f"Start it, or correct its address in {self._key}."
        )

    def late(self, limit_s: float, what: str = "said nothing") -> XiaozhiProblem:
        """Nothing came for `limit_s`."""
        remedy = f"See its log; limit_s of {self._section} waits longer."
        return XiaozhiProblem(f"{self.name} {what} for {limit_s:g} s.", remedy)

    def refused(self, status: int) -> XiaozhiProblem:
        """It answers with an HTTP status that is no success."""
        if status in (401, 403):
            remedy = f"Check key_env or key_file of {self._section}."
            return XiaozhiProblem(f"{self.name} refuses the token ({status}).", remedy)
        if status == 404:
            remedy = f"Check the path in {self._key}; it mostly ends in /xiaozhi/ota/ or /v1/."
            return XiaozhiProblem(f"{self.name} has no such interface (404).", remedy)
        if status >= 500:
            return XiaozhiProblem(f"{self.name} has a fault ({status}).", "See its log.")
        return XiaozhiProblem(
            f"{self.name} does not take the request ({status}).", f"Check {self._key}."
        )

    def unwelcome(self) -> XiaozhiProblem:
        """It closed the connection without a greeting, as one does that refuses the token."""
        remedy = f"Check its log, and the token in key_env of {self._section}."
        return XiaozhiProblem(f"{self.name} closed the connection before its hello.", remedy)

    def closed(self) -> XiaozhiProblem:
        """It closed the connection in the middle."""
        return XiaozhiProblem(f"{self.name} closed the connection.", "Ask again; see its log.")

    def broken(self, how: str) -> XiaozhiProblem:
        """It breaks its protocol; `how` completes "it ..."."""
        remedy = f"See its log, and whether {self._key} means a server of this kind."
        return XiaozhiProblem(f"{self.name} {how}.", remedy)

    def only_mqtt(self) -> XiaozhiProblem:
        """Its bootstrap names no WebSocket."""
        remedy = "Leave mqtt_gateway out of its settings: this bridge speaks its WebSocket."
        return XiaozhiProblem(f"{self.name} offers MQTT only.", remedy)

    def activation(self, code: str, text: str) -> ActivationNeeded:
        """It wants the device to be registered with `code`."""
        return ActivationNeeded(self.name, code, text)
