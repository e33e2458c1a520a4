"""Control of a running bridge by the command line, over a Unix socket."""
