"""A bridge that writes down what the command line asks of it."""

import asyncio

from voxcard.announce.announcement import Report
from voxcard.control.service import AskPart, DeviceRow, Happening
from voxcard.errors import VoxcardError
from voxcard.releases.progress import Progress
from voxcard.toolhub.model import ToolOutcome, ToolSpec


class FakeService:
    """A Service that writes down what it was asked."""

    def __init__(self):
        self.asked = []
        self.entered = asyncio.Event()
        self.cancelled = asyncio.Event()

    def devices(self):
        return [DeviceRow(id="kitchen", name="The kitchen", online=True, state="idle")]

    def problems(self):
        return ["Two devices have the id kitchen. Give one of them another id."]

    async def say(self, device_id, text, *, urgent=False):
        self.asked.append(("say", device_id, text))
        if device_id == "gone":
            raise VoxcardError("There is no device gone.", "See: voxcard devices")
        if device_id == "broken":
            raise ZeroDivisionError
        if device_id == "slow":
            self.entered.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.cancelled.set()

    async def announce(self, announcement, device_ids):
        self.asked.append(("announce", announcement, list(device_ids)))
        devices = device_ids or ["kitchen", "study"]
        if "gone" in devices:
            raise VoxcardError("There is no device gone.", "See: voxcard devices")
        for device in devices:
            if device == "away":
                yield Report(device=device, state="waits", text="away is not online.")
                yield Report(device=device, state="expired", text="away is not online.")
            else:
                yield Report(device=device, state="begins")
                yield Report(device=device, state="played")

    async def ask(self, device_id, *, text="", wav=None):
        self.asked.append(("ask", device_id, text, wav or b""))
        yield AskPart(kind="transcript", text=text or "what is the volume")
        if text == "fail":
            yield AskPart(kind="failed", text="The microphone was lost.")
            return
        if text == "gibberish":
            yield AskPart(kind="sentence", text="I did not understand.", detail={"excuse": True})
            return
        if text == "half":
            yield AskPart(kind="sentence", text="It is \ud80060.", detail={"\udfff": "a\ud800"})
            return
        yield AskPart(kind="sentence", text="It is 60.", detail={"volume": 60})

    def pair(self, code):
        self.asked.append(("pair", code))
        if code != "482913":
            raise VoxcardError("No device shows that code.", "Read it from the device's screen.")
        return "attic"

    def access_changed(self, removed):
        self.asked.append(("access_changed", removed))

    def tool_list(self, device_id, scope):
        schema = {"type": "object", "properties": {"volume": {"type": "integer"}}}
        return [ToolSpec(name="self.a", description=scope, input_schema=schema, source="device")]

    async def tool_call(self, device_id, name, arguments, *, scope, on_progress):
        self.asked.append((name, dict(arguments), scope))
        on_progress("half way")
        if name == "self.fails":
            return ToolOutcome(text="The lamp is unplugged.", is_error=True)
        return ToolOutcome(text="done", result={"content": [], "_meta": {"a": 1}})

    async def update(self, device_id, incoming):
        self.asked.append(("update", device_id, incoming.isalnum()))
        if device_id == "attic":
            raise VoxcardError("attic has no key for updates.", "Make one.")
        online = device_id != "away"
        yield self._progress(device_id, "offered", is_online=online)
        if not online:
            return
        yield self._progress(device_id, "fetch", done_bytes=34)
        yield self._progress(device_id, "installed", done_bytes=100)
        end = ("fell_back", "It did not start.") if device_id == "bad" else ("confirmed", "")
        yield self._progress(device_id, end[0], reason=end[1])

    def update_state(self, device_id):
        return self._progress(device_id, "fetch", done_bytes=34)

    async def update_cancel(self, device_id):
        self.asked.append(("update_cancel", device_id))
        return self._progress(device_id, "cancelled")

    def _progress(self, device_id, state, *, is_online=True, **values):
        firmware = "0.2.0+1f3a9c2e"
        return Progress(
            device=device_id, serial=7, firmware=firmware, state=state, total_bytes=100,
            is_online=is_online, **values,
        )  # fmt: skip

    async def watch(self):
        yield Happening(device="kitchen", kind="transcript", text="what is the volume")

    async def card_show(self, device_id, source):
        self.asked.append(("card", source))
        return "c1"
