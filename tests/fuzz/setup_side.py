"""What a device reads while it is set up; runs on CPython and MicroPython (see both_sides)."""

from provisioning import improv, mdns
from provisioning.portal import captive_dns, http
from voxwire.errors import WireError

_HERE = bytes((192, 168, 4, 1))


def check_improv(data):
    """A line with packets: none is longer than its length says, and every byte is somewhere."""
    reader, plain = improv.Reader(), 0
    for byte in data:
        taken = reader.take(byte)
        if not isinstance(taken, tuple):
            plain += taken is not None
            continue
        kind, content = taken
        assert len(content) <= improv.DATA_MAX
        if kind == improv.COMMAND:
            check_command(content)
    assert plain <= len(data)


def check_command(content):
    try:
        command, arguments = improv.command(content)
        if command == improv.SET_WIFI:
            ssid, password = improv.wifi_settings(arguments)
            assert len(ssid.encode()) + len(password.encode()) + 2 == len(arguments)
    except WireError as error:
        assert error.part == "improv" and error.reason


def check_mdns(data):
    """Packets, each with two bytes of length before it: what is known stays bounded and usable."""
    answers = mdns.Answers()
    while len(data) >= 2:
        size = data[0] << 8 | data[1]
        packet, data = data[2 : 2 + size], data[2 + size :]
        answers.add(packet)
    for bridge in answers.bridges():
        parts = [int(part) for part in bridge.address.split(".")]
        assert len(parts) == 4 and max(parts) < 256 and 0 < bridge.port < 65536
    questions = answers.questions()
    assert len(questions) <= 2 * mdns.BRIDGES_MAX
    assert len(mdns.query(questions)) <= 12 + len(questions) * (255 + 4)


def check_dns(data):
    """A question to the portal: its answer repeats it, or there is none."""
    answer = captive_dns.answer(data, _HERE)
    if answer is not None:
        assert answer[:2] == data[:2] and answer[2] & 0x80
        assert len(answer) <= len(data) + 16


def check_http(data):
    """A request with its body."""
    head, _, body = data.partition(b"\r\n\r\n")
    try:
        request = http.request(head)
        assert 0 <= request.length <= http.BODY_MAX
        fields = http.form(body[: request.length])
        assert len(fields) <= http.FIELDS_MAX
    except http.HttpError as error:
        assert 400 <= error.status < 500


CHECKS = {
    "improv": check_improv,
    "mdns": check_mdns,
    "dns": check_dns,
    "http": check_http,
}
