"""When a search ends."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search ends: at whichever limit comes first.

    Without any limit the server thinks for one second.

    Attributes:
        time: Thinking time in seconds.
        iterations: Iterations of the search, over all its trees together. Together with a seed
            and without a time limit, this fixes the answer.

    Raises:
        ValueError: If a limit is not above 0.
    """

    time: float | None = None
    iterations: int | None = None

    def __post_init__(self) -> None:
        if self.time is not None and not self.time > 0:
            raise ValueError(f"time must be above 0 seconds, not {self.time}")
        if self.iterations is not None and self.iterations < 1:
            raise ValueError(f"iterations must be 1 or more, not {self.iterations}")
