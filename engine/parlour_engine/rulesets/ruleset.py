"""A ruleset as values: what its file says, and the sheet and procedure made of it under the chosen switches."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from attrs import evolve, field, frozen

from parlour_engine.procedure import Procedure
from parlour_engine.rulesets.errors import OptionError
from parlour_engine.scoring.patterns import STREAK_QUESTIONS
from parlour_engine.scoring.payment import PAYMENTS
from parlour_engine.scoring.sheet import HAND, Row, Sheet, Worth
from parlour_engine.tiles import full_wall

OptionValue = bool | int | str

BOOLEAN, INTEGER, TEXT = "boolean", "integer", "text"
TYPES: Mapping[str, type] = MappingProxyType({BOOLEAN: bool, INTEGER: int, TEXT: str})
"""The types an option may have, by the name its file gives them."""


MOST = 1_000_000
"""The largest number an option may be."""


@frozen
class Option:
    """A switch: `values` lists what it may be, empty where any value of its `type` is allowed (numbers from 0
    to MOST)."""

    id: str
    names: Mapping[str, str]
    type: str
    default: OptionValue
    values: tuple[OptionValue, ...]
    clause: str
    rules: Mapping[str, str] | None = None
    """What the switch is about, in words, by language: of a boolean, what holds where it is on."""
    value_names: Mapping[str, Mapping[str, str]] = field(factory=dict)
    """What each value is called, by language; for texts only, each of which has its names."""

    @property
    def span(self) -> tuple[int, int] | None:
        """The least and the most that a number may be; None where `values` lists all, and for what is no number."""
        return (0, MOST) if self.type == INTEGER and not self.values else None

    def allows(self, value: object) -> bool:
        """True for a value that a table may choose; a boolean is no number here."""
        if type(value) is not TYPES[self.type]:
            return False
        if self.values:
            return value in self.values
        span = self.span
        return span is None or (isinstance(value, int) and span[0] <= value <= span[1])

    def allowed(self) -> str:
        """What it may be, in words."""
        if self.values:
            return " or ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in self.values)
        return "true or false" if self.span is None else "a whole number from {} to {}".format(*self.span)


@frozen
class Section:
    """A heading of the sheet."""

    id: str
    names: Mapping[str, str]


@frozen
class Group:
    """Of the rows in it only the one that is worth most counts; of equal ones the earlier in print, unless
    `equal_later`."""

    id: str
    clause: str
    equal_later: bool = False


@frozen
class InstantPayment:
    """What each other player pays at once, counted in bases; for `washing` in points, for 9, 10, 11 ... heads."""

    id: str
    names: Mapping[str, str]
    rules: Mapping[str, str]
    bases: int
    clause: str
    points: tuple[int, ...] = ()


@frozen
class Paragraph:
    """One step of how a deal is played, in words, for the rule book; `rules` is the text by language."""

    id: str
    names: Mapping[str, str]
    rules: Mapping[str, str]
    clause: str


@frozen
class Example:
    """A hand that shows a row, or just misses it: a scoring record without `id` and `ruleset`, all keys given."""

    record: Mapping[str, object]
    origin: str
    line: int
    """Where it stands, for messages."""


@frozen
class Switch:
    """What becomes different in a row when every option in `when` has the value there."""

    when: Mapping[str, OptionValue]
    question: str | None = None
    groups: tuple[str, ...] | None = None
    readings: tuple[str, ...] | None = None
    points: int | None = None

    @property
    def changes_more(self) -> bool:
        """Whether it changes more than points: when or how the row counts, or what it stands against."""
        return not (self.question is None and self.groups is None and self.readings is None)


@frozen
class SheetRow:
    """One printed row. `points` is what the file says, 0 where `points_from` names the option that says it; `rules` is
    the row in words, by language."""

    id: str
    section: str
    names: Mapping[str, str]
    rules: Mapping[str, str]
    clause: str
    question: str = ""
    points: int = 0
    doubles: int = 0
    limit: str = ""
    """`half` or `whole`: the row is worth that much of the limit."""
    points_from: str = ""
    groups: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    stage: str = HAND
    each: bool = False
    least: int = 1
    most: int = -1
    step: int = 0
    only: tuple[str, ...] = ()
    switches: tuple[Switch, ...] = ()
    example: Example | None = None
    """A hand with this row among its awards."""
    near_miss: Example | None = None
    """A hand that can be scored and misses this row by little."""

    @property
    def questions(self) -> tuple[str, ...]:
        """All that it may be asked, whatever a table chooses."""
        return (self.question, *(switch.question for switch in self.switches if switch.question is not None))

    def under(self, values: Mapping[str, OptionValue]) -> "SheetRow":
        """This row as it reads when the options have these values; later switches overrule earlier ones."""
        row = self
        if self.points_from:
            row = evolve(row, points=int(values[self.points_from]))
        for switch in self.switches:
            if all(values[option] == value for option, value in switch.when.items()):
                row = evolve(
                    row,
                    question=row.question if switch.question is None else switch.question,
                    groups=row.groups if switch.groups is None else switch.groups,
                    readings=row.readings if switch.readings is None else switch.readings,
                    points=row.points if switch.points is None else switch.points,
                )
        return row


@frozen(eq=False)
class Ruleset:
    """One game with its switches set. `sheet` holds the rows in printed order as this table plays them."""

    key: str
    version: str
    names: Mapping[str, str]
    source: str
    tally: str
    payment: str
    play: Mapping[str, object]
    """The fixed part of the procedure, as keyword arguments of `Procedure`."""
    sections: tuple[Section, ...]
    groups: tuple[Group, ...]
    instants: Mapping[str, InstantPayment]
    options: Mapping[str, Option]
    printed: tuple[SheetRow, ...]
    """The rows as the file has them, switches and all."""
    values: Mapping[str, OptionValue]
    """What each option is set to."""
    words: Mapping[str, Mapping[str, str]] = field(factory=dict)
    """What players call a chow, a pong and the like in this game, by language; play and scoring do not read them."""
    procedures: tuple[Paragraph, ...] = ()
    """How a deal is played, in words, in printed order."""
    based_on: str | None = None
    """The name that a house file gives its base; None for a file that stands alone."""
    base_names: Mapping[str, str] = field(factory=dict)
    """What people call the base, by language; empty for a file that stands alone."""
    digest: str = ""
    """SHA-256 of all that play and scoring read, base included, in hex; the same for files that differ only in
    wording, examples and comments."""
    sheet: tuple[SheetRow, ...] = field(init=False)
    procedure: Procedure = field(init=False)
    compiled: Sheet = field(init=False, repr=False)
    """The sheet made ready to be asked."""

    @sheet.default
    def _sheet(self) -> tuple[SheetRow, ...]:
        return tuple(row.under(self.values) for row in self.printed)

    @procedure.default
    def _procedure(self) -> Procedure:
        return procedure_of(self.play, self.instants, self.values)

    @compiled.default
    def _compiled(self) -> Sheet:
        later = frozenset(group.id for group in self.groups if group.equal_later)
        rows = [_row(row, place) for place, row in enumerate(self.sheet)]
        return Sheet(rows, ("standard", *self.procedure.forms), later)

    def with_options(self, chosen: Mapping[str, object]) -> "Ruleset":
        """The ruleset with some switches set otherwise. Raises OptionError for a name or value it does not have."""
        values = dict(self.values)
        for name, value in chosen.items():
            option = self.options.get(name)
            if option is None:
                raise OptionError(f"{self.key} has no option {name[:40]!r}; it has {', '.join(sorted(self.options))}")
            if not option.allows(value) or not isinstance(value, bool | int | str):
                raise OptionError(f"option {name} of {self.key} may be {option.allowed()}", name)
            values[name] = value
        return evolve(self, values=MappingProxyType(values)) if chosen else self

    @property
    def scores_all(self) -> bool:
        """Whether the hands that did not win are scored and settled too."""
        return PAYMENTS[self.payment].scores_all

    @property
    def limit(self) -> int:
        """The most that a hand can be worth; 0 where there is no limit."""
        return int(self.values.get("limit", 0))

    @property
    def counts_streak(self) -> bool:
        """Whether the dealer's wins in a row are worth something at this table."""
        return any(
            row.question in STREAK_QUESTIONS and bool(row.points or row.step or row.doubles or row.limit)
            for row in self.sheet
        )

    @property
    def rounds(self) -> Literal[1, 4]:
        """How long a match is where a table chooses nothing else (lrc P21)."""
        return 1 if self.play["rounds"] == 1 else 4

    @property
    def wall(self) -> int:
        """How many tiles the wall is built of."""
        return len(full_wall(self.procedure.flowers))

    def instant(self, name: str) -> int:
        """The points each other player pays at once for `mixed_flower_set`, `full_flower_set` or `concealed_gong`
        (lrc 5, A-91). Raises KeyError for anything else."""
        return self.instants[name].bases * self.procedure.base


