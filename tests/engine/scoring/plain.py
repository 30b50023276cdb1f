"""A second scorer, slow and plain: tiles are texts, every reading is tried, every award is one literal sentence.

It shares nothing with the engine and reads records as people write them. It does not check them.
"""

from collections import Counter
from itertools import permutations
from typing import Any

HONOURS = [f"{number}z" for number in range(1, 8)]
WINDS = HONOURS[:4]
DRAGONS = HONOURS[4:]
NUMBERS = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]
KINDS = NUMBERS + HONOURS
ORPHANS = [f"{rank}{suit}" for suit in "mps" for rank in (1, 9)] + HONOURS
DEFAULTS: dict[str, Any] = {
    "all_sheung_replaces_no_flowers_or_honours": False,
    "uncles_replaces_neighbours": False,
    "opening_replaces_early": False,
    "concealed_gong_in_hand": 0,
    "flower_win_flat": False,
    "jewel_needs_pong": False,
    "sister_excludes_terminal": False,
    "claimed_tile_exposes_sheung": True,
    "robbed_tile_is_discard": True,
    "all_pong_allows_gongs": True,
    "streak_from": 2,
    "streak_paid_by_dealer": False,
    "base": 5,
}

# (shape, tiles, where): shape chow, pong, gong or eyes; where hand, exposed, open or concealed (gongs)
Group = tuple[str, tuple[str, ...], str]


def tiles_of(text: str) -> list[str]:
    tiles, digits = [], ""
    for letter in text:
        if letter.isdigit():
            digits += letter
        else:
            tiles += [digit + letter for digit in digits]
            digits = ""
    return tiles


def declared(text: str) -> Group:
    tiles = tuple(sorted(tiles_of(text.strip("()"))))
    if text.startswith("("):
        return ("gong", tiles, "concealed")
    if len(tiles) == 4:
        return ("gong", tiles, "open")
    return ("pong" if tiles[0] == tiles[1] else "chow", tiles, "exposed")


def next_up(tile: str, steps: int) -> str:
    rank = int(tile[0]) + steps
    return f"{rank}{tile[1]}" if tile[1] != "z" and rank <= 9 else "none"


def splits(tiles: Counter[str], sets: int, eyes: bool) -> set[tuple[Group, ...]]:
    """Every way to lay the tiles out as `sets` sets and, if `eyes`, one pair."""
    left = [tile for tile in KINDS if tiles[tile]]
    if not left:
        return {()} if sets == 0 and not eyes else set()
    first = left[0]
    ways: list[tuple[Group, Counter[str], int, bool]] = []
    if eyes and tiles[first] >= 2:
        ways.append((("eyes", (first,) * 2, "hand"), Counter([first] * 2), sets, False))
    if sets and tiles[first] >= 3:
        ways.append((("pong", (first,) * 3, "hand"), Counter([first] * 3), sets - 1, eyes))
    chow = (first, next_up(first, 1), next_up(first, 2))
    if sets and all(tiles[tile] for tile in chow):
        ways.append((("chow", chow, "hand"), Counter(chow), sets - 1, eyes))
    found = set()
    for group, used, sets_left, eyes_left in ways:
        for rest in splits(tiles - used, sets_left, eyes_left):
            found.add(tuple(sorted((group, *rest))))
    return found


def special(tiles: Counter[str], melds: list[Group]) -> list[tuple[str, str | None, Group | None]]:
    """(form, eyes, extra group) of each special hand that the tiles are."""
    found: list[tuple[str, str | None, Group | None]] = []
    counts = sorted(tiles.values())
    if not melds and sum(counts) == 17:
        if set(counts) <= {2, 3, 4} and counts.count(3) == 1:
            pong = next(tile for tile in KINDS if tiles[tile] == 3)
            found.append(("nico_nico", None, ("pong", (pong,) * 3, "hand")))
        if counts == [1] * 15 + [2] and all(tiles[tile] for tile in HONOURS):
            ranks = [[int(tile[0]) for tile in tiles if tile[1] == suit] for suit in "mps"]
            if all(
                len(own) == 3 and all(abs(one - other) >= 3 for one in own for other in own if one != other)
                for own in ranks
            ):
                found.append(("sixteen_orphans", next(tile for tile in tiles if tiles[tile] == 2), None))
    if all(tiles[tile] for tile in ORPHANS):
        rest = tiles - Counter(ORPHANS)
        for eyes in ORPHANS:
            if rest[eyes]:
                extra = splits(rest - Counter([eyes]), 1 - len(melds), False)
                if not melds:
                    found += [("thirteen_orphans", eyes, groups[0]) for groups in extra]
                elif extra and len(melds) == 1 and melds[0][2] == "concealed":
                    found.append(("thirteen_orphans", eyes, None))
    return found


