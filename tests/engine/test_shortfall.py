"""What a hand lacks, against brute force over the tiles that may come; why a seat cannot win, and from what."""

from functools import cache
from itertools import combinations_with_replacement
from random import Random

import pytest

from parlour_engine.deal import Deal
from parlour_engine.hand import Hand
from parlour_engine.legal import legal_moves
from parlour_engine.melds import Meld
from parlour_engine.moves import WIN_MOVE
from parlour_engine.notation import hand_text, parse_meld, parse_tiles
from parlour_engine.phases import Claiming, Discarding, Robbing
from parlour_engine.procedure import Procedure
from parlour_engine.seats import SEATS, Seat
from parlour_engine.shapes import distance_of
from parlour_engine.shortfall import partial_reading, shortfall, why_not
from parlour_engine.tiles import FIRST_FLOWER, full_wall
from parlour_engine.wall import Wall
from tests.engine.shapes import oracle
from tests.kit.classical import classical, with_limit
from tests.kit.walks import Walk, eager, stubborn
from tests.kit.walls import started

LRC = Procedure()
FOUR_SETS = Procedure(hand_size=13, sets=4, forms=())
KINDS = range(34)


def held_with(counts: list[int], melds: list[Meld]) -> list[int]:
    held = list(counts)
    for meld in melds:
        for kind in meld.tiles():
            held[kind] += 1
    return held


@cache
def bills(sets: int) -> tuple[tuple[int, ...], ...]:
    """The tiles of every complete hand of one or two sets and eyes, whatever number of copies it takes."""
    found = set()
    for groups in combinations_with_replacement(oracle.GROUPS, sets):
        for eyes in KINDS:
            bill = [0] * 34
            bill[eyes] += 2
            for group in groups:
                for kind in group:
                    bill[kind] += 1
            found.add(tuple(bill))
    return tuple(found)


def brute(counts: list[int], melds: list[Meld], sets: int) -> tuple[int, set[int]]:
    """Fewest tiles that must come, and the kinds that bring it nearer, no kind being there a fifth time."""
    declared = held_with([0] * 34, melds)
    least, wanted = 99, set[int]()
    for bill in bills(sets):
        lacking = [max(0, need - have) for need, have in zip(bill, counts, strict=True)]
        missing = sum(lacking)
        if missing > least or any(bill[kind] + declared[kind] > 4 for kind in KINDS):
            continue
        kinds = {kind for kind in KINDS if lacking[kind]}
        least, wanted = (missing, kinds) if missing < least else (least, wanted | kinds)
    return least, wanted


def small_hand(random: Random, sets: int) -> tuple[list[int], list[Meld]]:
    """Tiles for one or two sets and eyes beside declared sets of near-by kinds, so that copies run out."""
    while True:
        melds = [
            parse_meld(random.choice(("111m", "222m", "333m", "(1111m)", "123m", "234m", "5555z", "777z")))
            for _ in range(4 - sets)
        ]
        counts = oracle.NONE.copy()
        for _ in range(3 * sets + 1):
            counts[random.choice((0, 0, 1, 2, 3, 4, 8, 31, 33))] += 1
        if max(held_with(counts, melds)) <= 4:
            return counts, melds


@pytest.mark.parametrize("sets", [1, 2])
def test_missing_and_helping_tiles_are_those_of_brute_force(sets: int) -> None:
    random = Random(sets)
    tighter = 0
    for _ in range(150 if sets == 1 else 8):
        counts, melds = small_hand(random, sets)
        missing, helping = brute(counts, melds, sets)
        found = shortfall(counts, melds, FOUR_SETS)
        assert (found.missing, set(found.helping)) == (missing, helping), (counts, melds)
        assert set(found.completing) == (helping if missing == 1 else set())
        tighter += missing > distance_of(counts, sets)
    assert tighter or sets == 2, "no hand was held up by copies in its declared sets"


def test_whole_hands_agree_with_the_slow_distance_and_with_adding_tiles() -> None:
    random = Random(7)
    for _ in range(25):
        sets = random.choice((4, 5))
        counts = oracle.changed(random, oracle.random_win(random, sets), random.randrange(1, 4))
        missing = oracle.missing(counts, sets)
        found = shortfall(counts, [], Procedure(hand_size=3 * sets + 1, sets=sets, forms=()))
        nearer = [k for k in KINDS if counts[k] < 4 and oracle.missing(oracle.with_tile(counts, k), sets) < missing]
        assert (found.missing, list(found.helping)) == (missing, nearer), hand_text(
            [k for k in KINDS for _ in range(counts[k])]
        )


