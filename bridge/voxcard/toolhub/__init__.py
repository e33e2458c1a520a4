"""One list of tools out of the device's own, the MCP servers' and the bridge's."""
