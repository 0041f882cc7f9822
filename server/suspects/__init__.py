"""Searches that may end the worker that runs them, and where they are tried."""
