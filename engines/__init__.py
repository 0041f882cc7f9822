"""The rules of the games, one folder each, and what the folders share."""
