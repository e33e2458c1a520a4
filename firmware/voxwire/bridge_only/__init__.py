"""What the bridge alone needs of the wire: no device carries it in its heap."""
