"""The rows of `same_programs` for the firmware: line, line of the mutant, reason."""

SAME: dict[str, tuple[tuple[str, str, str], ...]] = {
    "firmware/voxwire/audio.py": (
        (
            "if codec == PCM16:",
            "if codec <= PCM16:",
            "it is a byte, or one of names that begin with 0: there is no lower one",
        ),
        ("elif codec == IMA_ADPCM:", "elif codec <= IMA_ADPCM:", "0 was looked at before"),
        ("elif codec != OPUS:", "elif codec > OPUS:", "0 and 1 were looked at before"),
        ("if codec == IMA_ADPCM:", "if codec <= IMA_ADPCM:", "0 was looked at before"),
    ),
    "firmware/voxwire/blob.py": (
        ("if index == 0:", "if index <= 0:", "no chunk is before the first"),
        (
            "if chunk.index > self.next:",
            "if chunk.index != self.next:",
            "a lower one has returned before",
        ),
        (
            "if bool(flags & FIRST) != (index == 0):",
            "if bool(flags & FIRST) != (index <= 0):",
            "no chunk is before the first",
        ),
    ),
    "firmware/voxwire/fields.py": (
        (
            'if schema.kind == "boolean":',
            'if schema.kind <= "boolean":',
            "only a list is before it in order, and no list has a default",
        ),
        (
            'return text == "true"',
            'return text >= "true"',
            "the fields are our own: the other text is false",
        ),
        (
            'whole = schema.kind == "integer" or (schema.kind == "choice" and text.isdigit())',
            'whole = schema.kind == "integer" or (schema.kind <= "choice" and text.isdigit())',
            "a boolean was looked at before, and no list has a default",
        ),
    ),
    "firmware/voxwire/json_text.py": (
        (
            'at = data.find(b"\\xed", at + 1)',
            'at = data.find(b"\\xed", at + 2)',
            "in UTF-8, which str() has checked, two other bytes follow ED",
        ),
        ("while at >= 0:", "while at >= 1:", "no JSON begins with a backslash"),
    ),
    "firmware/voxwire/message.py": (
        (
            'json.dumps("", ensure_ascii=False)',
            'json.dumps("", ensure_ascii=True)',
            "it only looks whether the argument is known",
        ),
    ),
    "firmware/voxwire/ticks.py": (
        (
            "return passed_ms if 0 <= passed_ms < _HALF else 0",
            "return passed_ms if 1 <= passed_ms < _HALF else 0",
            "0 is returned either way",
        ),
        (
            "return passed_ms if 0 <= passed_ms < _HALF else 0",
            "return passed_ms if 0 < passed_ms < _HALF else 0",
            "0 is returned either way",
        ),
    ),
    "firmware/voxwire/bridge_only/card_writer.py": (
        ('if line.style == "":', 'if line.style <= "":', "no text is before the empty one"),
        ('if line.style == "f":', 'if line.style <= "f":', "of f, s and sr it is the first"),
        (
            'return ["s", line.blob, line.index, 1 if line.style == "sr" else 0]',
            'return ["s", line.blob, line.index, 1 if line.style >= "sr" else 0]',
            "of s and sr it is the last",
        ),
    ),
    "firmware/mqtt/reason.py": (
        ("_TLS_BELOW = -1000", "_TLS_BELOW = - 999", "no number is near: see the comment"),
        ("_TLS_BELOW = -1000", "_TLS_BELOW = - 1001", "no number is near: see the comment"),
        (
            "return packet.refusal(why.args[0], self._client_id, self._user)",
            "return packet.refusal(why.args[ -1], self._client_id, self._user)",
            "it has one argument",
        ),
    ),
    "firmware/voxwire/value.py": (
        (
            'if schema.kind == "array" and schema.values is not None:',
            'if schema.kind <= "array" and schema.values is not None:',
            "of the names of kinds it is the first in order",
        ),
        (
            'if schema.kind == "array" and schema.values is not None:',
            'if schema.kind >= "array" and schema.values is not None:',
            "only choices, looked at before, have values too",
        ),
    ),
    "firmware/mqtt/timing.py": (
        (
            "CLOSED, OPENING, GREETING, SUBSCRIBING, UP = 0, 1, 2, 3, 4",
            "",
            "only the order of the phases counts, and a test holds it",
        ),
        ("NOTHING, PING, LOST = 0, 1, 2", "", "three names, and a test holds them apart"),
    ),
    "firmware/mqtt/inflight.py": (
        ("self._sent = 0", "", "only the order of the numbers counts"),
        ("self._sent += 1", "self._sent += 2", "only the order of the numbers counts"),
        ("self.flags = [0] * capacity", "", "what stands in a free slot is not read"),
        ("self.sent_ms = [0] * capacity", "", "what stands in a free slot is not read"),
        ("self._order = [0] * capacity", "", "what stands in a free slot is not read"),
        (
            "return self.count < len(self.ids) and self._bytes + length <= self._bytes_max",
            "return self.count != len(self.ids) and self._bytes + length <= self._bytes_max",
            "it is never larger",
        ),
    ),
    "firmware/mqtt/packet.py": (
        (
            "def __init__(self, size: int, limit: int = 0) -> None:",
            "def __init__(self, size: int, limit: int = -1) -> None:",
            "a buffer without a limit never grows, whatever is below its size",
        ),
        ("if shift > 21:", "if shift > 22:", "it is a multiple of 7"),
        (
            "header = bytearray(5)",
            "",
            "what is not used of it is cut off, and no packet of ours has 2 MB",
        ),
        ("self._low = self._high = 0", "self._low = self._high = 1", "reset follows"),
    ),
    "firmware/mqtt/writer.py": (
        (
            "tx[at:end] = payload if len(payload) == length else memoryview(payload)[:length]",
            "tx[at:end] = payload if len(payload) < length else memoryview(payload)[:length]",
            "a view of the whole is the same bytes, and takes heap",
        ),
        (
            "tx[at:end] = payload if len(payload) == length else memoryview(payload)[:length]",
            "tx[at:end] = payload if len(payload) <= length else memoryview(payload)[:length]",
            "no payload is shorter than the length that is sent of it",
        ),
        (
            "self._rest = self._rest[count:] if count < len(self._rest) else None",
            "self._rest = self._rest[count:] if count != len(self._rest) else None",
            "a socket takes no more than there is",
        ),
        (
            "CONTROL_BYTES = 64",
            "CONTROL_BYTES = 65",
            "every packet that is put there has an even length",
        ),
    ),
    "firmware/screen/cells.py": (
        ("(0xFE30, 0xFE6F),", "( 65071, 0xFE6F),", "U+FE2F is a mark: those are looked at before"),
        (
            "(0xFF00, 0xFF60),",
            "( 65279, 0xFF60),",
            "U+FEFF takes no cell: those are looked at before",
        ),
        (
            "if 2 * len(text) <= cols or width(text, least) <= cols:",
            "if 2 * len(text) == cols or width(text, least) <= cols:",
            "the width says the same, only slower",
        ),
        ("_PICTOGRAPHS = 0x1F000", "_PICTOGRAPHS = 126975", "U+1EFFF takes one cell either way"),
        ("if code < 0x300:", "if code < 767:", "U+02FF takes one cell either way"),
        (
            "if code >= 0x300 and not (least and code >= _PICTOGRAPHS):",
            "if code >= 767 and not (least and code >= _PICTOGRAPHS):",
            "U+02FF takes one cell either way",
        ),
        ("elif byte < 0xC0:", "elif byte < 193:", "UTF-8 has no such byte"),
        ("elif byte < 0xC0:", "elif byte <= 0xC0:", "UTF-8 has no such byte"),
        (
            "if 2 * len(text) <= cols or width(text, least) <= cols:",
            "if 2 * len(text) < cols or width(text, least) <= cols:",
            "the width says the same, only slower",
        ),
    ),
    "firmware/session/limits.py": (
        (
            "return flow.session.state == LISTENING and (flow.turn is None or flow.turn.ending)",
            "return flow.session.state <= LISTENING and (flow.turn is None or flow.turn.ending)",
            "of the states before it connecting was looked at, and idle has no limit",
        ),
        (
            "if flow.session.state == CONNECTING:",
            "if flow.session.state <= CONNECTING:",
            "of the names of states it is the first in order",
        ),
    ),
    "firmware/audio/jitter.py": (
        (
            "DROPPED = -1 # put: the frame is not wanted",
            "DROPPED = - 2 # put: the frame is not wanted",
            "no slot is negative, and it is compared by its name",
        ),
        (
            "if slots & (slots - 1) or slots < 4:",
            "if slots & (slots - 2) or slots < 4:",
            "from 4 on only a power of two has no bit in common with either",
        ),
        (
            "self.begin(None, 0)",
            "self.begin(None, 1)",
            "the first frame, or the end, sets the times",
        ),
        ("newest = -1", "newest = - 2", "the end is before the next frame either way"),
        ("if self.held == 0:", "if self.held <= 0:", "no negative number of frames is held"),
        (
            "if self.held == 0 and self._filling:",
            "if self.held <= 0 and self._filling:",
            "no negative number of frames is held",
        ),
        (
            "if buffered_ms == 0:",
            "if buffered_ms <= 0:",
            "a speaker never holds less than nothing",
        ),
        ("return 0", "return 1", "a stream without a frame is over, whatever its last number"),
    ),
    "firmware/session/buttons.py": (
        (
            'if role == "talk" or (role == "only" and shown == ""):',
            'if role >= "talk" or (role == "only" and shown == ""):',
            "of the names of roles it is the last in order",
        ),
        (
            'if role == "talk" or (role == "only" and shown == ""):',
            'if role == "talk" or (role == "only" and shown <= ""):',
            "no text is before the empty one",
        ),
        (
            'return UP, _tapped(role, shown) if state == WAITING else ""',
            'return UP, _tapped(role, shown) if state >= WAITING else ""',
            "of the names of states it is the last in order",
        ),
        (
            "if state == WAITING:",
            "if state >= WAITING:",
            "of the names of states it is the last in order",
        ),
        (
            "if state == TALKING and held_ms >= HOLD_MS:",
            "if state >= TALKING and held_ms >= HOLD_MS:",
            "up and waiting, which are after it in order, were looked at before",
        ),
    ),
    "firmware/screen/font.py": (
        (
            "low, high = 0, len(table) // RANGE_BYTES",
            "low, high = -1, len(table) // RANGE_BYTES",
            "the range before the first is the last one, above whatever is looked for there",
        ),
        ("while low < high:", "while low != high:", "the lower end never passes the upper one"),
    ),
    "firmware/screen/pages.py": (
        (
            "self.index = 0",
            "",
            "without a card nothing is shown, and a card that is shown sets it",
        ),
        (
            "self.highlight = 0",
            "self.highlight = -1",
            "without a card nothing is shown, and a card that is shown sets it",
        ),
        (
            "self._turn(0)",
            "self._turn( -1)",
            "without a card nothing is shown, and a card that is shown sets it",
        ),
        (
            "self.highlight = 0",
            "",
            "without a card nothing is shown, and a card that is shown sets it",
        ),
        (
            "self.left_ms = card.ttl_s * 1000 if card.ttl_s > 0 else None",
            "self.left_ms = card.ttl_s * 1000 if card.ttl_s != 0 else None",
            "no time to live is negative",
        ),
        (
            "playing = entry.card.auto and len(entry.card.pages) > 1",
            "playing = entry.card.auto and len(entry.card.pages) != 1",
            "a card has at least one page",
        ),
    ),
    "firmware/session/flow_state.py": (
        (
            (
                "values = begun, None, None, prefix, 0, now_ms, None, guard_ms, None, None, "
                "False, False"
            ),
            (
                "values = begun, None, None, prefix, 0, now_ms, None, guard_ms, None, None, "
                "False, True"
            ),
            "what is spoken sets it before it is read",
        ),
        (
            "hear_ms = flow.hear_ms if after.state == THINKING else 0",
            "hear_ms = flow.hear_ms if after.state >= THINKING else 0",
            "of the names of states it is the last in order",
        ),
    ),
    "firmware/session/reply.py": (
        (
            'if message.state == "accepted":',
            'if message.state <= "accepted":',
            "of the names of states it is the first in order",
        ),
        (
            (
                "if state in (LISTENING, THINKING) or (state == SPEAKING and not "
                "flow.speech_ended):"
            ),
            (
                "if state in (LISTENING, THINKING) or (state >= SPEAKING and not "
                "flow.speech_ended):"
            ),
            "only thinking is after it in order, and stands before",
        ),
        (
            'elif message.state == "thinking":',
            'elif message.state >= "thinking":',
            "of the names of states it is the last in order",
        ),
    ),
    "firmware/session/talk.py": (
        (
            'ends = turn is not None and turn.mode == "manual"',
            'ends = turn is not None and turn.mode >= "manual"',
            "a device asks for auto or manual",
        ),
        (
            "if not known and flow.session.state != SPEAKING:",
            "if not known and flow.session.state < SPEAKING:",
            "what is after it in order is thinking, and there the turn is known",
        ),
    ),
    "firmware/toolbox/rpc.py": (
        (
            "if len(self._running) >= RUNNING_MAX:",
            "if len(self._running) == RUNNING_MAX:",
            "never more of them run",
        ),
        (
            'if tool.scope == "admin" and granted == "user" and self._confirm is not None:',
            'if tool.scope >= "admin" and granted == "user" and self._confirm is not None:',
            "a user reaches the other scopes, which were looked at before",
        ),
    ),
    "firmware/settings.py": (
        (
            (
                'broken = [] if len(texts) == len(data) else ["A setting has a name that '
                'is no text."]'
            ),
            (
                'broken = [] if len(texts) >= len(data) else ["A setting has a name that '
                'is no text."]'
            ),
            "the names are some of the data's",
        ),
    ),
    "firmware/screen/layout.py": (
        (
            'number = "%d/%d" % (index + 1, count) if count > 1 else ""',
            'number = "%d/%d" % (index + 1, count) if count != 1 else ""',
            "there is at least one page",
        ),
        (
            "if rule >= 0 and (note or number):",
            "if rule > 0 and (note or number):",
            "-1 or a line far below the top",
        ),
        (
            "if rule >= 0 and (note or number):",
            "if rule >= 1 and (note or number):",
            "-1 or a line far below the top",
        ),
        ('if line.style == "":', 'if line.style <= "":', "no text is before the empty one"),
        (
            'elif line.style == "h":',
            'elif line.style >= "h":',
            "strips, which are after it in order, were looked at before",
        ),
        (
            'elif line.style == "f":',
            'elif line.style >= "f":',
            "headings and strips, which are after it in order, were looked at before",
        ),
        (
            "below = Area(area.x, y, area.cols, 1)",
            "",
            "a centred line reads where its row begins and how wide it is",
        ),
    ),
    "firmware/screen/scenes.py": (
        (
            "return items + foot_row(screen, grid.foot, -1, device_id, 0, 1)",
            "return items + foot_row(screen, grid.foot, -1, device_id, 0, 0)",
            "without a second page there is no number",
        ),
        (
            "return items + foot_row(screen, grid.foot, grid.rule, say(hint), 0, 1)",
            "return items + foot_row(screen, grid.foot, grid.rule, say(hint), 0, 0)",
            "without a second page there is no number",
        ),
        (
            'return foot_row(screen, grid.foot, grid.rule, note or "", 0, 1)',
            'return foot_row(screen, grid.foot, grid.rule, note or "", 0, 0)',
            "without a second page there is no number",
        ),
        (
            "lines = wrap(words, room.cols, room.rows + 1)",
            "lines = wrap(words, room.cols, room.rows + 2)",
            "only whether there are too many counts",
        ),
        (
            "lines = wrap(words, large.cols, large.rows + 1)",
            "lines = wrap(words, large.cols, large.rows + 2)",
            "only whether there are too many counts",
        ),
    ),
    "firmware/voxwire/card.py": (
        (
            "title = _chord(screen, top - air - cell_height, top - air)",
            "title = _chord(screen, top - air - cell_height, top + air)",
            "above the middle the upper edge is the shorter chord",
        ),
        (
            "title = _chord(screen, max(0, top - 4 - cell_height), max(0, top - 4))",
            "title = _chord(screen, max(0, top - 4 - cell_height), max( -1, top - 4))",
            "at the very top the chord has no cell either way",
        ),
    ),
    "firmware/voxwire/bridge_only/capability_reader.py": (
        (
            'first = check(pair[0], integer(0, 0x10FFFF), "hello.screen.glyphs")',
            'first = check(pair[0], integer(0, 1114112), "hello.screen.glyphs")',
            "the last one may be no larger, nor smaller than the first",
        ),
    ),
    "firmware/toolbox/registry.py": (
        (
            'elif kind == "array":',
            'elif kind <= "array":',
            "of the names of kinds it is the first in order",
        ),
    ),
}
