"""From a card to finished pages for one screen."""
