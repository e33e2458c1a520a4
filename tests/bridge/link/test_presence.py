"""Bridges at one broker: each sees itself come back, and the others."""

import json
from pathlib import Path

from voxcard.link.presence import Presence, instance_of
from voxcard.link.problems import Problems

ACCESS = (
    "The broker does not carry what the bridge writes on home/bridge/{} (nothing comes back). Its"
    " access list (ACL) must let {} read and write home/#."
)
OTHER = (
    "Another bridge serves the devices of home: voxcard {} on {}. Stop one of the two, or give it"
    " a [mqtt] root and devices of its own."
)


class Broker:
    """Carries what bridges publish to every one of them; `deaf` carries nothing."""

    def __init__(self):
        self.bridges, self.kept, self.deaf, self.now_s = [], {}, False, 0.0

    def add(self, name, user=""):
        return Bridge(self, name, user)

    def publish(self, topic, payload):
        self.kept[topic] = payload
        for bridge in [] if self.deaf else list(self.bridges):
            bridge.presence.take(topic, payload, False)
        return True


class Bridge:
    def __init__(self, broker, name, user):
        self.broker, self.published = broker, []
        self.problems = Problems(lambda: broker.now_s)
        self.presence = Presence(
            "home",
            name,
            host=f"{name}.lan",
            version="0.1.0",
            user=user,
            publish=self.publish,
            problems=self.problems,
            now_s=lambda: broker.now_s,
        )

    def publish(self, topic, payload):
        self.published.append(json.loads(payload))
        return self.broker.publish(topic, payload)

    def connect(self):
        for topic, payload in list(self.broker.kept.items()):
            self.presence.take(topic, payload, True)
        if self not in self.broker.bridges:
            self.broker.bridges.append(self)
        self.presence.link(True)

    def end(self):
        self.presence.leave()
        self.broker.bridges.remove(self)

    def told(self):
        return self.problems.all()


def test_a_bridge_alone_sees_itself_come_back():
    broker = Broker()
    bridge = broker.add("a")
    bridge.connect()
    broker.now_s = 60.0
    bridge.presence.look()
    assert bridge.published == [
        {"online": True, "host": "a.lan", "version": "0.1.0", "asks": True}
    ]
    assert bridge.told() == ()


def test_a_broker_that_carries_nothing_is_named_with_the_access_list_until_it_does():
    for user, who, late_s in (
        ("voxcard", "user voxcard", 10.0),
        ("", "everybody", 10.0),
        ("", "everybody", 11.5),
    ):
        broker = Broker()
        broker.deaf = True
        bridge = broker.add("a", user)
        bridge.connect()
        bridge.presence.look()
        assert bridge.told() == ()
        broker.now_s = 9.5
        bridge.presence.look()
        assert bridge.told() == ()
        broker.now_s = late_s
        bridge.presence.look()
        assert bridge.told() == (ACCESS.format("a", who),)
        broker.deaf = False
        bridge.connect()
        assert bridge.told() == ()


def test_a_message_that_the_broker_refuses_is_named_by_its_topic():
    bridge = Broker().add("a", "voxcard")
    bridge.presence.refused("home/kitchen/down", "Not authorized")
    assert bridge.told() == (
        "The broker does not carry what the bridge writes on home/kitchen/down (Not authorized)."
        " Its access list (ACL) must let user voxcard read and write home/#.",
    )


def test_two_bridges_name_each_other_whoever_came_first_until_one_goes():
    broker = Broker()
    first, second = broker.add("a"), broker.add("b")
    first.connect()
    second.connect()
    assert first.told() == (OTHER.format("0.1.0", "b.lan"),)
    assert second.told() == (OTHER.format("0.1.0", "a.lan"),)
    assert [said["asks"] for said in first.published + second.published] == [True, False, True]
    second.end()
    assert first.told() == ()


def test_what_a_bridge_that_is_gone_has_left_is_not_believed():
    broker = Broker()
    broker.kept = {
        "home/bridge/a": b'{"online":true,"host":"a.lan"}',
        "home/bridge/old": b'{"online":true,"host":"old.lan"}',
    }
    bridge = broker.add("a")
    bridge.connect()
    assert bridge.told() == ()


def test_the_will_of_a_dead_connection_is_contradicted():
    broker = Broker()
    bridge = broker.add("a")
    bridge.connect()
    broker.publish("home/bridge/a", b'{"online":false}')
    assert json.loads(broker.kept["home/bridge/a"])["online"] is True
    assert [said["asks"] for said in bridge.published] == [True, False]
    assert bridge.told() == ()


def test_a_lost_connection_forgets_the_others_and_a_new_one_finds_them_again():
    broker = Broker()
    first, second = broker.add("a"), broker.add("b")
    first.connect()
    second.connect()
    first.presence.link(False)
    assert first.told() == ()
    first.connect()
    assert first.told() == (OTHER.format("0.1.0", "b.lan"),)


def test_topics_of_devices_are_left_to_them_and_garbage_is_a_line(caplog):
    bridge = Broker().add("a")
    assert not bridge.presence.take("home/kitchen/up", b"{}", False)
    for payload in (b"\xff", b"[]", b"{}", b'{"online":1}', b'{"online":true,"host":5}', b""):
        assert bridge.presence.take("home/bridge/x", payload, False)
    assert [record.getMessage() for record in caplog.records] == [
        "'home/bridge/x': bridge: is not JSON",
        "'home/bridge/x': bridge: must be a JSON object",
        "'home/bridge/x': bridge.online: is missing",
        "'home/bridge/x': bridge.online: must be true or false",
        "'home/bridge/x': bridge.host: must be of type string",
    ]
    assert bridge.told() == ()


def test_the_name_of_another_bridge_is_made_safe():
    broker = Broker()
    bridge = broker.add("a")
    bridge.connect()
    broker.publish("home/bridge/x", b'{"online":true,"host":"\\u001b[2Jpi","version":"1\\n2"}')
    assert bridge.told() == (OTHER.format("1 2", "pi"),)


def test_the_name_and_the_version_of_another_bridge_are_cut():
    for host, version, name, number in (
        ("h" * 64, "v" * 32, "h" * 64, "v" * 32),
        ("h" * 65, "v" * 33, "h" * 63 + "…", "v" * 31 + "…"),
    ):
        broker = Broker()
        bridge = broker.add("a")
        bridge.connect()
        other = {"online": True, "host": host, "version": version}
        broker.publish("home/bridge/x", json.dumps(other).encode())
        assert bridge.told() == (OTHER.format(number, name),)


def test_a_bridge_keeps_its_name_and_no_other_has_it():
    name = instance_of("pi", Path("/run/control.sock"))
    assert name == instance_of("pi", Path("/run/control.sock"))
    assert len({name, instance_of("pi", Path("/b")), instance_of("nas", Path("/b"))}) == 3
    assert len(name) == 12


def test_so_many_other_bridges_are_named_and_no_more():
    broker = Broker()
    bridge = broker.add("a")
    bridge.connect()
    for number in range(25):
        broker.publish(f"home/bridge/x{number}", b'{"online":true}')
    assert len(bridge.told()) == 20
    broker.publish("home/bridge/x3", b'{"online":false}')
    broker.publish("home/bridge/x30", b'{"online":true}')
    assert len(bridge.told()) == 20
