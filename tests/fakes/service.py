"""A bridge that writes down what the command line asks of it."""

import asyncio

from voxcard.control.service import AskPart, DeviceRow, Happening
from voxcard.errors import VoxcardError
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

    async def say(self, device_id, text):
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

    async def watch(self):
        yield Happening(device="kitchen", kind="transcript", text="what is the volume")

    async def card_show(self, device_id, source):
        self.asked.append(("card", source))
        return "c1"
