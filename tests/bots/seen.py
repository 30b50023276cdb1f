"""Views written by hand: what one seat sees, no deal behind it."""

from collections.abc import Sequence

from parlour_bots.chance import Stream
from parlour_bots.steady import SteadyBot
from parlour_engine.events import HIDDEN, WALL
from parlour_engine.melds import CONCEALED_GONG, Meld
from parlour_engine.moves import Move, move_text, parse_move
from parlour_engine.notation import parse_meld, parse_tile, parse_tiles, tile_text
from parlour_engine.views import CLAIMING, DISCARDING, SeatView, View


def _melds(text: str) -> tuple[Meld, ...]:
    written = [parse_meld(word) for word in text.split()]
    return tuple(meld if meld.form == CONCEALED_GONG else Meld(meld.form, meld.kind, meld.kind, 3) for meld in written)


def seen(
    hand: str, *, melds: Sequence[str] = ("", "", "", ""), discards: Sequence[str] = ("", "", "", ""), claim: str = ""
) -> View:
    """What seat 0 sees: its own `hand`, everybody's `melds` and `discards`; `claim` is a tile that seat 3 has just
    discarded, without it seat 0 is on turn."""
    piles = [parse_tiles(text) for text in discards]
    if claim:
        piles[3].append(parse_tile(claim))
    seats = []
    for seat in range(4):
        declared = _melds(melds[seat])
        others = (HIDDEN,) * (16 - 3 * len(declared))
        concealed = tuple(sorted(parse_tiles(hand))) if seat == 0 else others
        pile = tuple(piles[seat])
        seats.append(SeatView(seat, seat, concealed, declared, (), pile, (False,) * len(pile), False, 0))
    everything = [kind for one in seats for kind in (*one.concealed, *one.discards) if kind != HIDDEN]
    everything += [kind for one in seats for meld in one.melds for kind in meld.tiles()]
    assert all(everything.count(kind) <= 4 for kind in everything), "a fifth tile of a kind"
    full = len(seats[0].concealed) % 3
    assert full == (1 if claim else 2), "a hand to claim with has 3n + 1 tiles, one to discard from 3n + 2"
    return View(
        viewer=0,
        dealer=1,
        round_wind=0,
        streak=0,
        dice=(),
        left=60,
        live=44,
        last_discarder=3,
        seats=tuple(seats),
        phase=CLAIMING if claim else DISCARDING,
        turn=3 if claim else 0,
        kind=parse_tile(claim) if claim else -1,
        claimed=-1,
        source=-1 if claim else WALL,
        wins=(),
        drawn=-1,
        moves=(),
        missed=(),
    )


def answer(view: View, legal: str) -> str:
    """What steady does when it may do what `legal` lists (with commas between); `discards` stands for every kind in
    hand."""
    moves: list[Move] = []
    for word in legal.split(", "):
        if word == "discards":
            moves += [parse_move(f"discard {tile}") for tile in _kinds(view)]
        elif word == "calls":
            moves += [parse_move(f"call {tile}") for tile in _kinds(view)]
        else:
            moves.append(parse_move(word))
    return move_text(SteadyBot().decide(view, tuple(moves), Stream(b"unused")))


def _kinds(view: View) -> list[str]:
    return [tile_text(kind) for kind in sorted(set(view.seats[0].concealed))]
