"""The camera of an image that has one (github.com/cnadler86/micropython-camera-API).

Stock images have no module `camera`; a board with such a sensor then has no camera.
"""

import asyncio

POLL_MS = 10
FRAME_MS = 3000  # a sensor that gives nothing for so long has a fault
DISCARDED = 3  # frames in which exposure and white balance settle


class Frame:
    """hal.board.Picture in the driver's frame buffer; `close` lets the sensor rest."""

    def __init__(self, sensor, view):
        self._sensor, self._view = sensor, view

    def __len__(self):
        return len(self._view)

    def read(self, at: int, view):
        view[:] = self._view[at : at + len(view)]

    def close(self):
        self._view = b""
        self._sensor.deinit()


class Camera:
    """hal.board.Camera; `module` is the image's, `camera` the board file's.

    The sensor runs for a photo alone: it costs 0.1 A and warms the board.
    """

    def __init__(self, module, camera: dict):
        self._module, self._camera = module, camera

    async def capture(self):
        sensor = self._open()
        try:
            for _ in range(DISCARDED):
                await self._frame(sensor)
                sensor.free_buffer()
            return Frame(sensor, await self._frame(sensor))
        except BaseException:
            sensor.deinit()
            raise

    def _open(self):
        module, pins = self._module, self._camera
        optional = {}
        for name, key in (("powerdown_pin", "pwdn"), ("reset_pin", "reset")):
            if isinstance(pins.get(key), int):
                optional[name] = pins[key]
        try:
            return module.Camera(
                data_pins=pins["data"], vsync_pin=pins["vsync"], href_pin=pins["href"],
                pclk_pin=pins["pclk"], xclk_pin=pins["xclk"], xclk_freq=pins["xclk_hz"],
                sda_pin=pins["sda"], scl_pin=pins["scl"], fb_count=1,
                pixel_format=module.PixelFormat.JPEG, frame_size=module.FrameSize.VGA,
                grab_mode=module.GrabMode.WHEN_EMPTY, **optional
            )  # fmt: skip
        except (OSError, RuntimeError, ValueError) as error:
            raise OSError("the sensor does not start: %s" % error)

    async def _frame(self, sensor):
        for _ in range(FRAME_MS // POLL_MS):
            if sensor.frame_available():
                view = sensor.capture()
                if view:
                    return view
            await asyncio.sleep_ms(POLL_MS)
        raise OSError("the sensor gives no frame: check the camera's cable")


def camera_of(camera, taken):
    """The camera of a board's file, None where the image has no driver or a pin is taken.

    `taken` are the pins of the display: some boards have either the one or the other.
    """
    if not camera:
        return None
    try:
        import camera as module
    except ImportError:
        return None
    pins = list(camera["data"]) + [camera["vsync"], camera["href"], camera["pclk"]]
    return None if any(pin in taken for pin in pins) else Camera(module, camera)
