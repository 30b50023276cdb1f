"""Questions whose answer no way of reading the tiles can change: flowers, suits, how the hand was won."""

from collections.abc import Callable
from typing import Final

from parlour_engine.scoring.facts import HandFacts
from parlour_engine.scoring.record import DEALT, DISCARD, ROBBED_GONG, SELF_DRAW
from parlour_engine.seats import EAST
from parlour_engine.tiles import GREEN, RED, WHITE

TERMINALS: Final = (0, 8, 9, 17, 18, 26)


def always(hand: HandFacts) -> int:
    """1: for rows that every hand gets."""
    return 1


# Flowers and honours


def no_flowers(hand: HandFacts) -> int:
    """1 if the winner shows no flower (F-1, A-11)."""
    return not hand.record.flowers


def no_honours(hand: HandFacts) -> int:
    """1 if there is no wind and no dragon (F-2)."""
    return not hand.honours


def no_flowers_or_honours(hand: HandFacts) -> int:
    """1 if both of the above hold (F-3)."""
    return not (hand.record.flowers or hand.honours)


def flowers(hand: HandFacts) -> int:
    """How many flowers are shown (F-4)."""
    return len(hand.record.flowers)


def seat_flowers(hand: HandFacts) -> int:
    """How many of them bear the number of the winner's seat wind, of both colours (F-4, A-15)."""
    return hand.seat_flowers


# Tiles


def no_terminals(hand: HandFacts) -> int:
    """1 if there is no 1, no 9 and no honour; flowers do not matter (T-1, A-43)."""
    if hand.honours:
        return 0
    tiles = hand.tiles
    return not any(tiles[kind] for kind in TERMINALS)


def one_suit_with_honours(hand: HandFacts) -> int:
    """1 for exactly one numbered suit and at least one honour (H-5)."""
    return hand.suit_count == 1 and hand.honours


def one_suit(hand: HandFacts) -> int:
    """1 for exactly one numbered suit and no honour (H-6)."""
    return hand.suit_count == 1 and not hand.honours


def two_suits(hand: HandFacts) -> int:
    """1 for exactly two numbered suits and no honour (H-7, A-54)."""
    return hand.suit_count == 2 and not hand.honours


def all_five_suits(hand: HandFacts) -> int:
    """1 for characters, circles, bamboo, a wind and a dragon (H-8, A-55)."""
    return hand.winds and hand.dragons and hand.suit_count == 3


def honours_only(hand: HandFacts) -> int:
    """1 for winds and dragons only (H-11)."""
    return not hand.suit_count


def _only(hand: HandFacts, suit: int, dragon: int) -> int:
    """1 if the tiles are of one numbered suit and one dragon, with at least one of each."""
    if hand.winds or not hand.suits[suit] or hand.suit_count != 1:
        return 0
    tiles = hand.tiles
    return 0 < tiles[dragon] == tiles[WHITE] + tiles[GREEN] + tiles[RED]


def jade(hand: HandFacts) -> int:
    """1 for green dragons and bamboo, at least one of each (SH-5, A-65)."""
    return _only(hand, 2, GREEN)


def ruby(hand: HandFacts) -> int:
    """1 for red dragons and characters, at least one of each (SH-6, A-65)."""
    return _only(hand, 0, RED)


def diamond(hand: HandFacts) -> int:
    """1 for white dragons and circles, at least one of each (SH-7, A-65)."""
    return _only(hand, 1, WHITE)


# Declared sets


def open_gongs(hand: HandFacts) -> int:
    """How many gongs were claimed or added (G-1, A-33)."""
    return hand.open_gongs


def concealed_gongs(hand: HandFacts) -> int:
    """How many concealed gongs were declared (G-2, A-32)."""
    return hand.concealed_gongs


def concealed_claimed(hand: HandFacts) -> int:
    """1 for a concealed hand won with a claimed tile (H-3, A-81)."""
    return hand.concealed and hand.claimed


def concealed_discarded(hand: HandFacts) -> int:
    """1 for a concealed hand won with a discard, a robbed tile being none (A-81)."""
    return hand.concealed and hand.record.by == DISCARD


def concealed_drawn(hand: HandFacts) -> int:
    """1 for a concealed hand won with a tile from either wall (Y-4)."""
    return hand.concealed and hand.wall_drawn


def exposed_claimed(hand: HandFacts) -> int:
    """1 if only the eyes were in hand and a claimed tile made them (H-4, A-71)."""
    return hand.exposed and hand.claimed


