"""The screen of one device: its cards, questions and progress, and what people do with them."""
