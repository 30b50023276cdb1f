"""Questions of games in which every set and pair has a value of its own (classical 2 and 5).

A head is a 1, a 9, a wind or a dragon; a simple one of the tiles 2 to 8. What a claimed tile finished lies exposed
(classical A-15); a robbed tile is claimed (classical A-8).
"""

from collections.abc import Callable, Iterator
from typing import Final

from parlour_engine.melds import CHOW, CONCEALED_GONG, EXPOSED_GONG, PONG
from parlour_engine.scoring.facts import EYES, UNFINISHED, HandFacts, ReadingFacts, SplitFacts
from parlour_engine.scoring.record import ROBBED_GONG, SELF_DRAW
from parlour_engine.tiles import FIRST_DRAGON, FIRST_WIND, KINDS, Kind, is_orphan

HEAD: Final[tuple[bool, ...]] = tuple(is_orphan(kind) for kind in range(KINDS))
"""By kind, whether it is a head."""
PAIR: Final = 2

# Asked of the hand


def self_drawn(hand: HandFacts) -> int:
    """1 for a win tile drawn, from the wall or as a replacement; never for East's opening tiles (classical A-13)."""
    return hand.record.by == SELF_DRAW


def _open_gongs(hand: HandFacts, head: bool) -> int:
    if not hand.open_gongs:
        return 0
    melds = hand.record.melds
    return sum([EXPOSED_GONG <= meld.form < CONCEALED_GONG and HEAD[meld.kind] == head for meld in melds])


def simple_gongs_exposed(hand: HandFacts) -> int:
    """How many gongs of 2 to 8 were claimed or added (Harr p. 23)."""
    return _open_gongs(hand, False)


def head_gongs_exposed(hand: HandFacts) -> int:
    """How many gongs of heads were claimed or added (Harr p. 23)."""
    return _open_gongs(hand, True)


def _concealed_gongs(hand: HandFacts, head: bool) -> int:
    if not hand.concealed_gongs:
        return 0
    return sum([meld.form == CONCEALED_GONG and HEAD[meld.kind] == head for meld in hand.record.melds])


def simple_gongs_concealed(hand: HandFacts) -> int:
    """How many gongs of 2 to 8 were drawn, all four tiles (Harr p. 23)."""
    return _concealed_gongs(hand, False)


def head_gongs_concealed(hand: HandFacts) -> int:
    """How many gongs of heads were drawn, all four tiles (Harr p. 23)."""
    return _concealed_gongs(hand, True)


def gongs(hand: HandFacts) -> int:
    """How many gongs were declared, of any kind."""
    return hand.open_gongs + hand.concealed_gongs


def heads_only(hand: HandFacts) -> int:
    """1 if there is no tile from 2 to 8 (Harr p. 63)."""
    tiles = hand.tiles
    return not (any(tiles[1:8]) or any(tiles[10:17]) or any(tiles[19:26]))


def fourth_of_exposed_pong(hand: HandFacts) -> int:
    """1 if the win tile is the fourth of an exposed pong: the winner's own, or one robbed (classical A-11)."""
    record = hand.record
    if record.by == ROBBED_GONG:
        return 1
    return any(meld.form == PONG and meld.kind == record.win_tile for meld in record.melds)


# Asked of each split


def _pairs(split: SplitFacts) -> Iterator[Kind]:
    """The eyes; in an unfinished hand every kind held exactly twice."""
    if split.form != UNFINISHED:
        yield split.eyes
        return
    for kind, held in enumerate(split.hand.counts):
        if held == PAIR:
            yield kind


def dragon_pairs(split: SplitFacts) -> int:
    """Pairs of dragons: the eyes, or in an unfinished hand all there are (classical A-22)."""
    if split.form != UNFINISHED:
        return split.eyes >= FIRST_DRAGON
    return split.hand.counts[FIRST_DRAGON:].count(PAIR)


