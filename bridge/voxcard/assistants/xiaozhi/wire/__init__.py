"""The xiaozhi protocol: messages, binary frames, Opus, one connection."""
