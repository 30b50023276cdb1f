"""What must hold for every winning hand, and agreement with the plain scorer, over hands by seed."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_engine.melds import PONG
from parlour_engine.scoring.facts import HandFacts, ReadingFacts
from parlour_engine.scoring.reading import holders, splits
from parlour_engine.scoring.record import ScoringRecord
from parlour_engine.scoring.request import parse_request
from parlour_engine.scoring.sheet import Line
from tests.engine.scoring import plain
from tests.engine.scoring.hands import choose, lines, lrc, scored, settled, winning_hand

seeds = st.integers(0, 2**32)

# Rule M2, as its table has it.
GROUPS = [
    {"no_flowers", "no_honours", "no_flowers_or_honours"},
    {"seven_flowers", "eight_flowers"},
    {"pong_of_winds", "little_three_winds", "big_three_winds", "little_four_winds", "big_four_winds"},
    {"pong_of_dragons", "little_dragons", "big_dragons"},
    {"mixed_dragon_exposed", "mixed_dragon_concealed"},
    {"pure_dragon_exposed", "pure_dragon_concealed"},
    {f"neighbour_pongs_{number}" for number in (2, 3, 4, 5)},
    {f"brother_sheungs_{number}" for number in (2, 3, 4)},
    {"sister_pongs_2", "sister_pongs_3"},
    {f"concealed_pongs_{number}" for number in (2, 3, 4, 5)},
    {"four_in_2_ways", "four_in_3_ways", "four_in_4_ways"},
    {"terminal_pongs_1", "terminal_pongs_2"},
    {"terminal_sheungs_1", "terminal_sheungs_2_mixed", "terminal_sheungs_2_pure"},
    {"semi_pure", "pure_suit", "two_suits", "all_five_suits", "pure_honours"},
    {"all_sheung_no_flowers_or_honours", "all_sheung"},
    {"terminals_with_honours", "terminals_only"},
    {
        "nico_nico",
        "thirteen_orphans",
        "sixteen_orphans",
        "chicken_hand",
        "jade_hand",
        "ruby_hand",
        "diamond_hand",
        "all_step_up",
    },
    {"nico_nico_gongs_1", "nico_nico_gongs_2"},
    {"calling_by_pairs", "true_single_wait"},
    {"self_draw_wall", "self_draw_flower_wall", "seabed", "robbing_gong"},
    {"human_hand", "within_7", "within_10"},
    {"earthly_hand", "heavenly_hand"},
    {"concealed_hand", "self_draw_concealed"},
]


def some_options(seed: int) -> dict[str, Any]:
    random = Random(seed)
    other = {"concealed_gong_in_hand": 2, "streak_from": 1, "base": random.randint(1, 9)}
    chosen = [name for name in plain.DEFAULTS if random.random() < 0.15]
    return {name: other.get(name, not plain.DEFAULTS[name]) for name in chosen}


@given(seeds, st.booleans())
def test_score_is_the_best_of_all_readings_as_the_plain_scorer_finds_it(seed: int, switched: bool) -> None:
    record = winning_hand(seed)
    if switched:
        record["options"] = some_options(seed)
    expected = plain.best(record)
    score = scored(record)
    assert (score.points, score.total) == (expected["points"], expected["total"])
    assert sum(award.points for award in score.awards) == score.total


@given(seeds)
def test_normal_points_are_at_least_one_and_a_total_is_seven_or_a_chicken(seed: int) -> None:
    score = scored(winning_hand(seed))
    assert score.points >= 2
    if "chicken_hand" in lines(score):
        assert (score.points, score.total) in ((20, 25), (20, 30))
    assert score.total >= 7


@given(seeds)
def test_at_most_one_line_of_a_group(seed: int) -> None:
    found = set(lines(scored(winning_hand(seed))))
    for group in GROUPS:
        assert len(found & group) <= 1, found & group


@given(seeds)
def test_no_award_is_listed_twice(seed: int) -> None:
    awards = [award.award for award in scored(winning_hand(seed)).awards]
    assert len(set(awards)) == len(awards)


@given(seeds)
def test_payments_are_zero_in_sum_and_a_self_drawn_win_moves_three_totals(seed: int) -> None:
    record = winning_hand(seed)
    settlement = settled(record)
    total = settlement.entries[0].score.total
    net = dict(zip("ESWN", settlement.net, strict=True))
    assert sum(net.values()) == 0
    giver = record["win"].get("from")
    assert net[record["seat"]] == (total if giver else 3 * total)
    for wind in "ESWN":
        if wind != record["seat"]:
            assert net[wind] == (0 if giver and wind != giver else -total)


@given(seeds, st.permutations("mps"))
def test_suits_may_change_places(seed: int, order: list[str]) -> None:
    record = winning_hand(seed)
    moved = dict(zip("mps", order, strict=True))

    def moving(text: str) -> str:
        return "".join(moved.get(letter, letter) for letter in text)

    other = record | {
        "hand": moving(record["hand"]),
        "melds": [moving(meld) for meld in record["melds"]],
        "win": record["win"] | ({"tile": moving(record["win"]["tile"])} if "tile" in record["win"] else {}),
    }
    jewels = {"jade_hand", "ruby_hand", "diamond_hand", "chicken_hand"}
    before, after = scored(record), scored(other)
    if not jewels & (set(lines(before)) | set(lines(after))):
        assert before.total == after.total


@given(seeds)
def test_ranks_may_be_mirrored(seed: int) -> None:
    record = winning_hand(seed)

    def mirrored(text: str) -> str:
        tiles = plain.tiles_of(text.strip("()"))
        turned = sorted(f"{10 - int(tile[0])}{tile[1]}" if tile[1] != "z" else tile for tile in tiles)
        return "".join(turned)

    other = record | {
        "hand": mirrored(record["hand"]),
        "melds": [f"({mirrored(meld)})" if meld.startswith("(") else mirrored(meld) for meld in record["melds"]],
        "win": record["win"] | ({"tile": mirrored(record["win"]["tile"])} if "tile" in record["win"] else {}),
    }
    before, after = scored(record), scored(other)
    if "uncles_hand" not in {**lines(before), **lines(after)}:
        assert before.total == after.total


def facts_of(record: ScoringRecord, waits: int = 0) -> list[ReadingFacts]:
    procedure = lrc().procedure
    hand = HandFacts(record, record.all_counts(), waits, procedure.sets)
    return [
        ReadingFacts(split, holder, kind)
        for split in splits(hand, procedure.sets, procedure.forms)
        for holder, kind in holders(split)
    ]


def lines_of(reading: ReadingFacts) -> dict[str, int]:
    """The lines that count in one reading."""
    sheet, split, form = lrc().compiled, reading.split, reading.split.form
    applying = sheet.hand_lines(form, split.hand) + sheet.split_lines(form, split) + sheet.reading_lines(form, reading)
    best: dict[str, Line] = {}
    for line in applying:
        for group in line.row.groups:
            if group not in best or line.worth.points > best[group].worth.points:
                best[group] = line
    return {
        line.row.key: line.worth.points for line in applying if all(best[group] is line for group in line.row.groups)
    }


def concealed_count(found: dict[str, int]) -> int:
    return max((int(name[-1]) for name in found if name.startswith("concealed_pongs")), default=0)


@given(seeds)
def test_drawing_the_win_tile_is_never_less_concealed_than_claiming_it(seed: int) -> None:
    record = winning_hand(seed)
    if record["win"]["by"] != "discard":
        return
    win = {"by": "self_draw", "tile": record["win"]["tile"]}
    claimed = facts_of(parse_request(record, choose).record)
    drawn = facts_of(parse_request(record | {"win": win}, choose).record)
    assert len(claimed) == len(drawn)
    for one, other in zip(claimed, drawn, strict=True):
        before, after = lines_of(one), lines_of(other)
        assert concealed_count(after) >= concealed_count(before)
        for family in ("mixed_dragon", "pure_dragon"):
            values = [
                sum(points for name, points in found.items() if name.startswith(family)) for found in (before, after)
            ]
            assert values[1] >= values[0]
        assert ("concealed_hand" in before) == ("self_draw_concealed" in after)
        assert ("fully_exposed" in before) == ("self_draw_exposed" in after)
        assert "self_draw_wall" in after
        assert "self_draw_wall" not in before


@given(seeds)
def test_a_flower_more_changes_only_what_flowers_touch(seed: int) -> None:
    """For one reading, the first flower, if it is not the seat's, touches the absence rows, All Sheung and itself."""
    record = winning_hand(seed) | {"flowers": ""}
    stranger = "ESWN".index(record["seat"]) % 4 + 2
    flower = f"{stranger if stranger <= 4 else 1}f"
    touched = GROUPS[0] | {"all_sheung", "all_sheung_no_flowers_or_honours", "flower"}
    bare = facts_of(parse_request(record, choose).record)
    flowered = facts_of(parse_request(record | {"flowers": flower}, choose).record)
    for one, other in zip(bare, flowered, strict=True):
        before, after = lines_of(one), lines_of(other)
        assert {name: points for name, points in before.items() if name not in touched} == {
            name: points for name, points in after.items() if name not in touched
        }
        assert after["flower"] == 1
        assert "seat_flower" not in after


