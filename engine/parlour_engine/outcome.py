"""What a finished deal hands over to scoring: a record of each winner with all the facts of the win, and of the other
hands where these are scored, too."""

from parlour_engine.deal import Deal
from parlour_engine.events import BY_DISCARD, BY_ROBBED_GONG, BY_SELF_DRAW, WALL, Won
from parlour_engine.phases import Discarding
from parlour_engine.scoring.record import LOST, ScoringRecord
from parlour_engine.seats import SEATS, Seat, seat_wind
from parlour_engine.tiles import KINDS


def scoring_records(deal: Deal) -> list[ScoringRecord]:
    """A record of each winner, in the order of settlement; none after a drawn deal. ValueError before the end."""
    if not deal.is_over():
        raise ValueError("the deal is not over")
    on_table = tiles_on_table(deal)
    return [_record(deal, won, on_table) for won in deal.wins]


def losing_records(deal: Deal) -> list[ScoringRecord]:
    """A record of each hand that did not win, from East on: its concealed tiles at rest and its sets. Empty where only
    winners are scored, after a drawn deal and after washing. ValueError before the end."""
    if not deal.is_over():
        raise ValueError("the deal is not over")
    if not deal.procedure.show_hands or not deal.wins:
        return []
    winners = [won.seat for won in deal.wins]
    seats = [(deal.dealer + turn) & 3 for turn in range(4)]
    return [_lost(deal, seat) for seat in seats if seat not in winners]


def tiles_on_table(deal: Deal) -> int:
    """Discarded and declared tiles on the table, the winning discard among them; a robbed tile counts as one (A-75).

    The three switches of the procedure say whether declared sets, the winning tile that another seat gave and flowers
    are counted.
    """
    procedure = deal.procedure
    count = sum([len(pile) for pile in deal.discards])
    if procedure.early_counts_melds:
        count += sum([len(meld.tiles()) for hand in deal.hands for meld in hand.melds])
    if procedure.early_counts_flowers:
        count += sum([len(hand.flowers) for hand in deal.hands])
    if deal.wins:
        by = deal.wins[0].by
        if by == BY_ROBBED_GONG and procedure.early_counts_winning_discard:
            count += 1
        elif by == BY_DISCARD and not procedure.early_counts_winning_discard:
            count -= 1
    return count


def _record(deal: Deal, won: Won, on_table: int) -> ScoringRecord:
    hand = deal.hands[won.seat]
    counts = [0] * KINDS
    for kind in won.concealed:
        counts[kind] += 1
    replacement = last_tile = gong_on_gong = False
    phase = deal.ended_in
    if won.by == BY_SELF_DRAW and isinstance(phase, Discarding):
        replacement = phase.source != WALL
        last_tile = phase.last_live
        gong_on_gong = phase.own_gongs >= 2
    return ScoringRecord(
        counts,
        tuple(hand.melds),
        tuple(hand.flowers),
        seat_wind(won.seat, deal.dealer),
        deal.round_wind,
        won.kind,
        won.by,
        seat_wind(won.source, deal.dealer) if won.source in SEATS else -1,
        replacement=replacement,
        last_tile=last_tile,
        # The first discard of a deal is always East's.
        first_discard=won.by == BY_DISCARD and deal.discarded == 1,
        gong_on_gong=gong_on_gong,
        tiles_on_table=on_table,
        called=deal.called[won.seat],
        streak=deal.streak,
    )


def _lost(deal: Deal, seat: Seat) -> ScoringRecord:
    hand = deal.hands[seat]
    return ScoringRecord(
        hand.counts.copy(),
        tuple(hand.melds),
        tuple(hand.flowers),
        seat_wind(seat, deal.dealer),
        deal.round_wind,
        -1,
        LOST,
        called=deal.called[seat],
        streak=deal.streak,
    )
