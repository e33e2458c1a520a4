"""What a Realtime server says went wrong, as a sentence with what to do; pure."""

from collections.abc import Mapping

from voxcard.assistants.pipeline.server_problem import ServerProblem, Subject
from voxcard.assistants.realtime.wire.client_events import MAY_FAIL
from voxcard.assistants.realtime.wire.server_events import ResponseDone, ServerError

ALREADY_ANSWERING = "conversation_already_has_active_response"
# Codes that say: what was asked for has happened already, or is over.
_HARMLESS = frozenset(
    {
        ALREADY_ANSWERING,
        "input_audio_buffer_commit_empty",
        "item_truncate_invalid_item_id",
        "response_cancel_not_active",
    }
)
SESSION_EXPIRED = "session_expired"
# Codes and types -> the HTTP status with the same sentence.
_STATUS: Mapping[str, int] = {
    "authentication_error": 401,
    "invalid_api_key": 401,
    "permission_error": 403,
    "model_not_found": 404,
    "insufficient_quota": 429,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "tokens": 429,
    "requests": 429,
    "server_error": 500,
    "internal_error": 500,
    "service_unavailable": 503,
}
_INCOMPLETE: Mapping[str, str] = {
    "content_filter": "stopped its answer, because of its content filter",
    "max_output_tokens": "stopped its answer, because its limit of tokens was reached first",
}


def is_harmless(error: ServerError) -> bool:
    """Whether the turn goes on as if nothing had come."""
    return error.code in _HARMLESS or error.event_id.partition("-")[0] in MAY_FAIL


def failure(subject: Subject, error: ServerError) -> ServerProblem:
    """The problem of an `error` event, or of a response that failed."""
    if error.code == SESSION_EXPIRED:
        return subject.broken("ended the session, which was too old")
    status = _STATUS.get(error.code) or _STATUS.get(error.type)
    if status is not None:
        return subject.refused(status, error.message)
    return subject.broken(f"refuses: {subject.words(error.message or error.code).rstrip('.')}")


def unfinished(subject: Subject, done: ResponseDone) -> ServerProblem:
    """The problem of a response that is not complete, where nothing of it came."""
    if done.status == "failed":
        return failure(subject, done.error)
    if done.status == "incomplete":
        return subject.broken(_INCOMPLETE.get(done.reason, "stopped its answer"))
    return subject.broken("cancelled its answer")
