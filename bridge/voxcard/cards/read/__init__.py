"""From one tool result to the cards in it."""
