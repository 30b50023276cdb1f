"""A match that is over: its record replays, its line and its statistics say what happened."""

import json
from pathlib import Path

from click.testing import CliRunner

from parlour_server.cli.replay import command as replay_command
from parlour_server.protocol.listings import LevelWins
from parlour_server.protocol.lobby import Statistics
from parlour_server.storage.changes import (
    Change,
    DealResult,
    IdentityMade,
    MatchStored,
    Pruned,
    RowsTold,
    SessionMade,
    StoredMatch,
    StoredSeat,
    TableGone,
    Together,
)
from parlour_server.storage.matches import match_id, stored_match
from parlour_server.storage.store import Store
from parlour_server.storage.threads import ThreadedStore
from parlour_server.table.journal import Closed, Row
from tests.server.storage.finished import Hand, win
from tests.server.storage.telling import NOON, made, meta, written
from tests.server.table.sitting import FAST, Sitting, by_chance, people, silent, steady, timed

ENDED = "2026-01-31T13:00:00Z"
PEOPLE: list[Change] = [IdentityMade(name, name.title(), NOON) for name in ("ann", "bob")]


def over(rows: list[Row], table: str = "one", ended: str = ENDED, **other: object) -> StoredMatch:
    """The match of these rows."""
    match = stored_match(meta(table, **other), rows, ended, "a test")
    assert match is not None
    return match


def replayed(match: StoredMatch, folder: Path) -> str:
    file = folder / "match.jsonl"
    file.write_text(match.text, encoding="utf-8")
    result = CliRunner().invoke(replay_command, [str(file)])
    assert result.exit_code == 0, result.output
    return result.output


def test_a_match_with_comings_and_goings_replays_from_its_record(tmp_path: Path) -> None:
    sitting = Sitting(people(0, 2), FAST, seed=4, bots=steady)
    ann, cat = sitting.join("ann"), sitting.join("cat")
    sitting.start()
    sitting.leave(cat)
    sitting.drop(ann)
    sitting.wait(200)
    assert sitting.table.over
    match = over([*sitting.rows, Closed(sitting.now + 900)], began="2026-01-31T19:30:00Z")
    assert "the match is over" in replayed(match, tmp_path)
    header, *told = [json.loads(line) for line in match.text.splitlines()]
    assert header["began"] == match.began == "2026-01-31T19:30:00Z"
    assert [(seat["name"], seat["player"]) for seat in header["seats"]] == [
        ("Ann", "person"),
        ("Bot", "bot"),
        ("Cat", "person"),
        ("Bot", "bot"),
    ]
    assert (told[-1]["row"], told[-1]["reason"]) == ("end", "finished")
    assert (match.finished, match.deals) == (True, sum(row["row"] == "wall" for row in told))
    times = [row["at"] for row in told]
    assert times[0] == 0
    assert times == sorted(times)
    assert sum(seat.score for seat in match.seats) == 0
    # A stand-in played for Ann to the end, and the seat is hers; Cat has left hers.
    assert [seat.person for seat in match.seats] == ["ann", None, None, None]


def test_what_the_clock_answers_is_in_the_record(tmp_path: Path) -> None:
    sitting = Sitting(people(0), timed(), seed=1, bots=silent)
    sitting.start()
    sitting.wait(400)
    match = over([*sitting.rows, Closed(sitting.now)])
    assert "the table was closed before the end" in replayed(match, tmp_path)
    answers = [json.loads(line) for line in match.text.splitlines() if '"answered"' in line]
    assert {row["by"] for row in answers} == {"clock"}


def test_no_link_and_no_identity_is_in_a_record_or_its_name() -> None:
    sitting = Sitting(people(0, 1, 2, 3), FAST, seed=1)
    sitting.start()
    match = over(sitting.rows, "the-link-that-opens-the-table")
    assert '"Ann"' in match.text
    for secret in ("the-link-that-opens-the-table", '"ann"', '"bob"'):
        assert secret not in match.text
    assert match.match == match_id("the-link-that-opens-the-table")
    assert len(match.match) == 32
    assert int(match.match, 16) > 0


def test_a_table_that_is_closed_early_says_so(tmp_path: Path) -> None:
    sitting = Sitting(people(0), FAST, seed=1, bots=by_chance(1))
    sitting.join("ann")
    sitting.start()
    match = over([*sitting.rows, Closed(sitting.now + 1.5)])
    end = json.loads(match.text.splitlines()[-1])
    assert (end["row"], end["reason"], end["at"]) == ("end", "closed", 1500)
    assert "the table was closed before the end" in replayed(match, tmp_path)
    assert (match.finished, match.deals, match.results) == (False, 0, [])


