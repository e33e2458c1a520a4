"""Module camera of a third-party image (cnadler86/micropython-camera-API), the part in use."""

JPEG = b"\xff\xd8" + bytes(range(200)) * 40 + b"\xff\xd9"


class PixelFormat:
    JPEG = 4


class FrameSize:
    VGA = 10


class GrabMode:
    WHEN_EMPTY = 0


class Camera:
    """Gives a frame every third look; its buffer is of no use after it was given back."""

    running = None
    dead = False  # a sensor that never gives a frame
    missing = False  # no sensor answers

    def __init__(self, *, data_pins, vsync_pin, href_pin, pclk_pin, xclk_pin, xclk_freq, sda_pin,
                 scl_pin, fb_count, pixel_format, frame_size, grab_mode):  # fmt: skip
        assert Camera.running is None, "it runs already"
        if Camera.missing:
            raise RuntimeError("Camera Init Failed")
        assert len(data_pins) == 8 and pixel_format == PixelFormat.JPEG
        Camera.running = self
        self._looks = 0

    def frame_available(self):
        self._looks += 1
        return not Camera.dead and self._looks % 3 == 0

    def capture(self):
        return memoryview(JPEG)

    def free_buffer(self):
        pass

    def deinit(self):
        Camera.running = None