@pytest.mark.parametrize(
    ("hand", "melds", "missing", "completing"),
    [
        ("123456789m45p11s777z", [], 1, "36p"),
        ("2345m", ["111z", "222z", "333z", "444z"], 1, "25m"),
        # All four 1m are the player's own, so the eyes cannot be made with 1m.
        ("1m", ["111m", "222z", "333z", "444z", "555z"], 2, ""),
        ("11123p", ["111z", "222z", "333z", "444z"], 0, ""),
        ("1112p", ["111z", "222z", "333z", "444z"], 1, "23p"),
        ("1112p", ["333p", "222z", "333z", "444z"], 1, "23p"),
        ("1112p", ["3333p", "222z", "333z", "444z"], 1, "2p"),
    ],
)
def test_known_hands(hand: str, melds: list[str], missing: int, completing: str) -> None:
    found = shortfall(oracle.counts_of(hand), [parse_meld(text) for text in melds], LRC)
    assert (found.missing, list(found.completing)) == (missing, parse_tiles(completing))


@pytest.mark.parametrize(
    ("hand", "melds", "form", "missing", "helping"),
    [
        # Seven pairs and a pong (SH-1): the pairs are there, two more of the lone kind make the pong.
        ("11447799m225588p1s", [], "nico_nico", 2, None),
        # Thirteen orphans with 456m at their side, still without a pair: any orphan makes it.
        ("19m19p19s1234567z456m", [], "thirteen_orphans", 1, "19m19p19s1234567z"),
        # No special form with a declared set that is no concealed gong: sets and eyes alone are left.
        ("19m19p19s1234567z", ["111m"], "standard", None, None),
    ],
)
def test_special_forms(hand: str, melds: list[str], form: str, missing: int | None, helping: str | None) -> None:
    found = shortfall(oracle.counts_of(hand), [parse_meld(text) for text in melds], LRC)
    assert found.form == form
    if missing is not None:
        assert found.missing == missing
    if helping is not None:
        assert list(found.helping) == sorted(parse_tiles(helping))
    if melds:
        assert [line.form for line in found.forms] == ["standard"]


def test_single_heads_of_four_sets() -> None:
    """One of each of the thirteen heads and one of them twice (Harr p. 62): whichever is not there, or any."""
    procedure = Procedure(hand_size=13, sets=4, forms=("thirteen_orphans",))
    found = shortfall(oracle.counts_of("19m19p19s1234566z"), [], procedure)
    assert (found.form, found.missing, list(found.completing)) == ("thirteen_orphans", 1, parse_tiles("7z"))
    found = shortfall(oracle.counts_of("19m19p19s1234567z"), [], procedure)
    assert (found.form, found.missing, found.completing) == ("thirteen_orphans", 1, tuple(oracle.ORPHANS))


def test_a_gong_of_an_orphan_leaves_none_for_the_thirteen() -> None:
    counts = oracle.counts_of("19m19p19s123456z1m")
    forms = {line.form: line.missing for line in shortfall(counts, [parse_meld("(7777z)")], LRC).forms}
    assert "thirteen_orphans" not in forms
    forms = {line.form: line.missing for line in shortfall(counts, [parse_meld("(5555m)")], LRC).forms}
    assert forms["thirteen_orphans"] == 1


def test_the_parts_of_a_hand_are_laid_out_as_players_say_it() -> None:
    reading = partial_reading(oracle.counts_of("123456789m45p11s7z2z"), [], FOUR_SETS)
    parts = [(part.form, hand_text(part.there), part.lacking, hand_text(part.waits)) for part in reading.parts]
    assert sorted(parts) == [
        ("eyes", "11s", 0, ""),
        ("set", "123m", 0, ""),
        ("set", "456m", 0, ""),
        ("set", "45p", 1, "36p"),
        ("set", "789m", 0, ""),
    ]
    assert hand_text(reading.spare) == "27z"


