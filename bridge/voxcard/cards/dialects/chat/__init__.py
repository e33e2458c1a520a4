"""mcp-chat-cards: animations, scenes and terms."""
