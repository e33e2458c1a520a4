"""`voxcard sim`: which broker, screen and folder the device gets, and what is refused."""

import pytest
from voxcard.cli import commands, sim_run
from voxcard.sim.broker import Broker

FILE = """\
[mqtt]
host = "10.0.0.9"
port = 1884
user = "bridge"
password = "secret"
root = "home"
[control]
socket = "control"
"""


@pytest.fixture
def sim(monkeypatch, capsys, tmp_path):
    """`sim(*words)` is the exit status, the options of the device, and what stderr says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VOXCARD_MQTT_PASSWORD", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run(*words):
        asked = []

        async def attached(options):
            asked.append(options)

        monkeypatch.setattr(sim_run, "attached", attached)
        monkeypatch.setattr("sys.argv", ["voxcard", "sim", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            commands.main()
        return ended.value.code or 0, asked[0] if asked else None, capsys.readouterr().err

    return run


def test_without_a_file_it_is_a_small_device_at_the_embedded_broker(sim, tmp_path):
    code, options, err = sim()
    assert (code, err) == (0, "")
    assert (options.device_id, options.broker) == ("sim-1", Broker())
    assert options.folder == tmp_path / "state" / "voxcard" / "sim" / "sim-1"
    assert options.screen["width"] == 128 and options.screen["depth"] == 1
    assert (options.camera, options.window) == (None, False)
    assert sim("--window")[1].window is True


def test_the_broker_is_that_of_the_file_unless_an_option_says_otherwise(sim, tmp_path):
    (tmp_path / "my.toml").write_text(FILE)
    _, options, _ = sim("--config", "my.toml")
    of_file = Broker(host="10.0.0.9", port=1884, user="bridge", password="secret", root="home")
    assert options.broker == of_file
    assert options.socket == tmp_path / "control"
    _, options, _ = sim("--config", "my.toml", "--user", "attic", "--password", "p")
    assert (options.broker.user, options.broker.password) == ("attic", "p")
    assert (options.broker.host, options.broker.port) == ("10.0.0.9", 1884)
    _, options, _ = sim("--config", "my.toml", "--host", "h", "--port", "1999", "--root", "r")
    assert options.broker == Broker(host="h", port=1999, root="r")


def test_a_guarded_embedded_broker_takes_a_name_and_password_of_the_options(sim, tmp_path):
    (tmp_path / "my.toml").write_text('[mqtt]\nlisten = "0.0.0.0"\naccounts = "a"\n')
    code, _, err = sim("--config", "my.toml")
    assert (code, err) == (
        1,
        "voxcard: The broker asks for a password, sim-1 has none. "
        "Run: voxcard devices add sim-1\n",
    )
    _, options, _ = sim("--config", "my.toml", "--user", "u", "--password", "p")
    assert options.broker == Broker(user="u", password="p")


def test_its_screen_is_a_size_or_that_of_a_board(sim):
    assert sim("--screen", "240x240-round")[1].screen["shape"] == "round"
    assert sim("--screen", "board:xmini-c3")[1].screen["width"] == 128


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--id", "Kitchen!"), 1, "'Kitchen!' is no id of a device"),
        (("--screen", "9x9"), 1, "9x9 is no known screen"),
        (("--camera", "none.jpg"), 1, "none.jpg cannot be read"),
        (("--config", "none.toml"), 1, "none.toml cannot be read"),
        (("--port", "0"), 2, "--port"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(sim, words, code, sentence):
    ended, options, err = sim(*words)
    assert (ended, options) == (code, None)
    assert sentence in err
