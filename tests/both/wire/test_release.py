"""A release: its manifest, its offer, its mac, and why a device refuses one."""

import json

from voxwire import release
from voxwire.errors import WireError

SHA = "0123456789abcdef" * 4
KEY = "00112233445566778899aabbccddeeff" * 2
OFFER = {
    "type": "offer",
    "serial": 1796032800,
    "version": "0.4.0",
    "manifest_size": 211,
    "manifest_sha256": SHA,
    "mac": SHA,
}
MANIFEST = {
    "format": 1,
    "version": "0.4.0",
    "digest": "1f3a9c2e",
    "board": "diy-s3-oled",
    "kind": "files",
    "micropython": [1, 26],
    "allow_older": False,
    "files": [["main.py", 120, SHA], ["voxwire/card.mpy", 1234, SHA]],
}
RUNNING = release.Running("0.3.9", "aaaaaaaa", "diy-s3-oled", "files", (1, 28))


def refusal(call, *arguments):
    try:
        call(*arguments)
    except WireError as error:
        return str(error)
    raise AssertionError("was not refused")


def manifest(**changes):
    data = dict(MANIFEST)
    data.update(changes)
    return json.dumps(data).encode()


def refused(**changes):
    return refusal(release.parse_manifest, manifest(**changes))


def refused_offer(**changes):
    data = dict(OFFER)
    data.update(changes)
    return refusal(release.decode_offer, json.dumps(data).encode())


def test_an_offer_survives_the_round_trip():
    offer = release.decode_offer(json.dumps(OFFER).encode())
    assert offer == (1796032800, "0.4.0", 211, SHA, SHA)
    assert json.loads(release.encode_offer(offer)) == OFFER


def test_a_wrong_field_of_an_offer_is_named():
    for changes, sentence in (
        ({"type": "order"}, "offer.type: must be offer"),
        ({"type": None}, "offer.type: must be offer"),
        ({"serial": 0}, "offer.serial: must be a whole number from 1 to 999999999999999"),
        ({"serial": 10**15}, "offer.serial: must be a whole number from 1 to 999999999999999"),
        ({"serial": True}, "offer.serial: must be a whole number from 1 to 999999999999999"),
        ({"version": "v1"},
         "offer.version: must be numbers with points between them, such as 0.4.0"),
        ({"manifest_size": 24577}, "offer.manifest_size: must be a whole number from 1 to 24576"),
        ({"manifest_sha256": SHA[1:]}, "offer.manifest_sha256: must be 64 hex digits"),
        ({"manifest_sha256": SHA.upper()}, "offer.manifest_sha256: must be 64 hex digits"),
        ({"mac": "g" * 64}, "offer.mac: must be 64 hex digits"),
    ):  # fmt: skip
        assert refused_offer(**changes) == sentence
    assert refusal(release.decode_offer, b"[]") == "offer: must be a JSON object"
    assert refusal(release.decode_offer, b"{") == "offer: is not JSON"


def test_a_manifest_is_read():
    read = release.parse_manifest(manifest())
    files = (("main.py", 120, SHA), ("voxwire/card.mpy", 1234, SHA))
    assert read == ("0.4.0", "1f3a9c2e", "diy-s3-oled", "files", (1, 26), False, files)
    assert read.files[1].path == "voxwire/card.mpy"
    image = release.parse_manifest(manifest(kind="image", files=[["micropython.bin", 9, SHA]]))
    assert (image.kind, len(image.files)) == ("image", 1)


def test_a_wrong_part_of_a_manifest_is_named():
    for changes, sentence in (
        ({"format": 2}, "manifest.format: must be one of 1"),
        ({"version": "1.2.3.4.5"}, "manifest.version: must have at most 4 numbers"),
        ({"version": "1..2"},
         "manifest.version: must be numbers with points between them, such as 0.4.0"),
        ({"version": "-1"},
         "manifest.version: must be numbers with points between them, such as 0.4.0"),
        ({"digest": ""}, "manifest.digest: must be text of 1 to 64 characters"),
        ({"board": "b" * 65}, "manifest.board: must be text of 1 to 64 characters"),
        ({"kind": "wish"}, "manifest.kind: must be one of files, image"),
        ({"micropython": [1]}, "manifest.micropython: must be [major, minor]"),
        ({"micropython": [1, -1]},
         "manifest.micropython: must be a whole number from 0 to 999999"),
        ({"allow_older": 1}, "manifest.allow_older: must be true or false"),
        ({"files": []}, "manifest.files: must have 1 to 256 files"),
        ({"files": [["f%d" % at, 1, SHA] for at in range(257)]},
         "manifest.files: must have 1 to 256 files"),
        ({"kind": "image"}, "manifest.files: must have one file: the image"),
        ({"files": [["a", 1]]}, "manifest.files[0]: must be [path, size, sha256]"),
        ({"files": ["abc"]}, "manifest.files[0]: must be [path, size, sha256]"),
        ({"files": [["a", 1, SHA], ["b", -1, SHA]]},
         "manifest.files[1].size: must be a whole number from 0 to 16777216"),
        ({"files": [["a", 1, "00"]]}, "manifest.files[0].sha256: must be 64 hex digits"),
        ({"files": [["a", 1, SHA], ["A", 1, SHA]]}, "manifest.files: have a path twice"),
        ({"files": [["a/b", 1, SHA], ["a/b/c", 1, SHA]]},
         "manifest.files: have a/b as a file and as a folder"),
    ):  # fmt: skip
        assert refused(**changes) == sentence
    assert refusal(release.parse_manifest, b"") == "manifest: is not JSON"
    assert refusal(release.parse_manifest, manifest()[:-1]) == "manifest: is not JSON"
    assert refusal(release.parse_manifest, b"[]") == "manifest: must be a JSON object"
    long = b" " * 24577
    assert refusal(release.parse_manifest, long) == "manifest: is 24577 bytes, the limit is 24576"


