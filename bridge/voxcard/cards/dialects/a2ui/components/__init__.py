"""A2UI components, each turned into pieces in reading order."""
