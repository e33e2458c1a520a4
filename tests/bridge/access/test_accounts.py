"""Users, passwords and the access list: what is written, for whom, and what of it is secret."""

import base64
import json
import stat

import pytest
from voxcard.access.accounts import (
    EmbeddedAccounts,
    MosquittoAccounts,
    PairedDevices,
    access_list,
    check_device,
)
from voxcard.access.passwords import hashed, new_password
from voxcard.errors import VoxcardError


def test_a_password_is_hashed_as_mosquitto_passwd_does_it():
    # Made by mosquitto_passwd 2.0.11 for the password "secret".
    salt = base64.b64decode("2g2SqvsbFNMUrrbg")
    line = (
        "$7$101$2g2SqvsbFNMUrrbg$g+1UG9PixTja3zG909uPO0za1UjIgjGI3CqeMDSRUhh7/nBMB56tUAZU7FH5qSmb"
        "xcasGzS4TnAOR+6gWWpLCw=="
    )
    assert hashed("secret", 101, salt) == line


def test_each_hash_has_a_salt_of_its_own_and_each_password_is_another():
    assert hashed("secret") != hashed("secret")
    passwords = {new_password() for _ in range(100)}
    assert len(passwords) == 100 and {len(each) for each in passwords} == {20}


def test_the_access_list_gives_a_device_its_own_topics_and_the_bridge_all():
    assert access_list("bridge", "home") == (
        "# Written by `voxcard devices`, which writes it anew at every change.\n"
        "user bridge\n"
        "topic readwrite home/#\n"
        "\n"
        "pattern readwrite home/%u/#\n"
    )


@pytest.mark.parametrize(
    "device_id", ["", "Kitchen", "a b", "x" * 33, "a/b", "a:b", "+", "#", "ä"]
)
def test_what_cannot_be_an_id_is_refused_with_what_can(device_id):
    with pytest.raises(VoxcardError, match="An id has 1 to 32 of a-z, 0-9 and the hyphen"):
        check_device(device_id)


def test_the_bridge_s_own_name_is_not_given_to_a_device():
    with pytest.raises(VoxcardError, match="user name of the bridge"):
        check_device("bridge")


def test_the_embedded_broker_s_bridge_has_a_password_before_any_device(tmp_path):
    accounts = EmbeddedAccounts(tmp_path / "accounts")
    users = accounts.users()
    assert list(users) == ["bridge"] and len(users["bridge"]) == 20
    assert EmbeddedAccounts(tmp_path / "accounts").users() == users
    assert accounts.devices() == frozenset()


def test_a_device_of_the_embedded_broker_is_added_given_another_password_and_removed(tmp_path):
    accounts = EmbeddedAccounts(tmp_path)
    bridge = accounts.users()["bridge"]
    first = accounts.add("kitchen")
    assert accounts.users() == {"bridge": bridge, "kitchen": first}
    second = accounts.add("kitchen")
    assert second != first and accounts.users()["kitchen"] == second
    assert accounts.devices() == {"kitchen"}
    assert accounts.remove("kitchen") and not accounts.remove("kitchen")
    assert accounts.users() == {"bridge": bridge}


def test_mosquitto_s_files_hold_hashes_alone_and_the_bridge_s_password_a_file_of_its_own(tmp_path):
    accounts = MosquittoAccounts(tmp_path, "voxcard")
    password = accounts.add("kitchen")
    names = [line.partition(":")[0] for line in accounts.passwords.read_text().splitlines()]
    assert names == ["bridge", "kitchen"]
    bridge = accounts.bridge_password.read_text().strip()
    kept = accounts.passwords.read_text() + accounts.acl.read_text()
    assert password not in kept and bridge not in kept
    assert len(bridge) == 20 and accounts.acl.read_text() == access_list("bridge", "voxcard")


def test_the_bridge_keeps_its_password_when_devices_come_and_go(tmp_path):
    accounts = MosquittoAccounts(tmp_path, "voxcard")
    accounts.add("kitchen")
    bridge = accounts.passwords.read_text().splitlines()[0]
    secret = accounts.bridge_password.read_text()
    accounts.add("attic")
    assert accounts.remove("kitchen") and not accounts.remove("kitchen")
    assert accounts.devices() == {"attic"}
    assert bridge in accounts.passwords.read_text().splitlines()
    assert accounts.bridge_password.read_text() == secret


def test_a_configured_user_and_password_are_the_bridge_s_at_mosquitto(tmp_path):
    accounts = MosquittoAccounts(tmp_path, "voxcard", "hub", "chosen by a person")
    accounts.add("kitchen")
    lines = accounts.passwords.read_text().splitlines()
    assert lines[0].startswith("hub:$7$100000$") and lines[1].startswith("kitchen:$7$1000$")
    assert not accounts.bridge_password.exists()
    assert "user hub\n" in accounts.acl.read_text()


def test_users_that_a_person_wrote_into_mosquitto_s_file_are_kept(tmp_path):
    accounts = MosquittoAccounts(tmp_path, "voxcard")
    accounts.add("kitchen")
    with accounts.passwords.open("a") as file:
        file.write("Home_Assistant:$7$101$c2FsdA==$aGFzaA==\n")
    accounts.add("attic")
    assert "Home_Assistant:$7$101$c2FsdA==$aGFzaA==\n" in accounts.passwords.read_text()
    assert accounts.devices() == {"attic", "kitchen"}


def test_paired_devices_are_remembered_and_forgotten(tmp_path):
    paired = PairedDevices(tmp_path)
    paired.add("kitchen")
    paired.add("attic")
    assert PairedDevices(tmp_path).all() == {"attic", "kitchen"}
    assert paired.remove("attic") and not paired.remove("attic")
    assert PairedDevices(tmp_path).all() == {"kitchen"}


def test_every_file_is_its_user_s_alone(tmp_path):
    folder = tmp_path / "accounts"
    EmbeddedAccounts(folder).add("kitchen")
    MosquittoAccounts(folder, "voxcard").add("kitchen")
    PairedDevices(folder).add("kitchen")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
    assert modes.pop("mosquitto") == 0o700
    assert modes == dict.fromkeys(
        ("embedded.json", "passwords", "acl", "bridge-password", "paired.json"), 0o600
    )
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("text", ["", "[", "[]", "3", '{"a"', "\x00", "[" * 100_000])
def test_a_damaged_file_is_named_with_what_to_do(tmp_path, text):
    (tmp_path / "embedded.json").write_text(text)
    with pytest.raises(VoxcardError, match=r"embedded\.json cannot be read\. Check who may"):
        EmbeddedAccounts(tmp_path).users()
    assert (tmp_path / "embedded.json").read_text() == text


def test_a_file_of_mosquitto_s_that_cannot_be_read_is_named(tmp_path):
    accounts = MosquittoAccounts(tmp_path, "voxcard")
    accounts.passwords.parent.mkdir()
    accounts.passwords.write_bytes(b"\xff\xfe")
    with pytest.raises(VoxcardError, match="passwords cannot be read"):
        accounts.add("kitchen")


def test_what_is_kept_for_the_embedded_broker_is_plain_json(tmp_path):
    password = EmbeddedAccounts(tmp_path).add("kitchen")
    assert json.loads((tmp_path / "embedded.json").read_text())["kitchen"] == password
