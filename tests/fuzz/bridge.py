"""What else the bridge reads: tools, files of its owner, requests, what is said."""

import asyncio
import contextlib
import json
import shutil
import tempfile
from collections.abc import Coroutine, Iterator, Mapping
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import yaml
from fakes import home, releases
from fakes.service import FakeService
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from voxcard import audio, config
from voxcard.assistants.offline.intents.catalogue import Catalogue
from voxcard.assistants.offline.intents.normalise import normalise
from voxcard.assistants.offline.intents.sentences import sentence_files
from voxcard.assistants.spoken.sentences import sentences
from voxcard.assistants.spoken.speech_text import shortened, speakable
from voxcard.assistants.spoken.verbalise import spoken
from voxcard.control.server import ControlServer
from voxcard.errors import VoxcardError
from voxcard.releases import archive
from voxcard.text_safety import clean, encodable, has_controls, safe_line, safe_text
from voxcard.toolhub import outcome
from voxcard.toolhub.device_tools import DeviceTools
from voxcard.toolhub.listing import Entry, Listing
from voxcard.toolhub.schema.validation import Validation, whole_numbers
from voxcard.web import http_protocol
from voxcard.web.server import WebServer
from voxcard.web.shortlinks import Rate, ShortLinks, routes

from fuzz.cards import CONTROLS, check_text
from fuzz.inputs import (
    ROOT,
    changed_bytes,
    changed_json,
    changed_text,
    golden,
    json_bytes,
)
from fuzz.target import Target
from fuzz.wire import PAYLOADS

REQUEST_S = http_protocol.REQUEST_S
SCHEMAS = [
    {"type": "object", "properties": {"order": {"type": "integer", "minimum": 1}},
     "required": ["order"]},
    {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$id": "https://a.example/s",
     "$defs": {"A": {"anyOf": [{"type": "string", "enum": ["x", "y"]}, {"type": "null"}]}}},
    {"type": "object", "properties": {
        "text": {"type": ["string", "null"], "pattern": "^[a-z]+$", "maxLength": 9},
        "list": {"type": "array", "items": {"type": "number", "multipleOf": 0.5}, "maxItems": 3},
        "on": {"const": True}, "n": {"type": "number", "exclusiveMinimum": 0, "maximum": 10}},
     "additionalProperties": False, "allOf": [{"required": ["on"]}]},
    {"type": "object", "properties": {"x": {"oneOf": [{"type": "integer"}, {"type": "string"}],
     "default": 3, "title": "X", "description": "an x"}}, "patternProperties": {"^y": True}},
    {"$ref": "#/definitions/all", "definitions": {"all": {"type": "object", "properties": {}}}},
]  # fmt: skip
CALLS = [
    {"order": 1042}, {"a": "x"}, {"a": None}, {},
    {"text": "abc", "list": [0.5], "on": True, "n": 60.0}, {"x": "y", "y1": [[]]},
]  # fmt: skip
TOOLS = [
    {"name": "track", "description": "Tracks.", "schema": schema, "arguments": arguments,
     "meta": {"voxcard/scope": "user", "voxcard/sentences": {"en": [sentence]}}}
    for schema in SCHEMAS for arguments in CALLS[:3]
    for sentence in ("track [my] order {order}", "(say|write) {text}", "set {a} [to] {x}")
]  # fmt: skip
RESULTS = [
    {"content": [{"type": "text", "text": "true"}], "isError": False},
    {"content": [{"type": "image", "data": "AAAA", "mimeType": "image/png"},
                 {"type": "resource", "resource": {"mimeType": "text/plain", "text": "words"}}],
     "structuredContent": {"a": [1, {"b": None}], "c": True}},
    {"resultType": "input_required", "inputRequests": {"q": {"method": "elicitation/create",
     "params": {"message": "Which?", "requestedSchema": {"type": "object"}}}}},
    {"content": [{"type": "text", "text": "x", "annotations": {"audience": ["assistant"]}}],
     "isError": True},
]  # fmt: skip
REQUESTS = [
    {"do": "devices"}, {"do": "problems"}, {"do": "say", "device": "kitchen", "text": "Hello"},
    {"do": "ask", "device": "kitchen", "text": "what is the volume"},
    {"do": "ask", "device": "kitchen", "wav": "UklGRg=="},
    {"do": "tool_list", "device": "kitchen", "scope": "user"},
    {"do": "tool_call", "device": "kitchen", "scope": "admin", "token": "t", "name": "self.a",
     "arguments": {"volume": 40}},
    {"do": "card_show", "device": "kitchen", "source": {"title": "T"}},
    {"do": "pair", "code": "482913"}, {"do": "access_changed", "removed": "attic"},
    {"do": "update", "device": "kitchen", "incoming": "0f0f", "token": "t"},
    {"do": "update_state", "device": "kitchen"},
    {"do": "update_cancel", "device": "kitchen", "token": "t"},
    {"do": "watch"},
]  # fmt: skip
GETS = [
    b"GET /S/0123456789 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    b"HEAD /page HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 1.2.3.4\r\nConnection: close\r\n\r\n",
    b"POST /page HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcGET /S/a HTTP/1.0\r\n\r\n",
    b"GET http://a/page?x=%ff#y HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"3\r\nabc\r\n0\r\n\r\n",
]  # fmt: skip


