"""voxcard.toml becomes frozen values; what it gets wrong is named with a remedy."""

import dataclasses
from pathlib import Path

import platformdirs
import pytest
from voxcard import config
from voxcard.config import assistant_options, options
from voxcard.errors import VoxcardError

WHOLE = """
[mqtt]
host = "broker.home"
port = 8883
user = "bridge"
password = "hunter2"
tls = true
ca_file = "ca.pem"

[assistant]
locale = "de"
sentences = "mine.yaml"

[mcp.orders]
command = "python3"
args = ["orders.py", "--quiet"]
env = { ORDERS_KEY = "k-123" }
limit_s = 5

[mcp.weather]
url = "https://weather.example/mcp"
headers = { Authorization = "Bearer t-456" }

[history]
path = "kept.sqlite3"
keep_days = 7

[cards]
mode = "text"

[devices.kitchen]
name = "The kitchen"
cards = "full"

[discovery]
announce = "off"

[log]
level = "debug"

[control]
socket = "voxcard.sock"
admin_token = "a-789"
"""


def read(tmp_path: Path, text: str, environ: "dict[str, str] | None" = None) -> config.Config:
    file = tmp_path / "voxcard.toml"
    file.write_text(text, encoding="utf-8")
    return config.load(file, environ=environ or {})


def refusal(tmp_path: Path, text: str) -> VoxcardError:
    with pytest.raises(VoxcardError) as caught:
        read(tmp_path, text)
    return caught.value


def test_without_a_file_the_bridge_starts_its_own_broker_on_this_computer():
    parsed = config.parse({}, environ={})
    assert parsed.file is None
    assert (parsed.mqtt.embedded, parsed.mqtt.host, parsed.mqtt.port) == (True, "127.0.0.1", 1883)
    assert (parsed.mqtt.version, parsed.mqtt.root) == (3, "voxcard")
    assert parsed.assistant.locale == "en"
    assert parsed.mcp == () and parsed.devices == {}
    assert parsed.history.path.name == "history.sqlite3" and not parsed.history.store_audio
    assert (parsed.cards, parsed.log_level, parsed.announce) == ("full", "info", "auto")
    assert parsed.control.socket.name == "control.sock" and not parsed.control.admin_token


def test_every_key_of_a_file_arrives(tmp_path):
    parsed = read(tmp_path, WHOLE)
    assert (parsed.mqtt.host, parsed.mqtt.port, parsed.mqtt.embedded) == (
        "broker.home",
        8883,
        False,
    )
    assert (parsed.mqtt.tls, parsed.mqtt.ca_file) == (True, str(tmp_path / "ca.pem"))
    assert parsed.mqtt.password.value == "hunter2"
    assert parsed.assistant.sentences == str(tmp_path / "mine.yaml")
    orders, weather = parsed.mcp
    assert (orders.name, orders.command, orders.args) == (
        "orders",
        "python3",
        ("orders.py", "--quiet"),
    )
    assert orders.env == {"ORDERS_KEY": "k-123"} and orders.folder == tmp_path
    assert (orders.limit_s, weather.limit_s) == (5, 20)
    assert weather.url == "https://weather.example/mcp"
    assert weather.headers == {"Authorization": "Bearer t-456"}
    assert parsed.history.path == tmp_path / "kept.sqlite3" and parsed.history.keep_days == 7
    assert parsed.control.socket == tmp_path / "voxcard.sock"
    assert parsed.announce == "off"


def test_a_device_has_the_options_of_the_home_unless_it_has_its_own(tmp_path):
    parsed = read(tmp_path, WHOLE)
    assert parsed.device("kitchen") == config.Device(name="The kitchen", cards="full", locale="de")
    assert parsed.device("hall") == config.Device(name="hall", cards="text", locale="de")


def test_a_secret_is_never_printed(tmp_path):
    parsed = read(tmp_path, WHOLE)
    shown = f"{parsed!r} {parsed} {parsed.mqtt.password} {parsed.mcp[0]!r}"
    for secret in ("hunter2", "k-123", "t-456", "a-789"):
        assert secret not in shown


def test_the_environment_has_the_last_word_on_the_password(tmp_path):
    parsed = read(tmp_path, WHOLE, {"VOXCARD_MQTT_PASSWORD": "from-outside"})
    assert parsed.mqtt.password.value == "from-outside"


