"""LRC properties beside those of tests/engine/scoring: symmetries, the smallest totals, whole families of hands."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from os import environ
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.scoring import plain
from tests.engine.scoring.hands import lines, record, scored, settled, winning_hand

LONG = environ.get("HYPOTHESIS_PROFILE") == "long"
seeds = st.integers(0, 2**32)

DRAGON_OF = {"m": "7z", "p": "5z", "s": "6z"}
"""Ruby, diamond and jade: the dragon that goes with a suit (SH-5 to SH-7)."""


def alike(hand: dict[str, Any]) -> None:
    """The engine's answer is the plain scorer's."""
    expected, found = plain.best(hand), settled(hand)
    score = found.entries[0].score
    assert (score.points, score.total) == (expected["points"], expected["total"]), hand
    payer = hand["win"].get("from")
    for wind, moved in zip("ESWN", found.net, strict=True):
        if wind == hand["seat"]:
            assert moved == score.total * (1 if payer else 3)
        else:
            assert moved == (-score.total if payer in (None, wind) else 0)


def changed(hand: dict[str, Any], tile_of: dict[str, str]) -> dict[str, Any]:
    """The hand with every tile replaced by another."""

    def other(text: str) -> str:
        return "".join(sorted((tile_of[tile] for tile in plain.tiles_of(text)), key=lambda tile: (tile[1], tile[0])))

    melds = [f"({other(meld.strip('()'))})" if meld.startswith("(") else other(meld) for meld in hand["melds"]]
    win = hand["win"] | ({"tile": other(hand["win"]["tile"])} if "tile" in hand["win"] else {})
    return hand | {"hand": other(hand["hand"]), "melds": melds, "win": win}


@given(seeds, st.permutations("mps"))
def test_suits_may_change_places_with_their_dragons(seed: int, order: list[str]) -> None:
    """Property 5 without its exception: where each suit takes its jewel's dragon along, every line stays."""
    place = dict(zip("mps", order, strict=True))
    tile_of = {tile: tile[0] + place.get(tile[1], "z") for tile in plain.KINDS}
    tile_of |= {DRAGON_OF[suit]: DRAGON_OF[place[suit]] for suit in "mps"}
    hand = winning_hand(seed)
    before, after = scored(hand), scored(changed(hand, tile_of))
    assert (before.points, before.total) == (after.points, after.total)


@given(seeds, st.permutations("SWN"))
def test_winds_may_change_places_with_their_seats(seed: int, order: list[str]) -> None:
    """South, West and North with all that is theirs: tiles, round, flowers, payments. East is the dealer and stays."""
    wind_of = dict(zip("ESWN", ["E", *order], strict=True))
    number_of = {"ESWN".index(old): "ESWN".index(new) for old, new in wind_of.items()}
    tile_of = {tile: tile for tile in plain.KINDS}
    tile_of |= {f"{old + 1}z": f"{new + 1}z" for old, new in number_of.items()}
    hand = winning_hand(seed)
    other = changed(hand, tile_of)
    numbers = [int(flower[0]) - 1 for flower in plain.tiles_of(hand["flowers"])]
    other["flowers"] = "".join(f"{number_of[number % 4] + 4 * (number > 3) + 1}f" for number in numbers)
    other |= {"seat": wind_of[hand["seat"]], "round": wind_of[hand["round"]]}
    if "from" in hand["win"]:
        other["win"] = other["win"] | {"from": wind_of[hand["win"]["from"]]}
    before, after = settled(hand), settled(other)
    assert lines(before.entries[0].score) == lines(after.entries[0].score)
    assert [before.net[old] for old in range(4)] == [after.net[number_of[old]] for old in range(4)]


# The smallest totals (property 1, A-67)


def poor_hand(seed: int) -> dict[str, Any]:
    """A hand with little in it: chows, a pong and honour eyes over three suits, claimed by one who is not East from
    another who is not."""
    random = Random(seed)
    while True:
        chows = [(random.randint(1, 7), random.choice("mps")) for _ in range(3)]
        tiles = [f"{start + step}{suit}" for start, suit in chows for step in range(3)]
        tiles += [random.choice(plain.NUMBERS)] * 3
        melds = []
        if random.random() < 0.7:
            start, suit = random.randint(1, 7), random.choice("mps")
            melds = [f"{start}{start + 1}{start + 2}{suit}"]
        else:
            melds = [random.choice(plain.NUMBERS)]
            melds = [melds[0][0] * 3 + melds[0][1]]
        tiles += [random.choice((*plain.HONOURS, *plain.NUMBERS))] * 2
        held = Counter(tiles) + Counter(tile for meld in melds for tile in plain.tiles_of(meld))
        if max(held.values()) <= 4:
            break
    random.shuffle(tiles)
    flower = random.choice(("", "", "4f", "7f", "2f3f"))
    seat, giver = random.choice(("SW", "WN", "NS"))
    win = f"{tiles.pop()}<{giver}"
    called = random.random() < 0.2
    return record("".join(tiles), win, " ".join(melds), flower, seat=seat, round="E", called=called)


