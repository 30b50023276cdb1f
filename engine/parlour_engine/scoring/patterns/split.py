"""Questions about which sets and eyes the tiles make."""

from collections.abc import Callable
from itertools import permutations
from typing import Final

from parlour_engine.scoring.facts import SplitFacts
from parlour_engine.tiles import FIRST_DRAGON, FIRST_WIND, GREEN, RED, WHITE, Kind, is_orphan

SUIT_STARTS: Final = (0, 9, 18)
ORDERS: Final = tuple(permutations(SUIT_STARTS))
"""The three suits, by their 1, in every order."""


# Winds and dragons


def wind_pongs(split: SplitFacts) -> int:
    """How many pongs of winds (W-1)."""
    return split.wind_pongs


def seat_wind_pong(split: SplitFacts) -> int:
    """1 if one is of the winner's seat wind (W-2, A-24)."""
    return FIRST_WIND + split.hand.record.seat_wind in split.pongs


def round_wind_pong(split: SplitFacts) -> int:
    """1 if one is of the wind of the round (W-3, A-24)."""
    return FIRST_WIND + split.hand.record.round_wind in split.pongs


def _wind_eyes(split: SplitFacts) -> bool:
    return FIRST_WIND <= split.eyes < FIRST_DRAGON


def little_three_winds(split: SplitFacts) -> int:
    """1 for two wind pongs and wind eyes (W-4)."""
    return split.wind_pongs == 2 and _wind_eyes(split)


def big_three_winds(split: SplitFacts) -> int:
    """1 for three wind pongs and eyes that are no wind (W-5, A-25)."""
    return split.wind_pongs == 3 and not _wind_eyes(split)


def little_four_winds(split: SplitFacts) -> int:
    """1 for three wind pongs and eyes of the fourth wind (W-6, A-25)."""
    return split.wind_pongs == 3 and _wind_eyes(split)


def big_four_winds(split: SplitFacts) -> int:
    """1 for four wind pongs (W-7)."""
    return split.wind_pongs == 4


def dragon_pongs(split: SplitFacts) -> int:
    """How many pongs of dragons (DR-1)."""
    return split.dragon_pongs


def little_dragons(split: SplitFacts) -> int:
    """1 for two dragon pongs and dragon eyes (DR-2)."""
    return split.dragon_pongs == 2 and split.eyes >= FIRST_DRAGON


def big_dragons(split: SplitFacts) -> int:
    """1 for three dragon pongs (DR-3)."""
    return split.dragon_pongs == 3


# Chows


def mixed_dragon(split: SplitFacts) -> int:
    """1 for chows 123, 456 and 789 in three different suits (DS-1, A-27, A-29)."""
    at = split.chow_at
    return len(split.chows) >= 3 and any(at[low] and at[mid + 3] and at[high + 6] for low, mid, high in ORDERS)


def pure_dragon(split: SplitFacts) -> int:
    """1 for chows 123, 456 and 789 in one suit (DS-2, A-29)."""
    at = split.chow_at
    return len(split.chows) >= 3 and any(at[one] and at[one + 3] and at[one + 6] for one in SUIT_STARTS)


def mixed_dragon_in_hand(split: SplitFacts) -> int:
    """1 for a mixed dragon of chows in hand, however the win tile came (A-6)."""
    own = split.hand_chows
    return len(own) >= 3 and any(low in own and mid + 3 in own and high + 6 in own for low, mid, high in ORDERS)


def pure_dragon_in_hand(split: SplitFacts) -> int:
    """1 for a pure dragon of chows in hand, however the win tile came (A-6)."""
    own = split.hand_chows
    return len(own) >= 3 and any(one in own and one + 3 in own and one + 6 in own for one in SUIT_STARTS)


def brother_chows(split: SplitFacts) -> int:
    """The largest number of identical chows (B-1, A-36)."""
    return max(split.chow_at) if len(split.chows) >= 2 else 0


def _sisters(at: list[int]) -> tuple[int, int]:
    """Groups of three suits and then of two, each chow used once (SS-1, A-37)."""
    threes = twos = 0
    for start in range(7):
        few, some, _ = sorted((at[start], at[start + 9], at[start + 18]))
        threes += few
        twos += some - few
    return threes, twos


