"""Finding rulesets by name and by path."""

from pathlib import Path

import attrs
import pytest

from parlour_engine.rulesets import OptionError, Ruleset, RulesetError
from parlour_server.protocol.lobby import CreateTable
from parlour_server.protocol.messages import Table
from parlour_server.resources import ResourceMissing, config_root
from parlour_server.rulesets import Shelf, from_sources, load_base, load_ruleset, ruleset_names
from parlour_server.settings import Rulesets, Settings
from tests.server.conftest import Opening


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
    house.write_bytes(b"# one\n# t\xff\n")
    with pytest.raises(RulesetError, match=r"house\.toml:2: is not UTF-8"):
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
    with pytest.raises(RulesetError, match=r"folder\.toml: cannot be read"):
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


HOUSE = """based_on = "{base}"
key = "{key}"
version = "1"
names = {{ en = "Club", zh-Hant = "會" }}
[[row]]
id = "good_eyes"
points = {points}
"""


def written(folder: Path, key: str, base: str = "lrc", points: object = 3) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / f"{key}.toml"
    file.write_text(HOUSE.format(base=base, key=key, points=points), encoding="utf-8")
    return file


def good_eyes(ruleset: Ruleset) -> int:
    return next(row.points for row in ruleset.sheet if row.id == "good_eyes")


def test_a_house_file_finds_its_base_by_name_and_beside_itself(tmp_path: Path) -> None:
    club = load_ruleset(str(written(tmp_path, "club")))
    assert (good_eyes(club), club.based_on) == (3, "lrc")
    for base in ("club", "club.toml"):
        file = str(written(tmp_path, "other", base=base, points=7))
        other = load_ruleset(file)
        assert (good_eyes(other), other.based_on) == (7, base)
        below = load_base(file, other)
        assert below is not None
        assert (below.key, good_eyes(below)) == ("club", 3)
    assert load_base("lrc", load_ruleset("lrc")) is None


@pytest.mark.parametrize(
    "base", ["nothing", "nothing.toml", "../secret", "../secret.toml", "/etc/passwd", "a\\u0000b", "."]
)
def test_a_house_file_opens_no_base_elsewhere(base: str, tmp_path: Path) -> None:
    written(tmp_path, "secret")
    file = written(tmp_path / "rulesets", "club", base=base)
    with pytest.raises(
        RulesetError, match=r"club\.toml:1: (there is no ruleset .*; write one of .*lrc|.* U\+0000 in it)"
    ):
        load_ruleset(str(file))


def test_a_packaged_house_ruleset_has_a_packaged_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (config_root() / "rulesets" / "lrc.toml").read_bytes()
    packaged(tmp_path, monkeypatch, lrc=text, club=HOUSE.format(base="lrc", key="club", points=3).encode())
    club = load_ruleset("club")
    assert good_eyes(club) == 3
    base = load_base("club", club)
    assert base is not None
    assert base.key == "lrc"


def test_a_folder_of_the_house_stands_on_the_shelf(tmp_path: Path) -> None:
    written(tmp_path, "club")
    written(tmp_path, "zoo", base="club", points=9)
    shelf = Shelf(str(tmp_path))
    assert shelf.names == (*ruleset_names(), "club", "zoo")
    assert good_eyes(shelf.choose("zoo", {})) == 9
    assert shelf.choose("club", {"base": 6}) is shelf.choose("club", {"base": 6})
    assert shelf.choose("club", {"base": 6}).procedure.base == 6
    with pytest.raises(OptionError, match=r"there is .*lrc, club, zoo"):
        shelf.choose("riichi", {})


def test_single_files_stand_on_the_shelf(tmp_path: Path) -> None:
    file = written(tmp_path, "club")
    anywhere = file.rename(tmp_path / "any name.toml")
    shelf = Shelf(files=(str(anywhere),))
    assert good_eyes(shelf.choose("club", {})) == 3


def test_what_is_wrong_in_the_house_is_told_at_once(tmp_path: Path) -> None:
    written(tmp_path, "club", points=-3)
    with pytest.raises(RulesetError, match=r"club\.toml:7: .*-3, not a whole number"):
        Shelf(str(tmp_path))
    written(tmp_path, "club").rename(tmp_path / "guild.toml")
    with pytest.raises(RulesetError, match=r"guild\.toml:2: the key 'club' is not the name of the file; .*\"guild\""):
        Shelf(str(tmp_path))


