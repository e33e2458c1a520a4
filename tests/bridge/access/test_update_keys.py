"""Keys of updates: made once, kept private, never guessed from what was damaged."""

import stat

import pytest
from voxcard.access.update_keys import UpdateKeys, release_key
from voxcard.errors import VoxcardError


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_the_home_s_key_is_made_at_first_use_and_stays(tmp_path):
    folder = tmp_path / "accounts"
    key = release_key(folder)
    assert len(key) == 32 and release_key(folder) == key
    assert release_key(tmp_path / "other") != key
    assert mode_of(folder / "release-key") == 0o600 and mode_of(folder) == 0o700


def test_each_device_has_a_key_of_its_own(tmp_path):
    keys = UpdateKeys(tmp_path / "accounts")
    assert keys.get("hall") == ""
    hall, attic = keys.add("hall"), keys.add("attic")
    assert {len(hall), len(attic)} == {64} and hall != attic
    assert UpdateKeys(tmp_path / "accounts").get("hall") == hall
    assert keys.remove("hall") and not keys.remove("hall")
    assert (keys.get("hall"), keys.get("attic")) == ("", attic)
    assert mode_of(tmp_path / "accounts" / "update-keys.json") == 0o600


@pytest.mark.parametrize("text", ["", "no key", "ab" * 31, "AB" * 32, "ab" * 33])
def test_a_damaged_key_of_the_home_is_not_replaced(tmp_path, text):
    (tmp_path / "release-key").write_text(text)
    with pytest.raises(VoxcardError, match=r"release-key cannot be read.*a backup"):
        release_key(tmp_path)
    assert (tmp_path / "release-key").read_text() == text


@pytest.mark.parametrize("text", ["", "[]", '{"hall": 1}', '{"hall": "ab"}', "[" * 100000])
def test_a_damaged_file_of_keys_is_not_written_anew(tmp_path, text):
    (tmp_path / "update-keys.json").write_text(text)
    with pytest.raises(VoxcardError, match=r"update-keys\.json cannot be read"):
        UpdateKeys(tmp_path).add("hall")
    assert (tmp_path / "update-keys.json").read_text() == text
