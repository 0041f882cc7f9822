"""Ctrl-C that is heard for certain, at a moment when the journal is in order."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruption() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C has been pressed since the block began.

    The first Ctrl-C raises no KeyboardInterrupt while the block runs: that exception comes wherever
    the program happens to be, and is lost in a callback or a finaliser. A second one does as usual.
    Signals are the main thread's; in another one the answer is always no.
    """
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed.is_set
        return

    def press(_: int, __: FrameType | None) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)
