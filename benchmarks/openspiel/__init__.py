"""OpenSpiel's search as a player at our table.

The modules need the package ``open_spiel``, which ``make strength`` installs.
"""

from typing import Final

UCT_C: Final = 2.0
"""The exploration constant of OpenSpiel's own examples, for returns in [-1, 1]."""
