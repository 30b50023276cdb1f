"""What a hand lacks: how many tiles, which kinds bring it nearer, what its groups are; and why a seat cannot win now.

A kind of which the player holds all four copies, declared sets included, is never one that may come (lrc 1, A-74;
classical A-5). `shapes` leaves declared sets out of sight, which is enough for choosing a discard; here the answer
is exact.
"""

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from parlour_engine.deal import Deal
from parlour_engine.melds import CONCEALED_GONG, Meld
from parlour_engine.moves import WIN_MOVE
from parlour_engine.procedure import Procedure
from parlour_engine.scoring.facts import STANDARD
from parlour_engine.seats import Seat
from parlour_engine.shapes import OUT_OF_REACH, THIRTEEN_ORPHANS, distance_of, special_distance
from parlour_engine.tiles import COPIES, FIRST_WIND, KINDS, Kind, is_orphan
from parlour_engine.views import OVER, view


@frozen
class FormShortfall:
    """How far the tiles are from one form: `missing` tiles (0 complete, 1 ready); one of `helping` brings it nearer."""

    form: str
    missing: int
    helping: tuple[Kind, ...]


@frozen
class Shortfall:
    """What a hand lacks. `forms` are those within reach, nearest first, `standard` before its equals.

    `missing`, `form` and `helping` are those of the nearest; where several are equally near, the kinds of all of them
    help. `completing` are the kinds that make the hand complete, there only where one tile is missing.
    """

    forms: tuple[FormShortfall, ...]
    missing: int
    form: str
    helping: tuple[Kind, ...]
    completing: tuple[Kind, ...]


@frozen
class Part:
    """One group of a partial reading: a `set` or the `eyes`, the tiles that are `there`, how many it is `lacking`,
    and, where that is one, the kinds it `waits` for."""

    form: str
    there: tuple[Kind, ...]
    lacking: int
    waits: tuple[Kind, ...]


@frozen
class PartialReading:
    """Sets and eyes that the concealed tiles may become with the fewest tiles more, and the tiles `spare` in it."""

    parts: tuple[Part, ...]
    spare: tuple[Kind, ...]


@frozen
class WhyNot:
    """Why a seat cannot win now, from what it may know itself.

    `reason` is `can_win`; `incomplete` (more than one tile is missing, or one while no tile is expected: it is this
    seat's turn and it drew none); `other_tile` (one is missing, and the tile just drawn or on the table is not it);
    `no_tile` (one is missing, or none after a claim, and there is no tile to win on); `missed_win` (the tile completes
    the hand, but was let pass); `over`. `barred` are the kinds it has let pass and may not win on before its next draw
    (P17, P25). The rest as in `Shortfall`; on one's own turn all tiles count, the one drawn too.
    """

    reason: str
    missing: int
    form: str
    completing: tuple[Kind, ...]
    helping: tuple[Kind, ...]
    barred: tuple[Kind, ...]


def shortfall(counts: Sequence[int], melds: Sequence[Meld], procedure: Procedure) -> Shortfall:
    """What the concealed tiles `counts` lack beside the declared `melds`, to any form that `procedure` plays.

    Tiles beyond what a form needs are free, so a hand to throw from lacks what its best discard leaves it lacking.
    """
    room = _room(melds)
    missing, mask = _lack(counts, room, procedure.sets - len(melds))
    forms = [FormShortfall(STANDARD, missing, _kinds(mask))]
    gongs = sum([meld.form == CONCEALED_GONG for meld in melds])
    forms += [_special(form, counts, room, len(melds), gongs, procedure.sets) for form in procedure.forms]
    forms = sorted([form for form in forms if form.missing < OUT_OF_REACH], key=_missing)
    nearest = forms[0]
    helping = {kind for form in forms if form.missing == nearest.missing for kind in form.helping}
    kinds = tuple(sorted(helping))
    return Shortfall(tuple(forms), nearest.missing, nearest.form, kinds, kinds if nearest.missing == 1 else ())


def _missing(form: FormShortfall) -> int:
    return form.missing


def _room(melds: Sequence[Meld]) -> list[int]:
    """By kind, how many copies are not in declared sets."""
    room = [COPIES] * KINDS
    for meld in melds:
        for kind in meld.tiles():
            room[kind] -= 1
    return room


def _kinds(mask: int) -> tuple[Kind, ...]:
    return tuple([kind for kind in range(KINDS) if mask >> kind & 1])


def _special(form: str, counts: Sequence[int], room: Sequence[int], melds: int, gongs: int, sets: int) -> FormShortfall:
    missing = special_distance(form, counts, melds, gongs, sets)
    if form == THIRTEEN_ORPHANS and any(room[kind] == 0 and is_orphan(kind) for kind in range(KINDS)):
        # The declared gong holds all copies of a kind that the form needs one more of.
        missing = OUT_OF_REACH
    if missing == OUT_OF_REACH:
        return FormShortfall(form, missing, ())
    tiles = list(counts)
    helping: list[Kind] = []
    for kind in range(KINDS):
        if tiles[kind] < room[kind]:
            tiles[kind] += 1
            if special_distance(form, tiles, melds, gongs, sets) < missing:
                helping.append(kind)
            tiles[kind] -= 1
    return FormShortfall(form, missing, tuple(helping))


