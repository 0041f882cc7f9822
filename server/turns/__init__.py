"""Who is let in, whose turn it is, and when a search has to stop. Decided in one event loop."""
