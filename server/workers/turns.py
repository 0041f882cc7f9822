"""How a thread shares its processor with others. On Linux; elsewhere that belongs to processes."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass

_SCHED_SETATTR = {"x86_64": 314, "aarch64": 274}
"""The numbers of the system call, which Python has no function for."""


class _Attributes(ctypes.Structure):
    """sched_attr of sched_setattr(2), in its first version."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("policy", ctypes.c_uint32),
        ("flags", ctypes.c_uint64),
        ("nice", ctypes.c_int32),
        ("priority", ctypes.c_uint32),
        ("runtime", ctypes.c_uint64),
        ("deadline", ctypes.c_uint64),
        ("period", ctypes.c_uint64),
    )


@dataclass(frozen=True)
class Turns:
    """When a thread gets its processor, and for how long."""

    niceness: int = 0
    """Added to the process's own: how far the thread stands back behind others."""
    seconds: float | None = None
    """How long it goes on before a thread of the same niceness has its turn, if that one does not
    ask for shorter turns. Long turns keep caches warm. From Linux 6.12 on; None for what the system
    finds right."""

    def take(self) -> None:
        """Has the calling thread take such turns, if the system lets it."""
        if sys.platform != "linux":
            return
        with suppress(OSError):
            niceness = os.getpriority(os.PRIO_PROCESS, 0) + self.niceness
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
            number = _SCHED_SETATTR.get(platform.machine())
            if self.seconds is not None and number is not None:
                attributes = _Attributes(
                    size=ctypes.sizeof(_Attributes),
                    policy=os.SCHED_OTHER,
                    nice=niceness,
                    runtime=round(self.seconds * 1e9),
                )
                ctypes.CDLL(None).syscall(number, 0, ctypes.byref(attributes), 0)
