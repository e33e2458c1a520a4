"""Cards laid out in smoothed type, for panels with colour."""
