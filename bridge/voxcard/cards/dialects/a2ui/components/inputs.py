"""A2UI inputs: their values are shown, never edited; obscured ones are covered (R001-79)."""

from collections.abc import Callable

from voxcard.cards.dialects.a2ui.components.walk import Reader
from voxcard.cards.dialects.a2ui.formatting.functions import format_date, moment_of
from voxcard.cards.dialects.a2ui.pieces import Component, Done, Mark, Piece, Said
from voxcard.cards.dialects.a2ui.values import Scope, spelled
from voxcard.cards.model import InputBlock
from voxcard.cards.text.sanitize import label

NOTHING = "–"
DONE = "✓"  # a ticked box without a label belongs to the words beside it
VALUE_MAX = 2000
_OBSCURED = ("obscured", "password")
_SHOWN_MAX = 10


def _input(
    reader: Reader, component: Component, scope: Scope, value: str, *, secret: bool = False
) -> list[Piece]:
    spoken = reader.accessibility(component, "label", scope)
    name = spoken or label(reader.text(component, "label", scope))
    shown = "" if secret else value[:VALUE_MAX] or NOTHING
    if not name:
        return [Said(text=shown)] if value and not secret else []
    return [Done(block=InputBlock(label=name, value=shown, secret=secret))]


def _text_field(reader: Reader, component: Component, scope: Scope) -> list[Piece]:
    path = reader.path(component)
    variant = reader.values.text(component.get("variant"), scope, path)
    if variant not in _OBSCURED:
        return _input(reader, component, scope, reader.text(component, "value", scope))
    reader.secrets |= reader.values.places(component.get("value"), scope, path)
    return _input(reader, component, scope, "", secret=True)


def _check_box(reader: Reader, component: Component, scope: Scope) -> list[Piece]:
    value = reader.values.resolve(component.get("value"), scope, reader.path(component))
    spoken = reader.accessibility(component, "label", scope)
    if not spoken and not reader.text(component, "label", scope):
        return [Mark(text=DONE)] if value is True else []
    return _input(reader, component, scope, "yes" if value is True else "no")


def _slider(reader: Reader, component: Component, scope: Scope) -> list[Piece]:
    return _input(reader, component, scope, reader.text(component, "value", scope))


def _choice_picker(reader: Reader, component: Component, scope: Scope) -> list[Piece]:
    """The labels of what is chosen."""
    path = reader.path(component)
    chosen = reader.values.resolve(component.get("value"), scope, path)
    chosen = chosen if isinstance(chosen, list) else [] if chosen is None else [chosen]
    options = reader.values.resolve(component.get("options"), scope, path)
    names: dict[str, str] = {}
    for option in options if isinstance(options, list) else ():
        if isinstance(option, dict):
            value = spelled(option.get("value"))
            names[value] = label(spelled(option.get("label"))) or value
    picked = [label(names.get(spelled(entry), spelled(entry))) for entry in chosen[:_SHOWN_MAX]]
    return _input(reader, component, scope, ", ".join(filter(None, picked)))


def _date_time(reader: Reader, component: Component, scope: Scope) -> list[Piece]:
    """The date and time in words; what is no date is shown as it is."""
    text = reader.text(component, "value", scope)
    day = component.get("enableDate") is not False and ("-" in text[:8] or "T" not in text)
    hour = component.get("enableTime") is not False and ":" in text
    pattern = ", ".join(["EEE, MMM d, yyyy"] * day + ["h:mm a"] * hour)
    try:
        moment_of(text)
        shown = format_date({"value": text, "format": pattern}, reader.values.locale)
    except ValueError:
        shown = text
    return _input(reader, component, scope, shown)


INPUTS: dict[str, Callable[[Reader, Component, Scope], list[Piece]]] = {
    "TextField": _text_field,
    "CheckBox": _check_box,
    "ChoicePicker": _choice_picker,
    "Slider": _slider,
    "DateTimeInput": _date_time,
}
