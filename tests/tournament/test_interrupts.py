"""Ctrl-C and SIGTERM while a tournament runs."""

import signal
import threading
from collections.abc import Iterator

import pytest

from adamas_tournament.interrupts import interruption


@pytest.fixture(autouse=True)
def _ctrl_c_interrupts() -> Iterator[None]:
    """As it does in a terminal; in the background it may be ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_the_first_ctrl_c_is_noted_and_raises_nothing() -> None:
    with interruption() as interrupted:
        assert not interrupted()
        signal.raise_signal(signal.SIGINT)
        assert interrupted()


def test_a_request_to_terminate_is_noted_likewise() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with interruption() as interrupted:
        signal.raise_signal(signal.SIGTERM)
        assert interrupted()
        assert signal.getsignal(signal.SIGTERM) is before  # a second one ends the program
    assert signal.getsignal(signal.SIGTERM) is before


def test_the_second_ctrl_c_interrupts_at_once() -> None:
    with interruption():
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_afterwards_ctrl_c_does_what_it_did_before() -> None:
    before = signal.getsignal(signal.SIGINT)
    with interruption():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_in_another_thread_nothing_is_changed() -> None:
    before, found = signal.getsignal(signal.SIGINT), []

    def run() -> None:
        with interruption() as interrupted:
            found.append((interrupted(), signal.getsignal(signal.SIGINT)))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found == [(False, before)]
