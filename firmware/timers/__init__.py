"""Timers, alarms and reminders of the device's own; loaded while there are any."""
