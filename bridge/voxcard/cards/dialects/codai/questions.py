"""The codai blocks that wait for a person: choices, and the approval of what a run wants to do."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from voxcard.cards.dialects.codai.fields import Fields, words
from voxcard.cards.model import (
    Action,
    Block,
    CodeBlock,
    KeyValueBlock,
    ListBlock,
    ListItem,
    Question,
    TextBlock,
)
from voxcard.cards.text.fixed_words import fixed_words
from voxcard.cards.text.sanitize import label

OPTIONS_MAX = 12
ROWS_MAX = 60


@dataclass(slots=True, kw_only=True)
class Reading:
    """What the blocks of one card add to the card: actions, a question, a count of visuals."""

    actions: list[Action] = field(default_factory=list)
    question: Question | None = None
    visuals: int = 0
    locale: str = ""

    @property
    def words(self) -> Mapping[str, str]:
        """The labels of what a device adds itself, in the card's language."""
        return fixed_words(self.locale)


def choices(fields: Fields, reading: Reading) -> Iterator[Block]:
    prompt = fields.line("question", "prompt", "title", "label", "text")
    options = list(fields.objects("options", "choices", "items"))
    if not options:
        raise fields.refused("options", "needs at least one option")
    if reading.question is None and len(options) <= OPTIONS_MAX:
        reading.question = Question(kind="choice", prompt=prompt)
        reading.actions += [_option(option, index) for index, option in enumerate(options)]
        details = [_list_item(option) for option in options]
        if any(item.detail for item in details):
            yield ListBlock(items=tuple(details))
        return
    if prompt:
        yield TextBlock(text=prompt)
    yield ListBlock(items=tuple(_list_item(option) for option in options))


def _option(option: Fields, index: int) -> Action:
    name = option.line("label", "title", "name", "text") or str(index + 1)
    prompt = option.text("prompt", "message", "value") or name
    option_id = option.line("id")
    return Action(id=f"choice.{option_id[:50] or index}", label=name, kind="message", text=prompt)


def _list_item(option: Fields) -> ListItem:
    return ListItem(
        title=option.line("label", "title", "name", "text", "value"),
        detail=option.line("description", "detail", "subtitle", "hint"),
    )


def approval(fields: Fields, reading: Reading) -> Iterator[Block]:
    """A question for Allow and Deny, which answer the run and never go through the model."""
    prompt = fields.required("question", "prompt", "title", "text", "summary")
    if detail := fields.text("details", "detail", "description", "reason"):
        yield TextBlock(text=detail, markdown=True)
    if command := fields.text("command", "code"):
        yield CodeBlock(text=command)
    inner = fields.inner("args", "arguments", "parameters")
    rows = [(label(name), label(words(value))) for name, value in inner.data.items()]
    if tool := fields.line("tool", "toolName"):
        rows.insert(0, (reading.words["tool"], tool))
    if rows:
        yield KeyValueBlock(rows=tuple(rows[:ROWS_MAX]))
    if reading.question is None:
        danger = fields.get("danger", "destructive") is True or fields.get("risk") == "high"
        confirm = f"{prompt}" if danger or fields.get("confirm") else ""
        allow = fields.line("allowLabel", "approveLabel", "confirmLabel") or reading.words["allow"]
        deny = fields.line("denyLabel", "rejectLabel", "cancelLabel") or reading.words["deny"]
        reading.question = Question(kind="approval", prompt=prompt)
        reading.actions += [
            Action(id="allow", label=allow, kind="control", text="allow", confirm=confirm,
                   style="danger" if danger else "primary"),
            Action(id="deny", label=deny, kind="control", text="deny", style="secondary"),
        ]  # fmt: skip
