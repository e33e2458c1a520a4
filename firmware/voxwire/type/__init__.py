"""Type on panels, and the pages that are laid out in it."""