SWITCHES_OF_PLAY = (
    "base",
    "calling",
    "dealer_stays_on_draw",
    "early_counts_flowers",
    "early_counts_melds",
    "early_counts_winning_discard",
    "gong_in_claim_turn",
    "missed_win",
    "mixed_then_full",
    "robbing",
    "swap_claim",
    "winners",
    "mandarins",
    "dead_wall",
    "washing",
)
"""The options that the procedure reads."""
SWITCHES_OF_SCORING = ("limit", "dangerous_discard")
"""The options that the tally and the payment read."""
HALVES: Mapping[str, int] = MappingProxyType({"": 0, "half": 1, "whole": 2})
"""By a row's `limit`."""


def procedure_of(
    play: Mapping[str, object], instants: Mapping[str, InstantPayment], values: Mapping[str, OptionValue]
) -> Procedure:
    """The procedure of a table: `[play]` and the instant payments of the file, the rest from its options."""
    settings = dict(play)
    # How long a match is, a deal does not know.
    settings.pop("rounds", None)
    for name, setting in (
        ("mixed_flower_set", "mixed_set_bases"),
        ("full_flower_set", "full_set_bases"),
        ("concealed_gong", "concealed_gong_bases"),
    ):
        settings[setting] = instants[name].bases if name in instants else 0
    for name in SWITCHES_OF_PLAY:
        if name not in values:
            continue
        if name == "winners":
            settings["nearest_winner_only"] = values[name] == "nearest"
        elif name == "mandarins":
            settings["flowers"] = values[name]
        elif name == "dead_wall":
            settings["reserve"] = values[name]
        elif name == "washing":
            settings["washing"] = instants["washing"].points if values[name] else ()
        else:
            settings[name] = values[name]
    return Procedure(**settings)  # type: ignore[arg-type]  # checked by `parse`, value by value


def _row(row: SheetRow, place: int) -> Row:
    return Row(
        row.id,
        row.question,
        Worth(row.points, row.doubles, HALVES[row.limit]),
        clause=row.clause,
        place=place,
        groups=row.groups,
        readings=row.readings,
        stage=row.stage,
        each=row.each,
        least=row.least,
        most=row.most,
        step=row.step,
        only=row.only,
    )