def seat_wind_pair(split: SplitFacts) -> int:
    """1 for a pair of the player's own wind (Harr p. 30)."""
    wind = FIRST_WIND + split.hand.record.seat_wind
    return split.eyes == wind or (split.form == UNFINISHED and split.hand.counts[wind] == PAIR)


def seat_wind_pong_in_own_round(split: SplitFacts) -> int:
    """1 for a pong of the player's own wind, which is the wind of the round too (Harr p. 67)."""
    record = split.hand.record
    return record.seat_wind == record.round_wind and FIRST_WIND + record.seat_wind in split.pongs


# Asked of each reading


def _exposed_pongs(reading: ReadingFacts, head: bool) -> int:
    hand = reading.split.hand
    found = 0
    if hand.meld_pongs:
        found = sum([meld.form == PONG and HEAD[meld.kind] == head for meld in hand.record.melds])
    return found + (reading.holder == PONG and hand.claimed and HEAD[reading.holder_kind] == head)


def simple_pongs_exposed(reading: ReadingFacts) -> int:
    """Pongs of 2 to 8 on the table or finished by a claimed tile (classical A-15)."""
    return _exposed_pongs(reading, False)


def head_pongs_exposed(reading: ReadingFacts) -> int:
    """Pongs of heads on the table or finished by a claimed tile (classical A-15)."""
    return _exposed_pongs(reading, True)


def _concealed_pongs(reading: ReadingFacts, head: bool) -> int:
    split = reading.split
    if not split.hand_pongs:
        return 0
    found = sum([HEAD[kind] == head for kind in split.hand_pongs])
    return found - (reading.holder == PONG and split.hand.claimed and HEAD[reading.holder_kind] == head)


def simple_pongs_concealed(reading: ReadingFacts) -> int:
    """Pongs of 2 to 8 in hand that no claimed tile finished; an undeclared four is one (classical A-7, A-15)."""
    return _concealed_pongs(reading, False)


def head_pongs_concealed(reading: ReadingFacts) -> int:
    """Pongs of heads in hand that no claimed tile finished; an undeclared four is one (classical A-7, A-15)."""
    return _concealed_pongs(reading, True)


def _single_ended(reading: ReadingFacts) -> bool:
    """The win tile is the middle of its chow, or the 3 of 123 or the 7 of 789."""
    tile, low = reading.split.hand.record.win_tile, reading.holder_kind
    return tile == low + 1 or (tile == low + 2 and low % 9 == 0) or (tile == low and low % 9 == 6)


def filled_only_place_by_shape(reading: ReadingFacts) -> int:
    """1 if the win tile made the eyes or the middle or closed end of a chow, whatever else would have won
    (classical A-1, A-4)."""
    return reading.holder == EYES or (reading.holder == CHOW and _single_ended(reading))


def _completed(reading: ReadingFacts) -> bool:
    """The win tile made the eyes, and no other kind would have won (classical A-12)."""
    return reading.holder == EYES and reading.split.hand.waits == 1


def _resting(reading: ReadingFacts, kind: Kind) -> bool:
    """A pair of `kind` that is not worth more for having been completed."""
    return not _completed(reading) and kind in _pairs(reading.split)


def dragon_pairs_at_rest(reading: ReadingFacts) -> int:
    """Pairs of dragons that the win tile did not complete on a wait for one kind (Harr p. 65, classical A-12)."""
    return 0 if _completed(reading) else dragon_pairs(reading.split)


def seat_wind_pair_at_rest(reading: ReadingFacts) -> int:
    """As `dragon_pairs_at_rest`, of the player's own wind where it is not the wind of the round."""
    record = reading.split.hand.record
    return record.seat_wind != record.round_wind and _resting(reading, FIRST_WIND + record.seat_wind)


def round_wind_pair_at_rest(reading: ReadingFacts) -> int:
    """As `dragon_pairs_at_rest`, of the wind of the round where it is not the player's own."""
    record = reading.split.hand.record
    return record.seat_wind != record.round_wind and _resting(reading, FIRST_WIND + record.round_wind)


