"""What a board is to the firmware: its parts, each as small as it can be.

A board module makes one Board and fills in the parts it has; nothing above hal/ knows which board
it runs on. A part that is absent is None. Every wait ends when the part is stopped.
"""


class Microphone:
    """Mono pcm16, little-endian. Half-duplex boards switch their I2S unit in start and stop."""

    rate_hz = 16000

    def start(self):
        """Listen from now on; what was heard before is gone."""
        raise NotImplementedError

    def stop(self):
        """Stop at once; a `readinto` that waits returns 0 within 10 ms."""
        raise NotImplementedError

    async def readinto(self, buffer) -> int:
        """Wait for samples, put some into `buffer` (a memoryview), return the bytes: 0 = stopped.

        Comes back with less than asked for: DMA gives 512-byte steps, polled every 10 ms. What is
        not read within the DMA's length (64 to 144 ms) is lost without notice. No limit of its
        own; raises OSError when the driver fails.
        """
        raise NotImplementedError


class Speaker:
    """Mono pcm16, little-endian, behind about 8 x 16 ms of DMA."""

    rates_hz = (16000, 24000)

    def start(self, rate_hz: int):
        """Play at `rate_hz` from now on; silence while nothing is written."""
        raise NotImplementedError

    def stop(self):
        """Silent within 10 ms; what the DMA holds is dropped. Harmless when it is stopped.

        A hard cut clicks: it dies away, or the amplifier or codec is muted first, where there is a
        way.
        """
        raise NotImplementedError

    async def write(self, buffer) -> int:
        """Wait for room, take some bytes of `buffer` (a memoryview) and return how many.

        0 = stopped. The bytes are copied. Raises OSError when the driver fails.
        """
        raise NotImplementedError

    def buffered_ms(self) -> int:
        """How much sound was written and has not left the speaker yet; 0 when stopped."""
        raise NotImplementedError


class Display:
    """A panel written in bands; it keeps what was written."""

    width = height = 0  # px
    depth = 1  # bits a pixel: 1 or 16
    shape = "rect"  # or round
    pitch_um = 0  # px pitch in micrometres, 0 unknown
    cell = (8, 16)  # (width, height) of one text cell in px
    # band_bytes: what is drawn at a time, where a panel says it; else the view decides.
    # picture_bytes: of one picture that the board has memory for, where it says it; else 0.

    async def write(self, x: int, y: int, width: int, height: int, buffer):
        """Show one band, yielding to other tasks between transfers of at most 5 ms.

        depth 1: rows of framebuf.MONO_HLSB, 1 is lit; depth 16: RGB565, big-endian.
        """
        raise NotImplementedError

    def brightness(self, percent: int):
        """Light of the panel, 0 to 100."""
        raise NotImplementedError


class Button:
    """A button that is asked every 10 ms; debouncing is the caller's."""

    name = ""

    def pressed(self) -> bool:
        raise NotImplementedError


class Picture:
    """A JPEG outside the heap: a driver's frame buffer, or a file."""

    def __len__(self):
        """Its bytes."""
        raise NotImplementedError

    def read(self, at: int, view):
        """Fill `view` (a memoryview) with the bytes from `at` on; OSError when that fails."""
        raise NotImplementedError

    def close(self):
        """Give the buffer back; the picture is of no use after."""
        raise NotImplementedError


class Camera:
    async def capture(self) -> Picture:
        """One picture as JPEG, to be closed; OSError with what to do when there is none."""
        raise NotImplementedError


class Network:
    lost = False  # whether it needs a person: provisioning is for that
    problem = ""  # why it is not there, a sentence for that person

    async def connect(self):
        """Come back when the network is there. No limit of its own: a board keeps trying.

        OSError with a sentence for a person after an attempt in vain; it goes on with the next.
        """
        raise NotImplementedError

    def status(self) -> dict:
        """What a person wants to know of it: `type`, for wifi also `ssid` and `signal`."""
        raise NotImplementedError


class AccessPoint:
    """The Wi-Fi of a board's own, that a phone joins to set it up."""

    ssid = password = ""
    address = ""  # of the board in it
    ports = (80, 53)  # of its page and of its name server

    def scan(self) -> list:
        """[(name, dBm, whether it is open)] of what is around, the strongest first; blocks."""
        raise NotImplementedError

    def open(self):
        """Let phones in, on the channel of the strongest network of the last scan."""
        raise NotImplementedError

    def close(self):
        """Send everybody away."""
        raise NotImplementedError

    def stations(self) -> int:
        """How many phones have joined it."""
        raise NotImplementedError

    def keep(self, credentials):
        """Store the wifi.Credentials of another network for the next start."""
        raise NotImplementedError


class Battery:
    def percent(self):
        """How full it is, 0 to 100; None while that is not known."""
        raise NotImplementedError

    def charging(self):
        """Whether it is being charged, None on a board that cannot tell."""
        raise NotImplementedError


class Board:
    """The parts of one board."""

    id = ""  # of the board's description in boards/
    name = ""
    device_id = ""  # of this one device, where the board knows it; empty: from the chip
    root = "/"  # folder of the settings files
    settings = None  # {name: value} that goes before the defaults of the settings' table
    observe = (
        None  # callable(event, **values): a lamp or console that follows what the device does
    )

    microphone = None  # Microphone
    speaker = None  # Speaker
    display = None  # Display
    buttons = ()  # Button, ...
    camera = None  # Camera
    duplex = "half"  # "full": hears nothing of what it says while it speaks
    formats = ("ima-adpcm", "pcm16")  # of frames of sound that it has room for, preferred first
    set_time = None  # callable(seconds since 1970, UTC) that sets the clock
    unix = None  # callable() -> seconds since 1970, UTC; None while its clock is not set
    network = None  # Network
    access_point = None  # callable() -> AccessPoint; only a board with wifi.Wifi has one
    line = None  # its serial line, a stream to be read and written raw
    battery = None  # Battery
    update = None  # the kind of release it takes: "files", "image"; None: it takes none
    slot = (
        ""  # with one: where the firmware that runs lies: app_a, app_b, or its partition's label
    )
    partition = None  # of an image: esp32.Partition
    memory = None  # callable() -> {name: bytes} that goes over what gc says of the heap

    def unique_id(self) -> bytes:
        """Bytes no other board has (the MAC, as a rule)."""
        raise NotImplementedError

    def reset(self):
        """Restart the board; does not come back."""
        raise NotImplementedError

    async def run(self):
        """The board's own work beside its parts, if it has any; never ends."""
        raise NotImplementedError
