"""The bridge's MQTT connection; only this folder knows the client library."""

from voxcard.link.mqtt.address import Address
from voxcard.link.mqtt.client import MqttClient

__all__ = ["Address", "MqttClient"]
