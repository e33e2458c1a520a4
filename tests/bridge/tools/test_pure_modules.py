"""mutants/pure_modules.py: every pure module has tests that are its own, and they exist."""

from pathlib import Path

from tools.checks.imports import FIRMWARE_PURE
from tools.checks.mutants.pure_modules import TESTS
from tools.checks.mutants.same_programs import SAME, reason

ROOT = Path(__file__).parents[3]
# They hold names and one sentence.
WITHOUT_RULES = {
    f"firmware/voxwire/{name}.py"
    for name in ("__init__", "bridge_only/__init__", "errors", "type/__init__", "type/roles")
}


def test_every_pure_module_of_the_firmware_is_changed_and_run():
    files = (ROOT / "firmware/voxwire").rglob("*.py")
    voxwire = {path.relative_to(ROOT).as_posix() for path in files}
    pure = voxwire | {f"firmware/{name}" for name in FIRMWARE_PURE}
    assert pure - TESTS.keys() == WITHOUT_RULES


def test_the_table_names_files_that_are_there():
    for module, tests in TESTS.items():
        assert (ROOT / module).is_file()
        assert tests and all((ROOT / name).exists() for name in tests)


def test_a_line_that_is_excused_stands_in_its_module():
    for module, rows in SAME.items():
        text = " ".join((ROOT / module).read_text().split())
        for before, _, why in rows:
            assert " ".join(before.split()) in text and why


def test_a_difference_that_is_not_listed_has_no_reason():
    assert reason("firmware/settings.py", "@@ -1 +1 @@\n-one\n+other") == ""
