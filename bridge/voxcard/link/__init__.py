"""Everything between the bridge and the broker: MQTT, who is online, messages and blobs."""
