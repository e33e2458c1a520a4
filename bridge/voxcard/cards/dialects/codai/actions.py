"""The buttons of codai cards: open a link, send a prompt, copy a value, control the run."""

from collections.abc import Iterable
from dataclasses import replace

from voxcard.cards.dialects.codai.fields import Fields
from voxcard.cards.model import Action, CardRefused
from voxcard.cards.text.sanitize import label

ACTIONS_MAX = 6
ID_MAX = 64
STYLES = ("primary", "secondary", "danger")

_LINKS = {"open_url", "open-url", "openurl", "open_link", "open-link", "openlink", "open", "link",
          "url"}  # fmt: skip
_MESSAGES = {"prompt", "message", "send", "send_prompt", "send-prompt", "reply", "say"}
_CONTROLS = {"control", "run", "session"}
# What a run is told, by every name it is given (R001-18); the others need the device that runs it.
_CONTROL_WORDS = {"stop": "stop", "cancel": "stop", "allow": "allow", "approve": "allow",
                  "deny": "deny", "reject": "deny"}  # fmt: skip
_ELSEWHERE = {"pause", "resume"}


def read_actions(envelope: Fields, own: Iterable[Action]) -> tuple[Action, ...]:
    """The card's buttons, then those its blocks ask for; at most 6, ids unique (R001-27)."""
    buttons = list(envelope.objects("actions"))
    if len(buttons) > ACTIONS_MAX:
        raise CardRefused("actions", f"has {len(buttons)} entries, the limit is {ACTIONS_MAX}")
    by_id: dict[str, Action] = {}
    for index, button in enumerate(buttons):
        if not isinstance(envelope.data["actions"][index], dict):
            raise CardRefused(button.path, "must be a JSON object")
        action = _action(button, index)
        if action is None:
            continue
        if action.id in by_id:
            raise button.refused("id", f"{action.id} is used twice; give each action its own id")
        by_id[action.id] = action
    _add_own(by_id, own)
    return tuple(by_id.values())


def _add_own(by_id: dict[str, Action], own: Iterable[Action]) -> None:
    """Add what blocks ask for under free ids, but no control that is there already."""
    answers = {action.text for action in by_id.values() if action.kind == "control"}
    for action in own:
        if action.kind == "control" and action.text in answers:
            continue
        name, number = action.id, 2
        while name in by_id:
            name, number = f"{action.id}.{number}", number + 1
        by_id[name] = replace(action, id=name)


def _action(button: Fields, index: int) -> Action | None:
    """One button, or None with a warning for what only another device can do."""
    name = label(button.required("label", "title"))
    action_id, style = _id(button, index), _style(button)
    confirm = _confirm(button, name)
    shown = Action(id=action_id, label=name, kind="message", style=style, confirm=confirm)
    kind, value = _kind(button, action_id)
    if kind == "link":
        if not value:
            raise button.refused("url", "is missing")
        return replace(shown, kind="link", url=button.link("url", "href", "value", "target"))
    if kind == "control":
        return replace(shown, kind="control", text=value)
    if kind == "message":
        return replace(shown, text=_sent_text(button, name))
    if kind == "copy":
        return replace(shown, kind="copy", text=_sent_text(button, ""))
    button.warn("dropped", value)
    return None


def _id(button: Fields, index: int) -> str:
    own_id = button.get("id")
    if own_id is not None and not isinstance(own_id, str):
        raise button.refused("id", "must be text")
    return own_id if own_id and len(own_id) <= ID_MAX else f"a{index}"


def _style(button: Fields) -> str:
    style = button.get("style")
    if style is not None and style not in STYLES:
        raise button.refused("style", "must be primary, secondary or danger")
    return style or ""


def _sent_text(button: Fields, otherwise: str) -> str:
    text = button.text("text", "prompt", "message", "value") or otherwise
    if not text:
        raise button.refused("text", "is missing")
    return text


def _kind(button: Fields, action_id: str) -> tuple[str, str]:
    """(kind, target); for a button without a use here kind is empty and target says why."""
    named = button.line("kind", "type", "action").lower()
    if named in _LINKS:
        return "link", button.line("url", "href", "value", "target")
    if named == "copy":
        return "copy", ""
    if named in _MESSAGES:
        return "message", ""
    control = button.line("control", "command", "op", "value").lower() or action_id.lower()
    word = named if named in _CONTROL_WORDS or named in _ELSEWHERE else control
    if named in _CONTROLS or word == named:
        if word in _CONTROL_WORDS:
            return "control", _CONTROL_WORDS[word]
        return "", f"{word[:40]} needs the device that runs the agent"
    if button.get("url", "href") is not None:
        return "link", button.line("url", "href")
    if button.get("prompt", "text", "message") is not None:
        return "message", ""
    return "", f"the action kind {named[:40] or 'none'} is not known"


def _confirm(button: Fields, name: str) -> str:
    """The question to ask before acting (R001-29)."""
    confirm = button.get("confirm")
    if confirm is True:
        return f"{name}?"
    if isinstance(confirm, dict):
        inner = button.inner("confirm")
        return inner.line("text", "message", "question", "title", "label") or f"{name}?"
    return label(confirm) if isinstance(confirm, str) else ""
