"""A2UI inputs: their values are shown, never edited; obscured ones are covered (R001-79)."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from voxcard.cards.clean import label
from voxcard.cards.dialects.a2ui_functions import format_date, moment_of
from voxcard.cards.dialects.a2ui_pieces import Done, Mark, Piece, Said
from voxcard.cards.dialects.a2ui_values import Scope, spelled
from voxcard.cards.model import InputBlock

if TYPE_CHECKING:
    from voxcard.cards.dialects.a2ui_render import Render

Json = Any
Component = Mapping[str, Json]

NOTHING = "–"
DONE = "✓"  # a ticked box without a label belongs to the words beside it
VALUE_MAX = 2000
_OBSCURED = ("obscured", "password")
_SHOWN_MAX = 10


def _input(
    render: "Render", component: Component, scope: Scope, value: str, *, secret: bool = False
) -> list[Piece]:
    spoken = render.accessibility(component, "label", scope)
    name = spoken or label(render.text(component, "label", scope))
    shown = "" if secret else value[:VALUE_MAX] or NOTHING
    if not name:
        return [Said(text=shown)] if value and not secret else []
    return [Done(block=InputBlock(label=name, value=shown, secret=secret))]


def _text_field(render: "Render", component: Component, scope: Scope) -> list[Piece]:
    path = render.path(component)
    variant = render.values.text(component.get("variant"), scope, path)
    if variant not in _OBSCURED:
        return _input(render, component, scope, render.text(component, "value", scope))
    render.secrets |= render.values.places(component.get("value"), scope, path)
    return _input(render, component, scope, "", secret=True)


def _check_box(render: "Render", component: Component, scope: Scope) -> list[Piece]:
    value = render.values.resolve(component.get("value"), scope, render.path(component))
    spoken = render.accessibility(component, "label", scope)
    if not spoken and not render.text(component, "label", scope):
        return [Mark(text=DONE)] if value is True else []
    return _input(render, component, scope, "yes" if value is True else "no")


def _slider(render: "Render", component: Component, scope: Scope) -> list[Piece]:
    return _input(render, component, scope, render.text(component, "value", scope))


def _choice_picker(render: "Render", component: Component, scope: Scope) -> list[Piece]:
    """The labels of what is chosen."""
    path = render.path(component)
    chosen = render.values.resolve(component.get("value"), scope, path)
    chosen = chosen if isinstance(chosen, list) else [] if chosen is None else [chosen]
    options = render.values.resolve(component.get("options"), scope, path)
    names: dict[str, str] = {}
    for option in options if isinstance(options, list) else ():
        if isinstance(option, dict):
            value = spelled(option.get("value"))
            names[value] = label(spelled(option.get("label"))) or value
    picked = [label(names.get(spelled(each), spelled(each))) for each in chosen[:_SHOWN_MAX]]
    return _input(render, component, scope, ", ".join(filter(None, picked)))


def _date_time(render: "Render", component: Component, scope: Scope) -> list[Piece]:
    """The date and time in words; what is no date is shown as it is."""
    text = render.text(component, "value", scope)
    day = component.get("enableDate") is not False and ("-" in text[:8] or "T" not in text)
    hour = component.get("enableTime") is not False and ":" in text
    pattern = ", ".join(["EEE, MMM d, yyyy"] * day + ["h:mm a"] * hour)
    try:
        moment_of(text)
        shown = format_date({"value": text, "format": pattern}, render.values.locale)
    except ValueError:
        shown = text
    return _input(render, component, scope, shown)


INPUTS: dict[str, Callable[["Render", Component, Scope], list[Piece]]] = {
    "TextField": _text_field,
    "CheckBox": _check_box,
    "ChoicePicker": _choice_picker,
    "Slider": _slider,
    "DateTimeInput": _date_time,
}
