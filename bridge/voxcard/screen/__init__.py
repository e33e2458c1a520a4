"""What one device's screen shows: cards, questions, progress, and what people do with them."""
