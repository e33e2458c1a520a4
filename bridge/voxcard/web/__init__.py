"""HTTP server of the bridge."""
