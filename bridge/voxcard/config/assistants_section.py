"""Reads the sections [assistants.NAME] and the rankings that name them."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from voxcard.config.assistant_options import KIND, KINDS
from voxcard.config.home_assistant_section import read_home_assistant
from voxcard.config.options import Reader, nearest
from voxcard.config.paths import name_or_path, path_in
from voxcard.config.realtime_section import read_realtime
from voxcard.config.values import OFFLINE, AnyAssistant, Assistant, Pipeline, Secret, Server
from voxcard.config.xiaozhi_section import read_xiaozhi
from voxcard.json_value import Json
from voxcard.wake.words import WORDS

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_KEY = re.compile(r"[!-~]{1,4096}")
_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)"
_HTTP = re.compile(rf"https?://{_HOST}(?::\d{{1,5}})?(?:/[A-Za-z0-9._~/-]*)?")
_WYOMING = re.compile(rf"wyoming://{_HOST}:\d{{1,5}}")
_LOCAL = "local"


class AssistantsSection:
    """The assistants of a file in `folder`; `environ` is where `..._key_env` look."""

    def __init__(self, reader: Reader, folder: Path, environ: Mapping[str, str]) -> None:
        self._reader = reader
        self._folder = folder
        self._environ = environ

    def read(self, data: Mapping[str, Json], offline: Assistant) -> dict[str, AnyAssistant]:
        """Those that `data` names, and `offline`, which [assistant] is about."""
        named: dict[str, AnyAssistant] = {OFFLINE: offline}
        for name, own in self._reader.tables("assistants", data):
            if not _NAME.fullmatch(name):
                remedy = "Use a-z, 0-9, - and _, at most 32."
                raise self._reader.refuse(
                    f"[assistants.{name}] is not a name for an assistant.", remedy
                )
            if name == OFFLINE:
                problem = "[assistants.offline] is the one that [assistant] is about."
                raise self._reader.refuse(problem, "Write its keys there, or choose another name.")
            named[name] = self._assistant(f"assistants.{name}", own, offline)
        return named

    def ranking(self, subject: str, ranking: Sequence[str], known: Sequence[str]) -> None:
        """Refuse the names in `ranking`, of the key `subject`, that are not `known` or twice."""
        for at, name in enumerate(ranking):
            if name not in known:
                problem = f"{subject} names {name!r}, and there is no [assistants.{name}]."
                raise self._reader.refuse(problem, nearest(name, known))
            if name in ranking[:at]:
                raise self._reader.refuse(f"{subject} names {name!r} twice.", "Keep the first.")

    def wake(
        self, subject: str, wake: Mapping[str, Json], known: Sequence[str]
    ) -> Mapping[str, tuple[str, ...]]:
        """Who answers each wake word; refuses words without a model and names nobody has."""
        rankings: dict[str, tuple[str, ...]] = {}
        for word, names in wake.items():
            if word not in WORDS:
                problem = f"{subject} has no model for the word {word!r}."
                raise self._reader.refuse(problem, nearest(word, WORDS))
            ranking = (names,) if isinstance(names, str) else tuple(names)
            if not ranking:
                problem = f"{subject} says nobody for {word}."
                raise self._reader.refuse(problem, 'Write a name, such as "offline".')
            self.ranking(f"{subject} {word}", ranking, known)
            rankings[word] = ranking
        return rankings

    def _assistant(self, name: str, data: Json, offline: Assistant) -> AnyAssistant:
        kind = self._kind(name, self._reader.table(name, data))
        section = self._reader.values(name, data, {"kind": KIND, **KINDS[kind]})
        match kind:
            case "offline":
                return self._offline(section, offline)
            case "pipeline":
                return self._pipeline(name, section)
            case "realtime":
                return read_realtime(self._reader, self._folder, name, section, self._access)
            case "home_assistant":
                return read_home_assistant(self._reader, name, section, self._access)
        return read_xiaozhi(self._reader, name, section, self._access)

    def _kind(self, name: str, own: Mapping[str, Json]) -> str:
        """The kind that `own` says it is; a key of another kind is refused with that kind."""
        only_kind = {key: value for key, value in own.items() if key == "kind"}
        kind: str = self._reader.values(name, only_kind, {"kind": KIND})["kind"]
        if not kind:
            remedy = f"Write one of: {', '.join(KINDS)}."
            raise self._reader.refuse(f"[{name}] has no kind.", remedy)
        for key in own:
            others = [each for each, keys in KINDS.items() if key in keys]
            if others and kind not in others:
                problem = f"[{name}] is of kind {kind}, which has no key `{key}`."
                remedy = f"Leave it out, or write kind = {' or '.join(map(repr, others))}."
                raise self._reader.refuse(problem, remedy)
        return kind

    def _access(self, name: str, section: Mapping[str, Json], url: str) -> Server:
        """The server at `url` with what the keys `key_env` and `key_file` lead to."""
        return Server(
            url=url,
            model=section.get("model", ""),
            key=self._key(name, "key_env", "key_file", section),
            key_missing=self._missing(section["key_env"]),
        )

    def _offline(self, section: Mapping[str, Json], offline: Assistant) -> Assistant:
        return Assistant(
            locale=section["locale"] or offline.locale,
            model=name_or_path(self._folder, section["model"]),
            voice=name_or_path(self._folder, section["voice"]),
            sentences=path_in(self._folder, section["sentences"]),
            end_of_speech_ms=section["end_of_speech_ms"],
            listen_again=section["listen_again"],
        )

    def _pipeline(self, name: str, section: Mapping[str, Json]) -> Pipeline:
        for key in ("chat_url", "chat_model"):
            if not section[key]:
                remedy = 'For Ollama: chat_url = "http://127.0.0.1:11434/v1" and chat_model = "…".'
                raise self._reader.refuse(f"[{name}] has no {key}.", remedy)
        return Pipeline(
            chat=self._server(name, section, "chat", "chat_url"),
            stt=self._server(name, section, "stt", "stt"),
            tts=self._server(name, section, "tts", "tts"),
            voice=self._local_path(section["tts"], section["tts_voice"]),
            prompt=path_in(self._folder, section["prompt"]),
            sees=section["sees"],
            end_of_speech=section["end_of_speech"],
            limit_s=section["limit_s"],
        )

    def _server(self, name: str, section: Mapping[str, Json], part: str, key: str) -> Server:
        url = str(section[key]).rstrip("/")
        if not _HTTP.fullmatch(url) and part == "chat":
            remedy = "Write http://host:port/v1 or https://name/v1, without user or password."
            raise self._reader.refuse(f"[{name}] {key} is no web address.", remedy)
        if part != "chat" and not (
            url == _LOCAL or _HTTP.fullmatch(url) or _WYOMING.fullmatch(url)
        ):
            remedy = "Write wyoming://host:port, http://host:port/v1, https://name/v1, or local."
            raise self._reader.refuse(f"[{name}] {key} is no address of a speech server.", remedy)
        return Server(
            url=url,
            model=self._local_path(url, section[f"{part}_model"]),
            key=self._key(name, f"{part}_key_env", f"{part}_key_file", section),
            key_missing=self._missing(section[f"{part}_key_env"]),
        )

    def _local_path(self, url: str, chosen: str) -> str:
        return name_or_path(self._folder, chosen) if url == _LOCAL else chosen

    def _missing(self, variable: str) -> bool:
        """The command line reads the same file, and has no need of keys: no refusal here."""
        return bool(variable) and variable not in self._environ

    def _key(self, name: str, env_key: str, file_key: str, section: Mapping[str, Json]) -> Secret:
        """The key in an environment variable or a file; no refusal repeats what was written,
        which may be the key itself."""
        variable, file = section[env_key], section[file_key]
        if variable and file:
            problem = f"[{name}] has a {env_key} and a {file_key}."
            raise self._reader.refuse(problem, "Keep one of them.")
        if variable:
            where = f"[{name}] {env_key}"
            if not _VARIABLE.fullmatch(variable):
                remedy = 'Write the name alone, such as "OPENAI_API_KEY"; the key stays out of it.'
                problem = f"{where} must be the name of an environment variable."
                raise self._reader.refuse(problem, remedy)
            key = self._environ.get(variable)
            return Secret() if key is None else self._checked(where, key)
        if file:
            where = f"[{name}] {file_key}"
            path = self._folder / Path(file).expanduser()
            try:
                text = path.read_text(encoding="utf-8-sig")
            except (OSError, ValueError) as error:
                problem = f"{where} cannot be read."
                raise self._reader.refuse(
                    problem, "Check its name and who may read it."
                ) from error
            return self._checked(where, text.partition("\n")[0])
        return Secret()

    def _checked(self, where: str, key: str) -> Secret:
        if not _KEY.fullmatch(key.strip()):
            problem = f"{where} leads to something that is no key."
            raise self._reader.refuse(problem, "A key is one line without blanks.")
        return Secret(value=key.strip())
