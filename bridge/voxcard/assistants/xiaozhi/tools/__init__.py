"""The device's tools as a xiaozhi server calls them: MCP inside the session."""