def seat_and_round_wind_pair_at_rest(reading: ReadingFacts) -> int:
    """As `dragon_pairs_at_rest`, of the wind that is both the player's own and the round's."""
    record = reading.split.hand.record
    return record.seat_wind == record.round_wind and _resting(reading, FIRST_WIND + record.seat_wind)


def _pair_completed(reading: ReadingFacts, head: bool, claimed: bool) -> bool:
    return _completed(reading) and HEAD[reading.holder_kind] == head and reading.split.hand.claimed == claimed


def simple_pair_claimed(reading: ReadingFacts) -> int:
    """1 if a claimed tile completed eyes of 2 to 8 on a wait for one kind (Harr p. 65, classical A-12)."""
    return _pair_completed(reading, False, True)


def simple_pair_drawn(reading: ReadingFacts) -> int:
    """1 if a drawn tile completed eyes of 2 to 8 on a wait for one kind (Harr p. 65, classical A-12)."""
    return _pair_completed(reading, False, False)


def head_pair_claimed(reading: ReadingFacts) -> int:
    """1 if a claimed tile completed eyes of heads on a wait for one kind (Harr p. 65, classical A-12)."""
    return _pair_completed(reading, True, True)


def head_pair_drawn(reading: ReadingFacts) -> int:
    """1 if a drawn tile completed eyes of heads on a wait for one kind (Harr p. 65, classical A-12)."""
    return _pair_completed(reading, True, False)


def _of_seat_and_round(reading: ReadingFacts) -> bool:
    record = reading.split.hand.record
    return record.seat_wind == record.round_wind and reading.holder_kind == FIRST_WIND + record.seat_wind


def seat_and_round_wind_pair_claimed(reading: ReadingFacts) -> int:
    """As `head_pair_claimed`, of the wind that is both the player's own and the round's."""
    return _of_seat_and_round(reading) and head_pair_claimed(reading)


def seat_and_round_wind_pair_drawn(reading: ReadingFacts) -> int:
    """As `head_pair_drawn`, of the wind that is both the player's own and the round's."""
    return _of_seat_and_round(reading) and head_pair_drawn(reading)


def only_chow_claimed(reading: ReadingFacts) -> int:
    """1 if a claimed tile finished a chow on a wait for one kind (Harr p. 65, classical A-12)."""
    hand = reading.split.hand
    return reading.holder == CHOW and hand.claimed and hand.waits == 1


def chow_drawn(reading: ReadingFacts) -> int:
    """1 if a drawn tile finished a chow, on a wait for one kind or with both ends open (Harr p. 65, classical A-12)."""
    hand = reading.split.hand
    return reading.holder == CHOW and not hand.claimed and (hand.waits == 1 or not _single_ended(reading))


OF_HAND: Final[tuple[Callable[[HandFacts], int], ...]] = (
    self_drawn,
    simple_gongs_exposed,
    head_gongs_exposed,
    simple_gongs_concealed,
    head_gongs_concealed,
    gongs,
    heads_only,
    fourth_of_exposed_pong,
)
OF_SPLIT: Final[tuple[Callable[[SplitFacts], int], ...]] = (
    dragon_pairs,
    seat_wind_pair,
    seat_wind_pong_in_own_round,
)
OF_READING: Final[tuple[Callable[[ReadingFacts], int], ...]] = (
    simple_pongs_exposed,
    head_pongs_exposed,
    simple_pongs_concealed,
    head_pongs_concealed,
    filled_only_place_by_shape,
    dragon_pairs_at_rest,
    seat_wind_pair_at_rest,
    round_wind_pair_at_rest,
    seat_and_round_wind_pair_at_rest,
    simple_pair_claimed,
    simple_pair_drawn,
    head_pair_claimed,
    head_pair_drawn,
    seat_and_round_wind_pair_claimed,
    seat_and_round_wind_pair_drawn,
    only_chow_claimed,
    chow_drawn,
)