def test_a_password_may_stand_in_a_file_of_its_own(tmp_path):
    (tmp_path / "secret").write_text("s3cret\nnot this\n")
    parsed = read(tmp_path, '[mqtt]\nhost = "b"\npassword_file = "secret"\n')
    assert parsed.mqtt.password.value == "s3cret"
    error = refusal(tmp_path, '[mqtt]\nhost = "b"\npassword_file = "gone"\n')
    assert "password_file" in error.problem and "gone" in error.problem


PIPELINE = "[assistants.m]\nkind='pipeline'\nchat_url='http://a:1/v1'\nchat_model='q'\n"
ROWS = [
    ("[mqtt]\nhots = 'b'\n", "[mqtt] has no key `hots`.", "Did you mean `host`?"),
    ("[mqqt]\nhost = 'b'\n", "[mqqt] is not a section.", "Did you mean `mqtt`?"),
    ("[cards]\nzzz = 1\n", "[cards] has no key `zzz`.", "Known: mode."),
    ("[mqtt]\nport = 'x'\n", "[mqtt] port must be a number.", "It is: of that broker"),
    ("[mqtt]\nport = true\n", "[mqtt] port must be a number.", "It is: of that broker"),
    ("[mqtt]\nport = 70000\n", "must be from 1 to 65535, not 70000.", "It is:"),
    ("[mqtt]\nversion = 4\n", "version must be 3 or 5, not 4.", "MQTT 3.1.1"),
    ("[mqtt]\nembedded = false\n", "[mqtt] names no broker.", "Set host"),
    ("[mqtt]\nport = 1884\n", "[mqtt] has a port and no host.", "listen_port"),
    ("[mqtt]\nca_file = 'ca.pem'\n", "[mqtt] has a ca_file and no host.", "or leave it out"),
    ("[mqtt]\ntls = true\n", "[mqtt] has a tls and no host.", "leave it out"),
    ("[mqtt]\nhost='b'\nembedded = true\n", "a host and an embedded broker", "Keep one"),
    (
        "[mqtt]\nhost='mqtt://b.lan:1883/'\n",
        "host must be a name or an address, without mqtt://",
        'Write host = "b.lan"; port',
    ),
    ("[mqtt]\nhost='b.lan:1883'\n", "without a port", 'Write host = "b.lan"; port'),
    ("[mqtt]\nhost='me:secret@b.lan'\n", "without a port", 'Write host = "b.lan"; port'),
    ("[mqtt]\nhost='[::1]'\n", "without '['", 'Write host = "::1"; port'),
    ("[mqtt]\nhost='b lan'\n", "without ' '", "Write host"),
    ("[mqtt]\nhost='b..lan'\n", "a name with 1 to 63 letters between", "Write host"),
    ("[mqtt]\nhost='" + "b" * 64 + "'\n", "a name with 1 to 63 letters between", "Write host"),
    ("[mqtt]\nhost='" + "ü" * 60 + "'\n", "a name with 1 to 63 letters between", "Write host"),
    ("[mqtt]\nlisten='tcp://0.0.0.0'\n", "listen must be a name", 'Write listen = "0.0.0.0"'),
    ("[mqtt]\nlisten='300.1.1.1'\n", "listen must be an IPv4 address", '"127.0.0.1" for this'),
    ("[mqtt]\nlisten='::1'\n", "listen must be an IPv4 address", '"0.0.0.0" for your network'),
    ("[mqtt]\nlisten='localhost'\n", "listen must be an IPv4 address", '"127.0.0.1" for this'),
    (
        "[discovery]\nannounce='on'\n",
        "[discovery] announces our own broker, which this computer alone reaches.",
        '[mqtt] listen = "0.0.0.0"',
    ),
    ("[discovery]\nannounce='yes'\n", "announce must be one of auto, on, off", "mDNS"),
    (f"[mqtt]\nroot='{'r' * 101}'\n", "root has 101 characters", "choose a short one"),
    ("[mqtt]\nroot = ''\n", "root must be words with / between them", '"voxcard"'),
    ("[mqtt]\nroot = '/home'\n", "root must be words with / between them", '"voxcard"'),
    ("[mqtt]\nroot = 'home/'\n", "root must be words with / between them", '"voxcard"'),
    ("[mqtt]\nroot = 'home/#'\n", "without + # $ and blanks.", '"voxcard"'),
    ("[mqtt]\nroot = '+/voxcard'\n", "without + # $ and blanks.", '"voxcard"'),
    ("[mqtt]\nroot = '$SYS'\n", "without + # $ and blanks.", '"voxcard"'),
    ("[mqtt]\nroot = 'my home'\n", "without + # $ and blanks.", '"voxcard"'),
    ("[cards]\nmode = 'big'\n", "[cards] mode must be one of full, text, off.", "It is:"),
    ("[mcp.self]\nurl = 'http://x'\n", "[mcp.self] is not a name for a server.", "Use a-z"),
    ("[mcp.a]\n", "[mcp.a] needs a command or a url.", "exactly one"),
    ("[mcp.a]\nurl = 'x'\ncommand = 'y'\n", "[mcp.a] needs a command or a url.", "exactly one"),
    ("[mcp.a]\nurl = 'ftp://x'\n", "[mcp.a] url is no web address.", "https://"),
    ("[mcp.a]\ncommand='x'\nargs=[1]\n", "[mcp.a] args must hold only texts.", '"quotes"'),
    ("[mcp]\norders = 'x'\n", "mcp.orders must be a table.", "[mcp.orders]"),
    ("mqtt = 1\n", "mqtt must be a table.", "[mqtt]"),
    ("[devices.'Küche']\n", "[devices.Küche] is not a device id.", "a-z, 0-9"),
    (
        "[assistant]\nranking = ['mine']\n",
        "[assistant] ranking names 'mine', and there is no [assistants.mine].",
        "Known: offline.",
    ),
    (
        "[devices.hall]\nassistants = ['ofline']\n",
        "[devices.hall] assistants names 'ofline', and there is no [assistants.ofline].",
        "Did you mean `offline`?",
    ),
    (
        "[assistant]\nranking = ['offline', 'offline']\n",
        "[assistant] ranking names 'offline' twice.",
        "Keep the first.",
    ),
    ("[assistant]\nranking = 'offline'\n", "ranking must be a list of texts.", "It is: who"),
    ("[assistants]\nmine = 1\n", "assistants.mine must be a table.", "[assistants.mine]"),
    ("[assistants.mine]\n", "[assistants.mine] has no kind.", "one of: offline, pipeline"),
    ("[assistants.mine]\nkind = 'x'\n", "must be one of offline, pipeline", "It is: what it"),
    ("[assistants.Mine]\n", "[assistants.Mine] is not a name for an assistant.", "Use a-z"),
    (
        "[assistants.offline]\nkind = 'offline'\n",
        "[assistants.offline] is the one that [assistant] is about.",
        "choose another name",
    ),
    (
        "[assistants.m]\nkind = 'offline'\nchat_url = 'http://a'\n",
        "[assistants.m] is of kind offline, which has no key `chat_url`.",
        "or write kind = 'pipeline'.",
    ),
    (
        f"{PIPELINE}voice = 'joe'\n",
        "[assistants.m] is of kind pipeline, which has no key `voice`.",
        "or write kind = 'offline' or 'realtime'.",
    ),
    (f"{PIPELINE}chat_key = 'k'\n", "has no key `chat_key`.", "Did you mean `chat_key_"),
    (
        "[assistants.m]\nkind = 'pipeline'\nchat_model = 'q'\n",
        "[assistants.m] has no chat_url.",
        "For Ollama",
    ),
    (
        "[assistants.m]\nkind = 'pipeline'\nchat_url = 'http://a/v1'\n",
        "[assistants.m] has no chat_model.",
        "For Ollama",
    ),
    (
        "[assistants.m]\nkind = 'pipeline'\nchat_model = 'q'\nchat_url = 'a:11434'\n",
        "[assistants.m] chat_url is no web address.",
        "Write http://host:port/v1",
    ),
    (
        "[assistants.m]\nkind='pipeline'\nchat_model='q'\nchat_url='http://me:pw@a/v1'\n",
        "[assistants.m] chat_url is no web address.",
        "without user or password",
    ),
    (f"{PIPELINE}stt = 'wyoming://a'\n", "stt is no address of a speech server.", "host:port"),
    (f"{PIPELINE}tts = 'tcp://a:1'\n", "tts is no address of a speech server.", "or local"),
    (f"{PIPELINE}limit_s = 0\n", "[assistants.m] limit_s must be from 1 to 55, not 0", "It is"),
    (
        f"{PIPELINE}stt_key_env = 'A'\nstt_key_file = 'b'\n",
        "[assistants.m] has a stt_key_env and a stt_key_file.",
        "Keep one of them.",
    ),
    (
        f"{PIPELINE}chat_key_env = 'sk-secret-1'\n",
        "[assistants.m] chat_key_env must be the name of an environment variable.",
        "Write the name alone",
    ),
    (
        f"{PIPELINE}tts_key_file = 'sk-secret-2'\n",
        "[assistants.m] tts_key_file cannot be read.",
        "Check its name and who may read it.",
    ),
    ("[log\n", "is not TOML", "Correct that place."),
    ("a = " + "[" * 5000 + "]" * 5000, "nests its values too deeply", "Write them flatter."),
]