def _free_of_terminals(split: SplitFacts) -> list[int]:
    """How many chows begin at each kind, without those that pair up as 123 and 789 of one suit (A-38)."""
    at = split.chow_at.copy()
    for one in SUIT_STARTS:
        paired = min(at[one], at[one + 6])
        at[one] -= paired
        at[one + 6] -= paired
    return at


def sister_chows_of_two(split: SplitFacts) -> int:
    """How many groups of one chow in two suits (SS-1, A-37)."""
    return _sisters(split.chow_at)[1] if len(split.chows) >= 2 else 0


def sister_chows_of_three(split: SplitFacts) -> int:
    """How many groups of one chow in all three suits (SS-1, A-37)."""
    return _sisters(split.chow_at)[0] if len(split.chows) >= 3 else 0


def sister_chows_of_two_beside_terminals(split: SplitFacts) -> int:
    """As `sister_chows_of_two`, of chows that are no terminal chow set (A-38)."""
    return _sisters(_free_of_terminals(split))[1]


def sister_chows_of_three_beside_terminals(split: SplitFacts) -> int:
    """As `sister_chows_of_three`, of chows that are no terminal chow set (A-38)."""
    return _sisters(_free_of_terminals(split))[0]


def terminal_chow_sets(split: SplitFacts) -> int:
    """How many pairs of 123 and 789 of one suit (T-3)."""
    at = split.chow_at
    return min(at[0], at[6]) + min(at[9], at[15]) + min(at[18], at[24])


def terminal_chow_sets_of_a_suit(split: SplitFacts) -> int:
    """The most such pairs in one suit (T-3, A-45)."""
    at = split.chow_at
    return max(min(at[0], at[6]), min(at[9], at[15]), min(at[18], at[24]))


def steps_in_three_suits(split: SplitFacts) -> int:
    """1 for three chows, each one rank above the last, in three different suits (ST-1, A-47)."""
    if len(split.chows) < 3:
        return 0
    at = split.chow_at
    return any(
        at[first + start] and at[second + start + 1] and at[third + start + 2]
        for start in range(5)
        for first, second, third in ORDERS
    )


def all_steps(split: SplitFacts) -> int:
    """1 for five chows that climb rank by rank, suits free (SH-8, A-66)."""
    starts = sorted([kind % 9 for kind in split.chows])
    return len(starts) == 5 and starts == list(range(starts[0], starts[0] + 5))


def all_chows(split: SplitFacts) -> int:
    """1 if every set is a chow (H-2)."""
    return not split.pongs


def all_chows_no_flowers_or_honours(split: SplitFacts) -> int:
    """1 if every set is a chow and there is no flower and no honour (H-1)."""
    hand = split.hand
    return not (split.pongs or hand.record.flowers or hand.honours)


# Pongs


def neighbour_pongs(split: SplitFacts) -> int:
    """The longest run of pongs of one suit with ranks in a row (N-1, A-35)."""
    best = run = 0
    last = -2
    for kind in sorted(split.pongs):
        if kind >= FIRST_WIND:
            break
        run = run + 1 if kind == last + 1 and kind % 9 else 1
        best = max(best, run)
        last = kind
    return best


def sister_pongs(split: SplitFacts) -> int:
    """The most pongs of one rank, in different suits (SP-1, A-40)."""
    ranks = [kind % 9 for kind in split.pongs if kind < FIRST_WIND]
    return max([ranks.count(rank) for rank in ranks], default=0)


def terminal_pong_sets(split: SplitFacts) -> int:
    """In how many suits there are pongs of both 1 and 9 (T-2, A-44)."""
    pongs = split.pongs
    return sum(one in pongs and one + 8 in pongs for one in SUIT_STARTS)


def all_pongs(split: SplitFacts) -> int:
    """1 if every set is a pong or a gong (H-9, A-51)."""
    return not split.chows


def all_pongs_of_three(split: SplitFacts) -> int:
    """1 if every set is a pong and none a gong (A-51)."""
    return not split.chows and not split.hand.open_gongs and not split.hand.concealed_gongs


def uncles(split: SplitFacts) -> int:
    """1 for five pongs in a row in one suit and eyes of the next rank (H-10, A-52)."""
    pongs = sorted(split.pongs)
    low = pongs[0] if pongs else 0
    return (
        len(pongs) == 5
        and low < FIRST_WIND
        and low % 9 <= 3
        and pongs == list(range(low, low + 5))
        and split.eyes == low + 5
    )


