"""One device's voice session on the bridge: whose turn it is, the turn, microphone and speech."""