def wins(tiles: Counter[str], melds: list[Group]) -> bool:
    return bool(splits(tiles, 5 - len(melds), True) or special(tiles, melds))


def chicken_or(normal: int) -> int:
    return 20 if normal == 1 else normal


def best(record: dict[str, Any]) -> dict[str, Any]:
    """points, total, lines (award -> points) of a winning record; `error` where it does not win."""
    options = DEFAULTS | {name: value for name, value in record.get("options", {}).items() if name in DEFAULTS}
    win = record["win"]
    melds = [declared(text) for text in record["melds"]]
    extras = beside(record, options)
    if win["by"] == "flowers":
        number = len(tiles_of(record["flowers"]))
        if number < 7:
            return {"error": "not_winning"}
        lines = {"eight_flowers": 40} if number == 8 else {"seven_flowers": 20}
        if options["flower_win_flat"]:
            return closed(lines, {"base": options["base"]})
        return closed(lines | flower_lines(record) | east_line(record), extras)
    before = Counter(tiles_of(record["hand"]))
    tile = win.get("tile")
    after = before + Counter([tile] if tile else [])
    candidates = [lines_of(record, options, melds, after, reading) for reading in readings(after, melds, tile)]
    if not candidates:
        return {"error": "not_winning"}
    waiting = waits(before, melds) if tile else []
    if len(waiting) == 1:
        for lines in candidates:
            # Of two waits worth the same this is the one reported.
            lines.pop("calling_by_pairs", None)
            lines["true_single_wait"] = 2
    return closed(max(candidates, key=lambda lines: sum(lines.values())), extras)


def closed(lines: dict[str, int], extras: dict[str, int]) -> dict[str, Any]:
    if sum(lines.values()) == 1:
        lines = {"chicken_hand": 20}
    points = sum(lines.values())
    return {"points": points, "total": points + sum(extras.values()), "lines": lines | extras}


def beside(record: dict[str, Any], options: dict[str, Any]) -> dict[str, int]:
    extras = {"base": options["base"]}
    if record.get("called"):
        extras["calling"] = 5
    streak = record.get("streak", 0) + 2 - options["streak_from"]
    pays = options["streak_paid_by_dealer"] and record["win"].get("from") == "E"
    if streak >= 1 and (record["seat"] == "E" or pays):
        extras["dealer_streak"] = 2 * streak + 1
    return extras


def waits(before: Counter[str], melds: list[Group]) -> list[str]:
    held = before + Counter([tile for group in melds for tile in group[1]])
    return [tile for tile in KINDS if held[tile] < 4 and wins(before + Counter([tile]), melds)]