def refused(error: VoxcardError) -> None:
    """An error of ours is a sentence with a remedy, and can be written on a terminal."""
    assert error.problem and encodable(error.problem) and encodable(error.remedy)


# Tools


def check_tool(source: Any) -> None:
    """A listed tool, its sentences, and a call of it."""
    source = source if isinstance(source, dict) else {"schema": source}
    entry = Entry(
        name=str(source.get("name")),
        description=str(source.get("description")),
        input_schema=source.get("schema"),
        scope="ai",
        meta=source.get("meta"),
    )
    specs = Listing("orders", source="orders", prefix="orders.").read([entry, entry])
    assert len(specs) <= 1
    arguments = source.get("arguments")
    for spec in specs:
        check_text(spec.name + spec.description)
        json.dumps(dict(spec.input_schema), ensure_ascii=False).encode()
        for argument in spec.arguments.values():
            check_text(argument.wanted)
        given = arguments if isinstance(arguments, dict) else {}
        refusal = Validation().refusal(spec, given)
        check_text(refusal)
        assert len(refusal) <= 401
        whole_numbers(spec, given)
        Catalogue(language(), (), (spec,)).understand("track my order 1042")


def check_outcome(result: Any) -> None:
    """A result as the assistant reads it."""
    if not isinstance(result, dict):
        return
    try:
        assert isinstance(outcome.read("a.b", result).text, str)
    except VoxcardError as error:
        refused(error)


def check_device_tools(payload: Any) -> None:
    """A message of JSON-RPC that a device sends while a call waits."""
    run(_device_tools(payload))


async def _device_tools(payload: Any) -> None:
    sent: list[dict[str, Any]] = []
    tools = DeviceTools(
        "kitchen", sent.append, ids=count(1), picture=no_picture, on_list_changed=lambda: None
    )
    for call in (tools.call("self.a", {}, scope="ai", on_progress=check_text), tools.refresh()):
        task = asyncio.ensure_future(call)
        await asyncio.sleep(0)
        answer = payload
        if isinstance(payload, dict) and payload.get("id") == 7 and sent:
            answer = {**payload, "id": sent[-1].get("id")}
        tools.receive(answer)
        for _ in range(4):
            await asyncio.sleep(0)
        task.cancel()
        with contextlib.suppress(VoxcardError, asyncio.CancelledError):
            await task


async def no_picture(device_id: str, blob_id: int) -> bytes:
    """No blob ever comes."""
    raise VoxcardError("The picture did not come.", "Try again.")


# Files of the owner


@cache
def folder() -> Path:
    """Where files and the socket are, until `close`."""
    return Path(tempfile.mkdtemp(prefix="voxcard-fuzz-"))


def check_config(text: str) -> None:
    """voxcard.toml."""
    path = folder() / "voxcard.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        config.load(path, environ={})
    except VoxcardError as error:
        refused(error)


def check_sentence_file(text: str) -> None:
    """A sentence file, and the sentences it teaches."""
    path = folder() / "sentences.yaml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        rules = sentence_files.read(path)
    except VoxcardError as error:
        refused(error)
        return
    Catalogue(language(), rules, (home.VOLUME,)).understand("good night")


