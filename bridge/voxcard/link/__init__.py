"""Link to the devices: MQTT, presence, messages and blobs."""
