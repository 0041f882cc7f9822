"""What a seat of Diam's knows, and samples of what it doesn't (section 6)."""
