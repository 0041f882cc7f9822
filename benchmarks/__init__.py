"""Measurements: speed (python -m benchmarks) and quality of play (python -m benchmarks.strength)."""