# --- sets and eyes ------------------------------------------------------------------------------------------------

_Lack = tuple[int, int]
"""Tiles missing, and the mask of the kinds wanted in any of the ways to miss so few."""
_State = tuple[int, int, int, int]
"""Chows begun one rank ago, chows begun two ranks ago, sets begun, eyes taken."""
_Row = dict[tuple[int, int], _Lack]
"""By sets made and eyes taken (0 or 1)."""
_SUITS: Final[tuple[tuple[Kind, Kind], ...]] = ((0, 9), (9, 18), (18, 27), (FIRST_WIND, KINDS))


def _lack(counts: Sequence[int], room: Sequence[int], sets: int, eyes: int = 1, most: int = -1) -> _Lack:
    """What `counts` lack to `sets` sets and, where `eyes` is 1, a pair, with at most `room` of a kind in them.

    With `most` only an answer of at most that many is looked for, else (OUT_OF_REACH, 0).
    """
    # The tables see no declared sets, so they answer too low at worst; a low limit keeps the search small.
    least = distance_of(counts, sets) if eyes and most < 0 else most
    for limit in range(least, 3 * sets + 3 if most < 0 else most + 1):
        whole: _Row = {(0, 0): (0, 0)}
        for first, end in _SUITS:
            whole = _merged(whole, _suit_row(counts, room, first, end, sets, eyes, limit), sets, limit)
        found = whole.get((sets, eyes))
        if found is not None:
            return found
    return OUT_OF_REACH, 0


def _suit_row(
    counts: Sequence[int], room: Sequence[int], first: Kind, end: Kind, sets: int, eyes: int, limit: int
) -> _Row:
    """What one suit lacks to every number of sets, with and without eyes, as far as that is at most `limit`.

    Rank by rank: every choice of chows that begin, a pong and the eyes there. Three equal chows are three pongs, so
    two of a kind are enough to try.
    """
    states: dict[_State, _Lack] = {(0, 0, 0, 0): (0, 0)}
    for kind in range(first, end):
        have, most = counts[kind], room[kind]
        chows = 3 if kind < FIRST_WIND and kind < end - 2 else 1
        grown: dict[_State, _Lack] = {}
        for (one_ago, two_ago, begun, taken), (cost, mask) in states.items():
            for chow in range(chows):
                for pong in (0, 1):
                    if begun + chow + pong > sets:
                        continue
                    for pair in range(1 + eyes - taken):
                        used = one_ago + two_ago + chow + 3 * pong + 2 * pair
                        paid = cost + max(0, used - have)
                        if used > most or paid > limit:
                            continue
                        state = (chow, one_ago, begun + chow + pong, taken + pair)
                        lack = (paid, mask | 1 << kind if used > have else mask)
                        grown[state] = _less(grown.get(state), lack)
        states = grown
    row: _Row = {}
    for (_, _, begun, taken), lack in states.items():
        row[begun, taken] = _less(row.get((begun, taken)), lack)
    return row


def _merged(one: _Row, other: _Row, sets: int, limit: int) -> _Row:
    row: _Row = {}
    for (sets_one, eyes_one), (cost_one, mask_one) in one.items():
        for (sets_other, eyes_other), (cost_other, mask_other) in other.items():
            cost = cost_one + cost_other
            made, taken = sets_one + sets_other, eyes_one + eyes_other
            if made <= sets and taken < 2 and cost <= limit:
                row[made, taken] = _less(row.get((made, taken)), (cost, mask_one | mask_other))
    return row


def _less(rival: _Lack | None, lack: _Lack) -> _Lack:
    """The smaller of two costs; of equal ones the kinds of both are wanted."""
    if rival is None or lack[0] < rival[0]:
        return lack
    return (lack[0], rival[1] | lack[1]) if lack[0] == rival[0] else rival


# --- group by group -----------------------------------------------------------------------------------------------

_SETS: Final[tuple[tuple[Kind, Kind, Kind], ...]] = tuple(
    [(kind, kind, kind) for kind in range(KINDS)]
    + [(kind, kind + 1, kind + 2) for kind in range(FIRST_WIND) if kind % 9 < 7]
)
_PAIRS: Final[tuple[tuple[Kind, Kind], ...]] = tuple([(kind, kind) for kind in range(KINDS)])


def partial_reading(counts: Sequence[int], melds: Sequence[Meld], procedure: Procedure) -> PartialReading:
    """The concealed tiles as sets and eyes with the fewest tiles missing; of several ways one with as much complete
    as can be, then one whose parts wait for the most kinds."""
    return _Peeling(counts, _room(melds), procedure.sets - len(melds)).reading()


