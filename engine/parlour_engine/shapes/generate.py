"""Builds the packaged tables of `shapes`. `python -m parlour_engine.shapes.generate > tables.bin` writes them.

A *profile* is the pair of rows "tiles missing for 0-5 sets" without and with eyes, for the tiles of one suit. Over all
5^9 suits and 5^7 hands of honours there are only 198 of them, and merging any two gives one of only 328, so a key maps
to a one-byte profile id and the rest is table look-up. Nothing here runs in play.
"""

import sys
import zlib
from typing import Final

Row = tuple[int, ...]
"""Twelve numbers: tiles missing for 0-5 sets without eyes, then for 0-5 sets with eyes."""
_State = tuple[int, int, int, int]
"""Chows begun one rank ago, chows begun two ranks ago, sets begun so far, eyes taken (0 or 1)."""
_Costs = tuple[tuple[_State, int], ...]

SETS: Final = 5
FAR: Final = 99
"""More than any number of missing tiles: a form that cannot be reached at all."""
SUIT_KEYS: Final = 5**9
HONOUR_KEYS: Final = 5**7


def _stepped(costs: _Costs, have: int, chows: bool) -> _Costs:
    """The states after one more rank of which `have` copies are held; `chows` says whether a chow may begin there."""
    best: dict[_State, int] = {}
    for (one_ago, two_ago, sets, eyes), cost in costs:
        # Three equal chows are three pongs, so two of a kind are enough to try.
        for chow in range(3 if chows else 1):
            for pong in (0, 1):
                begun = sets + chow + pong
                if begun > SETS:
                    continue
                for pair in (0,) if eyes else (0, 1):
                    used = one_ago + two_ago + chow + 3 * pong + 2 * pair
                    if used > 4:
                        continue
                    state = (chow, one_ago, begun, eyes + pair)
                    total = cost + max(0, used - have)
                    if total < best.get(state, FAR):
                        best[state] = total
    return tuple(sorted(best.items()))


def _finished(costs: _Costs) -> Row:
    row = [FAR] * 12
    for (_, _, sets, eyes), cost in costs:
        row[6 * eyes + sets] = min(row[6 * eyes + sets], cost)
    return tuple(row)


def _profiles(ranks: int, chows: bool) -> tuple[list[int], list[Row]]:
    """For every key of `ranks` base-5 digits the index of its row, and the distinct rows.

    Ranks are read one by one; equal cost tables share one number, so the work is per distinct table and not per key.
    """
    keys = [0]
    tables: list[_Costs] = [(((0, 0, 0, 0), 0),)]
    for rank in range(ranks):
        numbers: dict[_Costs, int] = {}
        steps: list[list[int]] = []
        left = ranks - 1 - rank
        for have in range(5):
            step = []
            for costs in tables:
                after = _stepped(costs, have, chows and left >= 2)
                # A chow that cannot be finished in the ranks left is no set.
                after = tuple(
                    item for item in after if (item[0][0] == 0 or left >= 2) and (item[0][1] == 0 or left >= 1)
                )
                step.append(numbers.setdefault(after, len(numbers)))
            steps.append(step)
        keys = [step[number] for step in steps for number in keys]
        tables = list(numbers)
    rows: dict[Row, int] = {}
    renumbered = [rows.setdefault(_finished(costs), len(rows)) for costs in tables]
    return [renumbered[number] for number in keys], list(rows)


def _merged(one: Row, other: Row) -> Row:
    """The row of two suits together: sets and eyes are shared out in the cheapest way."""
    row = [FAR] * 12
    for sets in range(SETS + 1):
        plain = min(one[i] + other[sets - i] for i in range(sets + 1))
        eyes = min(min(one[6 + i] + other[sets - i], one[i] + other[6 + sets - i]) for i in range(sets + 1))
        row[sets], row[6 + sets] = min(plain, FAR), min(eyes, FAR)
    return tuple(row)


def parts() -> tuple[bytes, bytes, list[int], list[bytes], int, int]:
    """Suit table, honour table, merge table and six final tables (flat, row by row), number of profiles, of merges."""
    suit_keys, suit_rows = _profiles(9, True)
    honour_keys, honour_rows = _profiles(7, False)
    single = sorted(set(suit_rows) | set(honour_rows))
    number = {row: i for i, row in enumerate(single)}
    suit_number = [number[row] for row in suit_rows]
    honour_number = [number[row] for row in honour_rows]
    pairs = {(i, j): _merged(single[i], single[j]) for i in range(len(single)) for j in range(i + 1)}
    double = sorted(set(pairs.values()))
    double_number = {row: i for i, row in enumerate(double)}
    merge = [double_number[pairs[max(i, j), min(i, j)]] for i in range(len(single)) for j in range(len(single))]
    final: list[bytearray] = [bytearray() for _ in range(SETS + 1)]
    for one in double:
        for other in double:
            for sets in range(SETS + 1):
                final[sets].append(
                    min(min(one[6 + i] + other[sets - i], one[i] + other[6 + sets - i]) for i in range(sets + 1))
                )
    suit_table = bytes(suit_number[n] for n in suit_keys)
    honour_table = bytes(honour_number[n] for n in honour_keys)
    return suit_table, honour_table, merge, [bytes(f) for f in final], len(single), len(double)


def packed() -> bytes:
    """The packaged file: one zlib stream of the suit table, the honour table, the merge table (two bytes an entry, high
    byte first) and the six final tables, one after the other."""
    suits, honours, merge, final, _, _ = parts()
    flat = b"".join(n.to_bytes(2, "big") for n in merge)
    return zlib.compress(suits + honours + flat + b"".join(final), 9)


if __name__ == "__main__":
    sys.stdout.buffer.write(packed())
