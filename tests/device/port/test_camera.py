"""The camera of a third-party image: it gives a picture, or says what is wrong, and then rests."""

from fakes.port import clock
from fakes.port.camera_image import camera as image
from hal.parts.camera import FRAME_MS, Camera, camera_of

PINS = {
    "data": [11, 9, 8, 10, 12, 18, 17, 16], "vsync": 6, "href": 7, "pclk": 13, "xclk": 15,
    "sda": 4, "scl": 5, "xclk_hz": 20000000,
}  # fmt: skip


async def test_a_picture_is_read_piece_by_piece_and_then_the_sensor_rests():
    picture = await Camera(image, PINS).capture()
    assert len(picture) == len(image.JPEG)
    piece = bytearray(100)
    picture.read(50, memoryview(piece))
    assert bytes(piece) == image.JPEG[50:150]
    assert image.Camera.running is not None
    picture.close()
    assert image.Camera.running is None


async def test_a_sensor_that_gives_nothing_is_an_error_in_time_and_rests():
    image.Camera.dead = True
    began_us = clock.now_us()
    try:
        await Camera(image, PINS).capture()
    except OSError as error:
        assert str(error) == "the sensor gives no frame: check the camera's cable"
    else:
        raise AssertionError("it gave one")
    finally:
        image.Camera.dead = False
    assert clock.now_us() - began_us <= FRAME_MS * 1000 + 10000
    assert image.Camera.running is None


async def test_a_sensor_that_does_not_start_says_so():
    image.Camera.missing = True
    try:
        await Camera(image, PINS).capture()
    except OSError as error:
        assert str(error) == "the sensor does not start: Camera Init Failed"
    else:
        raise AssertionError("it started")
    finally:
        image.Camera.missing = False


def test_a_stock_image_has_no_camera():
    assert camera_of(PINS, ()) is None
    assert camera_of(None, ()) is None
