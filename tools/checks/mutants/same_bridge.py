"""The rows of `same_programs` for the bridge without cards and assistants: as there."""

SAME: dict[str, tuple[tuple[str, str, str], ...]] = {
    "bridge/voxcard/toolhub/outcome.py": (
        (
            'if kind == "input_required":',
            'if kind >= "input_required":',
            "the only other kind is before it in order",
        ),
    ),
    "bridge/voxcard/toolhub/patterns.py": (
        ("_KEPT_MAX = 32  # compiled patterns", "", "the same again, only sooner or later"),
        ("_KEPT_MAX = 32 # compiled patterns", "", "the same again, only sooner or later"),
        (
            "options.never_capture = True",
            "options.never_capture = False",
            "nothing reads what was captured",
        ),
    ),
    "bridge/voxcard/link/blobs.py": (
        (
            "asked: int = -1  # the index that was asked for again",
            "asked: int = - 2  # the index that was asked for again",
            "no index is negative",
        ),
    ),
    "bridge/voxcard/link/devices.py": (
        (
            "since_s: float = 0.0  # Unix time of the last change of online",
            "",
            "the registry sets it before it keeps a device",
        ),
    ),
    "bridge/voxcard/link/hello_watch.py": (
        (
            "if device_id not in self._devices and len(self._devices) >= DEVICES_MAX:",
            "if device_id not in self._devices and len(self._devices) == DEVICES_MAX:",
            "there are never more",
        ),
        (
            "if len(hellos.unheard_s) == UNHEARD and now_s - hellos.unheard_s[0] <= UNHEARD_S:",
            "if len(hellos.unheard_s) >= UNHEARD and now_s - hellos.unheard_s[0] <= UNHEARD_S:",
            "no more are kept",
        ),
    ),
    "bridge/voxcard/audio.py": (
        (
            "mono: bytes = audioop.tomono(pcm, SAMPLE_BYTES, 0.5, 0.5) if channels == 2 else pcm",
            "mono: bytes = audioop.tomono(pcm, SAMPLE_BYTES, 0.5, 0.5) if channels >= 2 else pcm",
            "it is 1 or 2",
        ),
    ),
    "bridge/voxcard/config/broker_host.py": (
        (
            'return address.partition(":")[0] if address.count(":") == 1 else address',
            'return address.partition(":")[0] if address.count(":") <= 1 else address',
            "without a colon all of it is before the first",
        ),
    ),
    "bridge/voxcard/link/roster.py": (
        ("ABSENT = 0  # no session", "", "they are names: no order of theirs is read"),
        (
            "SILENT = 1  # a session in which it has said nothing, or nothing for long",
            "",
            "they are names: no order of theirs is read",
        ),
        (
            "NEEDED = 2  # it talks, or it is of the home: it stays",
            "",
            "they are names: no order of theirs is read",
        ),
    ),
    "bridge/voxcard/toolhub/schema/checker.py": (("left = 0", "", "every check sets it first"),),
    "bridge/voxcard/toolhub/schema/combination.py": (
        (
            "return one if side * one[0] < side * other[0] else other",
            "return one if side * one[0] <= side * other[0] else other",
            "equal ones were looked at before",
        ),
        (
            "return one if side * one[0] > side * other[0] else other",
            "return one if side * one[0] >= side * other[0] else other",
            "equal ones were looked at before",
        ),
        (
            'if kind != "any":',
            'if kind > "any":',
            "of the names of kinds it is the first in order",
        ),
        (
            "low, low_open = _wider((one.low, one.low_open), (other.low, other.low_open), -1)",
            "low, low_open = _wider((one.low, one.low_open), (other.low, other.low_open), - 2)",
            "only its sign counts",
        ),
        (
            (
                "high, high_open = _wider((one.high, one.high_open), (other.high, "
                "other.high_open), 1)"
            ),
            (
                "high, high_open = _wider((one.high, one.high_open), (other.high, "
                "other.high_open), 2)"
            ),
            "only its sign counts",
        ),
        (
            (
                "low, low_open = _narrower((one.low, one.low_open), (other.low, "
                "other.low_open), -1)"
            ),
            (
                "low, low_open = _narrower((one.low, one.low_open), (other.low, "
                "other.low_open), - 2)"
            ),
            "only its sign counts",
        ),
        (
            (
                "high, high_open = _narrower((one.high, one.high_open), (other.high, "
                "other.high_open), 1)"
            ),
            (
                "high, high_open = _narrower((one.high, one.high_open), (other.high, "
                "other.high_open), 2)"
            ),
            "only its sign counts",
        ),
        (
            'kind = one.kind if len(kinds) == 1 else "any"',
            'kind = one.kind if len(kinds) <= 1 else "any"',
            "there is at least one",
        ),
    ),
    "bridge/voxcard/toolhub/schema/keywords.py": (
        (
            'elif argument.kind == "string":',
            'elif argument.kind >= "string":',
            "of the names of kinds it is the last in order",
        ),
    ),
    "bridge/voxcard/toolhub/schema/size.py": (
        (
            "if size + 2 * len(below) > longest:",
            "",
            "each of them is counted on the next level in any case",
        ),
    ),
    "bridge/voxcard/link/mqtt/packet_limit.py": (
        (
            "size, byte = size >> 7, size & 0x7F",
            "size, byte = size >> 7, size & 126",
            "it is the length of one size alone, in which that bit is 0",
        ),
    ),
    "bridge/voxcard/toolhub/schema/validation.py": (
        (
            'if error.validator == "additionalProperties":',
            'if error.validator <= "additionalProperties":',
            "what is before it in order only leads to other keywords, which err themselves",
        ),
    ),
    "bridge/voxcard/toolhub/schema/reader.py": (
        ("target = target[int(key[:9])]", "", "no list that is read has so many entries"),
    ),
    "bridge/voxcard/toolhub/listing.py": (
        (
            "if len(usable) > limits.sentences or len(usable) < len(texts):",
            "if len(usable) > limits.sentences or len(usable) != len(texts):",
            "the usable ones are some of the texts",
        ),
    ),
}
