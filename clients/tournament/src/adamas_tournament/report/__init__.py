"""The report of a tournament: one HTML file that needs no network and nothing beside it."""