def check_release(data: bytes) -> None:
    """A release file."""
    path = folder() / "a.voxrelease"
    path.write_bytes(data)
    try:
        opened = archive.read(path)
        opened.check_files()
        archive.check_signature(opened, releases.KEY)
    except VoxcardError as error:
        refused(error)
        return
    # What is signed and whole is what was signed.
    assert opened.manifest == releases.manifest()
    assert {name: opened.piece(name, 0, 1 << 20) for name in opened.sizes} == releases.FILES


def check_wav(data: bytes) -> None:
    """A recording."""
    try:
        pcm = audio.read_wav(data, 16_000)
    except VoxcardError as error:
        refused(error)
        return
    assert len(pcm) % 2 == 0 and len(pcm) <= 10 * len(data) + 10_000


# What is said and typed


@cache
def language() -> sentence_files.Language:
    """English."""
    return sentence_files.language("en")


@cache
def catalogue() -> Catalogue:
    """The sentences of a home."""
    return Catalogue(language(), (), home.TOOLS)


def check_request(text: str) -> None:
    """Something typed, or heard."""
    once = normalise(text)
    assert normalise(once) == once
    for uncommon in (None, frozenset(text.split()[:3])):
        understood = catalogue().understand(text, uncommon).understood
        for name, value in understood.arguments if understood else ():
            if name in ("volume", "brightness"):
                assert type(value) is int and 0 <= value <= 100


def check_speech(text: str) -> None:
    """A text that is to be said aloud."""
    said = speakable(text)
    assert not set("*_`#|\\{}\n") & set(said)
    assert not CONTROLS & set(spoken(said)) and encodable(spoken(said))
    assert all(sentences(said)) and len(shortened(text)) <= 4


def check_safety(text: str) -> None:
    """Foreign text for terminal, log and screen."""
    for made in (clean(text), safe_text(text), safe_line(text), safe_line(text, 40)):
        check_text(made)
    assert clean(clean(text)) == clean(text)
    assert safe_line(safe_line(text)) == safe_line(text)
    assert len(safe_line(text, 40)) <= 40 and not has_controls(safe_line(text))


# Requests over sockets


@cache
def loop() -> asyncio.AbstractEventLoop:
    """One loop for all servers; what it is told of is a fault."""
    made = asyncio.new_event_loop()
    made.set_exception_handler(_raised.append)  # type: ignore[arg-type]
    return made


_raised: list[Mapping[str, Any]] = []


def run(conversation: Coroutine[Any, Any, None]) -> None:
    """Run on the loop; AssertionError for what nobody caught there."""
    _raised.clear()
    loop().run_until_complete(asyncio.wait_for(conversation, 60))
    assert not _raised, str(_raised[0].get("exception") or _raised[0])


@cache
def control_socket() -> Path:
    """A control server that runs as long as this process."""
    path = folder() / "control.sock"
    server = ControlServer(FakeService(), path, "t")
    loop().run_until_complete(server.start())
    _servers.append(server)
    return path


_servers: list[Any] = []


def check_control(line: bytes) -> None:
    """One line on the control socket: reports, then one `done` or one error of ours."""
    run(_control(line.replace(b"\n", b" ") + b"\n", control_socket()))


async def _control(line: bytes, path: Path) -> None:
    reader, writer = await asyncio.open_unix_connection(path, limit=1 << 24)
    try:
        writer.write(line)
        answers = [json.loads(each) async for each in reader]
    finally:
        writer.close()
    assert answers, "there is no answer"
    assert all(each.keys() == {"report"} for each in answers[:-1])
    assert answers[-1].keys() in ({"done"}, {"error"})
    assert encodable(json.dumps(answers, ensure_ascii=False)), "it has half a character"
    problem = answers[-1].get("error", {}).get("problem", "")
    assert not problem.startswith("The bridge failed"), problem


@cache
def web_port() -> int:
    """A web server that runs as long as this process."""
    http_protocol.REQUEST_S = 0.05
    links = ShortLinks("https://a.example", new_id=lambda: "0123456789")
    links.shorten("https://b.example/" + "x" * 60)
    page = Route("/page", lambda request: PlainTextResponse("here"))
    server = WebServer([*routes(links, Rate()), page], "127.0.0.1", 0)
    loop().run_until_complete(server.start())
    _servers.append(server)
    return server.port


