"""`voxcard devices`: passwords are printed once, on stdout alone, and never taken as words."""

import json

import pytest
from fakes.command_line import Command, running
from voxcard.access.accounts import EmbeddedAccounts, MosquittoAccounts, PairedDevices
from voxcard.access.update_keys import UpdateKeys
from voxcard.control.service import DeviceRow


@pytest.fixture
def home(monkeypatch, capsys, tmp_path):
    """The command line in a folder with a configuration; `write(text)` changes its [mqtt]."""
    monkeypatch.chdir(tmp_path)
    command = Command(monkeypatch, capsys, tmp_path)

    def write(mqtt):
        text = f'[mqtt]\naccounts = "accounts"\n{mqtt}\n[control]\nsocket = "c.sock"\n'
        (tmp_path / "voxcard.toml").write_text(text, encoding="utf-8")

    write("")
    command.write = write
    return command


def test_a_device_is_added_and_what_to_set_on_it_is_printed_once(home):
    home.write('listen = "0.0.0.0"\nlisten_port = 1884\nroot = "home"')
    code, out, err = home("devices", "add", "kitchen")
    password = EmbeddedAccounts(home.folder / "accounts").users()["kitchen"]
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "Set this on kitchen. Password and key are shown this once."
    assert [line.split()[0] for line in lines[1:]] == [
        "id", "host", "port", "root", "user", "password", "update_key",
    ]  # fmt: skip
    assert lines[1].split() == ["id", "kitchen"] and lines[3].split() == ["port", "1884"]
    assert lines[4].split() == ["root", "home"] and lines[6].split() == ["password", password]
    key = UpdateKeys(home.folder / "accounts").get("kitchen")
    assert len(key) == 64 and lines[7].split() == ["update_key", key]
    assert err == "The bridge takes it at its next start.\n"


def test_a_program_gets_the_device_s_settings_as_json(home):
    home.write('host = "broker.lan"\nuser = "hub"\npassword = "of the bridge"')
    code, out, err = home("devices", "add", "kitchen", "--json")
    settings = json.loads(out)
    assert code == 0 and len(settings.pop("password")) == 20
    assert settings.pop("update_key") == UpdateKeys(home.folder / "accounts").get("kitchen")
    assert settings == {
        "id": "kitchen",
        "host": "broker.lan",
        "port": 1883,
        "root": "voxcard",
        "user": "kitchen",
    }
    assert "of the bridge" not in out + err


def test_with_mosquitto_the_files_and_what_to_do_with_them_are_named(home):
    home.write('host = "broker.lan"')
    _, out, err = home("devices", "add", "kitchen")
    folder = home.folder / "accounts" / "mosquitto"
    assert MosquittoAccounts(home.folder / "accounts", "voxcard").devices() == {"kitchen"}
    assert err.splitlines() == [
        f"mosquitto reads it from {folder}; where it stands elsewhere, run:",
        "  sudo install -o mosquitto -m 0600 -t /etc/mosquitto/voxcard -D"
        f" {folder}/passwords {folder}/acl",
        "  sudo systemctl reload mosquitto",
        'Give the bridge its own: [mqtt] user = "bridge" and',
        f'  password_file = "{folder}/bridge-password"',
    ]
    bridge = (folder / "bridge-password").read_text().strip()
    assert bridge not in out + err


def test_a_broker_that_asks_for_no_password_is_said_so(home):
    _, _, err = home("devices", "add", "kitchen")
    assert err.splitlines() == [
        "The embedded broker listens to this computer only (127.0.0.1) and asks nobody",
        '  for a password; for devices of your network: [mqtt] listen = "0.0.0.0"',
    ]


def test_a_device_is_removed_and_nobody_is_removed_twice(home):
    home.write('listen = "0.0.0.0"')
    home("devices", "add", "kitchen")
    PairedDevices(home.folder / "accounts").add("attic")
    for device in ("kitchen", "attic"):
        assert home("devices", "remove", device)[:2] == (0, f"{device} is let in no more.\n")
        code, _, err = home("devices", "remove", device)
        assert (code, err) == (
            1,
            f"voxcard: {device} has no password and was not paired. See: voxcard devices list\n",
        )


@pytest.mark.parametrize("broker", ["", 'host = "10.0.0.9"\npairing = "off"'])
def test_where_nobody_is_kept_out_a_removed_device_is_not_said_to_be(home, broker):
    home.write(broker)
    home("devices", "add", "kitchen")
    assert home("devices", "remove", "kitchen")[:2] == (
        0,
        "kitchen has no password any more. It is let in all the same, as everybody is.\n",
    )


