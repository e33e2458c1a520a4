"""Asks an MCP server's questions on the screen of the device whose call raised them."""

import asyncio
import logging
import secrets
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace

from voxcard.cards.dialects import mcp_result
from voxcard.cards.model import Action, Card, CardRefused, Provenance
from voxcard.cards.text.fixed_words import WORDS, cards_in
from voxcard.cards.text.twins import complete
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.screen.questions import ScreenQuestions

ANSWER_LIMIT_S = 45.0  # for a person to choose; less than a turn may think

_DECLINE, _OPEN = "decline", "accept"  # ids of our own buttons

log = logging.getLogger(__name__)


class Elicitation:
    """Asks one question at a time on each device; `questions(device_id)` are its screen's."""

    def __init__(
        self, questions: Callable[[str], ScreenQuestions], *, limit_s: float = ANSWER_LIMIT_S
    ) -> None:
        self._questions = questions
        self._limit_s = limit_s
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def ask(
        self, device_id: str, server: str, params: Mapping[str, Json]
    ) -> Mapping[str, Json]:
        """Returns the result of an elicitation/create with `params`.

        `accept` with the choice, or for a page that may be opened; `decline` if the person says
        so, or if buttons cannot fill in the form; `cancel` if nobody answers.
        """
        async with self._locks[device_id]:
            try:
                questions = self._questions(device_id)
                with cards_in(questions.locale):
                    card = question(server, params)
                chosen = await questions.ask(card, self._limit_s, keep=False)
            except (CardRefused, VoxcardError) as error:
                log.warning("%s: the question of %s is declined: %s", device_id, server, error)
                return {"action": "decline"}
            log.info("%s: %s asked, answer: %s", device_id, server, chosen and chosen.id)
            if chosen is None:
                return {"action": "cancel"}
            if chosen.id == _DECLINE:
                return {"action": "decline"}
            if chosen.id == _OPEN:
                await questions.show(_page(card))
                return {"action": "accept"}
            answer = card.extra["answers"][chosen.id]
            return {"action": "accept", "content": {card.extra["field"]: answer}}


def question(server: str, params: Mapping[str, Json]) -> Card:
    """The card of a server's question, which it names. CardRefused if buttons cannot answer."""
    request = {"method": "elicitation/create", "params": params}
    source = {"resultType": "input_required", "inputRequests": {"question": request}}
    try:
        (card,) = mcp_result.parse(source, f"ask.{secrets.token_hex(4)}").cards
    except CardRefused as refused:
        if params.get("mode") == "url":
            raise CardRefused("url", "only https pages can be opened from a screen") from refused
        reason = "only one choice, or yes and no, can be asked on a screen; not other forms"
        raise CardRefused("requestedSchema", reason) from refused
    decline = _button(_DECLINE, "cancel")
    if params.get("mode") == "url":
        # The code's page comes first: it says what the page is for.
        links = (replace(link, label=card.title or link.label) for link in card.actions)
        buttons = (*links, _button(_OPEN, "open"), decline)
    else:
        buttons = (*card.actions, decline)
    return complete(replace(card, actions=buttons, provenance=Provenance(source=server)))


def _button(action_id: str, word: str) -> Action:
    return Action(id=action_id, label=WORDS[word], kind="control", text=action_id)


def _page(card: Card) -> Card:
    """The card that stays when a page may be opened: the code that leads a phone to it."""
    links = tuple(action for action in card.actions if action.kind == "link")
    return complete(replace(card, id=f"{card.id}.page", actions=links, question=None))
