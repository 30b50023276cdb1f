"""Reading a ruleset's file: every key known, every name resolved, every number in its range, or RulesetError."""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol, TypeVar

from attrs import evolve

from parlour_engine.rulesets import bounds, declarations
from parlour_engine.rulesets.declarations import DEAD_WALL, WASHING
from parlour_engine.rulesets.examples import fitting, unreadable
from parlour_engine.rulesets.parts import BASED_ON, REMOVED, Part, laid_over, part_of
from parlour_engine.rulesets.rows import Rows
from parlour_engine.rulesets.ruleset import SWITCHES_OF_PLAY, SWITCHES_OF_SCORING, Option, Ruleset, Section, SheetRow
from parlour_engine.rulesets.tables import Table
from parlour_engine.scoring.payment import PAYMENTS
from parlour_engine.scoring.tally import TALLIES

FORMAT: Final = 1
"""The version of the file format that this engine reads."""
LONGEST_KEY: Final = 40
"""Characters of a key; the protocol takes no longer ones."""
DEEPEST: Final = 8
"""A house file may have so many bases below one another."""

Find = Callable[[str], tuple[str, str]]
"""The text and the origin of the base of a name; raises LookupError, whose message is the cure, where there is none."""


def _nowhere(_: str) -> tuple[str, str]:
    raise LookupError("give the file where its base can be found")


def parse(text: str, origin: str, find: Find = _nowhere) -> Ruleset:
    """The ruleset that `text` (TOML) describes; `origin` names the text in messages, `find` opens the base of a house
    file. Raises RulesetError, and whatever `find` raises beside LookupError."""
    return _read(text, origin, find, ())[1]


def _read(text: str, origin: str, find: Find, above: tuple[str, ...]) -> tuple[Part, Ruleset]:
    """The whole file, base and all, and its ruleset; `above` are the origins of the files that are based on it."""
    part = part_of(text, origin)
    own = Table(part)
    if not own.has(BASED_ON):
        if own.has(REMOVED):
            own.wrong(
                REMOVED, f"{REMOVED!r} takes rows from a base, and the file has none", f"add {BASED_ON} or remove it"
            )
        return part, _ruleset(part, None, {})
    name = own.text(BASED_ON)
    if len(above) >= DEEPEST:
        own.wrong(BASED_ON, f"the file is the base of a base, {DEEPEST} deep", "base it on a file that stands alone")
    try:
        base_text, base_origin = find(name)
    except LookupError as error:
        cure = str(error.args[0]) if error.args else "name a ruleset that there is"
        own.wrong(BASED_ON, f"there is no ruleset {name[:60]!r} to be based on", cure)
    if base_origin in (origin, *above):
        own.wrong(
            BASED_ON, f"{name[:60]!r} is based on this file itself", "base one of them on a file that stands alone"
        )
    base_part, base = _read(base_text, base_origin, find, (origin, *above))
    removed = own.texts(REMOVED)
    ours = {row.id() for row in part.inner.get("row", [])}
    for row_id in removed:
        own.known(REMOVED, row_id, [row.id for row in base.printed])
        if row_id in ours:
            own.wrong(REMOVED, f"row {row_id!r} is removed and changed as well", "keep one of them")
    whole = laid_over(base_part, part, name, removed)
    if whole.values.get("key") == base.key:
        own.wrong("key", f"{base.key!r} is the key of its base", "give the file a key of its own")
    return whole, _ruleset(whole, name, base.names)


def _ruleset(part: Part, based_on: str | None, base_names: Mapping[str, str]) -> Ruleset:
    file = Table(part)
    # Read before, and among the keys that a message may list.
    file.raw(BASED_ON)
    file.raw(REMOVED)
    if file.number("format") != FORMAT:
        file.wrong("format", "the file has another format than this program reads", f"write format = {FORMAT}")
    play = declarations.play(file.table("play"))
    words = declarations.words(file.table("words"))
    options = _by_id(file.tables("option"), declarations.option)
    groups = _by_id(file.tables("group"), declarations.group)
    sections = _by_id(file.tables("section", 1), declarations.section)
    instants = _by_id(file.tables("instant"), declarations.instant)
    procedures = _by_id(file.tables("procedure"), declarations.paragraph)
    if WASHING in options and WASHING not in instants:
        table = file.tables("option")[list(options).index(WASHING)]
        table.wrong("id", "option 'washing' has no payments", f"add an [[instant]] with id = {WASHING!r}")
    if DEAD_WALL in options:
        table = file.tables("option")[list(options).index(DEAD_WALL)]
        declarations.dead_wall(table, options[DEAD_WALL], file.table("play").number("hand_size"))
    declarations.decided(file.table("play"), play, options)
    tally, payment = file.one_of("tally", TALLIES), file.one_of("payment", PAYMENTS)
    bounds.payable(file, file.table("play"), options, payment, tally)
    bounds.special_hands(file, file.table("play"), file.table("play").texts("forms"))
    rows = tuple(_by_id(file.tables("row", 1), Rows(options, set(groups), set(sections), play).row).values())
    options = _read_options(file, options, rows)
    _told(file, options, rows)
    key, version, names, source = (
        file.ident("key", LONGEST_KEY),
        file.text("version"),
        file.names(),
        file.text("source"),
    )
    filled = _filled(file, sections, rows)
    file.finish()
    _closing(file, rows)
    _shared(file, groups, rows)
    bounds.holdable(file, options, rows, tally)
    ruleset = Ruleset(
        key=key,
        version=version,
        names=names,
        source=source,
        tally=tally,
        payment=payment,
        play=MappingProxyType(play),
        words=MappingProxyType(words),
        sections=filled,
        groups=tuple(groups.values()),
        instants=MappingProxyType(instants),
        options=MappingProxyType(options),
        printed=rows,
        values=MappingProxyType({name: option.default for name, option in options.items()}),
        procedures=tuple(procedures.values()),
        based_on=based_on,
        base_names=base_names,
        digest=_digest(part),
    )
    if based_on is not None:
        kept = fitting(ruleset, {row.id: table for table, row in zip(file.tables("row"), rows, strict=True)})
        ruleset = evolve(ruleset, printed=kept)
    for error in unreadable(ruleset):
        raise error
    return ruleset


