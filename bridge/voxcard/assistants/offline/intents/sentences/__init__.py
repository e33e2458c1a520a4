"""The sentences of a home: read from files and templates, held as one tree of words."""
