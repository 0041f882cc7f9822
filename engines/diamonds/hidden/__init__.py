"""What a seat of Diamonds knows, and sampling of what it doesn't."""
