"""Positions that can't be: by game, each with the field and the words of its refusal."""
