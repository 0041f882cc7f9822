"""How many files the process may have open; each connection is one."""

from __future__ import annotations

import resource

_OWN = 256
"""Files beside connections, rather too many."""


def make_room(connections: int) -> int:
    """Raises the process's limit for so many connections, and tells for how many there is room."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _OWN
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return connections if soft == resource.RLIM_INFINITY else min(connections, soft - _OWN)