def test_a_path_stays_in_its_slot():
    for path, sentence in (
        ("", "must be text of 1 to 64 characters"),
        ("a" * 65, "must be text of 1 to 64 characters"),
        (7, "must be text of 1 to 64 characters"),
        ("/main.py", "must stay in its folder, without hidden names"),
        ("..", "must stay in its folder, without hidden names"),
        ("a/../../b", "must stay in its folder, without hidden names"),
        ("a//b", "must stay in its folder, without hidden names"),
        ("a/", "must stay in its folder, without hidden names"),
        ("./a", "must stay in its folder, without hidden names"),
        (".part", "must stay in its folder, without hidden names"),
        ("a\\b", "may hold only letters, digits and . _ - /"),
        ("a b", "may hold only letters, digits and . _ - /"),
        ("a\x00", "may hold only letters, digits and . _ - /"),
        ("\xe9", "may hold only letters, digits and . _ - /"),
        ("settings.json", "must not be the settings"),
        ("Settings.json", "must not be the settings"),
    ):
        assert refused(files=[[path, 1, SHA]]) == "manifest.files[0].path: " + sentence
    longest = "a" * 64
    assert release.parse_manifest(manifest(files=[[longest, 0, SHA]])).files[0].path == longest


def test_the_mac_is_hmac_sha256_of_what_is_offered():
    # RFC 4231, test case 2, and a key of 32 bytes computed by CPython's hmac.
    assert release.hmac_sha256(b"Jefe", b"what do ya want for nothing?") == (
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )
    text = release.mac_text("kitchen", 1796032800, SHA)
    assert text == b"voxcard-offer\nkitchen\n1796032800\n" + SHA.encode()
    mac = release.offer_mac(release.parse_key(KEY), "kitchen", 1796032800, SHA)
    assert mac == "f113f0faf527bf804e4251ecb2d890b28273a64ab975ad4ad8aee4bcd19cb4d3"
    assert release.same(mac, mac)
    for other in (mac[:-1] + "0", "0" + mac[1:], mac[:-1], "", mac + "0"):
        assert not release.same(mac, other)


def test_another_device_serial_or_manifest_has_another_mac():
    key = release.parse_key(KEY)
    macs = {
        release.offer_mac(key, "kitchen", 1, SHA),
        release.offer_mac(key, "kitchen2", 1, SHA),
        release.offer_mac(key, "kitchen", 2, SHA),
        release.offer_mac(key, "kitchen", 1, "f" * 64),
        release.offer_mac(bytes(32), "kitchen", 1, SHA),
    }
    assert len(macs) == 5


def test_a_key_is_64_hex_digits():
    assert release.parse_key(KEY) == bytes(range(0, 256, 17)) * 2
    for wrong in ("", KEY[1:], KEY + "0", "x" * 64, KEY.upper(), None):
        assert refusal(release.parse_key, wrong) == "key: must be 64 hex digits"


def test_versions_are_compared_by_their_numbers():
    order = ["0", "0.0.1", "0.3.9", "0.3.10", "0.4", "0.4.0.1", "1", "1.0.1", "10.0"]
    numbers = [release.parse_version(text, "v") for text in order]
    assert numbers == sorted(numbers) and len(set(numbers)) == len(numbers)
    assert release.parse_version("0.4", "v") == release.parse_version("0.4.0", "v")


def test_a_device_refuses_what_is_not_for_it_in_this_order():
    for changes, sentence in (
        ({"board": "m5", "kind": "image", "files": [["a", 1, SHA]], "version": "0.1"},
         "The release is for the board m5, this is diy-s3-oled: offer one that was built for"
         " diy-s3-oled."),
        ({"kind": "image", "files": [["a", 1, SHA]], "micropython": [2, 0]},
         "The release is of kind image, this device takes files: build it with that kind."),
        ({"micropython": [1, 29], "version": "0.1"},
         "The release needs MicroPython 1.29, this device has 1.28: flash a newer one first."),
        ({"version": "0.3.8"},
         "The release 0.3.8 is older than the 0.3.9 that runs: build it so that it may go back."),
        ({"version": "0.3.8", "allow_older": True}, ""),
        ({"version": "0.3.9"}, ""),
        ({"micropython": [1, 28]}, ""),
        ({}, ""),
    ):  # fmt: skip
        assert release.refusal(release.parse_manifest(manifest(**changes)), RUNNING) == sentence


def test_the_name_of_a_piece_says_what_it_is_of():
    assert release.piece_name(1796032800, "voxwire/card.mpy", 4096) == (
        "1796032800:voxwire/card.mpy:4096"
    )
    assert release.piece_name(7, "", 0) == "7::0"
