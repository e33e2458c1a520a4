"""Client of the configured MCP servers."""
