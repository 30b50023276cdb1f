"""Finding rulesets by name and by path."""

from pathlib import Path

import pytest

from parlour_engine.rulesets import OptionError, RulesetError
from parlour_server.resources import ResourceMissing, config_root
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


def packaged(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: bytes) -> None:
    """Let these be the rulesets that travel with the code."""
    (folder / "rulesets").mkdir()
    for name, text in files.items():
        (folder / "rulesets" / f"{name}.toml").write_bytes(text)
    monkeypatch.setattr("parlour_server.rulesets.config_root", lambda: folder)


def test_a_packaged_ruleset_is_called_as_its_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Tables ask for the key that the welcome names.
    text = (config_root() / "rulesets" / "lrc.toml").read_bytes()
    packaged(tmp_path, monkeypatch, house=text)
    with pytest.raises(RulesetError, match=r'house\.toml:\d+: the key \'lrc\' .* key = "house"') as caught:
        load_ruleset("house")
    assert text.decode().splitlines()[caught.value.line - 1] == 'key = "lrc"'


@pytest.mark.parametrize("text", [b"\xff", b"key = " + b"1" * 5000, b"key = " + b"[" * 5000, b"", b"\x00", b"{}"])
def test_a_broken_packaged_ruleset_is_told(text: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packaged(tmp_path, monkeypatch, house=text)
    with pytest.raises(RulesetError, match=r"^rulesets/house\.toml:\d+: .*; .*"):
        load_ruleset("house")


def test_a_mark_in_front_of_utf8_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (config_root() / "rulesets" / "lrc.toml").read_bytes()
    packaged(tmp_path, monkeypatch, lrc=b"\xef\xbb\xbf" + text)
    assert load_ruleset("lrc").key == "lrc"


def test_what_is_no_ruleset_file_is_told_or_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packaged(tmp_path, monkeypatch)
    with pytest.raises(ResourceMissing, match=r"holds no ruleset: .*config/"):
        ruleset_names()
    (tmp_path / "rulesets" / "._lrc.toml").write_bytes(b"left by another system")
    (tmp_path / "rulesets" / "folder.toml").mkdir()
    assert ruleset_names() == ["folder"]
    with pytest.raises(RulesetError, match=r"folder\.toml:1: cannot be read"):
        load_ruleset("folder")


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
