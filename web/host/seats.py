"""The seats of a table, and who sits there."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self


class Kind(StrEnum):
    """Who a seat is for."""

    PERSON = "person"
    BOT = "bot"
    OPEN = "open"
    """Somebody who has been invited."""


@dataclass
class Seat:
    """One seat.

    Attributes:
        kind: Who it is for.
        name: What the person is called.
        browser: The person's browser, as ``identity`` knows it.
        level: How strongly a bot plays; 0: as strongly as it can.
        invitation: Whoever has this secret may sit down, once; empty for a bot.
        stand_in: The level of the bot that plays for the person; None: the person plays.
        left: Whether the person has left, and has to say so when coming back.
    """

    kind: Kind
    name: str = ""
    browser: str = ""
    level: int = 0
    invitation: str = ""
    stand_in: int | None = None
    left: bool = False

    @classmethod
    def person(cls, browser: str, name: str) -> Self:
        """A seat with somebody in it."""
        return cls(Kind.PERSON, name=name, browser=browser, invitation=_secret())

    @classmethod
    def bot(cls, level: int) -> Self:
        """A bot's seat."""
        return cls(Kind.BOT, level=level)

    @classmethod
    def open(cls) -> Self:
        """A seat that waits for somebody."""
        return cls(Kind.OPEN, invitation=_secret())

    @classmethod
    def read(cls, values: dict[str, Any]) -> Self:
        """A seat as it was kept."""
        return cls(**{**values, "kind": Kind(values["kind"])})

    def values(self) -> dict[str, Any]:
        """The seat, to be kept."""
        return asdict(self)

    @property
    def bot_level(self) -> int | None:
        """The level of the bot that plays here; None: no bot does."""
        return self.level if self.kind is Kind.BOT else self.stand_in

    def invites(self, invitation: str) -> bool:
        """Whether the secret is this seat's; compared in a time that tells nothing."""
        return bool(self.invitation) and secrets.compare_digest(
            self.invitation.encode(), invitation.encode()
        )


def _secret() -> str:
    return secrets.token_urlsafe(24)
