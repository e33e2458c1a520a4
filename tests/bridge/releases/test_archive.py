"""Release files: the same content is the same bytes, and what is not whole is refused."""

import zipfile

import pytest
from fakes.releases import FILES, FOREIGN, KEY, manifest, release
from voxcard.errors import VoxcardError
from voxcard.releases import archive
from voxcard.releases import manifest as manifests


@pytest.fixture
def file(tmp_path):
    return release(tmp_path / "a.voxrelease")


def packed(path, rows, compression=zipfile.ZIP_STORED):
    """A ZIP of rows (name, bytes), as another program would make it."""
    with zipfile.ZipFile(path, "w", compression) as zipped:
        for name, data in rows:
            zipped.writestr(name, data)
    return path


def rows_of(path):
    with zipfile.ZipFile(path) as zipped:
        return [(name, zipped.read(name)) for name in zipped.namelist()]


def test_the_same_content_gives_the_same_bytes(tmp_path, file):
    assert release(tmp_path / "b.voxrelease").read_bytes() == file.read_bytes()
    assert release(tmp_path / "c.voxrelease", key=FOREIGN).read_bytes() != file.read_bytes()


def test_a_release_is_a_plain_zip_of_manifest_signature_and_files(file):
    names = [name for name, _ in rows_of(file)]
    assert names == [
        "manifest.json", "signature", "files/app.mpy", "files/main.py", "files/voxwire/card.mpy",
    ]  # fmt: skip
    with zipfile.ZipFile(file) as zipped:
        assert {row.compress_type for row in zipped.infolist()} == {zipfile.ZIP_STORED}
    assert dict(rows_of(file))["signature"].decode() == archive.sign(
        manifests.encode(manifest()), KEY
    )


def test_a_release_is_read_back_whole_and_signed_by_its_home_alone(file):
    opened = archive.read(file)
    opened.check_files()
    assert opened.manifest == manifest()
    assert opened.is_signed_by(KEY) and not opened.is_signed_by(FOREIGN)
    archive.check_signature(opened, KEY)
    with pytest.raises(VoxcardError, match="signed by another home, or its manifest was changed"):
        archive.check_signature(opened, FOREIGN)


def test_pieces_are_those_of_the_files_and_of_the_manifest(file):
    opened = archive.read(file)
    text = manifests.encode(manifest())
    assert opened.piece("", 0, 16384) == text
    assert opened.piece("", 10, 20) == text[10:30]
    assert opened.piece("app.mpy", 4096, 4096) == FILES["app.mpy"][4096:]
    assert opened.piece("main.py", 0, 4096) == FILES["main.py"]
    assert opened.piece("main.py", 11, 4096) == opened.piece("main.py", 5000, 4096) == b""
    for path in ("signature", "manifest.json", "files/main.py", "../main.py"):
        with pytest.raises(KeyError):
            opened.piece(path, 0, 1)
    assert [opened.position(path) for path in ("", "app.mpy", "main.py")] == [0, 0, 5000]


def test_a_file_called_signature_is_a_file_like_others(tmp_path):
    files = {"signature": b"mine", "manifest.json": b"{}"}
    opened = archive.read(release(tmp_path / "a", files))
    opened.check_files()
    assert opened.piece("signature", 0, 99) == b"mine"
    assert opened.piece("manifest.json", 0, 99) == b"{}"
    assert opened.is_signed_by(KEY)


@pytest.mark.parametrize("signature", [None, b"", b"00"])
def test_without_a_signature_it_is_said_so(tmp_path, file, signature):
    rows = [row for row in rows_of(file) if row[0] != "signature"]
    if signature is not None:
        rows.append(("signature", signature))
    opened = archive.read(packed(tmp_path / "b", rows))
    with pytest.raises(VoxcardError, match=r"The release is not signed\. Build it"):
        archive.check_signature(opened, KEY)