def exposed_discarded(hand: HandFacts) -> int:
    """1 if only the eyes were in hand and a discard made them, a robbed tile being none (A-81)."""
    return hand.exposed and hand.record.by == DISCARD


def exposed_drawn(hand: HandFacts) -> int:
    """1 if only the eyes were in hand and a drawn tile made them (Y-5)."""
    return hand.exposed and hand.wall_drawn


# How the hand was won


def only_wait(hand: HandFacts) -> int:
    """1 if exactly one kind completed the hand, in any reading (X-2, A-74); never for a dealt hand (A-93)."""
    return hand.waits == 1


def east_wins_or_pays(hand: HandFacts) -> int:
    """1 if the winner is East, or East discarded the tile or declared the robbed gong (Y-1, A-83)."""
    return EAST in (hand.record.seat_wind, hand.record.from_wind)


def drawn_from_wall(hand: HandFacts) -> int:
    """1 for a win tile from the live wall, East's opening tiles included (Y-2, A-78)."""
    record = hand.record
    return (record.by == SELF_DRAW and not record.replacement) or record.by == DEALT


def drawn_as_replacement(hand: HandFacts) -> int:
    """1 for a win tile that replaced a flower or a gong (Y-3, A-80)."""
    return hand.record.replacement


def last_of_wall(hand: HandFacts) -> int:
    """1 for the last tile of the live wall; its replacement is none (Y-9, A-80)."""
    return hand.record.last_tile and not hand.record.replacement


def robbed(hand: HandFacts) -> int:
    """1 for a tile robbed from an added gong (Y-6)."""
    return hand.record.by == ROBBED_GONG


def gong_on_gong(hand: HandFacts) -> int:
    """1 for the replacement of a second self-drawn gong in one turn (Y-7, A-82)."""
    return hand.record.gong_on_gong


def tiles_on_table(hand: HandFacts) -> int:
    """How many tiles were discarded and declared when the hand was won (Y-8, A-75)."""
    return hand.record.tiles_on_table


def first_discard(hand: HandFacts) -> int:
    """1 for a win on East's first discard of the deal (Y-10, A-77)."""
    return hand.record.first_discard


def dealt(hand: HandFacts) -> int:
    """1 if East's opening tiles were complete (Y-11, A-78)."""
    return hand.record.by == DEALT


# What is added beside the hand


def called(hand: HandFacts) -> int:
    """1 if the hand was called (P23, A-90)."""
    return hand.record.called


def _dealer_pays(hand: HandFacts) -> bool:
    return hand.record.from_wind == EAST


def dealer_wins_before(hand: HandFacts) -> int:
    """For a winning dealer: his wins in a row before this one (A-86)."""
    return hand.record.streak if hand.record.seat_wind == EAST else 0


def dealer_wins_with_this(hand: HandFacts) -> int:
    """For a winning dealer: his wins in a row, this one included (A-86, `streak_from` 1)."""
    return hand.record.streak + 1 if hand.record.seat_wind == EAST else 0


def dealer_wins_before_won_or_paid(hand: HandFacts) -> int:
    """As `dealer_wins_before`, also where the dealer pays for the win tile (A-86, `streak_paid_by_dealer`)."""
    return hand.record.streak if _dealer_pays(hand) else dealer_wins_before(hand)


def dealer_wins_with_this_won_or_paid(hand: HandFacts) -> int:
    """As `dealer_wins_with_this`, also where the dealer pays for the win tile (A-86, both switches)."""
    return hand.record.streak + 1 if _dealer_pays(hand) else dealer_wins_with_this(hand)


QUESTIONS: Final[tuple[Callable[[HandFacts], int], ...]] = (
    always,
    no_flowers,
    no_honours,
    no_flowers_or_honours,
    flowers,
    seat_flowers,
    no_terminals,
    one_suit_with_honours,
    one_suit,
    two_suits,
    all_five_suits,
    honours_only,
    jade,
    ruby,
    diamond,
    open_gongs,
    concealed_gongs,
    concealed_claimed,
    concealed_discarded,
    concealed_drawn,
    exposed_claimed,
    exposed_discarded,
    exposed_drawn,
    only_wait,
    east_wins_or_pays,
    drawn_from_wall,
    drawn_as_replacement,
    last_of_wall,
    robbed,
    gong_on_gong,
    tiles_on_table,
    first_discard,
    dealt,
    called,
    dealer_wins_before,
    dealer_wins_with_this,
    dealer_wins_before_won_or_paid,
    dealer_wins_with_this_won_or_paid,
)