def test_a_table_that_never_began_has_no_match() -> None:
    assert stored_match(meta("one"), [Closed(0.0)], ENDED, "a test") is None
    assert stored_match(meta("one"), [], ENDED, "a test") is None


def test_what_happened_before_the_match_and_who_goes_after_it_is_no_part_of_the_record() -> None:
    hand = Hand()
    hand.seat(0, "ann")
    hand.begin("ann", None, None, None).deal([3, -1, -1, -1], win(0, "self_draw", None)).end()
    match = over(hand.rows)
    hand.seat(0, None)
    hand.add(Closed(hand.now() + 900))
    assert over(hand.rows) == match
    rows = [json.loads(line)["row"] for line in match.text.splitlines()[1:]]
    assert rows == ["event", "seat", "seat", "seat", "seat", "event", "event", "end"]


def test_each_deal_counts_for_the_person_who_has_the_seat() -> None:
    hand = Hand().begin("ann", "bob", None, None)
    hand.deal([-8, 4, 0, 4], win(1, "discard", 0), win(3, "discard", 0))
    hand.seat(1, "bob", stand_in=True)
    hand.deal([6, -6, 0, 0], win(0, "robbed_gong", 1), instant=[(1, [-2, 6, -2, -2])])
    hand.seat(1, None)
    hand.deal([-3, -3, -3, 9], win(3, "self_draw", None))
    hand.seat(1, "cat")
    hand.deal([0, 0, 0, 0])
    assert over(hand.rows).results == [
        DealResult(1, 0, "ann", None, True, -8),
        DealResult(1, 1, "bob", "discard", False, 4),
        DealResult(2, 0, "ann", "robbed_gong", False, 4),
        DealResult(2, 1, "bob", None, True, 0),
        DealResult(3, 0, "ann", None, False, -3),
        DealResult(4, 0, "ann", None, False, 0),
        DealResult(4, 1, "cat", None, False, 0),
    ]


def test_the_line_says_who_sat_there_in_the_end_and_equal_scores_share_a_rank() -> None:
    hand = Hand().begin("ann", None, None, None).deal([5, -5, 5, -5], win(0, "discard", 1))
    hand.seat(0, "ann", stand_in=True)
    hand.end()
    match = over(hand.rows)
    assert match.seats == [
        StoredSeat("Ann", None, "ann", 5, 1),
        StoredSeat("Bob", "steady", None, -5, 3),
        StoredSeat("Mei", "steady", None, 5, 1),
        StoredSeat("Lan", "steady", None, -5, 3),
    ]
    hand.seat(0, None)
    assert over(hand.rows).seats[0] == StoredSeat("Ann", None, "ann", 5, 1)


def test_the_points_of_a_deal_that_was_broken_off_stand_in_the_scores_and_in_no_statistics() -> None:
    hand = Hand().begin("ann", None, None, None).deal([3, -3, 0, 0])
    hand.deal([0, 0, 0, 0], instant=[(0, [6, -2, -2, -2])])
    paid = [row for row in hand.rows if getattr(getattr(row, "event", None), "deal", 0) != 2]
    match = over([*paid, Closed(hand.now())])
    assert [seat.score for seat in match.seats] == [9, -5, -2, -2]
    assert [result.points for result in match.results] == [3]
    assert match.deals == 1


async def stored(store: Store, *matches: StoredMatch) -> None:
    await written(store, *[MatchStored(match) for match in matches])


async def test_a_running_table_becomes_a_match_and_its_rows_go(store: ThreadedStore) -> None:
    hand = Hand().begin("ann", None, None, None)
    await written(store, *PEOPLE, made("one"), RowsTold("one", list(hand.rows)))
    told = len(hand.rows)
    hand.deal([3, -1, -1, -1], win(0, "self_draw", None)).end()
    await written(store, RowsTold("one", hand.rows[told:]))
    match = await store.match_of("one", ENDED, "a test")
    assert match == over(hand.rows)
    assert await store.match_of("two", ENDED, "a test") is None
    await written(store, Together((MatchStored(match), TableGone("one"))))
    assert [found async for found in store.live_tables()] == []
    assert await store.record(match.match) == match.text
    (line,) = (await store.matches("ann")).matches
    assert (line.match, line.deals, line.finished, line.public, line.began) == (match.match, 1, True, True, NOON)
    assert [(seat.name, seat.level, seat.score, seat.rank, seat.you) for seat in line.seats] == [
        ("Ann", None, 3, 1, True),
        ("Bob", "steady", -1, 2, False),
        ("Mei", "steady", -1, 2, False),
        ("Lan", "steady", -1, 2, False),
    ]
    assert await store.record("f" * 32) is None