GOOD_HOSTS = ("b", "b.lan.", "192.168.1.10", "::1", "fe80::1%eth0", "my_broker-2.lan", "küche.lan")


@pytest.mark.parametrize("host", GOOD_HOSTS)
def test_a_name_or_an_address_is_taken_as_it_is(tmp_path, host):
    assert (
        config.parse({"mqtt": {"host": host, "root": "home/voice"}}, environ={}).mqtt.host == host
    )


@pytest.mark.parametrize(("text", "problem", "remedy"), ROWS)
def test_a_mistake_is_named_with_its_file_its_key_and_what_to_do(tmp_path, text, problem, remedy):
    error = refusal(tmp_path, text)
    assert problem in error.problem and remedy in error.remedy
    assert str(tmp_path / "voxcard.toml") in error.problem
    assert "sk-secret" not in str(error)


def test_assistants_have_names_a_ranking_and_one_for_a_device(tmp_path):
    (tmp_path / "key").write_text("k-1\nsecond line\n")
    text = f"""
[assistant]
ranking = ["m", "offline"]
{PIPELINE}
chat_key_file = "key"
stt = "wyoming://10.0.0.2:10300/"
tts = "https://voice.example/v1"
tts_model = "kokoro"
tts_voice = "af_heart"
tts_key_env = "TTS_KEY"
prompt = "prompt.txt"
sees = true
[assistants.quiet]
kind = "offline"
voice = "voices/x.onnx"
[devices.hall]
assistants = ["quiet"]
"""
    parsed = read(tmp_path, text, {"TTS_KEY": " k-2 "})
    assert list(parsed.assistants) == ["offline", "m", "quiet"]
    assert parsed.device("kitchen").assistants == ("m", "offline")
    assert parsed.device("hall").assistants == ("quiet",)
    assert parsed.assistants["quiet"] == config.Assistant(
        locale="en",
        model="",
        voice=str(tmp_path / "voices/x.onnx"),
        sentences="",
        end_of_speech_ms=600,
    )
    pipeline = parsed.assistants["m"]
    assert (pipeline.chat.url, pipeline.chat.model) == ("http://a:1/v1", "q")
    assert (pipeline.stt.url, pipeline.tts.url) == (
        "wyoming://10.0.0.2:10300",
        "https://voice.example/v1",
    )
    assert (pipeline.chat.key.value, pipeline.tts.key.value) == ("k-1", "k-2")
    assert (pipeline.tts.model, pipeline.voice, pipeline.sees) == ("kokoro", "af_heart", True)
    assert pipeline.prompt == str(tmp_path / "prompt.txt")
    assert "k-1" not in repr(parsed) and "k-2" not in repr(parsed)


