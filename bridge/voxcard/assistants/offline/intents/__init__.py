"""From words to a tool call: the sentences of one home."""
