"""Faults S, P and W as the classical game meets them, at the scorer and at the table (the CL half of each)."""

import random
from typing import Any

import pytest

from parlour_engine.events import FLOWER_REPLACEMENT, Drew, FlowersExposed
from parlour_engine.scoring.request import BAD_RECORD, BAD_TILES, RequestError, parse_request, parse_table
from parlour_engine.scoring.tally import NotWinning, score
from parlour_engine.seats import WINDS
from parlour_server.protocol import events as told
from parlour_server.protocol.events import Settled
from parlour_server.table.journal import Happened, WallLaid
from tests.engine.proof import plain_classical as plain
from tests.engine.proof.classical_hands import Hand, hand, lines, losing, ruleset, scored, settled, table, winning
from tests.engine.scoring.plain import tiles_of
from tests.kit.classical import classical
from tests.kit.walks import Walk, eager
from tests.kit.walls import scripted_wall
from tests.server.table.sitting import CLASSICAL, FAST, LIMIT, PEOPLE, Sitting, cautious, people, steady

MANDARINS = CLASSICAL.with_options({"mandarins": True})


def choose(name: str, options: Any) -> Any:
    return ruleset(name).with_options(options)


# --- S ---


@pytest.mark.parametrize(("win", "total"), [("9m<W", 34), ("9m", 36)])
def test_s01_the_dearer_of_two_splits_is_paid(win: str, total: int) -> None:
    """S01: three runs 234s pay nothing, the same tiles as 222s 333s 444s pay 4 each, the pair being what was claimed or
    drawn: 20, 12, 2 for the only place, and 2 for a draw."""
    found = scored(hand("222333444s678p9m", win))
    assert (found.total, len(found.considered)) == (total, 1)
    assert lines(found)["pung_simple_concealed"] == (12, 0, 3)


@pytest.mark.parametrize("chunk", range(5))
def test_s01_s05_the_best_of_all_readings_and_nothing_beside_what_it_excludes(chunk: int) -> None:
    """S01 and S05, a part of a million hands: the score is the best that a slow scorer finds, however the tiles
    lie; no two suit rows, no other score beside none, no bonus of a drawn tile with a claimed or a dealt one."""
    for seed in range(100 * chunk, 100 * chunk + 100):
        one = winning(seed)
        found = scored(one)
        assert found.total == plain.best(one)["total"], seed
        tiles = tiles_of(one["hand"])
        random.Random(seed).shuffle(tiles)
        assert scored(one | {"hand": "".join(tiles)}).awards == found.awards, seed
        awards = lines(found)
        assert len({"one_suit_with_honours", "one_suit", "all_honours"} & set(awards)) <= 1, seed
        if "no_other_score" in awards:
            assert [points for points, _, _ in awards.values() if points] == [20, 10], seed
        if one["win"]["by"] != "self_draw":
            assert not {"drew_winning_piece", "loose_tile"} & set(awards), seed
        if "original_hand" in awards:
            assert "only_place" not in awards, seed


def test_s02_a_set_that_a_discard_finished_is_exposed() -> None:
    """S02: 123m down, 1123444m555p and 1m. As 111m 234m 44m or as 123m 444m 11m a discard makes 8 of sets; a drawn 1m
    makes 8 + 4. And 55m99p and 9p: 4 claimed, 8 drawn."""
    sets = hand("1123444m555p", "1m<W", "123m")
    assert scored(sets).total == 20 + 8
    assert scored(sets | {"win": {"by": "self_draw", "tile": "1m"}}).total == 20 + 2 + 12
    heads = hand("55m99p123s456s789s", "9p<W")
    assert scored(heads).total == 20 + 4
    assert scored(heads | {"win": {"by": "self_draw", "tile": "9p"}}).total == 20 + 2 + 8


