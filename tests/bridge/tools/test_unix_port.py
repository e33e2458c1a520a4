"""Building a MicroPython where no package has one: what cannot be done is one sentence."""

import hashlib
import io
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tools.build import micropython_source
from tools.build.micropython_source import CannotBuildError, fetched, unpacked
from tools.build.unix_port import build

ROOT = Path(__file__).parents[3]
PORT = "mp-1/ports/unix/Makefile"
CROSS = "mp-1/mpy-cross/Makefile"
GOOD = """\
all:
\tmkdir -p build-standard
\tprintf '#!/bin/sh\\necho built' > build-standard/micropython
\tchmod +x build-standard/micropython
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """`package(makefile)` is the address of a source package whose port has that Makefile."""

    def at(makefile):
        monkeypatch.delenv("MICROPYTHON_SOURCE", raising=False)
        path = tmp_path / "source.tar.xz"
        with tarfile.open(path, "w:xz") as tar:
            for name, text in ((PORT, makefile), (CROSS, "all:\n\ttrue\n")):
                info = tarfile.TarInfo(name)
                info.size = len(text)
                tar.addfile(info, io.BytesIO(text.encode()))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        monkeypatch.setattr(micropython_source, "SHA256", digest)
        return path.as_uri()

    return at


def test_what_the_sources_make_is_put_in_place(package, tmp_path):
    target = tmp_path / "micropython"
    build(target, [package(GOOD)])
    done = subprocess.run([target], capture_output=True, text=True, check=True)
    assert done.stdout == "built\n"


def test_what_does_not_compile_is_told_with_the_compilers_first_error(package, tmp_path):
    broken = "all:\n\t@echo 'main.c:1: error: no such thing' >&2; false\n"
    with pytest.raises(CannotBuildError) as caught:
        build(tmp_path / "micropython", [package(broken)])
    assert str(caught.value) == "it does not compile (main.c:1: error: no such thing)"
    assert not (tmp_path / "micropython").exists()


def test_other_bytes_than_those_known_are_not_used_and_the_next_address_is_tried(
    package, tmp_path
):
    good = package(GOOD)
    (tmp_path / "other").write_bytes(b"other")
    other = (tmp_path / "other").as_uri()
    assert fetched([other, good])[:4] == b"\xfd7zX"
    with pytest.raises(CannotBuildError) as caught:
        fetched([(tmp_path / "none").as_uri(), other])
    assert str(caught.value) == (
        f"MicroPython's sources cannot be had ([Errno 2] No such file or directory: "
        f"'{tmp_path}/none'; what came is not the package that is known); look at the network, or "
        "set MICROPYTHON_SOURCE to a copy of micropython_1.26.1+ds.orig.tar.xz"
    )


def test_a_copy_of_the_package_that_is_named_is_used_alone(package, tmp_path, monkeypatch):
    good = package(GOOD)
    monkeypatch.setenv("MICROPYTHON_SOURCE", str(tmp_path / "source.tar.xz"))
    unpacked(tmp_path / "sources", ["http://127.0.0.1:9/nothing"])
    assert (tmp_path / "sources" / "ports" / "unix" / "Makefile").read_text() == GOOD
    monkeypatch.setenv("MICROPYTHON_SOURCE", str(tmp_path / "none"))
    with pytest.raises(CannotBuildError):
        fetched([good])


def test_sources_that_are_there_are_left_alone(tmp_path):
    unpacked(tmp_path, [])
    assert list(tmp_path.iterdir()) == []


def test_without_a_compiler_the_program_says_what_to_install_and_fails(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "build" / "unix_port.py", tmp_path / "micropython"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": str(tmp_path)},
    )
    assert (done.returncode, done.stderr) == (
        1,
        "No MicroPython for the simulated device: cc and make are missing; on Debian and "
        "Raspberry Pi OS run: sudo apt-get install build-essential. Everything else works; "
        "MICROPYTHON may name one.\n",
    )
