"""Tool hub over the devices' own tools, MCP servers and the bridge's tools."""
