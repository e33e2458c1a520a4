"""The compiled firmware: the same from the same sources, and named by them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.build import firmware, interpreters

ROOT = Path(__file__).parents[3]


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def built_with_seed(seed: str, folder: Path) -> dict[str, bytes]:
    program = (
        "import sys; from pathlib import Path; from tools.build.firmware import built;"
        "print(built(Path(sys.argv[1]), arch='xtensawin'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, folder],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )
    build = Path(done.stdout.strip())
    return {"name": build.name.encode(), **contents(build)}


def copy_of_the_sources(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    sources = folder / "sources"
    sources.mkdir()
    for name in ("main.py", "log.py", "identity.py"):
        (sources / name).write_bytes((firmware.FIRMWARE / name).read_bytes())
    monkeypatch.setattr(firmware, "FIRMWARE", sources)
    return sources


def test_two_hash_seeds_give_one_build(tmp_path):
    first = built_with_seed("1", tmp_path / "first")
    assert first == built_with_seed("2", tmp_path / "second")
    assert {"main.py", "app.mpy", "fonts/6x12.font", "build_digest.mpy"} <= first.keys()
    # Nothing but .mpy files where the architecture is known, and what MicroPython runs by name.
    assert {name for name in first if name.endswith(".py")} == {"main.py", "boot.py"}


def test_the_digest_is_another_one_when_a_source_or_its_name_changes(tmp_path, monkeypatch):
    sources = copy_of_the_sources(tmp_path, monkeypatch)
    digests = [firmware.sources_digest()]
    (sources / "log.py").write_text("# shorter\n")
    digests.append(firmware.sources_digest())
    (sources / "log.py").rename(sources / "logs.py")
    digests.append(firmware.sources_digest())
    assert len(set(digests)) == 3
    assert all(len(digest) == 8 for digest in digests)


def test_what_the_interpreter_left_beside_the_sources_does_not_count(tmp_path, monkeypatch):
    sources = copy_of_the_sources(tmp_path, monkeypatch)
    before = firmware.sources_digest()
    (sources / "__pycache__").mkdir()
    (sources / "__pycache__" / "log.cpython-311.pyc").write_bytes(b"x")
    assert firmware.sources_digest() == before


def test_a_build_holds_the_digest_of_its_sources(tmp_path, monkeypatch):
    copy_of_the_sources(tmp_path, monkeypatch)
    firmware.stage(tmp_path / "staged")
    module = (tmp_path / "staged" / "build_digest.py").read_text()
    assert module == f'DIGEST = "{firmware.sources_digest()}"\n'


def test_tracebacks_of_a_build_have_names_and_lines(tmp_path, monkeypatch):
    sources = copy_of_the_sources(tmp_path, monkeypatch)
    (sources / "deep").mkdir()
    (sources / "deep" / "fault.py").write_text("def divide():\n\n    return 1 // 0\n")
    here = interpreters.host()
    build = firmware.built(tmp_path / "builds", arch=here.arch)
    done = subprocess.run(
        [here.path, "-c", "import deep.fault; deep.fault.divide()"],
        capture_output=True,
        text=True,
        check=False,
        cwd=build,
    )
    assert 'File "deep/fault.py", line 3, in divide' in done.stdout


@pytest.mark.parametrize(
    ("named", "what"),
    [("/nowhere/micropython", "program"), (sys.executable, "32-bit MicroPython")],
)
def test_a_named_32_bit_interpreter_that_is_none_is_refused(monkeypatch, named, what):
    monkeypatch.setenv("MICROPYTHON32", named)
    with pytest.raises(interpreters.MissingToolError) as caught:
        interpreters.plain32()
    assert str(caught.value) == f"MICROPYTHON32 names {named}, which is no {what}."


@pytest.mark.parametrize(
    ("script", "arguments", "sentence"),
    [
        (
            "micropython32.sh",
            ("there",),
            "No 32-bit MicroPython: apt-get is missing; use a Debian system."
            " Or set MICROPYTHON32 to a 32-bit MicroPython 1.26 or newer.\n",
        ),
        (
            "frozen32.sh",
            ("there", "."),
            "No MicroPython with the firmware frozen in: apt-get is missing; use a Debian"
            " system.\n",
        ),
        (
            "rv32.sh",
            ("there", "mpy-cross"),
            "No MicroPython for RISC-V: riscv64-unknown-elf-gcc (with picolibc) or QEMU is"
            " missing; use a Debian system.\n",
        ),
    ],
)
def test_a_missing_tool_for_a_32_bit_interpreter_is_named_in_one_sentence(
    tmp_path, script, arguments, sentence
):
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("sh", "uname", "mkdir", "sed", "head", "realpath", "dirname"):
        (programs / name).symlink_to(f"/bin/{name}")
    done = subprocess.run(
        [ROOT / "tools" / "build" / script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={"PATH": str(programs)},
    )
    assert (done.returncode, done.stderr) == (1, sentence)
