"""Calibrates strength levels by matches."""
