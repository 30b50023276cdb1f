"""How a deal is played under one ruleset: plain values that play, legality and views read.

A ruleset's file names these (lrc 2, lrc 6; classical 1, classical 7). Nothing in the engine asks which ruleset it is
in.
"""

from typing import Final


class Procedure:
    """The procedure switches of a ruleset; defaults are LRC's. Never changed once made."""

    __slots__ = (
        "base",
        "calling",
        "concealed_gong_bases",
        "dealer_stays_on_draw",
        "dice",
        "early_counts_flowers",
        "early_counts_melds",
        "early_counts_winning_discard",
        "flower_win",
        "flowers",
        "forms",
        "full_set_bases",
        "gong_in_claim_turn",
        "hand_size",
        "last_discard_only_wins",
        "loose_tiles",
        "missed_win",
        "mixed_set_bases",
        "mixed_then_full",
        "nearest_winner_only",
        "reserve",
        "reserve_replaces",
        "robbing",
        "sets",
        "show_hands",
        "swap_claim",
        "washing",
    )

    def __init__(
        self,
        *,
        hand_size: int = 16,
        sets: int = 5,
        forms: tuple[str, ...] = ("nico_nico", "thirteen_orphans", "sixteen_orphans"),
        flowers: bool = True,
        flower_win: int = 7,
        reserve: int = 16,
        reserve_replaces: bool = True,
        loose_tiles: int = 0,
        dice: int = 3,
        base: int = 5,
        mixed_set_bases: int = 1,
        full_set_bases: int = 2,
        concealed_gong_bases: int = 1,
        mixed_then_full: str = "difference",
        missed_win: bool = True,
        nearest_winner_only: bool = False,
        calling: bool = False,
        gong_in_claim_turn: bool = False,
        swap_claim: bool = True,
        robbing: bool = True,
        show_hands: bool = False,
        washing: tuple[int, ...] = (),
        last_discard_only_wins: bool = True,
        dealer_stays_on_draw: bool = True,
        early_counts_melds: bool = True,
        early_counts_winning_discard: bool = True,
        early_counts_flowers: bool = False,
    ) -> None:
        self.hand_size: Final[int] = hand_size
        """Tiles of a seat that is not on turn (P5)."""
        self.sets: Final[int] = sets
        """Sets of a complete hand beside the eyes."""
        self.forms: Final[tuple[str, ...]] = forms
        """Special hands by name, see `shapes`."""
        self.flowers: Final[bool] = flowers
        self.flower_win: Final[int] = flower_win
        """This many exposed flowers win by themselves (P24); 0 = never."""
        self.reserve: Final[int] = reserve
        """Tiles that ordinary draws leave in the wall (P8; classical A-9)."""
        self.reserve_replaces: Final[bool] = reserve_replaces
        """Flowers are replaced from the reserve too; False: once only the reserve is left nothing is (classical 5)."""
        self.loose_tiles: Final[int] = loose_tiles
        """Tiles that lie apart at the end of the wall and are refilled from it, the top of a stack first (classical
        A-29); 0: replacements come off the tail one by one."""
        self.dice: Final[int] = dice
        """How many dice break the wall; they are told and change nothing."""
        self.base: Final[int] = base
        """Points of a base, which instant payments are counted in (A-91)."""
        self.mixed_set_bases: Final[int] = mixed_set_bases
        self.full_set_bases: Final[int] = full_set_bases
        self.concealed_gong_bases: Final[int] = concealed_gong_bases
        """What each opponent pays at once for a flower set or a concealed gong (lrc 5, A-16, A-17, A-32)."""
        self.mixed_then_full: Final[str] = mixed_then_full
        """`difference` or `both` (A-18)."""
        self.missed_win: Final[bool] = missed_win
        """P17, P25."""
        self.nearest_winner_only: Final[bool] = nearest_winner_only
        """P16: False = every eligible claimant wins."""
        self.calling: Final[bool] = calling
        """P23."""
        self.gong_in_claim_turn: Final[bool] = gong_in_claim_turn
        """P13."""
        self.swap_claim: Final[bool] = swap_claim
        """P18: True = the claimed kind may be discarded at once."""
        self.robbing: Final[bool] = robbing
        """P15, classical A-8: the fourth tile added to a pong may be won on."""
        self.show_hands: Final[bool] = show_hands
        """All hands are shown once a deal is won, since all of them are scored."""
        self.washing: Final[tuple[int, ...]] = washing
        """What each other player pays whoever washes the tiles, for 9, 10, 11 ... different heads in the dealt hand
        (classical 5); empty where nobody may."""
        self.last_discard_only_wins: Final[bool] = last_discard_only_wins
        """P10, P29. False: the last tile's discard may be claimed for a set, and what that claimant then discards for a
        win only (classical A-10)."""
        self.dealer_stays_on_draw: Final[bool] = dealer_stays_on_draw
        """P19, A-85."""
        self.early_counts_melds: Final[bool] = early_counts_melds
        self.early_counts_winning_discard: Final[bool] = early_counts_winning_discard
        self.early_counts_flowers: Final[bool] = early_counts_flowers
        """What counts as a tile on the table (A-75)."""
