"""The screen and the button of a simulated device, as a page of a browser."""
