"""Standing still and going on again, and the votes of the players for a pause or for the end of the match."""

from typing import Final

from parlour_server.protocol.messages import Still
from parlour_server.protocol.values import Stopped
from parlour_server.table.audience import Audience
from parlour_server.table.chairs import Chair
from parlour_server.table.flow import Flow
from parlour_server.table.journal import Row, Voted
from parlour_server.table.presence import Presence
from parlour_server.table.seating import Seating
from parlour_server.table.standstill import Standstill


class Halting:
    """Everybody here is told of each change, before anybody is asked again."""

    __slots__ = ("_audience", "_flow", "_presence", "_rows", "_seating", "_standstill", "_table", "_told")

    def __init__(
        self,
        table: str,
        seating: Seating,
        audience: Audience,
        presence: Presence,
        flow: Flow,
        standstill: Standstill,
        rows: list[Row],
    ) -> None:
        self._table: Final = table
        self._seating: Final = seating
        self._audience: Final = audience
        self._presence: Final = presence
        self._flow: Final = flow
        self._standstill: Final = standstill
        self._rows: Final = rows
        self._told = standstill.value()

    def tell(self) -> None:
        """Tell what has changed."""
        value = self._standstill.value()
        if value is not self._told and value != self._told:
            self._told = value
            self._audience.send_all(Still(self._table, value))

    def tell_one(self, viewer: int) -> None:
        """Tell one who comes back and may have missed a change."""
        self._audience.send(viewer, Still(self._table, self._standstill.value()))

    def stop(self, reason: Stopped, now: float) -> None:
        """Stand still from now on."""
        self._audience.pass_time(now)
        self._standstill.reasons.add(reason)
        self.tell()

    def go_on(self, reason: Stopped, now: float) -> None:
        """This is no reason to stand still any more."""
        standstill = self._standstill
        if reason not in standstill.reasons:
            return
        standstill.reasons.discard(reason)
        if reason == "restart":
            for chair in self._seating.chairs:
                if chair.viewer is None:
                    self._presence.drop(chair, now)
        elif reason == "agreed":
            standstill.pausing.clear()
        self.tell()
        if not standstill.holds:
            self._flow.ask_again(now)
        self._flow.tick(now)

    def restart(self, now: float) -> None:
        """The table was given back from its journal: wait for those who were here, or go on at once."""
        self._flow.note_gone(now)
        if any(chair.is_awaited() for chair in self._seating.chairs):
            self._standstill.reasons.add("restart")
        elif not self._standstill.holds:
            self._flow.ask_again(now)
        self._told = self._standstill.value()

    def all_back(self, now: float) -> None:
        """Go on where nobody is missing any more since the restart."""
        if "restart" in self._standstill.reasons and not any(chair.is_awaited() for chair in self._seating.chairs):
            self.go_on("restart", now)

    def counts(self, vote: Voted) -> bool:
        """False for a vote that can change nothing: to take back what was not wanted."""
        standstill = self._standstill
        if vote.wanted:
            # Even the same once more: somebody may have gone since, so that all who are left want it.
            return True
        seats = standstill.pausing if vote.about == "pause" else standstill.ending
        return vote.seat in seats or (vote.about == "pause" and "agreed" in standstill.reasons)

    def vote(self, vote: Voted) -> None:
        """Count a player's vote, and do what all want."""
        self._rows.append(vote)
        standstill = self._standstill
        seats = standstill.pausing if vote.about == "pause" else standstill.ending
        if vote.wanted:
            seats.add(vote.seat)
            self._count(vote.at)
        else:
            seats.discard(vote.seat)
            if vote.about == "pause":
                self.go_on("agreed", vote.at)

    def stand_up(self, chair: Chair, now: float) -> None:
        """An owner leaves, and its vote goes along."""
        self._flow.stand_up(chair, now)
        self._count(now)

    def _count(self, now: float) -> None:
        """Do what all players want who are here; whose line has dropped for a moment decides nothing."""
        standstill = self._standstill
        here = {chair.seat for chair in self._seating.chairs if chair.up}
        if not self._seating.owned():
            self.go_on("agreed", now)
        elif here and here <= standstill.pausing and "agreed" not in standstill.reasons:
            self.stop("agreed", now)
        if here and here <= standstill.ending and not standstill.ended:
            self.end(now)

    def end(self, now: float) -> None:
        """Nothing happens any more. A deal that is broken off is shown, too: else a house could break off the walls
        that it does not like."""
        self._standstill.ended = True
        self._flow.reveal(now)