def test_partial_readings_use_every_tile_once_and_lack_what_the_hand_lacks() -> None:
    random = Random(11)
    for _ in range(60):
        sets = random.choice((4, 5))
        procedure = Procedure(hand_size=3 * sets + 1, sets=sets, forms=())
        counts = oracle.changed(random, oracle.random_win(random, sets), random.randrange(0, 6))
        lack = shortfall(counts, [], procedure)
        reading = partial_reading(counts, [], procedure)
        tiles = [kind for part in reading.parts for kind in part.there] + list(reading.spare)
        assert sorted(tiles) == [k for k in KINDS for _ in range(counts[k])]
        assert sum(part.lacking for part in reading.parts) == lack.missing
        assert [part.form for part in reading.parts].count("set") == sets
        assert all(len(part.there) + part.lacking == (3 if part.form == "set" else 2) for part in reading.parts)
        if lack.missing == 1:
            waits = {kind for part in reading.parts for kind in part.waits}
            assert waits
            assert waits <= set(lack.completing)


# --- at the table


def with_hidden_tiles_shuffled(deal: Deal, seat: Seat, random: Random) -> Deal:
    """The same deal to `seat`: what it cannot see lies otherwise."""
    other = deal.copy()
    hidden = full_wall(deal.procedure.flowers)
    seen = [*deal.hands[seat].tiles(), *deal.hands[seat].unshown]
    seen += [kind for hand in deal.hands for kind in [*hand.flowers, *[k for meld in hand.melds for k in meld.tiles()]]]
    seen += [kind for pile in deal.discards for kind in pile]
    if isinstance(deal.phase, Robbing):
        seen.append(deal.phase.kind)
    for kind in seen:
        hidden.remove(kind)
    # Flowers stay in the wall, where they are hidden too: a hand shows its own at once.
    random.shuffle(hidden)
    hidden.sort(key=lambda kind: kind >= FIRST_FLOWER)
    for opponent in SEATS:
        if opponent != seat:
            hand = deal.hands[opponent]
            dealt = Hand()
            for _ in range(hand.size):
                dealt.add(hidden.pop(0))
            for meld in hand.melds:
                dealt.declare(meld)
            dealt.flowers[:] = hand.flowers
            other.hands[opponent] = dealt
    random.shuffle(hidden)
    assert len(hidden) == deal.wall.left()
    wall = Wall([*deal.wall.tiles[: deal.wall.head], *hidden], deal.wall.reserve, len(deal.wall.loose))
    wall.head = deal.wall.head
    other.wall = wall
    return other


@pytest.mark.parametrize("procedure", [LRC, classical(), with_limit()], ids=["lrc", "classical", "with limit"])
def test_the_answer_knows_nothing_of_hidden_tiles_and_agrees_with_legality(procedure: Procedure) -> None:
    reasons: set[str] = set()
    for seed in range(4):
        walk = Walk(seed, procedure, stubborn)
        shuffle = Random(seed)
        for number, _ in enumerate(walk.steps()):
            deal = walk.deal
            for seat in SEATS:
                answer = why_not(deal, seat)
                reasons.add(answer.reason)
                assert (answer.reason == "can_win") == (WIN_MOVE in legal_moves(deal, seat)), (seed, number, seat)
                phase = deal.phase
                if isinstance(phase, Claiming | Discarding) and phase.seat != seat:
                    waits = deal.hands[seat].waits(procedure)
                    assert answer.completing == tuple(kind for kind in KINDS if waits >> kind & 1)
                    assert (answer.missing == 1) == (waits != 0)
            if number % 7 == 0 and not walk.deal.is_over():
                seat = shuffle.randrange(4)
                other = with_hidden_tiles_shuffled(deal, seat, shuffle)
                assert why_not(other, seat) == why_not(deal, seat), (seed, number, seat)
    assert {"can_win", "incomplete", "no_tile", "other_tile", "over"} <= reasons, reasons
    # Without a rule of missed wins a tile just let pass is still one: the window is open.
    assert "missed_win" in reasons


def test_asking_changes_nothing() -> None:
    walk = Walk(3, LRC, eager)
    for _ in walk.steps():
        before = walk.deal.state()
        for seat in SEATS:
            why_not(walk.deal, seat)
        assert walk.deal.state() == before


def test_a_flower_still_in_hand_is_no_tile_of_it() -> None:
    """East's seven flowers end the deal before South shows its own (P27)."""
    deal = started(["1234567f", "8f123456789m123p", "", ""])
    assert deal.is_over()
    assert deal.hands[1].unshown
    answer = why_not(deal, 1)
    assert answer.reason == "over"
    assert answer.missing == shortfall(deal.hands[1].counts, [], deal.procedure).missing
