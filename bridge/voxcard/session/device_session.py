"""Session of one device, from its hello until the device or the link goes."""

import asyncio
import logging
import time
from dataclasses import asdict

from voxwire.message import Blob, Update

from voxcard import __version__
from voxcard.errors import VoxcardError
from voxcard.json_value import Json
from voxcard.link.devices import Device, DeviceLog, Once
from voxcard.link.wire import Received, Wire
from voxcard.session.downlink import speaker_format
from voxcard.session.services import Services
from voxcard.session.speech_stream import SpeakerFormat
from voxcard.session.zone import Zone, zone_at

log = logging.getLogger(__name__)


class DeviceSession:
    """`device` is the device as its last hello describes it; without a session its `session_id`
    is empty. `spoken_s` is when, by the loop's clock, it last spoke in this session, or None.
    """

    def __init__(self, device_id: str, services: Services, wire: Wire) -> None:
        self.device = Device(id=device_id)
        self.locale = "en"
        self.spoken_s: float | None = None
        self._id = device_id
        self._wire = wire
        self._hub = services.hub
        self._spawn = services.spawn
        self._once = Once()
        self._zone = Zone(utc_offset=0)  # as the device was told
        self._wakes = bool(services.by_word)

    def log(self) -> DeviceLog:
        """For lines about this device."""
        return DeviceLog(log, self.device)

    @property
    def is_open(self) -> bool:
        return bool(self.device.session_id)

    def accept(self, device: Device, locale: str) -> SpeakerFormat | None:
        """Take a new hello; how the device is spoken to, or None (it is told) when this bridge
        does not speak its audio format: then it gets no session."""
        capability = device.capability
        assert capability is not None
        speaker = speaker_format(capability.sound)
        self.device, self.locale = device, locale
        self.spoken_s, self._once = None, Once()
        self._wire.session_id = device.session_id if speaker is not None else ""
        if speaker is None:
            self.log().warning("hello.sound.formats: has none this bridge speaks")
            text = "This bridge does not speak the device's audio format. Update one of them."
            self._wire.send("alert", status="error", message=text)
        return speaker

    def answer_hello(self) -> None:
        """Send the bridge's hello, once more if the device repeats its own."""
        capability = self.device.capability
        speaker = speaker_format(capability.sound) if capability is not None else None
        if speaker is None:
            return
        self._zone = zone_at(int(time.time()))
        self._wire.send(
            "hello",
            session_id=self.device.session_id,
            audio_params=speaker.audio_params(),
            time=int(time.time()),
            **asdict(self._zone),
            locale=self.locale,
            version=__version__,
            wake=self._wakes or None,
        )

    def look_at_clock(self) -> None:
        """Tell the device when the offset of local time, or its next change, is another."""
        now_s = int(time.time())
        if self.is_open and (zone := zone_at(now_s)) != self._zone:
            self._zone = zone
            self._wire.send("clock", time=now_s, **asdict(zone))

    def attach_tools(self) -> None:
        """Offer the device's tools from now on, as soon as they are listed."""
        self._hub.attach(self._id, self._call_device)
        self._spawn(self._refresh(), f"tools {self._id}")

    def end(self, reason: str) -> None:
        """The device, or the way to it, is gone; safe without a session."""
        if self.is_open:
            self.log().info("gone: %s", reason)
            self._hub.detach(self._id)
        self.spoken_s = None
        self.device = Device(id=self._id, capability=self.device.capability)
        self._wire.session_id = ""

    def heard(self) -> None:
        """The device spoke in this session."""
        self.spoken_s = asyncio.get_running_loop().time()

    def is_own(self, received: Received) -> bool:
        """Whether this message is of this session, or of none."""
        _, message = received
        session_id = None if isinstance(message, Blob | Update) else message.session_id
        if session_id is None or session_id == self.device.session_id:
            return True
        self.log().debug("a message of session %.8s is dropped", session_id)
        return False

    def is_first(self, message_id: str) -> bool:
        """Whether this message, sent at QoS 1, is no repeat within this session."""
        return self._once.first(message_id)

    def _call_device(self, payload: dict[str, Json]) -> None:
        if not self._wire.send("mcp", payload=payload):
            raise VoxcardError("The device cannot be reached.", "Check its connection.")

    async def _refresh(self) -> None:
        try:
            await self._hub.refresh(self._id)
        except VoxcardError as error:
            self.log().warning("tools: %s", error)
        except Exception:
            self.log().exception("tools: the list could not be read")