class _Peeling:
    """Takes group after group off the tiles, each time only one after which no more tiles are missing than must be."""

    def __init__(self, counts: Sequence[int], room: list[int], sets: int) -> None:
        self._counts: Final = list(counts)
        self._room: Final = list(room)
        self._whole: Final = tuple(room)
        self._sets = sets
        self._eyes = 1
        self._missing = _lack(counts, room, sets)[0]
        self._parts: Final[list[tuple[str, tuple[Kind, ...], tuple[Kind, ...]]]] = []
        """Form, tiles there, and of one of the groups they may become all tiles."""

    def reading(self) -> PartialReading:
        for form, there in (("set", 3), ("eyes", 2), ("set", 2), ("eyes", 1), ("set", 1), ("eyes", 0), ("set", 0)):
            while self._peel(form, there):
                pass
        spare = tuple([kind for kind in range(KINDS) for _ in range(self._counts[kind])])
        return PartialReading(tuple([self._part(*part) for part in self._parts]), spare)

    def _peel(self, form: str, size: int) -> bool:
        """Take one group off of which `size` tiles are there; False where none can be."""
        if (self._sets if form == "set" else self._eyes) == 0:
            return False
        # What the tiles of one candidate may become, by these tiles.
        found: dict[tuple[Kind, ...], list[tuple[Kind, ...]]] = {}
        for group in _SETS if form == "set" else _PAIRS:
            there = self._there(group)
            if len(there) == size and self._may_become(form, there, group):
                found.setdefault(there, []).append(group)
                if size in (0, len(group)):
                    break
        if not found:
            return False
        there, groups = max(found.items(), key=lambda item: len(item[1]))
        for kind in there:
            self._counts[kind] -= 1
        for kind in groups[0]:
            self._room[kind] -= 1
        self._missing -= len(groups[0]) - size
        if form == "set":
            self._sets -= 1
        else:
            self._eyes = 0
        self._parts.append((form, there, groups[0]))
        return True

    def _there(self, group: tuple[Kind, ...]) -> tuple[Kind, ...]:
        """The tiles of a group that are held."""
        return tuple([kind for place, kind in enumerate(group) if self._counts[kind] > group[:place].count(kind)])

    def _may_become(self, form: str, there: tuple[Kind, ...], group: tuple[Kind, ...]) -> bool:
        lacking = len(group) - len(there)
        if lacking > self._missing or any(self._room[kind] < group.count(kind) for kind in group):
            return False
        counts, room = self._counts.copy(), self._room.copy()
        for kind in there:
            counts[kind] -= 1
        for kind in group:
            room[kind] -= 1
        sets, eyes = (self._sets - 1, self._eyes) if form == "set" else (self._sets, 0)
        return _lack(counts, room, sets, eyes, self._missing - lacking)[0] < OUT_OF_REACH

    def _part(self, form: str, there: tuple[Kind, ...], group: tuple[Kind, ...]) -> Part:
        lacking = len(group) - len(there)
        waits: set[Kind] = set()
        if lacking == 1:
            held = [0] * KINDS
            for _, tiles, _ in self._parts:
                for kind in tiles:
                    held[kind] += 1
            for other in _SETS if form == "set" else _PAIRS:
                wanted = list(other)
                for kind in there:
                    if kind in wanted:
                        wanted.remove(kind)
                if len(wanted) == 1 and held[wanted[0]] < self._whole[wanted[0]]:
                    waits.add(wanted[0])
        return Part(form, there, lacking, tuple(sorted(waits)))


# --- at the table -------------------------------------------------------------------------------------------------


def why_not(deal: Deal, seat: Seat) -> WhyNot:
    """Why `seat` cannot win now. Reads nothing but its own view of the deal and the procedure, which is public."""
    seen = view(deal, seat)
    procedure = deal.procedure
    own = seen.seats[seat]
    counts = [0] * KINDS
    for kind in own.concealed:
        if kind < KINDS:
            counts[kind] += 1
    lack = shortfall(counts, own.melds, procedure)
    on_turn = seen.turn == seat
    tile = seen.drawn if on_turn else seen.kind
    barred = set(seen.missed)
    completes = not on_turn and tile in lack.completing
    if seen.phase == OVER:
        reason = "over"
    elif WIN_MOVE in seen.moves:
        reason = "can_win"
    elif completes:
        # A win that was open is gone only because this seat let it pass, before or just now.
        barred.add(tile)
        reason = "missed_win"
    elif lack.missing > 1 or (lack.missing and on_turn and tile < 0):
        reason = "incomplete"
    elif lack.missing == 1 and tile >= 0:
        reason = "other_tile"
    else:
        reason = "no_tile"
    return WhyNot(reason, lack.missing, lack.form, lack.completing, lack.helping, tuple(sorted(barred)))
