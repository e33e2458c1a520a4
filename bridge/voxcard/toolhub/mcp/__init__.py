"""MCP servers: reached, kept connected, their tools listed and called."""
