"""What reads the bytes and texts of others, given much that is wrong: `make fuzz`."""
