"""Other programs, started for a tournament and ended with it."""
