"""Cards: dialects in, one model, pages out."""
