"""MQTT 3.1.1 for a device: a pure core and an asyncio shell."""
