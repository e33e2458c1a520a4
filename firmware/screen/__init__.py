"""The device's screen: pictures as lists of items, drawn in bands."""
