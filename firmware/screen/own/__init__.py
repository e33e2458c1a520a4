"""Cards that a device makes itself, where its panel has faces."""
