"""What all tables of a configuration have in common."""

from pydantic import BaseModel, ConfigDict

LONGEST = 86_400.0
"""Seconds, a day: no time of a configuration may be longer."""


class Section(BaseModel):
    """A table of the file: unknown keys are errors, and nothing is converted silently."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)