@pytest.mark.parametrize(
    ("tiles", "tile", "melds", "only"),
    [
        ("12334m777p999s11z", "2m", "", False),
        ("13m777p999s11z111s", "2m", "", True),
        ("77789m11888p", "7m", "333z", False),
        ("77789m11888p", "1p", "333z", False),
        ("12m456p789s22299s", "3m", "", True),
        ("24m456p789s22299s", "3m", "", True),
        ("9p456p789s222s999m", "9p", "", True),
    ],
)
def test_s03_the_only_place_pays_once_and_where_it_is_the_only_one(
    tiles: str, tile: str, melds: str, only: bool
) -> None:
    """S03: an edge, a middle and a pair are each the only place; two kinds that win are not."""
    for win in (tile, f"{tile}<W"):
        assert lines(scored(hand(tiles, win, melds))).get("only_place") == ((2, 0, 1) if only else None)


def test_s05_no_excluded_pair_among_losers() -> None:
    """S05: a hand that did not win has none of the winner's rows and one suit row at most."""
    for seed in range(300):
        awards = set(lines(scored(losing(seed))))
        assert not awards & {"mah_jongg", "no_sequence", "no_other_score", "only_place", "drew_winning_piece"}, seed
        assert len(awards & {"one_suit_with_honours", "one_suit", "all_honours"}) <= 1, seed


def test_s08_nothing_is_remembered_from_the_last_hand() -> None:
    """S08: four runs and a worthless pair with two kinds to wait for: 30 claimed or robbed; drawn 22, with a loose tile
    32, as the last tile no more than drawn; then claimed again."""
    one = hand("123456m789p23s55s", "1s<W")
    ways: list[tuple[dict[str, Any], int]] = [
        ({"by": "discard", "from": "W"}, 30),
        ({"by": "self_draw"}, 22),
        ({"by": "self_draw", "replacement": True}, 32),
        ({"by": "robbed_gong", "from": "W"}, 30),
        ({"by": "self_draw", "last_tile": True}, 22),
        ({"by": "discard", "from": "W"}, 30),
    ]
    found = [scored(one | {"win": way | {"tile": "1s"}}) for way, _ in ways]
    assert [one.total for one in found] == [total for _, total in ways]
    assert found[0] == found[-1]


GOOD: Hand = {"id": "s11", "ruleset": "classical"} | hand("123456m789p23s55s", "1s<W")


LOST: Hand = {"hand": "147m258p369s1234z", "melds": [], "win": None}
WON: Hand = {key: GOOD[key] for key in ("hand", "melds", "win")}
FOUR: Hand = {
    "id": "s11",
    "ruleset": "classical",
    "round": "E",
    "flowers": "",
    "winner": "S",
    "hands": {"E": LOST, "S": WON, "W": LOST, "N": LOST},
}
"""A whole table; South has won."""
GAMES = pytest.mark.parametrize("game", ["classical", "classical-limit"])


@GAMES
@pytest.mark.parametrize(
    "change",
    [
        {"hand": "11111m456m789p23s"},
        {"hand": ""},
        {"hand": "123456m789p23s555s"},
        {"hand": "123456m789p23s5s"},
        {"hand": "123456m789p23s1f"},
        {"hand": "123456m789p23s58z"},
        {"hand": "456m789p23s55s", "melds": ["111m"], "win": {"by": "discard", "tile": "1f", "from": "W"}},
        {"melds": ["124m"]},
        {"flowers": "1f"},
        {"flowers": "11f", "mandarins": True},
        {"flowers": "9f", "mandarins": True},
    ],
    ids=lambda change: str(change)[:40],
)
def test_s11_impossible_tiles_have_one_error_code(game: str, change: Hand) -> None:
    """S11: five of a kind, no tiles, too many, too few, tiles there are none of, mandarins where none are played."""
    parse_request(GOOD | {"ruleset": game}, choose)
    with pytest.raises(RequestError) as caught:
        parse_request(GOOD | {"ruleset": game} | change, choose)
    assert caught.value.code == BAD_TILES


NUMBERS = pytest.mark.parametrize("number", [144, -1, 2**31, 10**400, 5.0, True, None], ids=lambda one: str(one)[:12])


