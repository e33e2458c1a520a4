"""Every key of `[assistants.NAME]`, by the kind of assistant."""

from collections.abc import Mapping

from voxcard.config.options import Option

_KEY_ENV = Option("text", "", "environment variable with its key or token")
_KEY_FILE = Option("text", "", "or: file whose first line is that")
_LIMIT_S = Option("number", 20, "seconds without a sign of a server", 1, 55)
_PROMPT = Option("text", "", "your own system prompt; empty: ours")
_SEES = Option("true or false", False, "the model takes pictures: photos go to it")
LISTEN_AGAIN = Option("true or false", False, "listen once more, silently, after what is unclear")
_END_OF_SPEECH = Option("number", 600, "silence that ends a turn", 100, 3000)
_SERVERS_CHOICE = "model there; empty: the server's own choice"
_VOICE = Option("text", "", "voice there; empty: the server's own choice")

# kind -> key -> Option
KINDS: Mapping[str, Mapping[str, Option]] = {
    "offline": {
        "locale": Option("text", "", "its language; empty: [assistant] locale"),
        "model": Option("text", "", "speech recognition; empty: its own choice"),
        "voice": Option("text", "", "voice; empty: its own choice"),
        "sentences": Option("text", "", "your own sentence file"),
        "listen_again": LISTEN_AGAIN,
        "end_of_speech_ms": _END_OF_SPEECH,
    },
    "pipeline": {
        "chat_url": Option("text", "", "OpenAI-compatible server, up to /v1"),
        "chat_model": Option("text", "", "name of the model there"),
        "chat_key_env": _KEY_ENV,
        "chat_key_file": _KEY_FILE,
        "stt": Option("text", "local", "speech to text: local, wyoming://host:port or http…/v1"),
        "stt_model": Option("text", "", _SERVERS_CHOICE),
        "stt_key_env": _KEY_ENV,
        "stt_key_file": _KEY_FILE,
        "tts": Option("text", "local", "text to speech: local, wyoming://host:port or http…/v1"),
        "tts_model": Option("text", "", _SERVERS_CHOICE),
        "tts_voice": _VOICE,
        "tts_key_env": _KEY_ENV,
        "tts_key_file": _KEY_FILE,
        "prompt": _PROMPT,
        "sees": _SEES,
        "end_of_speech": Option(
            ("relaxed", "default", "aggressive"), "default", "how soon a pause ends the turn"
        ),
        "limit_s": _LIMIT_S,
    },
    "realtime": {
        "url": Option("text", "wss://api.openai.com/v1", "Realtime server, up to /v1"),
        "model": Option("text", "gpt-realtime-2", "name of the model there"),
        "key_env": _KEY_ENV,
        "key_file": _KEY_FILE,
        "voice": _VOICE,
        "transcription_model": Option(
            "text", "gpt-realtime-whisper", "writes down what is said; empty: nothing does"
        ),
        "turn_detection": Option(
            ("server_vad", "semantic_vad"), "server_vad", "end of speech: by silence or by sense"
        ),
        "eagerness": Option(
            ("auto", "low", "medium", "high"), "auto", "of semantic_vad: waits 4, 8, 4 or 2 s"
        ),
        "idle_timeout_ms": Option(
            "number", 0, "silence after which it speaks up, from 5000 on; 0: never", 0, 30_000
        ),
        "noise_reduction": Option(
            ("far_field", "near_field", "off"), "far_field", "of the server; off for simple ones"
        ),
        "prompt": _PROMPT,
        "sees": _SEES,
        "end_of_speech_ms": _END_OF_SPEECH,
        "limit_s": _LIMIT_S,
    },
    "home_assistant": {
        "url": Option("text", "", "its address, such as http://name.local:8123"),
        "key_env": _KEY_ENV,
        "key_file": _KEY_FILE,
        "pipeline": Option("text", "", "name or id of its Assist pipeline; empty: its preferred"),
        "devices": Option(
            "table of texts", {}, "device ids there by ours; empty: found by name or MQTT id"
        ),
        "limit_s": _LIMIT_S,
    },
    "xiaozhi": {
        "url": Option("text", "", "ws…://…/xiaozhi/v1/ or http…://…/xiaozhi/ota/"),
        "key_env": _KEY_ENV,
        "key_file": _KEY_FILE,
        "version": Option("number", 1, "of its binary frames, 1 to 3; most servers know 1", 1, 3),
        "stay_connected": Option("true or false", True, "connected always: it may begin to talk"),
        "limit_s": _LIMIT_S,
    },
}
KIND = Option(tuple(KINDS), "", "what it is; there is no default")
