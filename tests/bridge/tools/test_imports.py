"""The layers of the bridge: what a module may import, and what is refused."""

import pytest

from tools.checks import imports

ALLOWED = [
    ("session/relay.py", "voxcard.link.blobs"),
    ("session/turn/flow.py", "voxcard.session.turn.events"),
    ("config/file.py", "voxcard.config.options"),
    ("link/mqtt/inbox.py", "voxcard.text_safety"),
    ("link/mqtt/inbox.py", "paho.mqtt.client"),
    ("app.py", "voxcard.session.relay"),
    ("history/archive.py", "voxcard.session.turn.record"),
]
REFUSED = [
    ("link/devices.py", "voxcard.session.relay"),
    ("link/devices.py", "voxcard.audio"),
    ("config/file.py", "voxcard.link.mqtt"),
    ("errors.py", "voxcard.config"),
    ("history/archive.py", "voxcard.session.turn.flow"),
    ("cards/dialects/companion.py", "voxcard.cards.fit.fit"),
    ("newfolder/part.py", "voxcard.session.relay"),
    ("session/relay.py", "tools.checks.imports"),
    ("session/relay.py", "."),
]


@pytest.mark.parametrize(("path", "name"), ALLOWED)
def test_a_layer_imports_itself_what_its_row_names_and_what_everybody_may(path, name):
    assert imports.bridge_allows(path, name)


@pytest.mark.parametrize(("path", "name"), REFUSED)
def test_every_other_layer_is_refused(path, name):
    assert not imports.bridge_allows(path, name)


def test_a_module_of_the_package_itself_is_named_whole(tmp_path):
    file = tmp_path / "module.py"
    file.write_text("from voxcard import __version__, audio\nfrom voxcard.link import blobs\n")
    assert list(imports.imports(file)) == [
        ("voxcard.__version__", 1),
        ("voxcard.audio", 1),
        ("voxcard.link", 2),
    ]


def test_a_circle_of_modules_is_found_and_named(tmp_path):
    package = tmp_path / "home"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text("from home import two\n")
    (package / "two.py").write_text("from home.one import x\n")
    assert set(imports.circle(package).split(" -> ")) == {"home.one", "home.two"}
    (package / "two.py").write_text("import json\n")
    assert imports.circle(package) == ""


def test_every_row_names_a_layer_that_is_there():
    root = imports.ROOT / "bridge" / "voxcard"
    assert [row for row in imports.BRIDGE if not (root / row).exists()] == []
