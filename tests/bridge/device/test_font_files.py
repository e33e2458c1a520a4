"""The font files that ship are whole, small enough, and cover what the device promises."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def make_font(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "tools.build.make_font", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_shipped_font_files_pass_their_own_check():
    done = make_font("--check")
    assert done.stdout == "6x12.font: 21068 bytes\n8x16.font: 27996 bytes\nfonts ok\n"
    assert done.returncode == 0


def test_without_a_source_making_fonts_says_which_packages_to_install():
    done = make_font()
    assert done.returncode == 2
    assert "apt-get install xfonts-terminus xfonts-base" in done.stderr
