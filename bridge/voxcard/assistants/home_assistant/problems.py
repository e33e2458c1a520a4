"""What can be wrong with a Home Assistant, as one sentence and what to do about it; pure.

Codes: homeassistant/components/assist_pipeline (error.py, default_pipeline.py) and
websocket_api/const.py of Home Assistant 2026.11.
"""

from collections.abc import Mapping
from typing import NamedTuple

from voxcard.assistants.pipeline.server_problem import ServerProblem, Subject
from voxcard.config import Server

_VOICE_SETTINGS = "Look at Settings > Voice assistants there."
_LOG = "See its log."
NOT_UNDERSTOOD = "Sorry, I did not understand."


class LostConnection(ServerProblem):
    """The connection ended, or nothing comes over it any more."""


class TokenRefused(ServerProblem):
    """The token is not valid, or not any more; trying again may get this address banned."""


class RunFailed(ServerProblem):
    """A run, or a command, ended with an error.

    `excuse` is what is said when nothing was understood, so that nothing is broken. `untouched`:
    the run came to nothing, so another assistant may answer.
    """

    def __init__(self, code: str, problem: str, remedy: str, excuse: str, *, untouched: bool):
        super().__init__(problem, remedy)
        self.code = code
        self.excuse = excuse
        self.untouched = untouched


class _Row(NamedTuple):
    problem: str  # {said}: its own words
    remedy: str
    excuse: str = ""
    untouched: bool = True


_ROWS: Mapping[str, _Row] = {
    "wake-engine-missing": _Row(
        "The pipeline of Home Assistant has no wake word engine.", _VOICE_SETTINGS
    ),
    "wake-provider-missing": _Row(
        "The wake word engine of Home Assistant does not run.", _VOICE_SETTINGS
    ),
    "wake-stream-failed": _Row("The wake word engine of Home Assistant failed.", _LOG),
    "wake-word-timeout": _Row("Home Assistant heard no wake word.", "Say it again."),
    "wake_word_detection_aborted": _Row(
        "Home Assistant stopped listening, because its pipeline was changed.", "Say it again."
    ),
    "duplicate_wake_up_detected": _Row(
        "Another device heard the same wake word and answers.", "", untouched=False
    ),
    "stt-provider-missing": _Row(
        "The speech-to-text of Home Assistant's pipeline does not run.", _VOICE_SETTINGS
    ),
    "stt-provider-unsupported-metadata": _Row(
        "The speech-to-text of Home Assistant takes no 16 kHz mono, or not the pipeline's "
        "language.",
        "Choose another one, or another language, in its pipeline.",
    ),
    "stt-stream-failed": _Row("The speech-to-text of Home Assistant failed.", _LOG),
    "stt-no-text-recognized": _Row("Nothing was understood.", "", NOT_UNDERSTOOD),
    "cloud-auth-failed": _Row(
        "Home Assistant cannot sign in to its cloud.", "Sign in again in its settings."
    ),
    "intent-not-supported": _Row(
        "The conversation agent of Home Assistant's pipeline does not run.", _VOICE_SETTINGS
    ),
    "intent-agent-not-found": _Row(
        "The conversation agent that asked back is gone from Home Assistant.", "Ask again."
    ),
    "intent-busy": _Row(
        "Home Assistant still works on what was asked before.", "Ask again in a moment."
    ),
    "intent-unauthorized": _Row(
        "This talk belongs to another user of Home Assistant.", "Ask again; that begins a new one."
    ),
    # The agent may have switched something before it failed.
    "intent-failed": _Row(
        "The conversation agent of Home Assistant failed.", _LOG, untouched=False
    ),
    "tts-not-supported": _Row(
        "The text-to-speech of Home Assistant does not take the pipeline's language or voice.",
        _VOICE_SETTINGS,
    ),
    "tts-failed": _Row("The text-to-speech of Home Assistant failed.", _LOG, untouched=False),
    "timeout": _Row("The pipeline of Home Assistant took too long.", _LOG, untouched=False),
    "validation-error": _Row(
        "The pipeline of Home Assistant cannot be used: {said}.", _VOICE_SETTINGS
    ),
    "pipeline-not-found": _Row(
        "Home Assistant has no such pipeline any more.",
        "Correct the key pipeline, or leave it out.",
    ),
    "unknown_command": _Row(
        "Home Assistant does not know a command that is needed.",
        "Update it, and let assist_pipeline be loaded there.",
    ),
    "unauthorized": _Row(
        "The user of the token may not do this in Home Assistant.", "Use a token of another user."
    ),
    "not_found": _Row("Home Assistant did not find what was asked for: {said}.", _LOG),
    "not_allowed": _Row("Home Assistant does not allow this: {said}.", _LOG),
    "not_supported": _Row("Home Assistant does not support this: {said}.", _LOG),
    "invalid_format": _Row("Home Assistant does not take the request: {said}.", "Update it."),
    "id_reuse": _Row("Home Assistant lost count of the requests.", "Ask again."),
    "home_assistant_error": _Row("Home Assistant failed: {said}.", _LOG),
    "service_validation_error": _Row("Home Assistant refuses this: {said}.", _LOG),
    "template_error": _Row("A template of Home Assistant is wrong: {said}.", _LOG),
    "unknown_error": _Row("Home Assistant failed for an unknown reason.", _LOG, untouched=False),
}
_OTHER = _Row("Home Assistant reports {code}: {said}.", _LOG, untouched=False)
CODES = frozenset(_ROWS)
_SAME_CODES = {"pipeline_not_found": "pipeline-not-found"}  # as 2024 wrote it


