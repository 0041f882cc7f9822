"""Whether a position of Diam's that was sent can have come about."""