def test_a_variable_that_is_not_set_is_missed_by_the_bridge_and_not_by_the_command_line(tmp_path):
    parsed = read(tmp_path, f"{PIPELINE}chat_key_env = 'CHAT_KEY'\n")
    assert parsed.assistants["m"].chat.key_missing
    text = f"{PIPELINE}chat_key_env = 'CHAT_KEY'\n"
    for wrong in ("", "two words", "sk-secret\nline"):
        with pytest.raises(VoxcardError, match="chat_key_env leads to something that is no key"):
            read(tmp_path, text, {"CHAT_KEY": wrong})


def test_a_file_with_a_byte_order_mark_is_read(tmp_path):
    file = tmp_path / "voxcard.toml"
    file.write_bytes(b"\xef\xbb\xbf[log]\nlevel = 'debug'\n")
    assert config.load(file).log_level == "debug"


def test_a_password_file_with_a_byte_order_mark_is_read(tmp_path):
    (tmp_path / "password").write_bytes(b"\xef\xbb\xbfsecret\n")
    file = tmp_path / "voxcard.toml"
    file.write_text("[mqtt]\nhost = 'h'\nuser = 'u'\npassword_file = 'password'\n")
    assert config.load(file, environ={}).mqtt.password.value == "secret"


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(VoxcardError, match=r"/nowhere/voxcard\.toml cannot be read"):
        config.load(Path("/nowhere/voxcard.toml"))


def test_the_file_in_the_current_folder_comes_before_the_users(tmp_path, monkeypatch):
    user, here = tmp_path / "user", tmp_path / "here"
    for folder in (user / "voxcard", here):
        folder.mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(user))
    assert config.find(here) is None
    (user / "voxcard" / "voxcard.toml").touch()
    assert config.find(here) == user / "voxcard" / "voxcard.toml"
    (here / "voxcard.toml").touch()
    assert config.find(here) == here / "voxcard.toml"


