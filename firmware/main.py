"""Starts the device."""

import app

app.run()
