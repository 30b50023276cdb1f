"""`parlour records`: what is stored goes out and comes in, and only what the engine plays as it is written."""

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from parlour_server.cli import main
from parlour_server.fairness.seal import Signer, sealed
from parlour_server.rulesets import Shelf
from parlour_server.storage.beside import schema_of
from parlour_server.storage.changes import MatchStored, RulesetKept, StoredMatch
from parlour_server.storage.migrations import STEPS, Step
from parlour_server.storage.opening import open_store
from parlour_server.storage.sqlite import Sqlite
from parlour_server.storage.threads import ThreadedStore
from parlour_server.table.journal import Closed
from tests.server.records.played import record
from tests.server.storage.telling import written
from tests.server.storage.test_matches import over
from tests.server.table.sitting import FAST, Sitting, people, steady

pytestmark = pytest.mark.usefixtures("url")


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where server and commands keep their database."""
    name = str(tmp_path / "parlour.db") if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    monkeypatch.setenv("PARLOUR_STORAGE_URL", name)
    return str(name)


def parlour(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["records", *[str(argument) for argument in arguments]])


def refused(*arguments: str | Path, status: int = 2) -> str:
    result = parlour(*arguments)
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


def opened(url: str) -> ThreadedStore:
    return open_store(url, asyncio.get_running_loop().call_soon_threadsafe)


def played(table: str = "one", ended: str = "2026-01-31T20:00:00Z") -> StoredMatch:
    sitting = Sitting(people(), FAST, seed=4, bots=steady).start()
    sitting.wait(200)
    assert sitting.table.over
    return over(sitting.rows, table, ended, began="2026-01-31T19:30:00Z")


async def test_a_record_goes_out_and_comes_into_another_house(url: str, tmp_path: Path) -> None:
    store = opened(url)
    match = played()
    await written(store, MatchStored(match))
    # The server runs on while the commands look at its database.
    file = tmp_path / "match.jsonl"
    result = parlour("export", match.match[:8], file)
    assert result.exit_code == 0, result.output
    assert file.read_text(encoding="utf-8") == match.text
    listed = parlour("list").stdout
    assert listed.startswith(f"{match.match}  2026-01-31T19:30:00Z  lrc ")
    assert "Bot" in listed
    assert f"the match {match.match} is stored already" in refused("import", file)
    await store.close()


async def test_a_record_that_comes_in_is_a_match_like_any_other(url: str, tmp_path: Path) -> None:
    store = opened(url)
    match = played()
    file = tmp_path / "match.jsonl"
    file.write_text(match.text, encoding="utf-8")
    arena = tmp_path / "arena.jsonl"
    arena.write_text(record("lrc"), encoding="utf-8")
    assert parlour("import", file, arena).stdout == "2 records taken in\n"
    assert await store.record(match.match) == match.text
    lines = {line.match: line for line in (await store.matches(None)).matches}
    line = lines.pop(match.match)
    assert (line.deals, line.finished, line.rounds, line.began) == (match.deals, True, 1, match.began)
    assert [(seat.name, seat.score, seat.rank) for seat in line.seats] == [
        (seat.name, seat.score, seat.rank) for seat in match.seats
    ]
    (other,) = lines.values()
    assert sum(seat.score for seat in other.seats) == 0
    assert await store.record(other.match) == arena.read_text(encoding="utf-8")
    await store.close()


async def test_all_come_in_or_none(url: str, tmp_path: Path) -> None:
    store = opened(url)
    good, twice, wrong = tmp_path / "good", tmp_path / "twice", tmp_path / "wrong"
    text = record("lrc")
    good.write_text(text, encoding="utf-8")
    twice.write_text(text, encoding="utf-8")
    assert f"{twice}: the match" in refused("import", good, twice)
    lines = text.splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if '"row":"answered"' in line)
    answer = json.loads(lines[at])
    lines[at] = json.dumps(answer | {"move": "discard 9f"}) + "\n"
    wrong.write_text("".join(lines), encoding="utf-8")
    assert f"{wrong}, line {at + 1}: move" in refused("import", good, wrong, status=1)
    assert (await store.matches(None)).matches == []
    await store.close()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the record is empty"),
        ("{}\n", "a record begins with its header"),
        ("no record\n", "line 1"),
        ('{"deal":1,"seed":1}\n', "single deals"),
    ],
)
async def test_what_is_no_record_is_not_taken_in(url: str, tmp_path: Path, text: str, said: str) -> None:
    await opened(url).close()
    file = tmp_path / "file"
    file.write_text(text)
    assert said in refused("import", file)
    assert "No such file" in refused("import", tmp_path / "nowhere")


async def test_a_record_that_stops_before_its_end_is_not_taken_in(url: str, tmp_path: Path) -> None:
    await opened(url).close()
    file = tmp_path / "file"
    lines = record("lrc").splitlines(keepends=True)
    file.write_text("".join(lines[:-1]), encoding="utf-8")
    assert "stops before its end" in refused("import", file)
    file.write_text("".join(lines)[:-20], encoding="utf-8")
    assert "breaks off" in refused("import", file)


@pytest.mark.parametrize("change", ["mark", "crlf", "both"])
async def test_what_an_editor_has_put_into_a_record_is_told_where_it_is_sealed_and_else_left_out(
    url: str, tmp_path: Path, change: str
) -> None:
    """A seal is over octets; a record without one is taken in as its house would have written it."""
    store = opened(url)

    def saved(text: str) -> Path:
        file = tmp_path / "saved.jsonl"
        if change != "mark":
            text = text.replace("\n", "\r\n")
        file.write_text(text if change == "crlf" else "\ufeff" + text, encoding="utf-8", newline="")
        return file

    match = played()
    said = refused("import", saved(sealed(match.text, Signer(bytes(32)))), status=1)
    assert "the file has " + ("lines that end with CR LF" if change == "crlf" else "a byte order mark") in said
    assert await store.record(match.match) is None
    result = parlour("import", saved(match.text))
    assert result.exit_code == 0, result.output
    assert await store.record(match.match) == match.text
    await store.close()


async def test_a_match_that_was_broken_off_comes_in_as_such(url: str, tmp_path: Path) -> None:
    store = opened(url)
    sitting = Sitting(people(0), FAST, seed=1, bots=steady)
    sitting.join("ann")
    sitting.start()
    match = over([*sitting.rows, Closed(sitting.now + 1.5)])
    file = tmp_path / "file"
    file.write_text(match.text, encoding="utf-8")
    assert parlour("import", file).exit_code == 0
    (line,) = (await store.matches(None)).matches
    assert (line.finished, line.deals) == (False, 0)
    await store.close()


async def test_a_record_of_a_ruleset_that_this_house_has_kept_needs_no_file(url: str, tmp_path: Path) -> None:
    house = tmp_path / "rules" / "house.toml"
    house.parent.mkdir()
    house.write_text('key = "house"\nversion = "7"\nbased_on = "lrc"\n[names]\nen = "House"\nzh-Hant = "屋"\n')
    shelf = Shelf(str(house.parent))
    ruleset = shelf.choose("house", {})
    sitting = Sitting(people(), FAST, seed=4, bots=steady, ruleset=ruleset).start()
    sitting.wait(200)
    match = over(sitting.rows)
    file = tmp_path / "file"
    file.write_text(match.text, encoding="utf-8")
    store = opened(url)
    assert "house" in refused("import", file)
    text, bases = shelf.sources("house")
    await written(store, RulesetKept(ruleset.digest, "house", "7", text, bases))
    assert parlour("import", file).exit_code == 0
    await store.close()


async def test_names_of_matches_that_are_not_one_are_told(url: str, tmp_path: Path) -> None:
    store = opened(url)
    await written(store, MatchStored(played("one")), MatchStored(played("two")))
    assert "no match begins with zz" in refused("export", "zz", tmp_path / "file")
    assert "several matches begin" in refused("export", "", tmp_path / "file")
    await store.close()


async def test_a_file_that_is_there_is_replaced_only_by_force(url: str, tmp_path: Path) -> None:
    store = opened(url)
    match = played()
    await written(store, MatchStored(match))
    file = tmp_path / "file"
    file.write_text("a letter")
    assert "add --force" in refused("export", match.match, file)
    assert file.read_text() == "a letter"
    assert parlour("export", match.match, file, "--force").exit_code == 0
    assert file.read_text(encoding="utf-8") == match.text
    assert "cannot be written" in refused("export", match.match, tmp_path / "nowhere" / "file")
    await store.close()


def test_before_the_first_start_there_is_nothing(url: str, tmp_path: Path) -> None:
    for arguments in (("list",), ("export", "aa", tmp_path / "file"), ("import", tmp_path / "file")):
        assert "start the server once" in refused(*arguments)


async def test_a_database_of_another_age_is_left_alone(url: str, tmp_path: Path) -> None:
    def opened_with(*steps: Step) -> None:
        if url.startswith("postgresql"):
            from parlour_server.storage.postgres import Postgres  # noqa: PLC0415 # not everybody has its driver

            Postgres(url, steps=steps).release()
        else:
            Sqlite(Path(url), steps=steps).release()

    if not url.startswith("postgresql"):
        assert schema_of(url) is None
    opened_with()
    assert schema_of(url) == (0, len(STEPS))
    assert "is older than this program: start the server once" in refused("list")
    opened_with(*STEPS, ("CREATE TABLE more (id {text})",))
    assert f"has schema {len(STEPS) + 1}, this program knows {len(STEPS)}" in refused("list")
    assert schema_of(url) == (len(STEPS) + 1, len(STEPS))


async def test_a_database_that_is_none_is_told_in_one_line(url: str, tmp_path: Path) -> None:
    if url.startswith("postgresql"):
        pytest.skip("its server looks after its own files")
    (tmp_path / "parlour.db").write_text("no database at all\n" * 1000)
    assert "cannot be used" in refused("list")


def test_a_server_that_is_not_there_is_told_in_one_line_without_the_password(
    monkeypatch: pytest.MonkeyPatch, postgres_url: str
) -> None:
    monkeypatch.setenv("PARLOUR_STORAGE_URL", "postgresql://ann:geheim@/none?host=/nowhere")
    said = refused("list")
    assert "check storage.url" in said
    assert "geheim" not in said
