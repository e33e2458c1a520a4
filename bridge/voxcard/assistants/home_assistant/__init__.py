"""The assistant of a Home Assistant: its Assist pipeline, run over its WebSocket API."""
