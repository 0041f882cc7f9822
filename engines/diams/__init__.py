"""Diam's: set collection on a market, 2 to 5 seats. Rules: docs/rules/diams.md."""
