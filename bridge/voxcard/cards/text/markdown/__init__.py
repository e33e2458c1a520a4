"""Markdown and the HTML in it as blocks of a screen, or as plain text."""
