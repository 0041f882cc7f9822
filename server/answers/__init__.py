"""What is told to the caller: moves, words, figures, a natural pace."""
