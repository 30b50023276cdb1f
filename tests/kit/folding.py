"""What a client makes of its messages: a snapshot and the events after it, folded as docs/protocol.md says.

Written from the protocol alone and knowing no rules, so that a difference from a fresh snapshot is the server's fault
or the document's.
"""

from typing import assert_never

from attrs import evolve

from parlour_server.protocol import events as told
from parlour_server.protocol.messages import Events, Table
from parlour_server.protocol.values import DealView, DiscardValue, MeldValue, PhaseView, SeatView, Shuffle

_ORDER = "mpszf"


class Gap(AssertionError):
    """A version is missing or came twice."""


def fold(table: Table, message: Events) -> Table:
    """The table after the events of a message. Raises Gap unless they follow directly."""
    first = message.version - len(message.events) + 1
    if message.table != table.table or first != table.version + 1:
        raise Gap(f"at version {table.version}, and the message begins with {first}")
    for event in message.events:
        table = evolve(_after(table, event), version=table.version + 1)
    return table


def _sorted(tiles: list[str]) -> list[str]:
    return sorted(tiles, key=lambda tile: (_ORDER.index(tile[1]), tile[0]))


def _without(tiles: list[str] | None, gone: list[str]) -> list[str] | None:
    if tiles is None:
        return None
    left = list(tiles)
    for tile in gone:
        left.remove(tile)
    return left


def _losing(seat: SeatView, gone: list[str]) -> SeatView:
    return evolve(seat, size=seat.size - len(gone), tiles=_without(seat.tiles, gone), drawn=None)


def _with_seat(deal: DealView, number: int, seat: SeatView) -> DealView:
    return evolve(deal, seats=[seat if index == number else old for index, old in enumerate(deal.seats)])


def _after(table: Table, event: told.TableEvent) -> Table:
    match event:
        case told.MatchStarted():
            return table
        case told.ShuffleCommitted():
            return evolve(table, shuffle=Shuffle(event.deal, event.context, event.commit, None, None))
        case told.ShuffleFixed():
            assert table.shuffle is not None
            return evolve(table, shuffle=evolve(table.shuffle, nonces=event.nonces))
        case told.ShuffleRevealed():
            if table.shuffle is None or table.shuffle.deal != event.deal:
                return table
            return evolve(table, shuffle=evolve(table.shuffle, seed=event.seed))
        case told.DealStarted():
            return evolve(table, deal=_dealt(event), scores=event.scores, settled=None)
        case told.Paid():
            return evolve(table, scores=event.scores)
        case told.Settled():
            return evolve(table, settled=event, scores=event.scores)
        case told.MatchEnded():
            return evolve(table, standing=event.standing)
        case _:
            assert table.deal is not None
            return evolve(table, deal=_played(table.deal, event))


def _dealt(event: told.DealStarted) -> DealView:
    seats = [
        SeatView(size, None if hand is None else _sorted(hand), None, [], [], [])
        for size, hand in zip(event.sizes, event.hands, strict=True)
    ]
    phase = PhaseView("discarding", event.dealer)
    return DealView(event.deal, event.dealer, event.round_wind, event.streak, event.dice, event.left, seats, phase)


def _played(
    deal: DealView,
    event: told.WashingOpened
    | told.WashingClosed
    | told.Washed
    | told.HandShown
    | told.FlowersExposed
    | told.Drew
    | told.Called
    | told.Discarded
    | told.Melded
    | told.Promoted
    | told.Won
    | told.Exhausted,
) -> DealView:
    match event:
        case told.Exhausted() | told.Washed():
            return evolve(deal, phase=PhaseView("over"), seats=[evolve(seat, drawn=None) for seat in deal.seats])
        case told.Drew():
            return _drew(deal, event)
        case told.Melded():
            return _melded(deal, event)
        case _:
            pass
    seat = deal.seats[event.seat]
    match event:
        case told.WashingOpened():
            return evolve(deal, phase=PhaseView("washing", event.seat))
        case told.WashingClosed():
            return evolve(deal, phase=PhaseView("discarding", event.seat))
        case told.HandShown():
            return _with_seat(deal, event.seat, evolve(seat, size=len(event.tiles), tiles=event.tiles))
        case told.FlowersExposed():
            lighter = _losing(seat, event.tiles)
            return _with_seat(deal, event.seat, evolve(lighter, flowers=seat.flowers + event.tiles))
        case told.Called():
            return _with_seat(deal, event.seat, evolve(seat, called=True))
        case told.Discarded():
            lighter = _losing(seat, [event.tile])
            lying = evolve(lighter, discards=[*seat.discards, DiscardValue(event.tile, event.drawn)])
            return evolve(_with_seat(deal, event.seat, lying), phase=PhaseView("claiming", event.seat, event.tile))
        case told.Promoted():
            lighter = _losing(seat, [event.tile])
            return evolve(_with_seat(deal, event.seat, lighter), phase=PhaseView("robbing", event.seat, event.tile))
        case told.Won():
            tiles = list(event.hand)
            if event.source is None and event.tile is not None:
                tiles.append(event.tile)
            shown = evolve(seat, size=len(tiles), tiles=_sorted(tiles))
            over = evolve(_with_seat(deal, event.seat, shown), phase=PhaseView("over"))
            return evolve(over, seats=[evolve(each, drawn=None) for each in over.seats])
        case _:
            assert_never(event)


def _drew(deal: DealView, event: told.Drew) -> DealView:
    seat = deal.seats[event.seat]
    if deal.phase.kind == "robbing":
        seat = evolve(seat, melds=[_promoted(meld, deal.phase.tile) for meld in seat.melds])
    tiles = None if seat.tiles is None or event.tile is None else _sorted([*seat.tiles, event.tile])
    seat = evolve(seat, size=seat.size + 1, tiles=tiles)
    # Flowers that were dealt are replaced before anybody's turn: nothing counts as drawn, and it stays the dealer's.
    if event.source == "flower" and not any(each.discards or each.melds for each in deal.seats):
        return evolve(_with_seat(deal, event.seat, seat), left=event.left)
    deal = _with_seat(deal, event.seat, evolve(seat, drawn=event.tile))
    return evolve(deal, left=event.left, phase=PhaseView("discarding", event.seat))


def _promoted(meld: MeldValue, tile: str | None) -> MeldValue:
    if meld.form != "pong" or tile not in meld.tiles:
        return meld
    return evolve(meld, form="promoted_gong", tiles=[*meld.tiles, meld.tiles[0]])


def _melded(deal: DealView, event: told.Melded) -> DealView:
    meld = event.meld
    from_hand = list(meld.tiles)
    if meld.claimed is not None and meld.source is not None:
        from_hand.remove(meld.claimed)
        giver = deal.seats[meld.source]
        marked = [*giver.discards[:-1], evolve(giver.discards[-1], claimed=True)]
        deal = _with_seat(deal, meld.source, evolve(giver, discards=marked))
    seat = _losing(deal.seats[event.seat], from_hand)
    deal = _with_seat(deal, event.seat, evolve(seat, melds=[*seat.melds, meld]))
    return evolve(deal, phase=PhaseView("discarding", event.seat))