async def test_a_match_told_twice_is_there_once(store: ThreadedStore) -> None:
    match = over(Hand().begin("ann", None, None, None).deal([3, -1, -1, -1]).end().rows)
    await written(store, *PEOPLE)
    await stored(store, match)
    await stored(store, match, match)
    assert len((await store.matches(None)).matches) == 1
    assert (await store.statistics("ann")).deals == 1


async def test_lists_are_newest_first_in_pages_and_show_what_one_may_see(store: ThreadedStore) -> None:
    rows = Hand().begin("ann", None, None, None).deal([3, -1, -1, -1]).end().rows
    hers = [over(rows, f"hers {n}", f"2026-02-01T00:{n // 2:02}:00Z", public=n % 5 == 0) for n in range(45)]
    others = over(Hand().begin(None, None, None, None).deal([0, 0, 0, 0]).end().rows, "bots", ENDED)
    await written(store, *PEOPLE)
    await stored(store, *hers, others)
    seen: list[str] = []
    before: str | None = None
    sizes: list[tuple[int, bool]] = []
    while True:
        page = await store.matches("ann", before)
        assert page.mine
        sizes.append((len(page.matches), page.more))
        seen += [line.match for line in page.matches]
        before = seen[-1]
        if not page.more:
            break
    assert sizes == [(20, True), (20, True), (5, False)]
    newest = sorted(hers, key=lambda match: (match.ended, match.match), reverse=True)
    assert seen == [match.match for match in newest]
    public = (await store.matches(None, None, 100)).matches
    assert [line.match for line in public] == [match.match for match in newest if match.public] + [others.match]
    assert not any(seat.you for line in public for seat in line.seats)
    assert (await store.matches("bob")).matches == []
    assert (await store.matches("ann", "f" * 32)).matches == []


async def test_statistics_add_up_all_deals_of_a_person(store: ThreadedStore) -> None:
    await written(store, *PEOPLE)
    one = Hand().begin("ann", "bob", None, None)
    one.deal([-8, 4, 0, 4], win(1, "discard", 0), win(3, "discard", 0))
    one.deal([9, -3, -3, -3], win(0, "self_draw", None))
    one.deal([5, -5, 0, 0], win(0, "robbed_gong", 1), instant=[(0, [6, -2, -2, -2])])
    two = Hand().begin(None, "ann", None, None).deal([-3, 9, -3, -3], win(1, "self_draw", None))
    three = Hand().begin("ann", None, None, None).deal([-3, 9, -3, -3], win(1, "self_draw", None))
    await stored(store, over(one.end().rows, "one"), over(two.rows, "two"), over(three.end().rows, "three"))
    assert await store.statistics("ann") == Statistics(
        matches=3,
        deals=5,
        wins=3,
        by=[LevelWins("self_draw", 2), LevelWins("robbed_gong", 1)],
        dealt_in=1,
        points=-8 + 9 + 11 + 9 - 3,
        # The second was broken off, the third was lost.
        first=1,
    )
    assert await store.statistics("bob") == Statistics(1, 3, 1, [LevelWins("discard", 1)], 1, 4 - 3 - 7, 0)
    assert await store.statistics("cat") == Statistics(0, 0, 0, [], 0, 0, 0)


async def test_old_matches_go_and_those_of_the_house_go_sooner(store: ThreadedStore) -> None:
    rows = Hand().begin("ann", None, None, None).deal([3, -1, -1, -1]).end().rows
    old, new = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"
    kept = [
        over(rows, f"{ended} {shown}", ended, demonstration=shown) for ended in (old, new) for shown in (False, True)
    ]
    await written(store, *PEOPLE)
    await stored(store, *kept)
    await written(store, Pruned(demonstration_before="2026-01-15T00:00:00Z"))
    assert (await store.statistics("ann")).matches == 3
    await written(store, Pruned(matches_before="2026-01-15T00:00:00Z"))
    assert (await store.statistics("ann")).deals == 2
    assert [line.match for line in (await store.matches(None)).matches] == [
        match.match for match in sorted(kept[2:], key=lambda match: match.match, reverse=True)
    ]
    assert await store.record(kept[0].match) is None
    assert await store.integrity() == []


async def test_a_guest_with_a_match_is_not_forgotten(store: ThreadedStore) -> None:
    await written(store, *PEOPLE, *[SessionMade(name, name.decode(), NOON) for name in (b"ann", b"bob")])
    await stored(store, over(Hand().begin("ann", None, None, None).deal([3, -1, -1, -1]).rows))
    await written(store, Pruned(sessions_before="2027-01-01T00:00:00Z"))
    assert await store.identity("ann") is not None
    assert await store.identity("bob") is None
