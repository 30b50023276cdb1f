"""A second scorer of the classical game, slow and plain: tiles are texts, every reading is tried.

It shares nothing with the engine and reads records as people write them, winners and losers. It does not check them.
"""

from collections import Counter
from typing import Any

from tests.engine.scoring.plain import DRAGONS, HONOURS, KINDS, ORPHANS, WINDS, Group, declared, splits, tiles_of

Lines = dict[str, tuple[int, int, int]]
"""award -> points in all, doubles in all, count"""

MELD_NAMES = {"exposed": "exposed", "open": "exposed", "concealed": "concealed"}
SETS = {
    ("pung", "simple", "exposed"): 2,
    ("pung", "simple", "concealed"): 4,
    ("pung", "major", "exposed"): 4,
    ("pung", "major", "concealed"): 8,
    ("kong", "simple", "exposed"): 8,
    ("kong", "simple", "concealed"): 16,
    ("kong", "major", "exposed"): 16,
    ("kong", "major", "concealed"): 32,
}
"""Section 2 B of the score card."""


def best(record: dict[str, Any]) -> dict[str, Any]:
    """basic, doubles, total and lines of a record; `error` where a hand that claims to have won has not."""
    if record["win"] is None:
        return summed(lost(record))
    tile = record["win"].get("tile")
    before = Counter(tiles_of(record["hand"]))
    after = before + Counter([tile] if tile else [])
    melds = [declared(text) for text in record["melds"]]
    found = []
    for groups in splits(after, 4 - len(melds), True):
        holders: list[Group | None] = [group for group in set(groups) if tile in group[1]] if tile else [None]
        found += [summed(won(record, melds, list(groups), holder)) for holder in holders]
    if not found:
        return {"error": "not_winning"}
    return max(found, key=lambda one: one["total"])


def summed(lines: Lines) -> dict[str, Any]:
    basic = sum(points for points, _, _ in lines.values())
    doubles = sum(doubles for _, doubles, _ in lines.values())
    return {"basic": basic, "doubles": doubles, "total": basic * 2**doubles, "lines": lines}


def won(record: dict[str, Any], melds: list[Group], groups: list[Group], holder: Group | None) -> Lines:
    """A, B and C of the score card for one reading of a hand that won."""
    win = record["win"]
    lines: Lines = {"mah_jongg": (20, 0, 1)}
    if not any(group[0] == "chow" for group in melds + groups):
        lines["no_sequence"] = (10, 0, 1)
    if win["by"] == "self_draw":
        lines["drew_winning_piece"] = (2, 0, 1)
        if win.get("replacement"):
            lines["loose_tile"] = (10, 0, 1)
    if win.get("tile") and len(waits(record)) == 1:
        lines["only_place"] = (2, 0, 1)
    claimed = win["by"] in ("discard", "robbed_gong")
    named = [(group, MELD_NAMES[group[2]]) for group in melds]
    for place, group in enumerate(groups):
        taken = claimed and holder is not None and place == groups.index(holder)
        named.append((group, "exposed" if taken else "concealed"))
    lines |= combinations(record, named)
    lines |= honours(record, [group for group, _ in named], {tile for group, _ in named for tile in group[1]})
    if win["by"] == "dealt":
        lines["original_hand"] = (0, 3, 1)
    if sum(points for points, _, _ in lines.values()) == 20:
        lines["no_other_score"] = (10, 0, 1)
    return lines


def lost(record: dict[str, Any]) -> Lines:
    """B and C of the score card for a hand that did not win: threes and pairs are taken as they lie."""
    held = Counter(tiles_of(record["hand"]))
    named = [(declared(text), MELD_NAMES[declared(text)[2]]) for text in record["melds"]]
    for tile, number in held.items():
        if number >= 3:
            named.append((("pong", (tile,) * 3, "hand"), "concealed"))
        elif number == 2:
            named.append((("eyes", (tile,) * 2, "hand"), "concealed"))
    kinds = set(held) | {tile for group, _ in named for tile in group[1]}
    return combinations(record, named) | honours(record, [group for group, _ in named], kinds)


def combinations(record: dict[str, Any], named: list[tuple[Group, str]]) -> Lines:
    found: Counter[tuple[str, int]] = Counter()
    for group, where in named:
        tile = group[1][0]
        if group[0] in ("pong", "gong"):
            shape = "pung" if group[0] == "pong" else "kong"
            rank = "major" if tile in ORPHANS else "simple"
            found[f"{shape}_{rank}_{where}", SETS[shape, rank, where]] += 1
        elif group[0] == "eyes" and tile in DRAGONS:
            found["pair_dragon", 2] += 1
        elif group[0] == "eyes" and tile == own_wind(record):
            found["pair_own_wind", 2] += 1
    return {name: (points * count, 0, count) for (name, points), count in found.items()}


def honours(record: dict[str, Any], groups: list[Group], kinds: set[str]) -> Lines:
    """The doubling honours that all four players have."""
    lines: Lines = {}
    threes = [group[1][0] for group in groups if group[0] in ("pong", "gong")]
    if dragons := sum(tile in DRAGONS for tile in threes):
        lines["dragon_set"] = (0, dragons, dragons)
    if own_wind(record) in threes:
        lines["own_wind_set"] = (0, 1, 1)
    suits = {tile[1] for tile in kinds} - {"z"}
    if not suits:
        lines["all_honours"] = (0, 3, 1)
    elif len(suits) == 1 and kinds & set(HONOURS):
        lines["one_suit_with_honours"] = (0, 1, 1)
    elif len(suits) == 1:
        lines["one_suit"] = (0, 3, 1)
    number = "ESWN".index(record["seat"]) + 1
    own = [flower for flower in tiles_of(record["flowers"]) if int(flower[0]) in (number, number + 4)]
    if own:
        lines["own_mandarin"] = (0, len(own), len(own))
    return lines


def own_wind(record: dict[str, Any]) -> str:
    return WINDS["ESWN".index(record["seat"])]


def waits(record: dict[str, Any]) -> list[str]:
    """Kinds that complete the hand, those left out of which the player has all four (classical A-5)."""
    before = Counter(tiles_of(record["hand"]))
    melds = [declared(text) for text in record["melds"]]
    held = before + Counter([tile for group in melds for tile in group[1]])
    return [tile for tile in KINDS if held[tile] < 4 and splits(before + Counter([tile]), 4 - len(melds), True)]


def paid(totals: dict[str, int], winner: str) -> dict[tuple[str, str], int]:
    """Section 3: from, to -> amount. Everybody pays the winner; the losers pay each other differences; East doubles."""
    payments: dict[tuple[str, str], int] = {}
    for one in "ESWN":
        for other in "ESWN":
            if one in (winner, other):
                continue
            owed = totals[other] if other == winner else totals[other] - totals[one]
            if owed > 0:
                payments[one, other] = owed * 2 if "E" in (one, other) else owed
    return payments
