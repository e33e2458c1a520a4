"""What the bridge is installed with has a licence like MIT, or the README names it."""

import re
from importlib import metadata
from pathlib import Path

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
PERMISSIVE = re.compile(
    r"(The )?(MIT|BSD|3-Clause BSD|Apache|ISC|PSF|0BSD|Zlib|CC0|CNRI|Unlicense)\b"
)


def requirements(name, extras=()):
    """The installed packages that `name` with its `extras` needs, itself included."""
    seen, waiting = set(), [(name, frozenset(extras))]
    while waiting:
        package, wanted = waiting.pop()
        try:
            lines = metadata.requires(package) or ()
        except metadata.PackageNotFoundError:
            continue  # for another system or another Python
        seen.add(package)
        for line in lines:
            needed = re.match(r"([\w.-]+)(?:\[([\w,-]+)\])?", line)
            extra = re.search(r"extra == ['\"]([\w-]+)['\"]", line)
            if extra and extra[1] not in wanted:
                continue
            if needed[1] not in seen or needed[2]:
                waiting.append((needed[1], frozenset((needed[2] or "").split(","))))
    return seen


def licence(package):
    """What a package says of its licence; "" where it says nothing."""
    data = metadata.metadata(package)
    named = [
        each.rpartition(":: ")[2] for each in data.get_all("Classifier", ()) if "icense" in each
    ]
    said = data.get("License-Expression") or " AND ".join(named) or data.get("License") or ""
    said = said.strip().partition("\n")[0]  # some have the whole text there
    return said.replace("License", "").strip()


def is_permissive(said):
    """Whether one may do as one likes under one of the alternatives in `said`."""
    return any(all(map(PERMISSIVE.match, each.split(" AND "))) for each in said.split(" OR "))


def test_an_expression_is_permissive_when_one_alternative_is():
    assert is_permissive("EPL-2.0 OR BSD-3-Clause") and is_permissive("MIT AND CC0-1.0")
    for said in ("MPL-2.0 AND MIT", "GPL-3.0-or-later", "LGPL-2.1-or-later OR OFL-1.1", ""):
        assert not is_permissive(said), said


# What a wheel holds beside its package is in no metadata: (package, libraries, licence).
BUNDLED = (("av", ("x264", "x265"), "GPL-2.0 or later"),)


def test_libraries_inside_a_wheel_that_are_not_permissive_are_named_in_the_readme():
    chapter = README[README.index("## Licence") :]
    for package, libraries, said in BUNDLED:
        files = [each.name for each in metadata.files(package)]
        (row,) = [line for line in chapter.splitlines() if line.startswith(f"| {package} ")]
        for library in libraries:
            assert any(name.startswith(f"lib{library}") for name in files), library
            assert library in row and said in row


def test_whatever_is_not_permissive_is_named_in_the_readme():
    extras = ["flash", "media", "offline", "pipeline", "wake"]
    packages = requirements("voxcard", extras) - {"voxcard"}
    assert {"soxr", "piper-tts", "tqdm", "numpy"} <= packages and len(packages) > 40
    chapter = README[README.index("## Licence") :]
    assert [
        f"{name}: {licence(name)}"
        for name in sorted(packages)
        if not is_permissive(licence(name)) and name not in chapter
    ] == []