def test_the_socket_is_never_in_a_folder_that_anyone_may_make(monkeypatch):
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    mine = platformdirs.user_state_path("voxcard")
    assert config.parse({}, environ={}).control.socket == mine / "control.sock"
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/7")
    assert config.parse({}, environ={}).control.socket == Path("/run/user/7/voxcard/control.sock")


def test_a_public_url_is_kept_without_its_last_slash_and_refused_when_no_code_could_hold_it(
    tmp_path,
):
    parsed = read(tmp_path, '[web]\npublic_url = "https://cards.example.org/v/"')
    assert parsed.web == config.Web(
        public_url="https://cards.example.org/v", listen="127.0.0.1", port=8380
    )
    assert config.parse({}, environ={}).web.public_url == ""
    for url in (
        "cards.example.org",
        "ftp://a",
        "https://a/?x=1",
        "https://" + "a" * 60,
        "https://",
    ):
        error = refusal(tmp_path, f'[web]\npublic_url = "{url}"')
        assert "[web] public_url is no web address." in error.problem, url


def test_the_table_and_the_values_have_the_same_keys():
    pairs = (("assistant", config.Assistant), ("history", config.History))
    pairs += (("control", config.Control), ("devices.*", config.Device), ("web", config.Web))
    for section, kind in pairs:
        assert set(options.TABLE[section]) == {each.name for each in dataclasses.fields(kind)}


def test_the_example_file_is_valid():
    parsed = config.load(Path(__file__).parents[2] / "examples" / "voxcard.toml")
    assert [server.name for server in parsed.mcp] == ["orders"]


def test_the_guide_names_every_key():
    guide = (Path(__file__).parents[2] / "docs" / "running-the-bridge.md").read_text()
    for section, keys in options.TABLE.items():
        assert f"[{section.replace('*', 'NAME')}]" in guide
        for key in keys:
            assert f"`{key}`" in guide, f"{section}.{key}"


def test_the_guide_has_a_table_of_keys_for_each_kind_of_assistant():
    guide = (Path(__file__).parents[2] / "docs" / "running-the-bridge.md").read_text()
    for kind, keys in assistant_options.KINDS.items():
        chapter = guide.partition(f"Of kind `{kind}`:\n")[2].partition("Of kind `")[0]
        table = chapter.partition("\n### ")[0]
        rows = [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]
        assert rows == list(keys), kind


def test_the_guide_has_the_defaults_of_numbers_and_switches():
    guide = (Path(__file__).parents[2] / "docs" / "running-the-bridge.md").read_text()
    for section, keys in options.TABLE.items():
        for key, option in keys.items():
            if isinstance(option.default, bool):
                row = f"| `{key}` | {str(option.default).lower()} | "
            elif option.kind == "number":
                row = f"| `{key}` | `{option.default}` | {option.about}"
            else:
                continue
            assert row in guide, f"{section}.{key}"


@pytest.mark.parametrize(
    ("section", "key", "low", "high"),
    [
        ("mqtt", "listen_port", 1, 65535),
        ("assistant", "end_of_speech_ms", 100, 3000),
        ("history", "keep_days", 1, 36500),
        ("history", "keep_count", 1, 10_000_000),
        ("web", "port", 1, 65535),
        ("mcp", "limit_s", 1, 55),
    ],
)
def test_a_number_may_be_from_its_lowest_to_its_highest(section, key, low, high):
    def parsed(value):
        own = {key: value}
        return config.parse({section: {"a": {"command": "a", **own}} if section == "mcp" else own})

    for value in (low, high):
        assert parsed(value)
    for value in (low - 1, high + 1):
        with pytest.raises(VoxcardError, match=f"must be from {low} to {high}, not {value}"):
            parsed(value)


def test_the_longest_root_and_the_newest_version_of_mqtt_are_taken():
    parsed = config.parse(
        {"mqtt": {"host": "b", "root": "r" * 100, "version": 5}}, environ={}
    ).mqtt
    assert (parsed.root, parsed.version) == ("r" * 100, 5)


def test_a_broker_elsewhere_is_asked_at_the_usual_port_and_in_the_clear():
    parsed = config.parse({"mqtt": {"host": "b"}}, environ={}).mqtt
    assert (parsed.embedded, parsed.host, parsed.port, parsed.tls) == (False, "b", 1883, False)
