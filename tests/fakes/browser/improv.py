"""A device that answers Improv over its serial line, by the published protocol (version 1)."""

HEADER, VERSION = b"IMPROV", 1
STATE, ERROR, COMMAND, RESULT = 1, 2, 3, 4
READY, PROVISIONING, PROVISIONED = 2, 3, 4
WIFI, CURRENT_STATE, INFO, SCAN = 1, 2, 3, 4
NO_ERROR, UNKNOWN_COMMAND, CANNOT_CONNECT = 0, 2, 3


def packet(kind, data):
    body = HEADER + bytes([VERSION, kind, len(data)]) + data
    return body + bytes([sum(body) & 255]) + b"\n"


def texts(*values):
    return b"".join(bytes([len(value.encode())]) + value.encode() for value in values)


class ImprovDevice:
    """Once started it answers what it takes; it joins the Wi-Fi of `networks`, by its password.

    `networks`: name to (signal in dBm, password). `joined`: the credentials it was given.
    """

    def __init__(self, info=("Voxcard", "0.1.0", "ESP32-S3", "hall"), **networks):
        self._info, self._networks = info, networks
        self._buffer, self._state = b"", READY
        self.joined = []

    def start(self, send):
        self._send = send
        send(b"I (312) hall is starting\r\n" + packet(STATE, bytes([self._state])))

    def close(self):
        """It forgets nothing that the test wants to know."""

    def take(self, data):
        self._send(self._answers(data))

    def _answers(self, data):
        self._buffer += data
        answers = b""
        while (at := self._buffer.find(HEADER)) >= 0:
            message = self._buffer[at:]
            if len(message) < 9 or len(message) < 10 + message[8]:
                break
            end = 9 + message[8]
            if message[7] == COMMAND and message[end] == sum(message[:end]) & 255:
                answers += self._command(message[9], message[11:end])
            self._buffer = message[end + 1 :]
        return answers

    def _command(self, command, data):
        if command == CURRENT_STATE:
            return packet(STATE, bytes([self._state])) + self._url(command)
        if command == INFO:
            return self._result(command, *self._info)
        if command == SCAN:
            answer = b""
            for name, (signal, password) in self._networks.items():
                answer += self._result(command, name, str(signal), "YES" if password else "NO")
            return answer + self._result(command)
        if command == WIFI:
            # Only here: esp-web-tools scans again at once after a failure, and what it has to say
            # of that would be gone with the next "no error".
            return packet(ERROR, bytes([NO_ERROR])) + self._join(data)
        return packet(ERROR, bytes([UNKNOWN_COMMAND]))

    def _join(self, data):
        name, rest = data[1 : 1 + data[0]].decode(), data[1 + data[0] :]
        password = rest[1 : 1 + rest[0]].decode()
        self.joined.append((name, password))
        answer = packet(STATE, bytes([PROVISIONING]))
        if self._networks.get(name, (0, None))[1] != password:
            refused = packet(ERROR, bytes([CANNOT_CONNECT]))
            return answer + refused + packet(STATE, bytes([READY]))
        self._state = PROVISIONED
        return answer + packet(STATE, bytes([PROVISIONED])) + self._result(WIFI)

    def _url(self, command):
        return self._result(command) if self._state == PROVISIONED else b""

    def _result(self, command, *values):
        data = texts(*values)
        return packet(RESULT, bytes([command, len(data)]) + data)
