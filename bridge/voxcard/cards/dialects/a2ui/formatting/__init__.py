"""A2UI formatting: expressions and functions that make texts of the data model."""
