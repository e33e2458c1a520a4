"""`make web-installer` makes a folder that can be served as it is."""

import json
import re
import threading
import urllib.request

import pytest
from fakes.cable.images import image

from tools.web_installer import __main__ as web_installer
from tools.web_installer import esp_web_tools, serve


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """tests/browser has the real package."""

    def install(target, cache):
        target.mkdir(parents=True)
        (target / "install-button.js").write_text("export {};")

    monkeypatch.setattr(esp_web_tools, "install", install)


@pytest.fixture
def images(tmp_path):
    folder = tmp_path / "images"
    folder.mkdir()
    (folder / "s3.bin").write_bytes(image(flash_mb=8))  # as MicroPython's own is built
    (folder / "esp32.bin").write_bytes(image("esp32", "VOXCARD_ESP32"))
    return folder


def run(tmp_path, images, *words):
    return web_installer.main(["--images", str(images), "--out", str(tmp_path / "page"), *words])


def test_a_board_gets_its_image_and_its_files_at_their_places(tmp_path, images, capsys):
    assert run(tmp_path, images, "--board", "diy-esp32-oled") == 0
    assert "diy-esp32-oled: esp32.bin" in capsys.readouterr().out
    folder = tmp_path / "page" / "boards" / "diy-esp32-oled"
    manifest = json.loads((folder / "manifest.json").read_text())
    assert re.fullmatch(r"\d+\.\d+\.\d+\+[0-9a-f]{8}", manifest.pop("version"))
    assert manifest == {
        "name": "Voxcard for diy-esp32-oled",
        "new_install_prompt_erase": True,
        "new_install_improv_wait_time": 30,
        "builds": [
            {
                "chipFamily": "ESP32",
                "parts": [
                    {"path": "../../images/esp32.bin", "offset": 0x1000},
                    {"path": "files.bin", "offset": 0x200000},
                ],
            }
        ],
    }
    assert b"littlefs" in (folder / "files.bin").read_bytes()[:64]
    assert (folder / "wiring.svg").read_text().startswith("<svg")
    assert [path.name for path in (tmp_path / "page" / "boards").iterdir()] == ["diy-esp32-oled"]


def test_without_a_board_all_are_there_that_have_an_image_and_the_others_are_named(
    tmp_path, images
):
    assert run(tmp_path, images) == 0
    page = (tmp_path / "page" / "index.html").read_text()
    made = {path.name for path in (tmp_path / "page" / "boards").iterdir()}
    shown = set(re.findall(r'name="board" value="([^"]+)"', page))
    assert made == shown and {"diy-s3-oled", "m5-atom-echo"} <= shown
    assert "xmini-c3: " in page and "xmini-c3" not in shown
    assert "(make image BOARD=VOXCARD_C3), and put it into that folder." in page
    assert "$" not in re.sub(r"aG dialout \$USER", "", page)
    for board in made:
        [build] = json.loads((tmp_path / "page/boards" / board / "manifest.json").read_text())[
            "builds"
        ]
        for part in build["parts"]:
            assert (tmp_path / "page" / "boards" / board / part["path"]).is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--board", "nothing"), "There is no board 'nothing'."),
        (("--board", "xmini-c3"), "None of the 2 files in"),
    ],
)
def test_what_cannot_be_made_is_explained_and_the_old_page_stays(
    tmp_path, images, capsys, words, said
):
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html").write_text("old")
    assert run(tmp_path, images, *words) == 1
    assert said in capsys.readouterr().err
    assert (tmp_path / "page" / "index.html").read_text() == "old"


def test_a_folder_without_images_is_refused(tmp_path, capsys):
    assert run(tmp_path, tmp_path / "gone") == 1
    assert "holds no image for any board. Name a board" in capsys.readouterr().err


def test_a_new_page_takes_the_place_of_the_old_one(tmp_path, images):
    assert run(tmp_path, images, "--board", "diy-s3-oled") == 0
    assert run(tmp_path, images, "--board", "diy-s3-lcd") == 0
    assert [path.name for path in (tmp_path / "page" / "boards").iterdir()] == ["diy-s3-lcd"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["images", "page"]


def test_it_is_shown_to_this_computer_with_the_types_that_browsers_want(tmp_path, images):
    assert run(tmp_path, images, "--board", "diy-s3-oled") == 0
    with serve.server(tmp_path / "page", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        types = {}
        for name in ("", "installer.js", "style.css", "boards/diy-s3-oled/manifest.json",
                     "boards/diy-s3-oled/files.bin", "boards/diy-s3-oled/wiring.svg"):  # fmt: skip
            with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/{name}") as answer:
                types[name.rpartition(".")[2]] = answer.headers["Content-Type"]
        server.shutdown()
        thread.join()
    assert server.server_address[0] == "127.0.0.1"
    assert types == {
        "": "text/html; charset=utf-8",
        "js": "text/javascript",
        "css": "text/css",
        "json": "application/json",
        "bin": "application/octet-stream",
        "svg": "image/svg+xml",
    }
