"""Who may connect to the broker, and which devices the bridge gives a session."""
