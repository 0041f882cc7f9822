"""Our games as OpenSpiel games, and OpenSpiel's search as a player at our table.

Needs the package ``open_spiel``, which ``make strength`` installs.
"""