@pytest.mark.parametrize("command", ["add", "remove"])
@pytest.mark.parametrize("device", ["Kitchen", "a b", "bridge", "../x"])
def test_what_is_no_id_is_refused_and_nothing_is_written(home, command, device):
    code, out, err = home("devices", command, device)
    assert (code, out) == (1, "") and err.startswith("voxcard: ")
    assert not (home.folder / "accounts").exists()


def test_a_device_that_needs_no_password_gets_a_key_for_updates(home):
    code, out, err = home("devices", "key", "kitchen", "--json")
    keys = UpdateKeys(home.folder / "accounts")
    assert (code, err) == (0, "")
    assert json.loads(out) == {"id": "kitchen", "update_key": keys.get("kitchen")}
    assert EmbeddedAccounts(home.folder / "accounts").devices() == frozenset()
    _, out, _ = home("devices", "key", "kitchen")
    assert out.splitlines() == [
        "Set this on kitchen. The key is shown this once.",
        "  id         kitchen",
        f"  update_key {keys.get('kitchen')}",
    ]


def test_another_key_takes_the_place_of_the_first_and_a_removed_device_has_none(home):
    keys = UpdateKeys(home.folder / "accounts")
    home("devices", "add", "kitchen")
    first = keys.get("kitchen")
    home("devices", "key", "kitchen")
    assert len(keys.get("kitchen")) == 64 and keys.get("kitchen") != first
    home("devices", "remove", "kitchen")
    assert keys.get("kitchen") == ""
    home("devices", "key", "attic")
    assert home("devices", "remove", "attic")[0] == 0
    assert keys.get("attic") == ""


def test_a_list_says_what_runs_on_a_device_and_which_update_is_under_way(home):
    home.service.devices = lambda: [
        DeviceRow(
            id="hall", name="Hall", online=True, state="idle", board="diy-s3-oled",
            firmware="0.1.0+1f3a9c2e", update="update 0.2.0+00aa11bb: 34 %",
        )
    ]  # fmt: skip
    with running(home.service, home.folder / "c.sock"):
        assert home("devices")[1].splitlines()[0] == (
            "hall                 idle         Hall  diy-s3-oled  0.1.0+1f3a9c2e"
            "  update 0.2.0+00aa11bb: 34 %"
        )


def test_no_command_takes_a_password(home):
    code, _, err = home("devices", "add", "kitchen", "secret")
    assert code == 2 and "secret" in err
    code, _, _ = home("devices", "add", "kitchen", "--password", "secret")
    assert code == 2
    assert not (home.folder / "accounts").exists()


def test_a_running_bridge_is_told_of_every_change(home):
    home.write('listen = "0.0.0.0"')
    with running(home.service, home.folder / "c.sock"):
        _, _, err = home("devices", "add", "kitchen")
        assert (
            err == "The embedded broker starts anew with it: every device is away for a moment.\n"
        )
        home("devices", "remove", "kitchen")
    assert home.service.asked == [("access_changed", ""), ("access_changed", "kitchen")]


def test_a_device_is_paired_by_the_code_on_its_screen(home):
    with running(home.service, home.folder / "c.sock"):
        assert home("devices", "pair", "482913")[:2] == (0, "attic is let in.\n")
        code, _, err = home("devices", "pair", "1")
        assert (code, err) == (
            1,
            "voxcard: No device shows that code. Read it from the device's screen.\n",
        )


def test_a_device_that_waits_is_listed_with_what_to_do(home):
    home.service.devices = lambda: [
        DeviceRow(id="attic", name="attic", online=True, state="offline", access="waits"),
        DeviceRow(id="kitchen", name="The kitchen", online=True, state="idle", access="paired"),
    ]
    with running(home.service, home.folder / "c.sock"):
        for words in (("devices",), ("devices", "list")):
            assert home(*words)[1].splitlines() == [
                "attic                offline      attic  waits: voxcard devices pair CODE",
                "kitchen              idle         The kitchen",
                "! Two devices have the id kitchen. Give one of them another id.",
            ]


def test_options_before_a_command_of_devices_are_refused(home):
    code, _, err = home("devices", "--json", "add", "kitchen")
    assert code == 2 and "Options belong behind add." in err