def test_names_on_the_shelf_are_one_rulesets_alone(tmp_path: Path) -> None:
    text = (config_root() / "rulesets" / "lrc.toml").read_text(encoding="utf-8")
    (tmp_path / "lrc.toml").write_text(text, encoding="utf-8")
    line = text.splitlines().index('key = "lrc"') + 1
    with pytest.raises(RulesetError, match=rf"lrc\.toml:{line}: there is another ruleset with the key 'lrc'; .* own"):
        Shelf(str(tmp_path))
    file = str(written(tmp_path / "folder", "club"))
    with pytest.raises(RulesetError, match=r"club\.toml:2: there is another ruleset with the key 'club'"):
        Shelf(files=(file, file))


@pytest.mark.parametrize("folder", ["no/such/folder", "a\0b", __file__])
def test_a_folder_that_cannot_be_read_is_told_and_has_no_line(folder: str) -> None:
    with pytest.raises(
        RulesetError, match=r"folder of rulesets cannot be read .*; check the path .* \[rulesets\]"
    ) as told:
        Shelf(folder)
    assert str(told.value).startswith(f"{folder}: the folder of rulesets cannot be read ")


def test_a_key_of_a_packaged_game_is_taken_wherever_the_file_is_read(tmp_path: Path) -> None:
    house = written(tmp_path, "lrc", base="classical-limit")
    house.write_text(HOUSE.replace("good_eyes", "mah_jongg").format(base="classical-limit", key="lrc", points=3))
    with pytest.raises(RulesetError) as told:
        load_ruleset(str(house))
    with pytest.raises(RulesetError) as refused:
        Shelf(str(tmp_path))
    assert str(told.value) == str(refused.value)
    assert str(told.value).startswith(f"{house}:2: there is another ruleset with the key 'lrc'; ")
    # Whoever replays a record may hold the text of last year.
    assert load_ruleset(str(house), any_key=True).key == "lrc"
    packaged_file = Path(str(config_root() / "rulesets" / "lrc.toml"))
    assert load_ruleset(str(packaged_file)).key == "lrc"


def test_a_command_that_takes_files_says_so() -> None:
    with pytest.raises(OptionError, match=r"'tues' is not available; there is .*; give .* with --ruleset FILE\.toml$"):
        Shelf(files=()).choose("tues", {})
    with pytest.raises(OptionError, match=r"'tues' is not available; there is [a-z, -]*$"):
        Shelf().choose("tues", {})
    for name in ("lrc", "tues", ""):
        with pytest.raises(RulesetError, match=rf"^--ruleset {name}: is no file that ends in \.toml; .* packaged"):
            Shelf(files=(name,))


def test_a_path_that_is_none_is_told() -> None:
    with pytest.raises(RulesetError, match=r"cannot be read|is no path"):
        load_ruleset("a\0b.toml")


async def test_a_table_plays_by_a_house_file(open_house: Opening, quick: Settings, tmp_path: Path) -> None:
    written(tmp_path / "rulesets", "club")
    house = await open_house(attrs.evolve(quick, rulesets=Rulesets(str(tmp_path / "rulesets"))))
    assert "club" in [line.key for line in house.hall.ruleset_lines]
    assert "/rules/club.json" in house.hall.rule_books
    ada = await house.client("Ada")
    await ada.say(CreateTable(ruleset="club", clocks="off", options={"base": 6}))
    table = await ada.hear(Table)
    assert (table.settings.ruleset, table.settings.options) == ("club", {"base": 6})


def test_a_ruleset_can_be_kept_with_all_that_it_is_based_on(tmp_path: Path) -> None:
    """A record is read again years later, when the files have changed: its ruleset must be what it was."""
    (tmp_path / "ours.toml").write_text(HOUSE.format(base="lrc", key="ours", points=3), encoding="utf-8")
    shelf = Shelf(str(tmp_path))
    texts = {name: shelf.sources(name) for name in ("lrc", "ours")}
    (tmp_path / "ours.toml").write_text("", encoding="utf-8")

    assert {name: list(bases) for name, (_, bases) in texts.items()} == {"lrc": [], "ours": ["lrc"]}
    for name, (text, bases) in texts.items():
        assert from_sources(text, bases).digest == shelf.choose(name, {}).digest
        assert from_sources(text, bases).key == name
    with pytest.raises(RulesetError, match="not kept"):
        from_sources(texts["ours"][0], {})
