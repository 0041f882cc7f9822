"""Parks: where a tile lies (section 1.2). Placement is automatic, so there is nothing to decide."""

from __future__ import annotations

from engines.diamonds_club.rules.options import ANYTIME
from engines.diamonds_club.rules.state import ALL_PRINTED, BUILDINGS, PARK_FULL, PRINTED
from engines.events import emit
from engines.jit import Int, Log, Record, rule

NO_SPACE = -1
LIGHT = PRINTED
DARK = PRINTED + 1
"""Spaces: 0 to 2 for the printed ones, LIGHT and DARK for any other one."""
NO_BUILDING = BUILDINGS
"""A kind that is no building: forests, and animals too."""


@rule
def open_printed_space(s: Record, seat: Int, kind: Int) -> Int:
    """The printed space that a building of this kind covers, or NO_SPACE (sections 1.2, 10.3)."""
    any_space = NO_SPACE
    if kind >= NO_BUILDING:
        return any_space
    for space in range(PRINTED):
        if s.covered[seat] >> space & 1 == 0:
            if s.printed[seat, space] == kind:
                return space
            if any_space == NO_SPACE and s.printed_any_building == 1:
                any_space = space
    return any_space


@rule
def free_light_spaces(s: Record, seat: Int) -> Int:
    """Light spaces without a picture that are still free."""
    return s.light_size - PRINTED - s.light_tiles[seat]


@rule
def may_use_dark(s: Record, seat: Int) -> bool:
    """Whether the dark spaces may be used once the light ones without a picture are full."""
    return s.dark_spaces == ANYTIME or s.covered[seat] == ALL_PRINTED


@rule
def space_for(s: Record, seat: Int, kind: Int) -> Int:
    """Where the next tile of this kind goes; NO_SPACE if it can't be placed."""
    printed = open_printed_space(s, seat, kind)
    if printed != NO_SPACE:
        return printed
    if free_light_spaces(s, seat) > 0:
        return LIGHT
    if may_use_dark(s, seat) and s.dark_tiles[seat] < s.dark_size:
        return DARK
    return NO_SPACE


@rule
def is_full(s: Record, seat: Int) -> bool:
    """Whether all light spaces are covered, which makes this round the last one (section 4)."""
    return s.covered[seat] == ALL_PRINTED and free_light_spaces(s, seat) == 0


@rule
def place(s: Record, seat: Int, kind: Int, log: Log | None) -> Int:
    """Puts a tile on its space; returns the space."""
    space = space_for(s, seat, kind)
    was_full = is_full(s, seat)
    if space == LIGHT:
        s.light_tiles[seat] += 1
    elif space == DARK:
        s.dark_tiles[seat] += 1
    else:
        s.covered[seat] |= 1 << space
    if is_full(s, seat) and not was_full:
        emit(log, PARK_FULL, seat, 0, 0)
    return space
