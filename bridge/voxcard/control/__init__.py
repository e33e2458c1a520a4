"""The command line's way into a running bridge: one Unix socket."""
