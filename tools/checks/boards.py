"""Check the boards' files: the schema, and what the chips can do; one line each fault.

python -m tools.checks.boards             every file of boards/; exit 1 if one is wrong
python -m tools.checks.boards --warnings  also what is to be known and what is unknown
python -m tools.checks.boards FILE ...    these files
"""

import argparse
import sys
from pathlib import Path

import jsonschema

from tools.boards import files, rules


def faults(path: Path, parts: rules.Parts) -> list[str]:
    """What is wrong with one file."""
    try:
        board = files.read(path)
    except ValueError as error:
        return [f"it is no JSON: {error}"]
    schema = files.read(files.BOARDS / "schema.json")
    validator = jsonschema.Draft202012Validator(schema)
    wrong = [_sentence(error) for error in validator.iter_errors(board)]
    if wrong:
        return sorted(wrong)
    if board["id"] != path.stem:
        return [f"id: the file is {path.name}, the id is {board['id']}"]
    return rules.faults(board, parts)


def _sentence(error: jsonschema.ValidationError) -> str:
    path = ".".join(str(step) for step in error.absolute_path) or "the file"
    if error.instance == "unknown":
        return f"{path} is unknown: look it up and fill it in"
    return f"{path}: {error.message}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--warnings", action="store_true", help="also say what is to be known")
    options = parser.parse_args()
    parts = files.parts()
    paths = options.files or [files.BOARDS / f"{name}.json" for name in files.every()]
    wrong = 0
    for path in paths:
        lines = faults(path, parts)
        wrong += len(lines)
        if options.warnings and not lines:
            lines = [f"({text})" for text in rules.warnings(files.read(path))]
        for line in lines:
            print(f"{path.name}: {line}")
    print(f"boards: {wrong} faults" if wrong else f"boards ok: {len(paths)} files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
