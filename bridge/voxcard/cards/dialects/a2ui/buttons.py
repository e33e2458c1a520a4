"""A2UI buttons: a link for openUrl, else a message with the values already known (R001-79)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from voxcard.cards.dialects.a2ui.notes import Notes
from voxcard.cards.dialects.a2ui.values import HIDDEN, Scope, Values, spelled
from voxcard.cards.model import Action
from voxcard.cards.text.fixed_words import WORDS
from voxcard.cards.text.sanitize import clean, label, web_link
from voxcard.json_value import Json

LABEL_MAX = 80
MESSAGE_MAX = 500
VALUE_MAX = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """An action, and the name of the list entry it belongs to (empty outside of lists)."""

    action: Action
    of: str = ""


def button(
    component: Mapping[str, Json], name: str, scope: Scope, values: Values, notes: Notes, path: str
) -> Action | None:
    """The action of a Button shown as `name`; None, with a note, for what a card cannot do."""
    action = component.get("action")
    if not isinstance(action, dict):
        notes.add("dropped", path, "a button without an action")
        return None
    style = "primary" if component.get("variant") == "primary" else ""
    shown = label(name)[:LABEL_MAX]
    call = action.get("functionCall", action)
    called = call.get("@call", call.get("call")) if isinstance(call, dict) else None
    if called == "openUrl":
        url = _url(call, scope, values, path)
        if web_link(url):
            return Action(id="", label=shown or WORDS["open"], kind="link", url=url, style=style)
        notes.add("insecure", path, "a button's link is not https")
        return None
    event = action.get("event", action if "name" in action else None)
    if called is not None or not isinstance(event, dict):
        notes.add("unknown", path, "a button runs a function that a card does not run")
        return None
    text = _message(event, shown, scope, values, notes, path)
    if not text:
        notes.add("dropped", path, "a button without a name")
        return None
    return Action(id="", label=shown or text[:LABEL_MAX], kind="message", text=text, style=style)


def _url(call: Mapping[str, Json], scope: Scope, values: Values, path: str) -> str:
    args = call.get("args")
    url = values.resolve(args.get("url"), scope, path) if isinstance(args, dict) else None
    return url if isinstance(url, str) else ""


def _message(
    event: Mapping[str, Json], shown: str, scope: Scope, values: Values, notes: Notes, path: str
) -> str:
    """`Reserve (who: Radu, seats: 2)`: the author's sentence or the label, then the context."""
    sentence = values.text(event.get("userMessage"), scope, path) or shown
    sentence = sentence or values.text(event.get("name"), scope, path)
    context, known = event.get("context"), []
    for key, item in context.items() if isinstance(context, dict) else ():
        value = spelled(values.resolve(item, scope, path))
        if HIDDEN in value:
            notes.add("dropped", path, "a button does not send what an obscured input holds")
        elif value:
            known.append(f"{label(key)}: {label(value[:VALUE_MAX])}")
    text = f"{sentence} ({', '.join(known)})" if known and sentence else sentence
    if len(text) > MESSAGE_MAX:
        notes.add("truncated", path, f"a button's message is longer than {MESSAGE_MAX} characters")
    return clean(text)[:MESSAGE_MAX].strip()


def actions(buttons: list[Button]) -> list[Action]:
    """The actions with ids; equal labels are told apart by the entries they belong to."""
    shown = [entry.action.label for entry in buttons]
    named = []
    for index, value in enumerate(buttons):
        name, text = value.action.label, value.action.text
        if value.of and shown.count(name) > 1:
            longer = f"{name}: {value.of}"[:LABEL_MAX]
            text = longer + text[len(name) :] if text.startswith(name) else text
            name = longer
        named.append(replace(value.action, id=f"a{index}", label=name, text=text))
    return named