@GAMES
@NUMBERS
def test_s11_a_number_is_no_tile(game: str, number: object) -> None:
    """S11: tiles are text, so an id of any size is a record of the wrong type: of a hand that won, of one that did not,
    and of one among the four of a table."""
    wrong: list[Hand] = [{"hand": number}, {"melds": [number]}, {"flowers": number, "mandarins": True}]
    for change in (*wrong, {"win": GOOD["win"] | {"tile": number}}):
        with pytest.raises(RequestError) as caught:
            parse_request(GOOD | {"ruleset": game} | change, choose)
        assert caught.value.code == BAD_RECORD
    parse_request(GOOD | {"ruleset": game, "win": None}, choose)
    for change in wrong:
        with pytest.raises(RequestError) as caught:
            parse_request(GOOD | {"ruleset": game, "win": None} | change, choose)
        assert caught.value.code == BAD_RECORD
        with pytest.raises(RequestError) as caught:
            parse_table(FOUR | {"ruleset": game, "hands": FOUR["hands"] | {"N": LOST | change}}, choose)
        assert caught.value.code == BAD_RECORD


@GAMES
@pytest.mark.parametrize("written", ["144", "-1", str(2**31), "144m", "-1m", "0m", "1x", "9f"])
def test_s11_a_number_in_words_is_no_tile_either(game: str, written: str) -> None:
    """S11: as text it is one of no tiles, wherever it stands."""
    wrong: list[Hand] = [{"hand": written}, {"melds": [written]}, {"win": GOOD["win"] | {"tile": written}}]
    for change in wrong:
        with pytest.raises(RequestError) as caught:
            parse_request(GOOD | {"ruleset": game} | change, choose)
        assert caught.value.code == BAD_TILES
    with pytest.raises(RequestError) as caught:
        parse_request(GOOD | {"ruleset": game, "flowers": written, "mandarins": True}, choose)
    assert caught.value.code == BAD_TILES
    parse_table(FOUR | {"ruleset": game}, choose)
    with pytest.raises(RequestError) as caught:
        parse_table(FOUR | {"ruleset": game, "hands": FOUR["hands"] | {"N": LOST | {"hand": written}}}, choose)
    assert caught.value.code == BAD_TILES


@GAMES
@pytest.mark.parametrize("won", [True, False])
def test_s11_random_multisets_are_scored_or_refused(game: str, won: bool) -> None:
    """S11: nothing but an answer or an error with a code comes of any tiles."""
    chance = random.Random(11)
    tiles = [f"{number}{letter}" for letter in "mpsz" for number in range(1, 8 if letter == "z" else 10)]
    answers = set()
    for _ in range(500):
        few = chance.sample(tiles, chance.randrange(1, 20))
        held = "".join(chance.choices(few, k=chance.choice((0, 4, 10, 13, 13, 13, 14, 30))))
        win = {"by": "discard", "tile": chance.choice(few), "from": "W"} if won else None
        try:
            request = parse_request(GOOD | {"ruleset": game, "hand": held, "win": win}, choose)
            assert score(request.ruleset, request.record).total >= 0
            answers.add("scored")
        except RequestError as error:
            answers.add(error.code)
        except NotWinning:
            answers.add("not winning")
    # Chance makes no complete hand of these; every lawful hand that did not win has a score.
    assert answers == ({BAD_TILES, "not winning"} if won else {BAD_TILES, "scored"})


# --- P ---


def test_p03_amounts_are_whole_and_paid_by_the_right_seats() -> None:
    """P03, a thousandth of a million settlements beside a formula of its own: the winner is paid by each, the others
    pay each other what they differ by, East twice as much; all sums to zero."""
    for seed in range(1000):
        hands, winner = table(seed)
        settlement = settled(hands, winner)
        totals = {WINDS[entry.seat_wind]: entry.score.total for entry in settlement.entries}
        paid = {(WINDS[one.source], WINDS[one.target]): one.amount for one in settlement.transfers}
        assert paid == plain.paid(totals, winner), seed
        assert all(type(amount) is int and amount > 0 for amount in paid.values()), seed
        assert sum(settlement.net) == 0, seed


