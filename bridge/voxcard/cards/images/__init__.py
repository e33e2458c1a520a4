"""Pictures of cards: fetched, decoded, drawn for one panel."""
