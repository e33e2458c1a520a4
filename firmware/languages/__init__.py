"""The screen's fixed words, a module a language: one of them is in the heap, none for English."""
