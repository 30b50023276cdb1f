"""Differences between rulesets as the engine tells them, both ways round."""

from parlour_engine.rulesets.differences import ADDED, CHANGED, REMOVED, differences
from tests.engine.rulesets.files import house
from tests.engine.scoring.hands import lrc


def test_a_ruleset_does_not_differ_from_itself() -> None:
    assert differences(lrc(), lrc()) == ()
    # A switch that a table has set is no difference of the files.
    assert differences(lrc(), lrc().with_options({"base": 9})) == ()


def test_a_row_that_one_of_two_lacks_is_removed_one_way_and_added_the_other() -> None:
    bare = house('removed = ["within_7"]\n')
    there = [(one.part, one.id, one.what) for one in differences(lrc(), bare) if one.part != "ruleset"]
    back = [(one.part, one.id, one.what) for one in differences(bare, lrc()) if one.part != "ruleset"]
    assert there == [("row", "within_7", REMOVED)]
    assert back == [("row", "within_7", ADDED)]


def test_a_key_of_a_row_is_told_with_both_its_values() -> None:
    dear = house('[[row]]\nid = "good_eyes"\npoints = 3\n')
    (one,) = [one for one in differences(lrc(), dear) if one.part == "row"]
    assert (one.id, one.what) == ("good_eyes", CHANGED)
    assert [(change.key, change.before, change.after) for change in one.changes] == [
        ("clause", "lrc E-1, A-59", "club (changes lrc E-1, A-59)"),
        ("points", 2, 3),
    ]