def readings(after: Counter[str], melds: list[Group], tile: str | None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    holders: list[Any]
    for groups in splits(after, 5 - len(melds), True):
        holders = sorted({group for group in groups if tile in group[1]}) if tile else [None]
        found += [{"form": "standard", "groups": list(groups), "holder": holder} for holder in holders]
    for form, eyes, extra in special(after, melds):
        found.append({"form": form, "eyes": eyes, "extra": extra, "holder": None})
    return found


def flower_lines(record: dict[str, Any]) -> dict[str, int]:
    flowers = tiles_of(record["flowers"])
    number = "ESWN".index(record["seat"]) + 1
    own = [flower for flower in flowers if int(flower[0]) in (number, number + 4)]
    return {name: n for name, n in (("flower", len(flowers)), ("seat_flower", len(own))) if n}


def east_line(record: dict[str, Any]) -> dict[str, int]:
    return {"east_tile": 1} if "E" in (record["seat"], record["win"].get("from")) else {}


def lines_of(
    record: dict[str, Any], options: dict[str, Any], melds: list[Group], after: Counter[str], reading: dict[str, Any]
) -> dict[str, int]:
    """The lines of one reading, exclusions settled."""
    kinds = set(after) | {tile for group in melds for tile in group[1]}
    lines = tile_lines(record, kinds) | way_lines(record, options, melds)
    jewels = jewel_lines(kinds, after, melds, options)
    if reading["form"] == "standard":
        lines |= group_lines(record, options, melds, reading, kinds)
        if not any(group[0] == "chow" for group in melds + reading["groups"]):
            gongs = [group for group in melds if group[0] == "gong"]
            if options["all_pong_allows_gongs"] or not gongs:
                lines["all_pong"] = 25
        if jewels:
            lines.pop("all_step_up", None)
        lines |= jewels
    else:
        lines |= special_lines(record, after, reading)
    return lines


def tile_lines(record: dict[str, Any], kinds: set[str]) -> dict[str, int]:
    lines = flower_lines(record)
    honours = kinds & set(HONOURS)
    suits = {tile[1] for tile in kinds} - {"z"}
    if not record["flowers"] and not honours:
        lines["no_flowers_or_honours"] = 5
    elif not record["flowers"]:
        lines["no_flowers"] = 1
    elif not honours:
        lines["no_honours"] = 1
    if not kinds & set(ORPHANS):
        lines["no_terminals"] = 5
    if not suits:
        lines["pure_honours"] = 140
    elif len(suits) == 1:
        lines["semi_pure" if honours else "pure_suit"] = 30 if honours else 90
    elif len(suits) == 2 and not honours:
        lines["two_suits"] = 5
    elif len(suits) == 3 and kinds & set(WINDS) and kinds & set(DRAGONS):
        lines["all_five_suits"] = 10
    return lines


def way_lines(record: dict[str, Any], options: dict[str, Any], melds: list[Group]) -> dict[str, int]:
    lines = east_line(record)
    win = record["win"]
    by = win["by"]
    forms = [group[2] for group in melds]
    exposed = len(melds) == 5 and "concealed" not in forms
    concealed = not exposed and "exposed" not in forms
    claimed = by == "discard" or (by == "robbed_gong" and options["robbed_tile_is_discard"])
    if by in ("self_draw", "dealt"):
        if concealed:
            lines["self_draw_concealed"] = 10
        if exposed:
            lines["self_draw_exposed"] = 10
    elif claimed:
        if concealed:
            lines["concealed_hand"] = 5
        if exposed:
            lines["fully_exposed"] = 15
    if by == "robbed_gong":
        lines["robbing_gong"] = 10
    elif win.get("replacement"):
        lines["self_draw_flower_wall"] = 5
    elif win.get("last_tile"):
        lines["seabed"] = 10
    elif by in ("self_draw", "dealt"):
        lines["self_draw_wall"] = 1
    if win.get("gong_on_gong"):
        lines["gong_on_gong"] = 30
    opening = {"earthly_hand": 90} if win.get("first_discard") else {"heavenly_hand": 100} if by == "dealt" else {}
    table = record.get("tiles_on_table", 99)
    early = (
        {"human_hand": 80}
        if table <= 4
        else {"within_7": 20}
        if table <= 7
        else {"within_10": 10}
        if table <= 10
        else {}
    )
    lines |= opening
    if not (opening and options["opening_replaces_early"]):
        lines |= early
    if forms.count("open"):
        lines["open_gong"] = forms.count("open")
    if options["concealed_gong_in_hand"] and forms.count("concealed"):
        lines["concealed_gong"] = options["concealed_gong_in_hand"] * forms.count("concealed")
    return lines


def jewel_lines(kinds: set[str], after: Counter[str], melds: list[Group], options: dict[str, Any]) -> dict[str, int]:
    held = after + Counter([tile for group in melds for tile in group[1]])
    for name, dragon, suit in (("jade_hand", "6z", "s"), ("ruby_hand", "7z", "m"), ("diamond_hand", "5z", "p")):
        numbers = {tile for tile in kinds if tile[1] == suit}
        if dragon in kinds and numbers and kinds == numbers | {dragon}:
            if not options["jewel_needs_pong"] or held[dragon] >= 3:
                return {name: 20}
    return {}


def honour_pongs(record: dict[str, Any], pongs: list[str]) -> dict[str, int]:
    lines: dict[str, int] = {}
    winds = [tile for tile in pongs if tile in WINDS]
    dragons = [tile for tile in pongs if tile in DRAGONS]
    if winds:
        lines["pong_of_winds"] = len(winds)
    if WINDS["ESWN".index(record["seat"])] in winds:
        lines["seat_wind_pong"] = 1
    if WINDS["ESWN".index(record["round"])] in winds:
        lines["round_wind_pong"] = 1
    if dragons:
        lines["pong_of_dragons"] = 2 * len(dragons)
    return lines


def special_lines(record: dict[str, Any], after: Counter[str], reading: dict[str, Any]) -> dict[str, int]:
    form, extra = reading["form"], reading["extra"]
    lines = honour_pongs(record, [extra[1][0]] if extra and extra[0] == "pong" else [])
    lines[form] = {"nico_nico": 40, "thirteen_orphans": 90, "sixteen_orphans": 50}[form]
    eyes = reading["eyes"]
    if form == "nico_nico":
        fours = sum(number == 4 for number in after.values())
        if fours:
            lines["nico_nico_gongs_1" if fours == 1 else "nico_nico_gongs_2"] = 10 if fours == 1 else 25
        tile = record["win"].get("tile")
        eyes = tile if tile and after[tile] in (2, 4) else None
    if eyes and eyes[1] != "z" and eyes[0] in "258":
        lines["good_eyes"] = 2
    return lines


def group_lines(
    record: dict[str, Any], options: dict[str, Any], melds: list[Group], reading: dict[str, Any], kinds: set[str]
) -> dict[str, int]:
    """Lines of sets and eyes."""
    lines: dict[str, int] = {}
    groups = melds + reading["groups"]
    holder = reading["holder"]
    claimed = record["win"]["by"] in ("discard", "robbed_gong")
    eyes = next(group[1][0] for group in groups if group[0] == "eyes")
    pongs = [group[1][0] for group in groups if group[0] in ("pong", "gong")]
    chows = [group[1][0] for group in groups if group[0] == "chow"]
    own_chows = [group[1][0] for group in reading["groups"] if group[0] == "chow"]
    hidden = list(own_chows)
    if claimed and holder and holder[0] == "chow" and options["claimed_tile_exposes_sheung"]:
        hidden.remove(holder[1][0])

    # winds and dragons
    lines |= honour_pongs(record, pongs)
    winds = sum(tile in WINDS for tile in pongs)
    dragons = sum(tile in DRAGONS for tile in pongs)
    name, worth = {
        (2, True): ("little_three_winds", 15),
        (3, False): ("big_three_winds", 30),
        (3, True): ("little_four_winds", 50),
        (4, False): ("big_four_winds", 60),
    }.get((winds, eyes in WINDS), ("", 0))
    if name:
        del lines["pong_of_winds"]
        lines[name] = worth
    if dragons == 3 or (dragons == 2 and eyes in DRAGONS):
        del lines["pong_of_dragons"]
        lines["big_dragons" if dragons == 3 else "little_dragons"] = 40 if dragons == 3 else 20

    # dragon sequences
    def mixed(starts: list[str]) -> bool:
        return any({f"1{a}", f"4{b}", f"7{c}"} <= set(starts) for a, b, c in permutations("mps"))

    def pure(starts: list[str]) -> bool:
        return any({f"1{suit}", f"4{suit}", f"7{suit}"} <= set(starts) for suit in "mps")

    for family, holds, low, high in (("mixed_dragon", mixed, 5, 10), ("pure_dragon", pure, 10, 20)):
        if holds(hidden):
            lines[f"{family}_concealed"] = high
        elif holds(chows):
            lines[f"{family}_exposed"] = low

    # chow families
    same = max(Counter(chows).values(), default=0)
    if same >= 2:
        lines[f"brother_sheungs_{same}"] = {2: 5, 3: 15, 4: 30}[same]
    sets_of_suit = {suit: min(chows.count(f"1{suit}"), chows.count(f"7{suit}")) for suit in "mps"}
    sisters = Counter(chows)
    if options["sister_excludes_terminal"]:
        for suit, number in sets_of_suit.items():
            sisters[f"1{suit}"] -= number
            sisters[f"7{suit}"] -= number
    twos = threes = 0
    for rank in "1234567":
        while all(sisters[rank + suit] for suit in "mps"):
            threes += 1
            for suit in "mps":
                sisters[rank + suit] -= 1
        while len(pair := [suit for suit in "mps" if sisters[rank + suit]]) == 2:
            twos += 1
            for suit in pair:
                sisters[rank + suit] -= 1
    if threes:
        lines["sister_sheungs_3"] = 10 * threes
    if twos:
        lines["sister_sheungs_2"] = 3 * twos
    terminal_sets = sum(sets_of_suit.values())
    if terminal_sets == 1:
        lines["terminal_sheungs_1"] = 3
    elif terminal_sets == 2:
        pure_sets = max(sets_of_suit.values()) == 2
        lines["terminal_sheungs_2_pure" if pure_sets else "terminal_sheungs_2_mixed"] = 20 if pure_sets else 15
    if any(
        {f"{rank}{a}", f"{rank + 1}{b}", f"{rank + 2}{c}"} <= set(chows)
        for rank in range(1, 6)
        for a, b, c in permutations("mps")
    ):
        lines["step_up_sheungs"] = 5
    if len(chows) == 5:
        if record["flowers"] or kinds & set(HONOURS):
            lines["all_sheung"] = 5
        else:
            lines["all_sheung_no_flowers_or_honours"] = 15
            if options["all_sheung_replaces_no_flowers_or_honours"]:
                # The 5 belongs to the tiles, so it is taken back here.
                lines["no_flowers_or_honours"] = 0
        starts = sorted(int(tile[0]) for tile in chows)
        if [start - starts[0] for start in starts] == [0, 1, 2, 3, 4]:
            lines["all_step_up"] = 20

    # pong families
    runs = [
        length
        for suit in "mps"
        for first in range(1, 10)
        for length in range(2, 6)
        if all(f"{first + step}{suit}" in pongs for step in range(length))
    ]
    if runs:
        longest = max(runs)
        lines[f"neighbour_pongs_{longest}"] = {2: 5, 3: 15, 4: 30, 5: 60}[longest]
        if longest == 5:
            top = max(pongs)
            if eyes == next_up(top, 1):
                lines["uncles_hand"] = 80
                if options["uncles_replaces_neighbours"]:
                    del lines["neighbour_pongs_5"]
    of_rank = max((sum(f"{rank}{suit}" in pongs for suit in "mps") for rank in range(1, 10)), default=0)
    if of_rank >= 2:
        lines[f"sister_pongs_{of_rank}"] = {2: 3, 3: 10}[of_rank]
    hidden_pongs = sum(
        group[0] == "gong" or (group[0] == "pong" and group[2] == "hand" and not (claimed and group == holder))
        for group in groups
    )
    if hidden_pongs >= 2:
        lines[f"concealed_pongs_{hidden_pongs}"] = {2: 5, 3: 10, 4: 15, 5: 80}[hidden_pongs]
    terminal_pongs = sum(f"1{suit}" in pongs and f"9{suit}" in pongs for suit in "mps")
    if terminal_pongs:
        lines[f"terminal_pongs_{terminal_pongs}"] = {1: 3, 2: 15}[terminal_pongs]

    # all of one sort, fours, eyes, wait
    def outer(group: Group) -> bool:
        if group[0] == "chow":
            return group[1][0][0] in "17"
        return group[1][0] in ORPHANS

    if all(outer(group) for group in groups) and kinds & set(NUMBERS):
        lines["terminals_with_honours" if kinds & set(HONOURS) else "terminals_only"] = (
            20 if kinds & set(HONOURS) else 40
        )
    ways = [
        sum(tile in group[1] for group in groups)
        for tile in NUMBERS
        if sum(group[1].count(tile) for group in groups) == 4
    ]
    if max(ways, default=1) >= 2:
        lines[f"four_in_{max(ways)}_ways"] = {2: 5, 3: 10, 4: 20}[max(ways)]
    if eyes[1] != "z" and eyes[0] in "258":
        lines["good_eyes"] = 2
    if holder and holder[0] == "pong":
        lines["calling_by_pairs"] = 2
    return lines