def test_a_total_is_never_six_and_the_smallest_are_seven_and_a_chickens() -> None:
    """Property 1, over hands that have next to nothing: both kinds of chicken and the smallest other total come up."""
    totals = Counter[int]()
    chickens = Counter[int]()
    for seed in range(400):
        hand = poor_hand(seed)
        score = scored(hand)
        assert score.points == plain.best(hand)["points"], seed
        called = 5 if hand["called"] else 0
        if "chicken_hand" in lines(score):
            assert score.points == 20
            chickens[score.total] += 1
        else:
            assert score.points >= 2
            totals[score.total - called] += 1
    assert min(totals) == 7
    assert set(chickens) == {25, 30}


# Whole families of hands


def thirteen_orphans() -> Iterator[list[str]]:
    """Every pair with every extra set."""
    sets = [[tile] * 3 for tile in plain.KINDS]
    sets += [[f"{start + step}{suit}" for step in range(3)] for suit in "mps" for start in range(1, 8)]
    for eyes, extra in product(plain.ORPHANS, sets):
        tiles = [*plain.ORPHANS, eyes, *extra]
        if max(Counter(tiles).values()) <= 4:
            yield tiles


@pytest.mark.parametrize("way", ["drawn", "claimed"])
def test_every_thirteen_orphans_is_scored_as_the_plain_scorer_does(way: str) -> None:
    families = list(thirteen_orphans())
    assert len(families) > 600
    for number, tiles in enumerate(families[0 if way == "drawn" else 3 :: 6]):
        tile = tiles[(5 * number) % 17]
        rest = list(tiles)
        rest.remove(tile)
        alike(record("".join(rest), tile if way == "drawn" else f"{tile}<N"))


def one_suit_hands() -> list[str]:
    """Every way to hold seventeen tiles of one suit as five sets and a pair, by its digits."""
    groups = [str(rank) * 3 for rank in range(1, 10)] + [f"{rank}{rank + 1}{rank + 2}" for rank in range(1, 8)]
    found = {""}
    for _ in range(5):
        longer = {"".join(sorted(held + group)) for held in found for group in groups}
        found = {held for held in longer if max(Counter(held).values()) <= 4}
    hands = {"".join(sorted(held + str(rank) * 2)) for held in found for rank in range(1, 10)}
    return sorted(held for held in hands if max(Counter(held).values()) <= 4)


def one_suit_alike(held: str, tile: str) -> None:
    rest = held.replace(tile, "", 1)
    for win in (f"{tile}p", f"{tile}p<W"):
        alike(record(f"{rest}p", win))


def test_hands_of_one_suit_are_scored_as_the_plain_scorer_does() -> None:
    """S01 for the suit in which tiles can be laid out in most ways: in a long run every hand, each with one of its
    tiles, else some of them."""
    chance = Random(17)
    hands = one_suit_hands()
    for held in hands if LONG else chance.sample(hands, 40):
        one_suit_alike(held, chance.choice(held))


# Every way to win (lrc 4, Y-1 to Y-11)

SHAPES = {
    "concealed": ("123456m2399p789s111z", "4p", ""),
    "melded": ("123456m2399p", "4p", "789s 111z"),
    "gongs": ("123m2399p", "4p", "(1111z) 5555z (9999s)"),
    "exposed": ("9p", "9p", "123m 456m 222p 789s 1111z"),
    "orphans": ("19m19p19s1123456z222m", "7z", ""),
}


def ways() -> Iterator[dict[str, Any]]:
    for flags in product((False, True), repeat=3):
        replacement, last_tile, gong_on_gong = flags
        if replacement or not gong_on_gong:
            yield {
                "by": "self_draw",
                "replacement": replacement,
                "last_tile": last_tile,
                "gong_on_gong": gong_on_gong,
            }
    for giver in "ESWN":
        yield {"by": "discard", "from": giver}
        yield {"by": "robbed_gong", "from": giver}
    yield {"by": "discard", "from": "E", "first_discard": True}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_way_to_win_is_scored_as_the_plain_scorer_does(shape: str) -> None:
    tiles, tile, melds = SHAPES[shape]
    chance = Random(shape)
    for seat, way in product("ESWN", ways()):
        if way.get("from") == seat or (way.get("gong_on_gong") and shape != "gongs"):
            continue
        table = chance.choice((4, 5, 7, 8, 10, 11))
        hand = record(tiles, "", melds, chance.choice(("", "3f", "1f5f")), seat=seat, by="self_draw")
        alike(
            hand
            | {"win": way | {"tile": tile}, "tiles_on_table": table}
            | {"called": chance.random() < 0.5, "streak": chance.randrange(4)}
        )
