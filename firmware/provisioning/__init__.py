"""Setting a device up without a computer; nothing of it is imported before it is needed."""
