"""Whether a position of Diamonds Club that was sent can have come about."""
