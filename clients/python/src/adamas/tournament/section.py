"""What all tables of a configuration have in common."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A table of the file: unknown keys are errors, and nothing is converted silently."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)