@pytest.mark.parametrize("game", [CLASSICAL, LIMIT], ids=["classical", "classical-limit"])
def test_p06_p07_every_deal_is_settled_once_whoever_drops_when(game: Any) -> None:
    """P06, P07: seats drop and come back through some deals of steady bots and people. One settlement a deal, scores
    are the sum of what was paid, below zero as well, and sum to zero."""
    chance = random.Random(6)
    sitting = Sitting(people(0, 1), FAST, seed=6, bots=steady, ruleset=game)
    clients = [sitting.join(person) for person in PEOPLE[:2]]
    watcher = sitting.join("eve")
    sitting.start()
    away: set[int] = set()
    ended: list[Settled] = []
    for _ in range(4000):
        ended = [event for event in watcher.events() if isinstance(event, Settled)]
        if len(ended) == 3:
            break
        seat = chance.randrange(2)
        if seat in away:
            clients[seat] = sitting.join(PEOPLE[seat], client=clients[seat] if chance.random() < 0.5 else None)
            away.discard(seat)
        elif chance.random() < 0.05:
            sitting.drop(clients[seat])
            away.add(seat)
        elif clients[seat].ask is not None:
            ask = clients[seat].ask
            assert ask is not None
            sitting.play(clients[seat], str(steady(sitting.table, seat, ask)))
        else:
            sitting.ready(clients[seat], len(ended))
        sitting.wait(0.2)
    rows = sitting.rows
    happened = [row.event for row in rows if isinstance(row, Happened)]
    assert [event.deal for event in happened if isinstance(event, Settled)] == [1, 2, 3]
    assert [row.deal for row in rows if isinstance(row, WallLaid)][:3] == [1, 2, 3]
    scores = [0, 0, 0, 0]
    for event in ended:
        scores = [held + change for held, change in zip(scores, event.changes, strict=True)]
        for instant in event.instant:
            scores = [held + change for held, change in zip(scores, instant.changes, strict=True)]
        assert event.scores == scores
        assert sum(scores) == 0
    assert min(scores) < 0


# --- W ---


@pytest.mark.parametrize("seed", range(8))
def test_w03_each_mandarin_is_shown_and_replaced_once(seed: int) -> None:
    """W03: one loose tile for each, in every deal that is played to its end with tiles left."""
    walk = Walk(seed, classical(flowers=True), eager)
    walk.to_the_end()
    shown = sum(len(event.kinds) for event in walk.events if isinstance(event, FlowersExposed))
    drawn = sum(isinstance(event, Drew) and event.source == FLOWER_REPLACEMENT for event in walk.events)
    # Only the last tile of all is replaced by none, and then the hand is drawn.
    assert shown - drawn in ((0, 1) if walk.deal.wall.left() == 0 else (0,))
    assert shown == sum(len(one.flowers) for one in walk.deal.hands)


def test_w06_mandarins_of_an_absent_seat_are_replaced_as_those_of_a_present_one() -> None:
    """W06: P2 draws 3f and then 8p. Present or gone, the log is the same event for event."""
    hands = ["5p", "2288m", "3388s", "2288p"]
    wall = scripted_wall(hands, draws="1z3f", tail="8p", procedure=MANDARINS.procedure)
    logs = []
    for present in (True, False):
        sitting = Sitting(people(0, 1, 2, 3), FAST, walls=[wall], bots=cautious, ruleset=MANDARINS)
        clients = [sitting.join(person) for person in PEOPLE]
        sitting.start()
        if not present:
            sitting.drop(clients[2])
            sitting.wait(2)
        for seat, move in ((0, "discard 5p"), (1, "discard 1z")):
            sitting.play(clients[seat], move)
            for other in clients:
                if other.viewer in sitting.clients and other.ask is not None and other.ask.kind == "claim":
                    sitting.play(other, "pass")
        if present:
            assert clients[2].ask is not None
            sitting.play(clients[2], cautious(sitting.table, 2, clients[2].ask))
        happened = [row.event for row in sitting.rows if isinstance(row, Happened)]
        drew = next(place for place, event in enumerate(happened) if isinstance(event, told.Drew) and event.seat == 2)
        assert [event.e for event in happened[drew : drew + 4]] == ["draw", "flowers", "draw", "discard"]
        logs.append(happened[: drew + 4])
    assert logs[0] == logs[1]
