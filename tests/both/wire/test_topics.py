"""Topic names of the protocol, and who may publish on them."""

from voxwire import topics
from voxwire.bridge_only import channels
from voxwire.errors import WireError


def refused(call, *values):
    try:
        call(*values)
    except WireError as error:
        return str(error)
    raise AssertionError("was taken: %r" % (values,))


def test_a_topic_is_root_device_and_channel():
    assert topics.topic("voxcard", "kitchen", "up") == "voxcard/kitchen/up"
    assert topics.topic("home/voice", "kitchen", "blob/down") == "home/voice/kitchen/blob/down"


def test_a_subscription_matches_every_device():
    assert channels.subscription("voxcard", "hello") == "voxcard/+/hello"


def test_a_topic_is_split_into_device_and_channel():
    assert channels.parse("voxcard", "voxcard/kitchen/blob/up") == ("kitchen", "blob/up")
    assert channels.parse("home/voice", "home/voice/a-1/spk") == ("a-1", "spk")


def test_every_topic_is_split_into_its_device_and_channel():
    for channel in channels.CHANNELS:
        name = topics.topic("r", "dev-1", channel)
        assert channels.parse("r", name) == ("dev-1", channel)


def test_foreign_topics_are_refused():
    assert refused(channels.parse, "voxcard", "other/kitchen/up") == "topic: is not under voxcard"
    assert refused(channels.parse, "voxcard", "voxcard/kitchen/sideways") == (
        "topic: has no channel of the protocol"
    )
    assert refused(channels.parse, "voxcard", "voxcard/kitchen") == (
        "topic: has no channel of the protocol"
    )
    assert refused(channels.parse, "voxcard", "voxcard/Kitchen/up") == (
        "id: may hold only a-z, 0-9 and the hyphen"
    )


def test_a_device_id_is_short_and_plain():
    assert topics.check_id("a" * 32) == "a" * 32
    for wrong in ("", "a" * 33):
        assert refused(topics.check_id, wrong) == "id: must have 1 to 32 characters"
    for wrong in ("+", "#", "a/b", "a b", "é", "A"):
        assert refused(topics.check_id, wrong) == "id: may hold only a-z, 0-9 and the hyphen"
    assert refused(topics.check_id, None) == "id: must have 1 to 32 characters"


def test_only_sound_has_qos_0_and_only_status_and_offer_are_retained():
    assert sorted(c.name for c in channels.CHANNELS.values() if not c.qos) == ["mic", "spk"]
    retained = [c.name for c in channels.CHANNELS.values() if c.retained]
    assert sorted(retained) == ["offer", "status"]
    assert sorted(c.name for c in channels.CHANNELS.values() if c.sender == "bridge") == [
        "blob/down",
        "down",
        "offer",
        "spk",
    ]


def test_the_channels_are_those_of_the_protocol():
    assert sorted(tuple(channel) for channel in channels.CHANNELS.values()) == [
        ("blob/down", "bridge", 1, False),
        ("blob/up", "device", 1, False),
        ("down", "bridge", 1, False),
        ("hello", "device", 1, False),
        ("mic", "device", 0, False),
        ("offer", "bridge", 1, True),
        ("spk", "bridge", 0, False),
        ("status", "device", 1, True),
        ("up", "device", 1, False),
    ]
    assert topics.ROOT == "voxcard"


def test_a_root_is_words_between_slashes():
    for right in ("voxcard", "home/voice", "a/b/c", "!"):
        assert topics.check_root(right) == right
    for wrong in ("", "/", "a//b", "a/", "/a", "a+", "#", "$SYS", "a b", "a\tb"):
        assert refused(topics.check_root, wrong).startswith("root: must be words with /"), wrong


def test_no_device_is_called_bridge():
    assert refused(topics.check_id, "bridge").startswith("id: must not be bridge")
    assert topics.check_id("bridge-1") == "bridge-1"
    for right in ("a", "z", "0", "9", "-"):
        assert topics.check_id(right) == right
    for wrong in ("`", "{", "/", ":", ",", "."):
        assert refused(topics.check_id, wrong) == "id: may hold only a-z, 0-9 and the hyphen"