@given(seeds, st.randoms(use_true_random=False))
def test_the_order_in_which_tiles_are_written_changes_nothing(seed: int, random: Random) -> None:
    record = winning_hand(seed)
    tiles = plain.tiles_of(record["hand"])
    random.shuffle(tiles)
    melds = list(record["melds"])
    random.shuffle(melds)
    before, after = scored(record), scored(record | {"hand": "".join(tiles), "melds": melds})
    assert (before.awards, before.reading, before.considered) == (after.awards, after.reading, after.considered)


@given(seeds, st.randoms(use_true_random=False))
def test_the_order_in_which_readings_are_found_changes_nothing(seed: int, random: Random) -> None:
    with pytest.MonkeyPatch.context() as patch:
        record = winning_hand(seed)
        before = scored(record)

        def shuffled(*args: Any) -> list[Any]:
            found = splits(*args)
            random.shuffle(found)
            return found

        patch.setattr("parlour_engine.scoring.adding.splits", shuffled)
        assert scored(record) == before


@given(seeds)
def test_the_derivation_names_every_other_reading_and_none_is_better(seed: int) -> None:
    record = winning_hand(seed)
    score = scored(record)
    facts = facts_of(parse_request(record, choose).record, score.waits.bit_count())
    assert len(score.considered) == len(facts) - 1
    normal = sum(lines_of(reading_facts(facts, score.reading)).values())
    assert all(other.points <= normal for other in score.considered)
    assert normal == (1 if "chicken_hand" in lines(score) else score.points)


def reading_facts(facts: list[ReadingFacts], reading: Any) -> ReadingFacts:
    return next(
        one
        for one in facts
        if one.split.form == reading.form
        and one.split.hand_chows == reading.chows
        and one.split.hand_pongs == reading.pongs
        and one.split.eyes == reading.eyes
        and (one.holder, one.holder_kind) == (reading.holder, reading.holder_kind)
    )


@given(seeds)
def test_what_was_replaced_is_worth_no_more_than_what_replaced_it(seed: int) -> None:
    score = scored(winning_hand(seed))
    points = lines(score) | {line.award: line.points for line in score.replaced}
    for line in score.replaced:
        assert line.points <= points[line.by]
        assert line.award not in lines(score)


def test_a_pong_made_by_a_claim_is_a_pong_that_was_called_for() -> None:
    # The generator reaches the family that most properties are about.
    assert any(
        facts.holder == PONG
        for seed in range(50)
        for facts in facts_of(parse_request(winning_hand(seed), choose).record)
    )
