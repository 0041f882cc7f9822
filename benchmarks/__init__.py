"""Measurements: of speed (``make bench``) and of quality of play (``make strength``)."""