def test_a_signature_of_any_bytes_is_no_error_of_another_kind(tmp_path, file):
    rows = [row for row in rows_of(file) if row[0] != "signature"]
    opened = archive.read(packed(tmp_path / "b", [*rows, ("signature", b"\xff" * 64)]))
    assert not opened.is_signed_by(KEY)


def test_every_cut_is_refused(tmp_path, file):
    data, cut = file.read_bytes(), tmp_path / "cut"
    for size in (0, 1, 30, len(data) // 2, len(data) - 1):
        cut.write_bytes(data[:size])
        with pytest.raises(VoxcardError, match="is no release, or is damaged"):
            archive.read(cut)


def test_a_changed_file_is_found(file):
    data = bytearray(file.read_bytes())
    data[data.index(b"aaaa")] = ord("b")
    file.write_bytes(data)
    with pytest.raises(VoxcardError, match=r"damaged: app\.mpy has another content"):
        archive.read(file).check_files()


def test_a_changed_manifest_is_another_home_s(tmp_path, file):
    rows = dict(rows_of(file))
    text = rows["manifest.json"].replace(b'"allow_older":false', b'"allow_older":true')
    opened = archive.read(packed(tmp_path / "b", {**rows, "manifest.json": text}.items()))
    assert opened.manifest.allow_older
    assert not opened.is_signed_by(KEY)


def without(rows, name):
    return [row for row in rows if row[0] != name]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda rows: without(rows, "manifest.json"), "has no manifest"),
        (lambda rows: without(rows, "files/main.py"), "does not hold the files of its manifest"),
        (lambda rows: [*rows, ("files/more.py", b"1")], "does not hold the files"),
        (lambda rows: [*rows, ("../evil", b"1")], "does not hold the files"),
        (
            lambda rows: [*without(rows, "files/main.py"), ("files/main.py", b"import ap")],
            "does not hold the files",
        ),
        (
            lambda rows: [*without(rows, "manifest.json"), ("manifest.json", b" " * 25000)],
            "has no manifest",
        ),
    ],
)
def test_what_is_not_what_its_manifest_says_is_refused(tmp_path, file, change, problem):
    with pytest.raises(VoxcardError, match=problem):
        archive.read(packed(tmp_path / "b", change(rows_of(file))))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_packed_again_by_another_program_it_is_refused(tmp_path, file):
    rows = rows_of(file)
    for path in (
        packed(tmp_path / "b", rows, zipfile.ZIP_DEFLATED),
        packed(tmp_path / "c", [*rows, rows[-1]]),
    ):
        with pytest.raises(VoxcardError, match="was packed by another program"):
            archive.read(path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"", "manifest"),
        (b"[]", "manifest"),
        (b'{"format":2}', "format"),
        (b"{" * 20000, "manifest"),
    ],
)
def test_a_wrong_manifest_is_named_in_one_sentence(tmp_path, text, problem):
    with pytest.raises(VoxcardError, match=f"The manifest of the release is wrong: .*{problem}"):
        archive.read(packed(tmp_path / "b", [("manifest.json", text)]))


@pytest.mark.parametrize("path", ["../app.mpy", "/app.mpy", "a/../b", "a//b", ".hidden", "a" * 65])
def test_a_path_that_no_device_takes_is_not_written(tmp_path, path):
    files = {path: b"1"}
    with pytest.raises(VoxcardError, match="The manifest of the release is wrong"):
        archive.write(tmp_path / "a", manifest(files), files, KEY)
    assert list(tmp_path.iterdir()) == []


def test_where_it_cannot_be_written_or_read_one_sentence_says_why(tmp_path):
    with pytest.raises(VoxcardError, match=r"cannot be written: .*Name another file with -o"):
        release(tmp_path / "no" / "a.voxrelease")
    with pytest.raises(VoxcardError, match=r"cannot be read: .*Name another file"):
        archive.read(tmp_path / "a.voxrelease")
