"""`make demo ASSISTANT=pipeline`: the conversation over real speech servers and a real model."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

from voxcard.history.store import History

from tools.sim.counterparts import processes
from tools.sim.counterparts.chat_switch import ChatSwitch, Script
from tools.sim.demo import script
from tools.sim.demo.checks import DemoError
from tools.sim.demo.conversation import OUT, Demo
from tools.sim.demo.home import DEVICE
from tools.sim.demo.script import Said

PROMPT = "Answer in one short sentence."
CAPITAL = Said(
    name="1-capital",
    text="what is the capital of France",
    transcript="what is the capital of france",
    reply="Paris",
)
ORDER = replace(script.ORDER, name="2-order")
INTERRUPTED = replace(script.INTERRUPTED, name="4-interrupted")
AFTER = replace(ORDER, name="5-after", hold=True, reply="cancelled")
FALLBACK = replace(script.VOLUME, name="6-volume", hold=True)
SCRIPTS = {  # the first whose words are in the question
    "cancel order 1042": Script("orders_cancel_order", {"order": 1042}),
    "order 1042": Script("orders_where_is_order", {"order": 1042}),
    "order 1043": Script("orders_where_is_order", {"order": 1043}),
}


class PipelineDemo(Demo):
    """Every counterpart is said; with the chat server gone the offline assistant answers."""

    said = (CAPITAL, ORDER, INTERRUPTED, AFTER, FALLBACK)

    @asynccontextmanager
    async def _servers(self) -> AsyncIterator[Mapping[str, dict[str, object]]]:
        with ExitStack() as running:
            self._step("speech to text: wyoming-faster-whisper with tiny.en, a real server")
            stt = await asyncio.to_thread(running.enter_context, processes.whisper())
            self._step("text to speech: wyoming-piper with the voice joe, a real server")
            tts = await asyncio.to_thread(running.enter_context, processes.piper())
            self._step("chat: SmolLM2-135M behind llama.cpp's server, a real model")
            model = await asyncio.to_thread(running.enter_context, processes.llama())
            self._step("chat: a script for questions about orders: that model calls no tools")
            self._chat = ChatSwitch(model, SCRIPTS, self._counterpart)
            chat = await self._chat.start()
            prompt = OUT / "prompt.txt"
            prompt.write_text(PROMPT, encoding="utf-8")
            try:
                yield {
                    "assistant": {"ranking": ["servers", "offline"]},
                    "assistants.servers": {
                        "kind": "pipeline",
                        "chat_url": chat,
                        "chat_model": "SmolLM2-135M",
                        "stt": stt,
                        "tts": tts,
                        "prompt": str(prompt),
                        "limit_s": 55,
                    },
                }
            finally:
                await self._chat.stop()

    async def _conversation(self) -> None:
        await self._talk(CAPITAL)
        await self._talk(ORDER)
        await self._order_card(ORDER.name, "3-action")
        await self._barge_in(INTERRUPTED, AFTER)
        self._step("the chat server is gone: the offline assistant takes the turn over")
        await self._chat.stop()
        await self._talk(FALLBACK)
        await self._check_volume()

    def _check_kept(self, database: Path, photo: Path) -> None:
        history = History(database, 30, 1000)
        try:
            kept = history.turns(DEVICE, 100)
        finally:
            history.close()
        if len(kept) != len(self._turns):
            raise DemoError("all", "the history", f"holds {len(kept)} turns")
        self._say(f"   the history holds {len(kept)} turns")

    def _counterpart(self, text: str) -> None:
        self._say(f"   [dim]{text}[/dim]")
