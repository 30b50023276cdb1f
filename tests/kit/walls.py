"""Walls and positions that hold each tile once, written the way a test tells its story."""

from collections.abc import Sequence

from parlour_engine import play
from parlour_engine.deal import Deal
from parlour_engine.events import WALL
from parlour_engine.hand import Hand
from parlour_engine.melds import CHOW, EXPOSED_GONG, PONG, Meld
from parlour_engine.notation import parse_meld, parse_tile, parse_tiles
from parlour_engine.phases import Discarding
from parlour_engine.procedure import Procedure
from parlour_engine.seats import SEATS, Seat
from parlour_engine.soundness import problems
from parlour_engine.tiles import FIRST_FLOWER, Kind, full_wall
from parlour_engine.wall import Wall

LRC = Procedure()


def _take(pool: list[Kind], text: str) -> list[Kind]:
    tiles = parse_tiles(text)
    for kind in tiles:
        assert kind in pool, f"too many of a kind in the script: {text}"
        pool.remove(kind)
    return tiles


def _filler(pool: list[Kind], number: int, have: Sequence[Kind]) -> list[Kind]:
    """`number` tiles that make neither a pair nor neighbours with `have` or each other while that is possible."""
    taken: list[Kind] = []
    for gap in (2, 1, 0, -1):
        for kind in reversed(range(FIRST_FLOWER)):
            if len(taken) < number and kind in pool:
                others = [*have, *taken]
                apart = [abs(kind - other) for other in others if kind < 27 and other // 9 == kind // 9]
                if gap < 0 or (kind not in others and all(distance > gap for distance in apart)):
                    taken.append(kind)
                    pool.remove(kind)
    assert len(taken) == number, "the pool is too small"
    return taken


def _laid(end: list[Kind], pool: list[Kind], loose: bool, below: int) -> list[Kind]:
    """The end of the wall from which these replacements come, first one first, with `below` other tiles before them.
    Where tiles lie loose the top of each stack comes before its bottom, and half a stack on other tiles is made whole
    from the pool (classical A-17, A-29)."""
    if not loose:
        return end[::-1]
    tiles = end if below == 0 else [*end, *_filler(pool, len(end) % 2, ())]
    stacks = [tiles[at : at + 2] for at in range(0, len(tiles), 2)]
    return [tile for stack in reversed(stacks) for tile in stack]


def scripted_wall(
    hands: Sequence[str], draws: str = "", tail: str = "", *, dealer: Seat = 0, procedure: Procedure = LRC
) -> list[Kind]:
    """A wall from which seat i is dealt `hands[i]` (a short hand is filled up with tiles that help nobody), the next
    tiles drawn are `draws`, and the replacements are `tail`, first one first. Flowers that are not named lie where
    nobody comes in most scripts: at the far end of the flower wall."""
    pool = full_wall(procedure.flowers)
    dealt = [_take(pool, text) for text in hands]
    head = _take(pool, draws)
    end = _take(pool, tail)
    for seat in SEATS:
        size = procedure.hand_size + (1 if seat == dealer else 0)
        dealt[seat] += _filler(pool, size - len(dealt[seat]), dealt[seat])
    order: list[Kind] = []
    queues = [list(tiles) for tiles in dealt]
    # Four tiles each, as often as they go in, then singly, then one more for the dealer (P5).
    portions = [4] * (procedure.hand_size // 4) + [1] * (procedure.hand_size % 4)
    for portion in portions:
        for turn in range(4):
            queue = queues[(dealer + turn) % 4]
            order += queue[:portion]
            del queue[:portion]
    order.append(queues[dealer].pop(0))
    flowers = [kind for kind in pool if kind >= FIRST_FLOWER]
    end = _laid(end, pool, procedure.loose_tiles > 0, len(pool))
    rest = [kind for kind in pool if kind < FIRST_FLOWER]
    return order + head + rest[:-8] + flowers + rest[-8:] + end


def started(hands: Sequence[str], draws: str = "", tail: str = "", **named: object) -> Deal:
    """The deal that `scripted_wall` leads to."""
    procedure = named.get("procedure", LRC)
    dealer = named.get("dealer", 0)
    assert isinstance(procedure, Procedure)
    assert isinstance(dealer, int)
    wall = scripted_wall(hands, draws, tail, dealer=dealer, procedure=procedure)
    deal, _ = play.start(procedure, wall, (1, 2, 3), dealer)
    return deal


def _meld(text: str, seat: Seat) -> Meld:
    """A meld with a source: text does not say whose tile was claimed, so it was the seat's left neighbour's."""
    meld = parse_meld(text)
    if meld.form in (CHOW, PONG, EXPOSED_GONG):
        return Meld(meld.form, meld.kind, meld.kind, (seat + 3) % 4)
    return meld


def position(
    hands: Sequence[str],
    *,
    melds: Sequence[str] = ("", "", "", ""),
    flowers: Sequence[str] = ("", "", "", ""),
    turn: Seat = 0,
    drawn: str = "",
    source: int = WALL,
    draws: str = "",
    tail: str = "",
    live: int = 40,
    dealer: Seat = 0,
    streak: int = 0,
    procedure: Procedure = LRC,
) -> Deal:
    """A deal in the middle: seat i holds `hands[i]` and has declared `melds[i]` (texts with spaces between).

    `turn` has just drawn `drawn`, which is not named in its hand; with drawn = "" it has just claimed, and holds one
    tile more. Short hands are filled up with tiles that help nobody. `live` tiles can still be drawn, `draws` first;
    `tail` are the next replacements. All other tiles have been discarded.
    """
    pool = full_wall(procedure.flowers)
    deal = Deal(procedure)
    named = [_take(pool, text) for text in hands]
    for seat in SEATS:
        for text in melds[seat].split():
            meld = _meld(text, seat)
            for kind in meld.tiles():
                pool.remove(kind)
            deal.hands[seat].declare(meld)
        deal.hands[seat].flowers.extend(_take(pool, flowers[seat]))
    fresh = _take(pool, drawn)
    head, end = _take(pool, draws), _take(pool, tail)
    for seat in SEATS:
        full = procedure.hand_size - 3 * len(deal.hands[seat].melds)
        full += 1 if seat == turn and not fresh else 0
        tiles = named[seat] + _filler(pool, full - len(named[seat]), named[seat])
        _give(deal.hands[seat], tiles)
    hand = deal.hands[turn]
    if fresh:
        hand.add(fresh[0])
        hand.fresh = fresh[0]
    unseen_flowers = [kind for kind in pool if kind >= FIRST_FLOWER]
    below = procedure.reserve + live - len(head) - len(end)
    end = _laid(end, pool, procedure.loose_tiles > 0, below)
    rest = [kind for kind in pool if kind < FIRST_FLOWER]
    middle = procedure.reserve + live - len(head) - len(end) - len(unseen_flowers)
    assert 0 <= middle <= len(rest), "no wall of that length can be made"
    deep = max(middle - 8, 0)
    tiles = head + rest[:deep] + unseen_flowers + rest[deep:middle] + end
    deal.wall = _lying(tiles, procedure)
    deal.dealer, deal.streak = dealer, streak
    thrown = rest[middle:]
    for index, kind in enumerate(thrown):
        deal.discards[index % 4].append(kind)
        deal.drawn_discards[index % 4].append(False)
    deal.discarded = len(thrown) + 1
    claimed = hand.melds[-1].claimed if not fresh and hand.melds else -1
    deal.phase = Discarding(
        turn,
        fresh[0] if fresh else -1,
        source if fresh else -1,
        claimed=claimed,
        last_live=bool(fresh) and source == WALL and live == 0,
    )
    assert problems(deal) == []
    return deal


def _lying(tiles: list[Kind], procedure: Procedure) -> Wall:
    """A wall of which these tiles are left; where some lie loose, whole stacks of which the first top may be gone."""
    gone = len(tiles) % 2 if procedure.loose_tiles else 0
    wall = Wall(tiles[:gone] + tiles, procedure.reserve, procedure.loose_tiles)
    wall.head = gone
    del wall.loose[: len(wall.loose) - len(tiles)]
    return wall


def _give(hand: Hand, tiles: Sequence[Kind]) -> None:
    for kind in tiles:
        hand.add(kind)


def kind(text: str) -> Kind:
    """The kind of `5p`."""
    return parse_tile(text)
