"""The assistant behind a xiaozhi server: hears, thinks and speaks over one WebSocket."""
