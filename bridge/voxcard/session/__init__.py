"""Voice sessions: one relay a device, with its turns, microphone and speech."""
