"""What Voxcard keeps is its user's alone, whatever the umask, and whatever was there before."""

import asyncio
import os
import stat

import pytest
from fakes.service import FakeService
from voxcard.control.server import ControlServer
from voxcard.history.store import History
from voxcard.private_files import private_file, private_folder, write_private

UMASKS = (0o000, 0o022, 0o077, 0o177)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=UMASKS, ids=oct)
def umask(request):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.fixture
def state(tmp_path, monkeypatch):
    """Voxcard's own state folder, which does not exist yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "voxcard"


def test_new_folders_and_files_are_their_users_alone(tmp_path, umask):
    private_folder(tmp_path / "a" / "b")
    private_file(tmp_path / "a" / "b" / "file")
    write_private(tmp_path / "a" / "c" / "text", "secret")
    assert [mode(tmp_path / place) for place in ("a", "a/b", "a/c")] == [0o700] * 3
    assert [mode(tmp_path / place) for place in ("a/b/file", "a/c/text")] == [0o600] * 2
    assert (tmp_path / "a" / "c" / "text").read_text() == "secret"


def test_our_own_folder_is_closed_when_an_older_version_left_it_open(state):
    state.mkdir()
    state.chmod(0o755)
    private_folder(state)
    assert mode(state) == 0o700


def test_a_folder_a_person_chose_stays_as_it_is(tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o755)
    private_folder(tmp_path / "shared")
    assert mode(tmp_path / "shared") == 0o755


def test_what_is_written_anew_is_closed_and_whole(tmp_path):
    file = tmp_path / "passwords"
    file.write_text("old")
    file.chmod(0o644)
    (tmp_path / "passwords.new").write_text("of a crash")
    write_private(file, "new")
    assert (file.read_text(), mode(file)) == ("new", 0o600)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["passwords"]


def test_every_file_of_the_history_is_its_users_alone(state, umask):
    kept = History(state / "history.sqlite3", 30, 100)
    kept.add_turn("kitchen", 1.0, {})
    modes = {path.name: mode(path) for path in state.iterdir()}
    assert modes == dict.fromkeys(
        ("history.sqlite3", "history.sqlite3-wal", "history.sqlite3-shm"), 0o600
    )
    assert mode(state) == 0o700
    kept.close()


def test_an_open_history_of_an_older_version_is_closed_to_others(state):
    os.umask(0o022)
    first = History(state / "history.sqlite3", 30, 100)
    first.add_turn("kitchen", 1.0, {})
    for path in (*state.iterdir(), state):
        path.chmod(0o755 if path.is_dir() else 0o644)
    second = History(state / "history.sqlite3", 30, 100)
    assert len(second.turns("kitchen")) == 1
    assert {mode(path) for path in state.iterdir()} == {0o600} and mode(state) == 0o700
    first.close()
    second.close()


def test_a_damaged_history_that_is_set_aside_is_its_users_alone(state):
    state.mkdir()
    (state / "history.sqlite3").write_bytes(b"no database" * 200)
    (state / "history.sqlite3").chmod(0o644)
    kept = History(state / "history.sqlite3", 30, 100)
    kept.add_turn("kitchen", 1.0, {})
    assert mode(state / "history.sqlite3.bad") == 0o600
    kept.close()


def test_the_control_socket_its_lock_and_its_folder_are_its_users_alone(state, umask):
    async def conversation():
        server = ControlServer(FakeService(), state / "control.sock")
        await server.start()
        modes = {path.name: mode(path) for path in state.iterdir()}
        await server.stop()
        return modes

    modes = asyncio.run(conversation())
    assert modes == {"control.sock": 0o600, "control.sock.lock": 0o600}
    assert mode(state) == 0o700
