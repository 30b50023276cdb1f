"""Hands and tables of the classical games by seed, as people write them, and as the engine takes them."""

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from parlour_engine.notation import parse_meld, parse_tile, parse_tiles
from parlour_engine.rulesets import Ruleset, parse
from parlour_engine.scoring.payment import Settlement, settle
from parlour_engine.scoring.record import DEALT, LOST, WAYS, ScoringRecord
from parlour_engine.scoring.tally import Score, score
from parlour_engine.tiles import KINDS as KIND_COUNT
from tests.engine.scoring.plain import HONOURS, NUMBERS, tiles_of

RULESETS = Path(__file__).parents[3] / "config" / "rulesets"

Hand = dict[str, Any]


@cache
def ruleset(name: str = "classical") -> Ruleset:
    return parse((RULESETS / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml")


def hand(tiles: str, win: str = "", melds: str = "", seat: str = "S", **facts: Any) -> Hand:
    """`win` is "3m" (drawn), "3m<W" (claimed from West), "dealt", or "" for a hand that did not win."""
    made: Hand = {"hand": tiles, "melds": melds.split(), "flowers": "", "seat": seat, "round": "E", "win": None}
    if win == "dealt":
        made["win"] = {"by": "dealt"}
    elif win:
        tile, _, giver = win.partition("<")
        made["win"] = {"tile": tile, "by": "discard", "from": giver} if giver else {"tile": tile, "by": "self_draw"}
        made["win"] |= {key: facts.pop(key) for key in list(facts) if key in ("by", "replacement", "last_tile")}
    return made | facts


def engine_record(one: Hand) -> ScoringRecord:
    """What the engine is handed for a hand that a person wrote."""
    counts = [0] * KIND_COUNT
    for kind in parse_tiles(one["hand"]):
        counts[kind] += 1
    win = one["win"] or {"by": "lost"}
    giver = win.get("from")
    return ScoringRecord(
        counts,
        tuple([parse_meld(text) for text in one["melds"]]),
        tuple(sorted(parse_tiles(one["flowers"]))),
        "ESWN".index(one["seat"]),
        "ESWN".index(one["round"]),
        parse_tile(win["tile"]) if "tile" in win else -1,
        LOST if win["by"] == "lost" else DEALT if win["by"] == "dealt" else WAYS.index(win["by"]),
        "ESWN".index(giver) if giver else -1,
        replacement=win.get("replacement", False),
        last_tile=win.get("last_tile", False),
        first_discard=win.get("first_discard", False),
    )


def scored(one: Hand, name: str = "classical") -> Score:
    return score(ruleset(name), engine_record(one))


def lines(found: Score) -> dict[str, tuple[int, int, int]]:
    """award -> points, doubles, count"""
    return {line.award: (line.points, line.doubles, line.count) for line in found.awards}


def undecided(found: Score) -> bool:
    """Another reading has the same total, so any of them may be the one that is told."""
    return any(other.total == found.total for other in found.considered)


def alike(one: Score, other: Score) -> bool:
    """The same total, and line by line the same where only one reading has it."""
    return one.total == other.total and (undecided(one) or lines(one) == lines(other))


def settled(table: dict[str, Hand], winner: str, name: str = "classical") -> Settlement:
    others = [engine_record(one) for seat, one in table.items() if seat != winner]
    return settle(ruleset(name), [engine_record(table[winner])], others)


def winning(seed: int, seat: str = "") -> Hand:
    """A hand that won, never with a fifth tile of a kind; the same for the same seed."""
    random = Random(seed)
    while True:
        concealed, melds = _sets(random, random.choice((0, 0, 0, 1, 2, 3, 4)), 4)
        eyes = random.choice(_pool(random))
        concealed += [eyes, eyes]
        every = Counter(concealed) + Counter(tile for meld in melds for tile in tiles_of(meld.strip("()")))
        if max(every.values()) <= 4:
            break
    random.shuffle(concealed)
    made = hand("", "", " ".join(melds), seat or random.choice("ESWN"), round=random.choice("ESWN"))
    if made["seat"] == "E" and not melds and random.random() < 0.4:
        made["win"] = {"by": "dealt"}
    else:
        tile = concealed.pop()
        by = random.choice(("discard", "discard", "self_draw", "self_draw", "robbed_gong"))
        made["win"] = {"by": by, "tile": tile}
        if by == "self_draw":
            made["win"] |= {"replacement": random.random() < 0.3, "last_tile": random.random() < 0.1}
        else:
            made["win"]["from"] = random.choice([wind for wind in "ESWN" if wind != made["seat"]])
    made["hand"] = "".join(concealed)
    return made | {"flowers": _flowers(random)}


def losing(seed: int, seat: str = "") -> Hand:
    """A hand that did not win: sets, pairs and strays, as they may lie when another has won."""
    random = Random(seed)
    while True:
        declared = random.choice((0, 1, 2, 3, 4))
        concealed, melds = _sets(random, declared, random.randint(declared, 4))
        concealed = concealed[: 13 - 3 * declared]
        strays = _pool(random)
        while len(concealed) < 13 - 3 * declared:
            concealed += [random.choice(strays)] * min(random.choice((1, 1, 2, 4)), 13 - 3 * declared - len(concealed))
        every = Counter(concealed) + Counter(tile for meld in melds for tile in tiles_of(meld.strip("()")))
        if max(every.values()) <= 4:
            random.shuffle(concealed)
            made = hand("".join(concealed), "", " ".join(melds), seat or random.choice("ESWN"))
            return made | {"round": random.choice("ESWN"), "flowers": _flowers(random)}


def table(seed: int) -> tuple[dict[str, Hand], str]:
    """Four hands that agree about the round and who gave the tile, and the seat that won. Their tiles are not counted
    together: a settlement looks at scores alone."""
    random = Random(seed)
    winner = random.choice("ESWN")
    hands = {
        wind: winning(random.randrange(2**32), wind) if wind == winner else losing(random.randrange(2**32), wind)
        for wind in "ESWN"
    }
    if random.random() < 0.2:
        # Two who have the same score owe each other nothing.
        one, other = random.sample([wind for wind in "ESWN" if wind != winner], 2)
        hands[one] = hand("1m3m5m7m9m1p3p5p7p9p1s3s5s", "", "", one)
        hands[other] = hand("1m3m5m7m9m1p3p5p7p9p1s3s5s", "", "", other)
    for one_hand in hands.values():
        one_hand["round"] = hands[winner]["round"]
    return hands, winner


def moved(one: Hand, change: Any) -> Hand:
    """The hand with every tile text changed; flowers are left alone."""
    win = one["win"]
    if win is not None and "tile" in win:
        win = win | {"tile": change(win["tile"])}
    melds = [f"({change(meld.strip('()'))})" if meld.startswith("(") else change(meld) for meld in one["melds"]]
    return one | {"hand": change(one["hand"]), "melds": melds, "win": win}


def _pool(random: Random) -> list[str]:
    suits = random.choice(("", "m", "p", "s", "mp", "mps", "mps"))
    numbers = [tile for tile in NUMBERS if tile[1] in suits]
    honours = random.choice(([], HONOURS, HONOURS[:4], HONOURS[4:]))
    return numbers + honours * 2 or HONOURS


def _sets(random: Random, declared: int, number: int) -> tuple[list[str], list[str]]:
    """So many sets, the first of them declared: concealed tiles and melds."""
    pool = _pool(random)
    starts = [tile for tile in pool if tile[1] != "z" and int(tile[0]) <= 7]
    chows = random.choice((0.0, 0.2, 0.5, 1.0))
    concealed: list[str] = []
    melds: list[str] = []
    for place in range(number):
        if starts and random.random() < chows:
            start = random.choice(starts)
            tiles = [f"{int(start[0]) + step}{start[1]}" for step in range(3)]
            texts = ["".join(tile[0] for tile in tiles) + start[1]]
        else:
            tile = random.choice(pool)
            tiles = [tile] * 3
            texts = [tile[0] * 3 + tile[1], tile[0] * 4 + tile[1], f"({tile[0] * 4}{tile[1]})"]
        if place < declared:
            melds.append(random.choice(texts))
        else:
            concealed += tiles
    return concealed, melds


def _flowers(random: Random) -> str:
    return "".join(f"{number}f" for number in sorted(random.sample(range(1, 9), random.choice((0, 0, 0, 1, 2, 4)))))
