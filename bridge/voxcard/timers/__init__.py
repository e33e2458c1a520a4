"""What devices keep of timers, as the bridge knows it."""
