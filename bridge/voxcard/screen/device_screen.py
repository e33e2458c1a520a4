"""The screen of one device: its cards, its open questions, and what people do with both."""

from collections.abc import Callable, Coroutine

from voxwire.capability import Screen

from voxcard.link.blobs import Blobs
from voxcard.link.devices import DeviceLog
from voxcard.link.wire import Wire
from voxcard.screen.card_actions import CardActions
from voxcard.screen.card_maker import CardMaker
from voxcard.screen.device_cards import DeviceCards, KeepCard
from voxcard.screen.questions import ScreenQuestions
from voxcard.toolhub.protocol import Tools


class DeviceScreen:
    """`cards` shows, `questions` asks, `event` takes a device's `card` message.

    `say(text)` makes a text the person's next message, `stop()` ends the running turn; both are
    what an action on a card may do.
    """

    def __init__(
        self,
        device_id: str,
        *,
        card_maker: CardMaker,
        wire: Wire,
        blobs: Blobs,
        tools: Tools,
        keep_card: KeepCard,
        spawn: Callable[[Coroutine[None, None, None], str], object],
        log: Callable[[], DeviceLog],
        say: Callable[[str], object],
        stop: Callable[[], None],
    ) -> None:
        self.cards = DeviceCards(card_maker, wire, blobs, keep=keep_card, spawn=spawn, log=log)
        self.questions = ScreenQuestions(self.cards)
        self._device_id = device_id
        self._actions = CardActions(
            device_id,
            wire=wire,
            device_cards=self.cards,
            questions=self.questions,
            tools=tools,
            spawn=spawn,
            log=log,
            say=say,
            stop=stop,
        )

    def greet(self, screen: Screen | None, mode: str, locale: str) -> None:
        """A session begins; see DeviceCards.greet."""
        self.cards.greet(self._device_id, screen, mode, locale)

    def event(self, card_id: str, event: str, action_id: str) -> None:
        """A card was shown, turned or dismissed, or one of its buttons was pressed."""
        self._actions.event(card_id, event, action_id)