class _Named(Protocol):
    """Anything of a ruleset that has an id."""

    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=_Named)


def _by_id(tables: Sequence[Table], read: Callable[[Table], T]) -> dict[str, T]:
    """What `read` makes of each table, by id; no id twice."""
    found: dict[str, T] = {}
    for table in tables:
        item = read(table)
        table.finish()
        if item.id in found:
            table.wrong("id", f"{item.id!r} is the id of an earlier table too", "give each its own id")
        found[item.id] = item
    return found


def _read_options(file: Table, options: Mapping[str, Option], rows: Sequence[SheetRow]) -> dict[str, Option]:
    """The options that something reads. One of the base that the house left unread falls away; any other is wrong."""
    read = {*SWITCHES_OF_PLAY, *SWITCHES_OF_SCORING}
    for row in rows:
        read.add(row.points_from)
        for switch in row.switches:
            read.update(switch.when)
    for table, name in zip(file.tables("option"), options, strict=True):
        if name not in read and not table.inherited():
            cure = "name it in a row's switches, or remove it"
            table.wrong("id", f"nothing in the file reads option {name!r}", cure)
    return {name: option for name, option in options.items() if name in read}


def _told(file: Table, options: Mapping[str, Option], rows: Sequence[SheetRow]) -> None:
    """Raise RulesetError where a switch changes more of a row than its points, and no option says how in words."""
    tables = {table.ident(): table for table in file.tables("option")}
    for row_table, row in zip(file.tables("row"), rows, strict=True):
        for switch in row.switches:
            if not switch.changes_more or any(options[name].rules is not None for name in switch.when):
                continue
            name = next(iter(switch.when))
            place = row_table if tables[name].inherited() else tables[name]
            problem = f"option {name!r} changes how row {row.id!r} counts, and no 'rule' of it says how"
            place.wrong("switches", problem, f'give option {name!r} a rule = {{ en = "...", zh-Hant = "..." }}')


def _filled(file: Table, sections: Mapping[str, Section], rows: Sequence[SheetRow]) -> tuple[Section, ...]:
    """The headings that have rows; of the others as of unread options."""
    used = {row.section for row in rows}
    for table, name in zip(file.tables("section"), sections, strict=True):
        if name not in used and not table.inherited():
            table.wrong("id", f"heading {name!r} has no row", "remove it, or name it in a row's 'section'")
    return tuple(section for section in sections.values() if section.id in used)


def _closing(file: Table, rows: Sequence[SheetRow]) -> None:
    """Raise RulesetError where a closing row names a row that is not there."""
    ids = [row.id for row in rows]
    for table, row in zip(file.tables("row"), rows, strict=True):
        for name in row.only:
            if table.inherited() and name not in ids:
                problem = f"row {row.id!r} of the base looks at row {name!r}, which is removed"
                table.wrong("only", problem, "remove that row as well, or give it another 'only'")
            table.known("only", name, ids)


def _shared(file: Table, groups: Collection[str], rows: Sequence[SheetRow]) -> None:
    """Raise RulesetError for a group of fewer than two rows; one of the base excludes nothing then, and is let be."""
    for table, name in zip(file.tables("group"), groups, strict=True):
        members = [
            row for row in rows if name in row.groups or any(name in (switch.groups or ()) for switch in row.switches)
        ]
        if len(members) < 2 and not table.inherited():
            how_many = "no row is" if not members else "only one row is"
            problem = f"{how_many} in group {name!r}, so it excludes nothing"
            table.wrong("id", problem, "name it in the 'groups' of two rows or more, or remove it")


_WORDING: Final = frozenset(("names", "rule", "clause", "value_names", "example", "near_miss"))
_BESIDE_THE_RULES: Final = frozenset(
    ("key", "version", "source", "section", "procedure", "names", "words", BASED_ON, REMOVED)
)


def _digest(part: Part) -> str:
    """SHA-256 of what play and scoring read of the whole file: not its wording, nor where a key stands."""
    content: dict[str, object] = {}
    for key, value in part.values.items():
        if key in _BESIDE_THE_RULES:
            continue
        tables = [
            {name: said for name, said in table.values.items() if name not in _WORDING}
            for table in part.inner.get(key, [])
        ]
        content[key] = tables or value
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
