"""Slow and literal answers about shapes, written from the rules alone: they read none of the program's tables."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from random import Random

from parlour_engine.notation import parse_tiles

NONE = [0] * 34
CHOWS = [(k, k + 1, k + 2) for suit in range(3) for k in range(9 * suit, 9 * suit + 7)]
GROUPS = CHOWS + [(k, k, k) for k in range(34)]
ORPHANS = [0, 8, 9, 17, 18, 26, *range(27, 34)]
SPACED = [ranks for ranks in combinations(range(9), 3) if all(b - a >= 3 for a, b in combinations(ranks, 2))]

Split = tuple[int, tuple[tuple[int, ...], ...]]
"""Eyes and the sorted sets."""


def counts_of(text: str) -> list[int]:
    counts = [0] * 34
    for kind in parse_tiles(text):
        counts[kind] += 1
    return counts


def mask_of(text: str) -> int:
    return sum(1 << kind for kind in set(parse_tiles(text)))


def kinds_in(mask: int) -> list[int]:
    return [kind for kind in range(34) if mask >> kind & 1]


def random_counts(random: Random, size: int) -> list[int]:
    counts = [0] * 34
    for kind in random.sample([kind for kind in range(34) for _ in range(4)], size):
        counts[kind] += 1
    return counts


def random_win(random: Random, sets: int, suits: str = "mpsz") -> list[int]:
    """A complete hand from the tiles of some suits: few suits make many splits."""
    groups = [g for g in GROUPS if "mpsz"[g[0] // 9] in suits]
    kinds = sorted({k for g in groups for k in g})
    while True:
        counts = [0] * 34
        counts[random.choice(kinds)] += 2
        for group in random.choices(groups, k=sets):
            for kind in group:
                counts[kind] += 1
        if max(counts) <= 4:
            return counts


def changed(random: Random, counts: list[int], times: int) -> list[int]:
    """The hand with that many tiles swapped for others: a hand near a win."""
    hand = list(counts)
    for _ in range(times):
        hand[random.choice([k for k in range(34) for _ in range(hand[k])])] -= 1
        hand[random.choice([k for k in range(34) if hand[k] < 4])] += 1
    return hand


def with_tile(counts: list[int], kind: int) -> list[int]:
    return [n + (k == kind) for k, n in enumerate(counts)]


def fits(groups: tuple[int, ...], counts: list[int]) -> bool:
    return all(counts[kind] >= n for kind, n in Counter(groups).items())


def _sets_of(counts: list[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    lowest = next((kind for kind in range(34) if counts[kind]), None)
    if lowest is None:
        yield ()
        return
    for group in GROUPS:
        if group[0] == lowest and fits(group, counts):
            rest = list(counts)
            for kind in group:
                rest[kind] -= 1
            for others in _sets_of(rest):
                yield (group, *others)


def splits(counts: list[int], sets: int) -> set[Split]:
    """Every way to lay the tiles out as `sets` sets and eyes."""
    if sum(counts) != 3 * sets + 2:
        return set()
    found = set()
    for eyes in range(34):
        if counts[eyes] >= 2:
            rest = list(counts)
            rest[eyes] -= 2
            found |= {(eyes, tuple(sorted(groups))) for groups in _sets_of(rest)}
    return found


def complete(counts: list[int], sets: int) -> bool:
    return bool(splits(counts, sets))


def missing(counts: list[int], sets: int) -> int:
    """Tiles missing to sets and eyes: try every bill of sets, cheapest bound first."""
    for budget in range(3 * sets + 3):
        for eyes in range(34):
            want = [0] * 34
            want[eyes] = 2
            price = max(0, 2 - counts[eyes])
            if price <= budget and _affordable(counts, want, sets, 0, budget - price):
                return budget
    raise AssertionError("sets and eyes can always be bought")


def _affordable(counts: list[int], want: list[int], sets: int, first: int, budget: int) -> bool:
    if sets == 0:
        return True
    for at in range(first, len(GROUPS)):
        group = GROUPS[at]
        price = 0
        for kind in group:
            want[kind] += 1
            price += want[kind] > counts[kind]
        good = (
            price <= budget
            and all(want[kind] <= 4 for kind in group)
            and _affordable(counts, want, sets - 1, at, budget - price)
        )
        for kind in group:
            want[kind] -= 1
        if good:
            return True
    return False


def holds_nico_nico(counts: list[int]) -> bool:
    """Seven pairs (a four is two) and a pong of another kind can be taken from the tiles."""
    return any(counts[pong] >= 3 and sum(n // 2 for k, n in enumerate(counts) if k != pong) >= 7 for pong in range(34))


def thirteen_orphans_targets(extra_set: bool) -> list[list[int]]:
    targets = []
    for eyes, group in product(ORPHANS, GROUPS if extra_set else [()]):
        target = [0] * 34
        for kind in (*ORPHANS, eyes, *group):
            target[kind] += 1
        if max(target) <= 4:
            targets.append(target)
    return targets


THIRTEEN = {True: thirteen_orphans_targets(True), False: thirteen_orphans_targets(False)}


def short_of(counts: list[int], target: list[int]) -> int:
    return sum(max(0, want - have) for want, have in zip(target, counts, strict=True))


def missing_thirteen_orphans(counts: list[int], extra_set: bool) -> int:
    return min(short_of(counts, target) for target in THIRTEEN[extra_set])


def holds_sixteen_orphans(counts: list[int]) -> bool:
    """Seven honours, three spaced tiles a suit and a second tile of one of the sixteen can be taken from the tiles."""
    if not all(counts[27:]):
        return False
    for m, p, s in product(SPACED, repeat=3):
        chosen = [*m, *(9 + r for r in p), *(18 + r for r in s), *range(27, 34)]
        if all(counts[k] for k in chosen) and any(counts[k] >= 2 for k in chosen):
            return True
    return False


def wins(counts: list[int], sets: int, melds: int, concealed_gongs: int, forms: tuple[str, ...]) -> bool:
    """Complete in any reading, the winning tile included."""
    whole = sum(counts) + 3 * melds == 17
    return (
        complete(counts, sets)
        or ("nico_nico" in forms and melds == 0 and whole and holds_nico_nico(counts))
        or ("sixteen_orphans" in forms and melds == 0 and whole and holds_sixteen_orphans(counts))
        or (
            "thirteen_orphans" in forms
            and whole
            and (melds == 0 or (melds == 1 and concealed_gongs == 1))
            and missing_thirteen_orphans(counts, melds == 0) == 0
        )
    )
