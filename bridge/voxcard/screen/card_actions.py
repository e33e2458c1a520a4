"""Acts on what people do with the cards of one device."""

from collections.abc import Callable, Coroutine, Mapping

from voxwire.message import TEXT_MAX

from voxcard.cards.model import MORE_ID, Action
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.link.devices import DeviceLog
from voxcard.link.wire import Wire
from voxcard.screen.device_cards import DeviceCards
from voxcard.screen.questions import ScreenQuestions
from voxcard.toolhub.protocol import Tools


class CardActions:
    """Handles a device's `card` messages.

    `say(text)` makes a text the user's next message, `stop()` ends the running turn.
    """

    def __init__(
        self,
        device_id: str,
        *,
        wire: Wire,
        device_cards: DeviceCards,
        questions: ScreenQuestions,
        tools: Tools,
        spawn: Callable[[Coroutine[None, None, None], str], object],
        log: Callable[[], DeviceLog],
        say: Callable[[str], object],
        stop: Callable[[], None],
    ) -> None:
        self._id = device_id
        self._wire = wire
        self._device_cards = device_cards
        self._questions = questions
        self._tools = tools
        self._spawn = spawn
        self._log = log
        self._say = say
        self._stop = stop

    def event(self, card_id: str, event: str, action_id: str) -> None:
        """Called when a card was shown, turned or dismissed, or one of its buttons was pressed."""
        if event == "dismissed":
            self._device_cards.shown.dismissed(card_id)
            self._questions.dismissed(card_id)
        elif event == "action":
            part = self._device_cards.shown.next_part(card_id) if action_id == MORE_ID else None
            if part is not None:
                self._log().info("card %s: its next part", card_id)
                self._spawn(self._show_part(card_id, *part), f"next part {self._id}")
            else:
                self._chosen(card_id, action_id)

    def _chosen(self, card_id: str, action_id: str) -> None:
        action = self._device_cards.shown.action(card_id, action_id)
        if action is None:
            self._log().warning("card.action: %s has no %s", card_id, action_id)
            return
        self._log().info("card %s: %s chosen", card_id, action.id)
        if self._questions.answered(card_id, action):
            return
        if action.confirm:
            self._spawn(self._act_if_sure(action), f"confirm {self._id}")
        else:
            self._act(action)

    async def _act_if_sure(self, action: Action) -> None:
        try:
            if await self._questions.sure(action):
                self._act(action)
        except VoxcardError as error:
            self._log().warning("%s is not done: %s", action.id, error)

    def _act(self, action: Action) -> None:
        if action.kind == "message":
            self._say(action.text)
        elif action.kind == "control" and action.text == "stop":
            self._stop()

    async def _show_part(self, card_id: str, tool: str, arguments: Mapping[str, Json]) -> None:
        outcome = await self._tools.call(self._id, tool, arguments, on_progress=lambda text: None)
        shown_id = ""
        if outcome.result and not outcome.is_error:
            call_id = card_id.rpartition(":")[2] + "+"
            shown = await self._device_cards.result(
                outcome.result, tool=tool, call_id=call_id, arguments=arguments
            )
            shown_id = shown.card_id
        if not shown_id:
            text = outcome.text if outcome.is_error else "There is nothing more to show."
            self._wire.send("alert", status="Sorry", message=text[:TEXT_MAX])
