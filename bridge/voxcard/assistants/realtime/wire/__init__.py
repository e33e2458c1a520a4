"""The Realtime API as it is on the wire: events, errors, a connection and its session."""
