"""Histories of Diam's that can't have led to what a view shows."""

from __future__ import annotations


class Contradiction(Exception):
    """What can't have happened, in words for people."""
