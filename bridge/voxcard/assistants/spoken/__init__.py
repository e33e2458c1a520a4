"""What is said aloud: the language in a text, its sentences, and the words for its numbers."""
