"""Every tool in one list: those of the bridge itself, of tool servers and of devices."""

from collections.abc import Callable
from datetime import datetime

from voxcard.cards.dialects.codai import short_forms
from voxcard.config import Config
from voxcard.history.store import History
from voxcard.screen.assistant_cards import AssistantCards
from voxcard.screen.elicitation import Elicitation
from voxcard.session.relays import Relays
from voxcard.toolhub import builtin, card_tools
from voxcard.toolhub.hub import Hub
from voxcard.toolhub.mcp.client import McpClient


def tool_hub(
    config: Config, relays: Relays, history: History, *, on_change: Callable[[], None]
) -> Hub:
    """The hub of a bridge; `on_change()` when its list changes."""
    cards = AssistantCards(
        lambda device_id: relays.relay(device_id).screen,
        history.last_card,
        answer_limit_s=card_tools.ANSWER_LIMIT_S,
    )
    elicitation = Elicitation(lambda device_id: relays.relay(device_id).screen.questions)

    async def picture(device_id: str, blob_id: int) -> bytes:
        return (await relays.relay(device_id).blobs.wait(blob_id)).data

    return Hub(
        picture=picture,
        on_change=on_change,
        servers=[McpClient(server, elicit=elicitation.ask) for server in config.mcp],
        bridge=[
            *builtin.tools(
                show_last_card=cards.show_last, now=lambda: datetime.now().astimezone()
            ),
            *card_tools.tools(
                short_forms.SHORT_FORMS, show=cards.show, ask=cards.ask, update=cards.update
            ),
        ],
    )