def check_http(data: bytes) -> None:
    """What comes on a connection of the web server: answers of HTTP, or none."""
    run(_http(data, web_port()))


async def _http(data: bytes, port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answer = b""
    with contextlib.suppress(ConnectionError):
        writer.write(data)
        answer = await reader.read()
    writer.close()
    assert not answer or answer.startswith(b"HTTP/1.1 "), answer[:40]
    assert not answer.startswith(b"HTTP/1.1 5"), answer[:40]


def close() -> None:
    """Stop the servers, remove the files."""
    for server in _servers:
        loop().run_until_complete(server.stop())
    _servers.clear()
    loop().close()
    shutil.rmtree(folder())
    http_protocol.REQUEST_S = REQUEST_S
    for kept in (loop, folder, control_socket, web_port):
        kept.cache_clear()


def targets() -> Iterator[Target]:
    """Tools, files, speech, requests."""
    own = (ROOT / "examples/sentences.yaml").read_text(encoding="utf-8")
    toml = [(ROOT / "examples/voxcard.toml").read_text(encoding="utf-8"), *configs()]
    said = [each["say"] for path in golden("sentences/near*.yaml")
            for each in yaml.safe_load(path.read_text(encoding="utf-8"))]  # fmt: skip
    spoken_texts = [
        *said[:40],
        "**Bold** [a](https://a.example/x) costs 12,50 €.",
        "1. One\n2. Two",
        "At 10:30, 3-5 km/h, 1/2, 1042, -4 °C, e.g. Dr. No.",
    ]
    wavs = [audio.write_wav(bytes(320), hz) for hz in (8000, 16_000, 48_000)]
    yield Target(name="listed tool", inputs=changed_json(TOOLS), check=check_tool)
    yield Target(name="tool result", inputs=changed_json(RESULTS), check=check_outcome)
    yield Target(name="device's JSON-RPC", inputs=changed_json(PAYLOADS), check=check_device_tools)
    yield Target(name="voxcard.toml", inputs=changed_text(toml), check=check_config)
    yield Target(name="sentence file", inputs=changed_text([own, *yamls()]),
                 check=check_sentence_file)  # fmt: skip
    release = releases.release(folder() / "seed").read_bytes()
    yield Target(name="release file", inputs=changed_bytes([release]), check=check_release)
    yield Target(name="WAV", inputs=changed_bytes(wavs), check=check_wav)
    yield Target(name="what is asked", inputs=changed_text(said), check=check_request)
    yield Target(name="what is said", inputs=changed_text(spoken_texts), check=check_speech)
    yield Target(name="foreign text", inputs=changed_text(spoken_texts), check=check_safety)
    yield Target(name="control request", inputs=json_bytes(REQUESTS),
                 check=check_control)  # fmt: skip
    yield Target(name="HTTP request", inputs=changed_bytes(GETS), check=check_http)


def configs() -> list[str]:
    """Files with every kind of section."""
    return [
        '[mqtt]\nhost = "broker.lan"\nport = 8883\ntls = true\nversion = 5\n'
        'root = "home/voxcard"\n'
        '[devices.kitchen]\nname = "Kitchen"\ncards = "text"\nlocale = "en"\n',
        '[mcp.web]\nurl = "https://a.example/mcp"\nheaders = {A = "b"}\nlimit_s = 30.5\n'
        '[mcp.own]\ncommand = "own"\nargs = ["a", "b"]\nenv = {K = "v"}\n[web]\n'
        'public_url = "https://v.example"\nport = 8380\n[history]\nkeep_days = 3\n',
    ]


def yamls() -> list[str]:
    """Short files, which are changed where it matters."""
    return [
        "sentences:\n- sentences: [louder by {by}]\n"
        "  change: {argument: volume, status: volume, by: 10}\n"
        "  tool: self.audio_speaker.set_volume\n  reply: [It is {volume}., Done.]\n",
        "language: en\nsentences:\n- {sentences: 'hi [there]', reply: Hello.}\n",
        "a: &x [1, *x]\nsentences: [{sentences: [a], reply: 2024-01-01, arguments: {b: 1e3}}]\n",
    ]
