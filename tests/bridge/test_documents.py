"""The blocks of README, docs and the files of examples are what they are said to be.

Shell commands and programs are run in tests/together/test_documented_steps.py.
"""

import ast
import base64
import configparser
import contextlib
import json
import re
import shutil
import subprocess
import sys

import pytest
import voxwire.card
import voxwire.message
from fakes.documents import PAGES, ROOT, blocks, prose
from toolbox.registry import ArgumentError, Registry, arguments
from voxcard import config
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.cards.read import card_file
from voxwire import release
from voxwire.bridge_only import capability_reader
from voxwire.errors import WireError

BLOCKS = [block for page in PAGES for block in blocks(page)]
EXAMPLES = sorted(path for path in (ROOT / "examples").rglob("*") if path.is_file())


def is_config(text, folder):
    (folder / "broker-password").write_text("secret\n")
    file = folder / "voxcard.toml"
    file.write_text(text, encoding="utf-8")
    config.load(file, environ={})


def is_sentence_file(text, folder):
    (folder / "sentences.yaml").write_text(text, encoding="utf-8")
    assert sentence_files.read(folder / "sentences.yaml")


def is_message_or_card(text, folder):
    """JSON lines of the wire, or one card: a device's, or one of any dialect."""
    for source in documents(text):
        if "type" in source:
            assert is_message(json.dumps(source).encode()), source
        elif "files" in source:
            release.parse_manifest(json.dumps(source).encode())
        elif "pages" in source:
            voxwire.card.from_data(source)
        else:
            assert card_file.read(json.dumps(source)).cards


def is_message(payload):
    """Whether one of the two sides may say it."""
    for decode in (
        capability_reader.decode,
        release.decode_offer,
        lambda each: voxwire.message.decode(voxwire.message.FROM_DEVICE, each),
        lambda each: voxwire.message.decode(voxwire.message.FROM_BRIDGE, each),
    ):
        with contextlib.suppress(WireError):
            if decode(payload) is not None:
                return True
    return False


def documents(text):
    """The JSON values in `text`, one after the other."""
    text = text.replace("<base64>", base64.b64encode(bytes(4 * 25)).decode())
    text = text.replace("<64 hex digits>", "0f" * 32)
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        value, at = decoder.raw_decode(text, at)
        yield value


def is_program(text, folder):
    ast.parse(text)


def is_shell(text, folder):
    done = subprocess.run(["sh", "-n"], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def is_mosquitto_conf(text, folder):
    """Settings that mosquitto 2 has, each with a value."""
    known = "allow_anonymous password_file acl_file set_tcp_nodelay max_queued_messages"
    for line in text.splitlines():
        name, value = line.split()
        assert name in known.split() and value


def is_drawing(text, folder):
    """Nothing a program reads."""


RULES = {
    "conf": is_mosquitto_conf,
    "json": is_message_or_card,
    "python": is_program,
    "sh": is_shell,
    "text": is_drawing,
    "toml": is_config,
    "yaml": is_sentence_file,
}


@pytest.mark.parametrize("block", BLOCKS, ids=[block.place for block in BLOCKS])
def test_a_block_is_what_it_is_said_to_be(block, tmp_path):
    assert block.language in RULES, f"{block.place}: no rule covers a block of {block.language!r}"
    RULES[block.language](block.text, tmp_path)


def test_every_kind_of_block_is_found():
    assert {block.language for block in BLOCKS} == set(RULES)


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_code_is_fenced_so_that_it_is_read_here(page):
    text = prose(page)
    assert "```" not in text and "~~~" not in text
    assert re.findall(r"(?m)^\n(?: {4}|\t)(?![*-]|\d+\.).*$", text) == []


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if target.startswith("https://"):
            continue
        name, _, anchor = target.partition("#")
        place = page.parent / name if name else page
        assert place.exists(), f"{page.name}: {target}"
        if anchor:
            heads = re.findall(r"(?m)^#+ (.+)$", prose(place))
            slugs = [re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads]
            assert anchor in slugs, f"{page.name}: {target}"


def is_card(path, folder):
    assert card_file.read(path.read_text(encoding="utf-8")).cards


def is_unit(path, folder):
    """systemd's own check where it is installed, with this Voxcard in the place of the other."""
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str
    unit.read(path)
    assert unit.sections() == ["Unit", "Service", "Install"]
    program, *words = unit["Service"]["ExecStart"].split()
    assert (program, words[0]) == ("/opt/voxcard/bin/voxcard", "run")
    if shutil.which("systemd-analyze") is None:
        return
    text = path.read_text(encoding="utf-8").replace("/opt/voxcard", sys.prefix)
    copy = folder / path.name
    copy.write_text(re.sub(r"(?m)^User=.*", "User=root", text))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", copy], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def is_example_program(path, folder):
    done = subprocess.run([sys.executable, path, "--help"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("usage: ")


EXAMPLE_RULES = {
    ".json": is_card,
    ".py": is_example_program,
    ".service": is_unit,
    ".toml": lambda path, folder: config.load(path, environ={}),
    ".yaml": lambda path, folder: sentence_files.read(path),
}


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_an_example_works(path, tmp_path):
    assert path.suffix in EXAMPLE_RULES, f"no rule covers {path}"
    EXAMPLE_RULES[path.suffix](path, tmp_path)


def test_every_example_is_named_in_a_page_for_people():
    pages = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    names = ("/".join(path.relative_to(ROOT / "examples").parts[:2]) for path in EXAMPLES)
    assert [name for name in names if name.removeprefix("cards/") not in pages] == []


def test_the_tool_of_a_device_in_the_docs_works(tmp_path):
    [source] = [block.text for block in BLOCKS if block.file == "lamp.py"]
    scope = {}
    exec(compile(source, "lamp.py", "exec"), scope)
    levels = []
    lamp = type("Lamp", (), {"level": lambda self, percent: levels.append(percent)})()
    registry = Registry()
    scope["install"](registry, lamp)
    tool = registry.find("self.lamp.set_level")
    assert tool.call(**arguments(tool, {"level": 40})) == "The lamp is at 40 percent."
    assert levels == [40]
    with pytest.raises(ArgumentError, match="level must be a whole number from 0 to 100"):
        arguments(tool, {"level": 500})
