"""The page, made once as `make web-installer` makes it, and served on this computer."""

import json
import threading

import pytest
from fakes.cable.images import image

from tools.web_installer import __main__ as web_installer
from tools.web_installer import serve

S3, ESP32 = "ESP32_GENERIC_S3-SPIRAM_OCT-20260406-v1.28.0.bin", "VOXCARD_ESP32.bin"


class Site:
    """`folder` is what is served at `port`."""

    def __init__(self, folder, port):
        self.folder, self.port = folder, port

    def url(self, host="localhost"):
        return f"http://{host}:{self.port}/"

    def parts(self, board):
        """(offset in the flash, bytes) of everything that belongs on a board."""
        place = self.folder / "boards" / board
        [build] = json.loads((place / "manifest.json").read_text())["builds"]
        return [(part["offset"], (place / part["path"]).read_bytes()) for part in build["parts"]]


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web-installer")
    (folder / "images").mkdir()
    (folder / "images" / S3).write_bytes(image(flash_mb=8))
    (folder / "images" / ESP32).write_bytes(image("esp32", "VOXCARD_ESP32"))
    work = web_installer.plan(folder / "images")
    web_installer.make(work, folder / "page", web_installer.CACHE)
    with serve.server(folder / "page", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield Site(folder / "page", server.server_port)
        server.shutdown()
        thread.join()
