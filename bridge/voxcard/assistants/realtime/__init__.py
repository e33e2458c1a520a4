"""The assistant of one server that hears and speaks: the OpenAI Realtime API over WebSocket."""
