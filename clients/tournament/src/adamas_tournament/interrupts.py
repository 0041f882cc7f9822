"""Ctrl-C and SIGTERM that are heard for certain, at a moment when the journal is in order."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interruption() -> Iterator[Callable[[], bool]]:
    """Whether somebody wants an end: by Ctrl-C, or by SIGTERM, since the block began.

    The first signal raises nothing while the block runs: an exception would come wherever the
    program happens to be, and be lost in a callback or a finaliser. A second one does as usual.
    Signals are the main thread's; in another one the answer is always no.
    """
    wanted = threading.Event()
    with ExitStack() as stack:
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                before = signal.getsignal(number)

                def hear(number: int, _: FrameType | None, before: object = before) -> None:
                    wanted.set()
                    signal.signal(number, before)  # type: ignore[arg-type]  # what was there

                signal.signal(number, hear)
                stack.callback(signal.signal, number, before)
        yield wanted.is_set
