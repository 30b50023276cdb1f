"""A second scorer of the classical game with a limit (Harr's Part II), slow and plain, beside `plain_classical`.

Totals only: the points and doubles of every reading, the limit hands, half the limit for a first discard.
"""

from collections import Counter
from typing import Any

from tests.engine.proof.plain_classical import SETS, own_wind, waits
from tests.engine.scoring.plain import DRAGONS, HONOURS, ORPHANS, WINDS, Group, declared, splits, tiles_of

LIMIT = 300
WINNERS_SETS = SETS | {("pung", "simple", "concealed"): 6, ("pung", "major", "concealed"): 10}
"""What the winner's sets are worth (classical 5, Points); the others have what Part I gives."""


def total(record: dict[str, Any], limit: int = LIMIT) -> int | None:
    """What the hand is worth, the limit seen to; None where a hand that claims to have won has not."""
    if record["win"] is None:
        return min(limit, others(record))
    tile = record["win"].get("tile")
    after = Counter(tiles_of(record["hand"]) + ([tile] if tile else []))
    melds = [declared(text) for text in record["melds"]]
    found = [
        limit if limit_hand(record, melds + list(groups)) else worth(record, melds, list(groups), holder)
        for groups in splits(after, 4 - len(melds), True)
        for holder in ({group for group in groups if tile in group[1]} if tile else {None})
    ]
    if not melds and set(after) == set(ORPHANS) and sum(after.values()) == 14:
        found.append(limit)
    if not found:
        return None
    least = limit // 2 if record["win"].get("first_discard") else 0
    return min(limit, max([least, *found]))


def limit_hand(record: dict[str, Any], groups: list[Group]) -> bool:
    threes = [group[1][0] for group in groups if group[0] in ("pong", "gong")]
    (eyes,) = [group[1][0] for group in groups if group[0] == "eyes"]
    winds = [tile for tile in threes if tile in WINDS]
    return (
        record["win"]["by"] == "dealt"
        or {tile for group in groups for tile in group[1]} <= set(ORPHANS)
        or len(winds) == 4
        or (len(winds) == 3 and eyes in WINDS)
        or sum(group[0] == "gong" for group in groups) == 4
        or sum(tile in DRAGONS for tile in threes) == 3
    )


def worth(record: dict[str, Any], melds: list[Group], groups: list[Group], holder: Group | None) -> int:
    win = record["win"]
    claimed = win["by"] in ("discard", "robbed_gong")
    points = sum(valued(WINNERS_SETS, group, "exposed" if group[2] == "open" else group[2]) for group in melds)
    taken = groups.index(holder) if holder else -1
    only = bool(win.get("tile")) and len(waits(record)) == 1
    for place, group in enumerate(groups):
        points += valued(WINNERS_SETS, group, "exposed" if claimed and place == taken else "concealed")
        if group[0] == "eyes":
            points += (
                pair_completed(record, group[1][0], claimed) if only and place == taken else pair(record, group[1][0])
            )
        elif group[0] == "chow" and place == taken:
            points += sequence(group, win["tile"], claimed, only)
    points += 10 if points else 20
    return points << doubles(record, melds, groups)


def doubles(record: dict[str, Any], melds: list[Group], groups: list[Group]) -> int:
    win = record["win"]
    found = honours(record, melds + groups)
    kinds = {tile for group in melds + groups for tile in group[1]}
    suits = {tile[1] for tile in kinds} - {"z"}
    if len(suits) == 1:
        found += 1 if kinds & set(HONOURS) else 3
    found += not any(group[0] == "chow" for group in melds + groups)
    found += bool(win.get("replacement"))
    found += bool(win.get("last_tile") and not win.get("replacement"))
    fourth = any(group[0] == "pong" and group[1][0] == win.get("tile") for group in melds)
    found += win["by"] == "robbed_gong" or fourth
    return found


def others(record: dict[str, Any]) -> int:
    """A hand that did not win: its sets and pairs, its dragons and its own wind."""
    held = Counter(tiles_of(record["hand"]))
    melds = [declared(text) for text in record["melds"]]
    points = sum(valued(SETS, group, "exposed" if group[2] == "open" else group[2]) for group in melds)
    threes: list[Group] = [("pong", (tile,) * 3, "hand") for tile, number in held.items() if number >= 3]
    points += sum(valued(SETS, group, "concealed") for group in threes)
    points += sum(pair(record, tile) for tile, number in held.items() if number == 2)
    return points << honours(record, melds + threes)


def honours(record: dict[str, Any], groups: list[Group]) -> int:
    """The doubles that every player may have."""
    threes = [group[1][0] for group in groups if group[0] in ("pong", "gong")]
    found = sum(tile in DRAGONS for tile in threes)
    if own_wind(record) in threes:
        found += 2 if record["seat"] == record["round"] else 1
    number = "ESWN".index(record["seat"]) + 1
    return found + sum(int(flower[0]) in (number, number + 4) for flower in tiles_of(record["flowers"]))


def valued(sets: dict[tuple[str, str, str], int], group: Group, where: str) -> int:
    if group[0] not in ("pong", "gong"):
        return 0
    rank = "major" if group[1][0] in ORPHANS else "simple"
    return sets["pung" if group[0] == "pong" else "kong", rank, where]


def pair(record: dict[str, Any], tile: str) -> int:
    """A pair as it lies."""
    own, of_round = own_wind(record) == tile, WINDS["ESWN".index(record["round"])] == tile
    return 2 if tile in DRAGONS else 2 * own + 2 * of_round


def pair_completed(record: dict[str, Any], tile: str, claimed: bool) -> int:
    """A pair that the winning tile made, where it was the only place to win (classical A-12)."""
    if own_wind(record) == tile and record["seat"] == record["round"]:
        return 6 if claimed else 8
    heads = 2 if tile in ORPHANS else 0
    return heads + (2 if claimed else 4)


def sequence(group: Group, tile: str, claimed: bool, only: bool) -> int:
    """A sequence that the winning tile made: 2 claimed and 4 drawn on a wait for one kind, 4 drawn where both ends
    were open (classical A-12)."""
    if claimed:
        return 2 if only else 0
    low = int(group[1][0][0])
    both_ends = (tile == group[1][0] and low != 7) or (tile == group[1][2] and low != 1)
    return 4 if only or both_ends else 0
