"""Finding rulesets by name and by path."""

from pathlib import Path

import pytest

from parlour_engine.rulesets import OptionError, RulesetError
from parlour_server.resources import config_root
from parlour_server.rulesets import Shelf, load_ruleset, ruleset_names


def test_the_packaged_rulesets_load_by_name() -> None:
    assert "lrc" in ruleset_names()
    for name in ruleset_names():
        assert load_ruleset(name).key == name


def test_a_house_table_is_a_file(tmp_path: Path) -> None:
    text = (config_root() / "rulesets" / "lrc.toml").read_text(encoding="utf-8")
    house = tmp_path / "house.toml"
    house.write_text(text.replace('key = "lrc"', 'key = "house"'), encoding="utf-8")
    assert load_ruleset(str(house)).key == "house"
    house.write_text(text.replace("points = 2\n", "points = x\n", 1), encoding="utf-8")
    with pytest.raises(RulesetError, match=r"house\.toml:\d+: not TOML"):
        load_ruleset(str(house))


@pytest.mark.parametrize("name", ["no/such.toml", "riichi", "../rulesets/lrc", ""])
def test_what_is_not_there_is_told(name: str) -> None:
    with pytest.raises(RulesetError, match=r"cannot be read|no ruleset has this name"):
        load_ruleset(name)


def test_a_file_that_is_not_utf8_is_told(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_bytes(b"\xff")
    with pytest.raises(RulesetError, match="is not UTF-8"):
        load_ruleset(str(house))


def test_the_shelf_reads_a_ruleset_once() -> None:
    shelf = Shelf()
    assert shelf.choose("lrc", {}) is shelf.choose("lrc", {})
    assert shelf.choose("lrc", {"base": 6}) is shelf.choose("lrc", {"base": 6})
    assert shelf.choose("lrc", {"base": 1}).procedure.base == 1
    for options in ({"base": True}, {"base": [1]}, {"nothing": 1}):
        with pytest.raises(OptionError):
            shelf.choose("lrc", options)
    with pytest.raises(OptionError, match="is not available"):
        shelf.choose("lrc.toml", {})