def jade_pong(split: SplitFacts) -> int:
    """1 for a pong of the green dragon and otherwise only bamboo (A-65)."""
    return GREEN in split.pongs and _jewel(split, 2, GREEN)


def ruby_pong(split: SplitFacts) -> int:
    """1 for a pong of the red dragon and otherwise only characters (A-65)."""
    return RED in split.pongs and _jewel(split, 0, RED)


def diamond_pong(split: SplitFacts) -> int:
    """1 for a pong of the white dragon and otherwise only circles (A-65)."""
    return WHITE in split.pongs and _jewel(split, 1, WHITE)


def _jewel(split: SplitFacts, suit: int, dragon: Kind) -> bool:
    hand = split.hand
    others = sum(hand.tiles[FIRST_DRAGON:]) - hand.tiles[dragon]
    return not hand.winds and not others and hand.suits[suit] and hand.suit_count == 1


# Terminals, four in ways, eyes, special hands


def _terminal_groups(split: SplitFacts) -> bool:
    return (
        is_orphan(split.eyes)
        and all(is_orphan(kind) for kind in split.pongs)
        and all(kind % 9 in (0, 6) for kind in split.chows)
    )


def terminals_with_honours(split: SplitFacts) -> int:
    """1 if every group is of 1s, 9s or honours or ends in one, with an honour and a number (H-12, A-64)."""
    hand = split.hand
    return hand.honours and hand.suit_count > 0 and _terminal_groups(split)


def terminals_without_honours(split: SplitFacts) -> int:
    """1 if every group is 111, 999, 123 or 789 and the eyes are 1 or 9 (H-13, A-64)."""
    return not split.hand.honours and _terminal_groups(split)


def fours_in_two_ways(split: SplitFacts) -> int:
    """Kinds whose four copies make a pong and part of a chow (FW-1, A-49, A-50)."""
    return sum(kind in split.pongs for kind in split.hand.quads)


def fours_in_three_ways(split: SplitFacts) -> int:
    """Kinds whose four copies make the eyes and parts of two chows (FW-1, A-49, A-50)."""
    return split.eyes in split.hand.quads


def fours_in_four_ways(split: SplitFacts) -> int:
    """Kinds whose four copies are parts of four chows (FW-1, A-49, A-50)."""
    return sum(kind not in split.pongs and kind != split.eyes for kind in split.hand.quads)


def good_eyes(split: SplitFacts) -> int:
    """1 for eyes of 2, 5 or 8 in a numbered suit (E-1, A-59, A-72)."""
    return 0 <= split.eyes < FIRST_WIND and split.eyes % 9 in (1, 4, 7)


def form(split: SplitFacts) -> int:
    """1: for the row of the special hand that is being read (SH-1 to SH-3)."""
    return 1


def fours(split: SplitFacts) -> int:
    """In Nico Nico: kinds held as two pairs (A-57, A-60)."""
    return split.fours


QUESTIONS: Final[tuple[Callable[[SplitFacts], int], ...]] = (
    wind_pongs,
    seat_wind_pong,
    round_wind_pong,
    little_three_winds,
    big_three_winds,
    little_four_winds,
    big_four_winds,
    dragon_pongs,
    little_dragons,
    big_dragons,
    mixed_dragon,
    pure_dragon,
    mixed_dragon_in_hand,
    pure_dragon_in_hand,
    brother_chows,
    sister_chows_of_two,
    sister_chows_of_three,
    sister_chows_of_two_beside_terminals,
    sister_chows_of_three_beside_terminals,
    terminal_chow_sets,
    terminal_chow_sets_of_a_suit,
    steps_in_three_suits,
    all_steps,
    all_chows,
    all_chows_no_flowers_or_honours,
    neighbour_pongs,
    sister_pongs,
    terminal_pong_sets,
    all_pongs,
    all_pongs_of_three,
    uncles,
    jade_pong,
    ruby_pong,
    diamond_pong,
    terminals_with_honours,
    terminals_without_honours,
    fours_in_two_ways,
    fours_in_three_ways,
    fours_in_four_ways,
    good_eyes,
    form,
    fours,
)