class HomeSubject(Subject):
    """A Home Assistant as errors name it; `name` is what voxcard.toml calls it."""

    def __init__(self, name: str, server: Server) -> None:
        super().__init__("Home Assistant at", f"url of [assistants.{name}]", server)
        self.url = server.url
        self._where = f"[assistants.{name}]"

    def lost(self) -> LostConnection:
        """The connection ended in the middle."""
        return LostConnection(f"Home Assistant at {self.url} closed the connection.", "Try again.")

    def silent(self, limit_s: float) -> LostConnection:
        """Nothing came for `limit_s`."""
        return LostConnection(
            f"Home Assistant at {self.url} said nothing for {limit_s:g} s.",
            "See its log; limit_s waits longer.",
        )

    def token_refused(self) -> TokenRefused:
        remedy = f"Make a new one in your profile there, for the token of {self._where}."
        return TokenRefused(f"Home Assistant at {self.url} refuses the token.", remedy)

    def untrusted(self) -> ServerProblem:
        """Its certificate does not prove that it is the one of that name."""
        return ServerProblem(
            f"Home Assistant at {self.url} shows a certificate that is not trusted here.",
            f"Write the name it is made for in url of {self._where}, or http:// within the house.",
        )

    def no_pipeline(self, wanted: str, known: str) -> ServerProblem:
        """`known` are the names there are."""
        problem = f"Home Assistant at {self.url} has no pipeline {wanted!r}."
        return ServerProblem(problem, f"There is: {known}. Correct pipeline of {self._where}.")

    def cannot(self, ability: str) -> ServerProblem:
        """The pipeline has no such part: speech-to-text, text-to-speech."""
        return ServerProblem(f"The pipeline of Home Assistant has no {ability}.", _VOICE_SETTINGS)

    def refused(self, status: int, said: str) -> ServerProblem:
        """HTTP; see Subject."""
        if status in (401, 403):  # 403: this address is banned, for wrong tokens before
            return self.token_refused()
        if status in (404, 405):
            remedy = "Let its integrations assist_pipeline and tts be loaded, and update it."
            return ServerProblem(
                f"Home Assistant at {self.url} has no such interface ({status}).", remedy
            )
        return super().refused(status, said)

    def run_failed(self, code: str, said: str) -> RunFailed:
        """The error `code` of a run or a command, with its own words."""
        code = _SAME_CODES.get(code, code)
        row = _ROWS.get(code, _OTHER)
        said = self.words(said).rstrip(".")
        problem = row.problem.format(code=self.words(code)[:40], said=said)
        return RunFailed(code, problem, row.remedy, row.excuse, untouched=row.untouched)
