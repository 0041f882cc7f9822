"""What a browser is told of a table: its seat's view, and nothing that others know."""

from __future__ import annotations

from typing import Any

from web.host import refusals, wording
from web.host.referee import Referee, as_refusals
from web.host.seats import Kind
from web.host.table import Table, UndoRule
from web.host.watchers import Watchers

Json = dict[str, Any]


class Told:
    """Makes up what is told."""

    def __init__(self, referee: Referee, watchers: Watchers) -> None:
        self._referee = referee
        self._watchers = watchers

    def seat_for(self, table: Table, browser: str, asked: int | None) -> int | None:
        """Whose view a browser gets: its own seat's, or any one where all may be seen.

        None: it has no seat. Raises Refusal if it may not have the seat that it asks for.
        """
        own = table.seat_of(browser)
        if asked is None:
            return 0 if own is None and table.open_to_view else own
        if not 0 <= asked < len(table.seats):
            raise refusals.invalid("seat", f"use 0 to {len(table.seats) - 1}")
        if asked != own and not table.open_to_view:
            raise refusals.forbidden("hidden")
        return asked

    def ply_for(self, table: Table, asked: int | None) -> int:
        """How many moves lead to what a browser gets; raises Refusal."""
        if asked is None:
            return table.plies
        if not 0 <= asked <= table.plies:
            raise refusals.invalid("ply", f"use 0 to {table.plies}")
        if asked != table.plies and not table.open_to_view:
            raise refusals.forbidden("hidden")
        return asked

    async def table(
        self,
        table: Table,
        browser: str,
        language: str,
        *,
        seat: int | None = None,
        ply: int | None = None,
    ) -> Json:
        """A `Table`; raises Refusal."""
        shown = self.seat_for(table, browser, seat)
        plies = self.ply_for(table, ply)
        steps = table.steps[: plies + 1]
        position = steps[-1].position
        told: Json = {
            **self._heading(table, browser),
            "version": table.version,
            "options": wording.plain(table.options),
            "undoRule": table.undo_rule,
            "hints": table.hints,
            "seat": shown,
            "ply": plies,
            "plies": table.plies,
            "status": wording.status(position),
            "log": [
                {
                    "ply": number - 1,
                    "seat": step.seat,
                    "events": step.told,
                    "words": list(step.words[language]),
                }
                for number, step in enumerate(steps)
            ],
            "undo": self._undo(table, browser),
            "speed": table.speed if table.bots_alone else None,
            "trouble": refusals.words(table.trouble, language) if table.trouble else "",
        }
        told["seats"] = self._seats(table, browser, invitations=True)
        if shown is not None:
            with as_refusals():
                told["view"] = wording.view(await self._referee.view(position, shown))
                if self._may_move(table, browser, shown, plies):
                    moves = await self._referee.moves(position, shown, language)
                    told["turn"] = table.turn_of(shown)
                    told["moves"] = [wording.legal_move(move) for move in moves]
        return told

    def summary(self, table: Table, browser: str) -> Json:
        """A `Summary`."""
        seat = table.seat_of(browser)
        return {
            **self._heading(table, browser),
            "seats": self._seats(table, browser, invitations=False),
            "seat": seat,
            "plies": table.plies,
            "status": wording.status(table.position),
            "yourTurn": seat is not None and self._may_move(table, browser, seat, table.plies),
            "changed": round(table.changed, 3),
        }

    def _heading(self, table: Table, browser: str) -> Json:
        return {
            "id": table.key,
            "game": table.game,
            "owner": browser == table.owner,
            "imported": table.imported,
        }

    def _seats(self, table: Table, browser: str, *, invitations: bool) -> list[Json]:
        return [
            self._seat(table, number, browser, invitations=invitations)
            for number in range(len(table.seats))
        ]

    def _seat(self, table: Table, number: int, browser: str, *, invitations: bool) -> Json:
        seat = table.seats[number]
        told: Json = {"kind": seat.kind}
        if seat.name:
            told["name"] = seat.name
        if seat.kind is Kind.BOT and seat.level:
            told["level"] = seat.level
        if seat.kind is Kind.PERSON:
            told["mine"] = seat.browser == browser
            told["away"] = not self._watchers.present(seat.browser)
            if seat.stand_in is not None:
                told["standIn"] = seat.stand_in
        whose = seat.browser if seat.kind is Kind.PERSON else table.owner
        if invitations and seat.invitation and whose == browser:
            told["invitation"] = seat.invitation
        return told

    def _may_move(self, table: Table, browser: str, seat: int, plies: int) -> bool:
        return (
            plies == table.plies
            and not table.imported
            and seat == table.seat_of(browser)
            and table.seats[seat].stand_in is None
            and seat in table.position.seats_to_move
        )

    def _undo(self, table: Table, browser: str) -> Json:
        seat = table.seat_of(browser)
        plies = None if seat is None else table.last_decision(seat)
        possible = (
            plies is not None
            and seat is not None
            and not table.imported
            and table.undo_rule is not UndoRule.NONE
            and (
                table.undo_rule is UndoRule.ANY
                or not (table.position.over or table.others_decided_since(seat, plies))
            )
        )
        return {"possible": possible, "asked": table.asks, "agreed": sorted(table.agreed)}
