"""How one table keeps time. Rules of play are the ruleset's; this is only when and how long."""

from typing import Final, Literal

from attrs import Attribute, field, frozen
from attrs.validators import ge, le

from parlour_engine.rulesets import Ruleset
from parlour_server.protocol.values import Clocks, GameWords, Names, OptionValue, Reveal, TableSettings, Watching

CLOCKS: Final[dict[Clocks, tuple[int | None, int | None, int | None]]] = {
    "off": (None, None, None),
    "casual": (20_000, 8_000, 60_000),
    "brisk": (8_000, 4_000, 20_000),
}
"""Milliseconds for a discard, for a claim, and in the bank of each seat for a whole match."""

LATE_IN_A_ROW: Final = 3
"""After so many answers in a row that the clock gave, a stand-in takes the seat."""

_HOUR: Final = 3_600_000


def _milliseconds(default: int) -> int:
    return field(default=default, validator=[ge(0), le(_HOUR)])


def _time_or_none(_: "Settings", __: "Attribute[int | None]", value: int | None) -> None:
    if value is not None and not 1 <= value <= _HOUR:
        raise ValueError("a clock runs from 1 ms to an hour, or is off")


def _clock(default: int | None) -> int | None:
    return field(default=default, validator=_time_or_none)


def _bank_or_none(_: "Settings", __: "Attribute[int | None]", value: int | None) -> None:
    if value is not None and not 0 <= value <= _HOUR:
        raise ValueError("a bank holds up to an hour, or there is none")


def _bank(default: int | None) -> int | None:
    return field(default=default, validator=_bank_or_none)


@frozen(kw_only=True)
class Settings:
    """How a table plays; `Settings.of` fills the clocks in. ValueError for what cannot be."""

    rounds: Literal[1, 4] = 1
    options: dict[str, OptionValue] = field(factory=dict)
    """The switches that differ from the ruleset's defaults, for everybody to see."""
    clocks: Clocks = "casual"
    discard_ms: int | None = _clock(20_000)
    claim_ms: int | None = _clock(8_000)
    """Time for a person's turn and for a claim; None where clocks are off."""
    bank_ms: int | None = _bank(60_000)
    """What each seat may use up in a match beyond these times; None for nothing. A padded window does not use it: its
    length would depend on what somebody holds."""
    floor_ms: int = _milliseconds(600)
    """Every claim and robbing window lasts at least this long, whoever was asked."""
    pad_windows: bool = False
    """Every window lasts its full time (the floor where that is longer, or clocks are off)."""
    public: bool = False
    """Listed in the lobby."""
    watching: Watching = "live"
    reveal: Reveal = "match"
    house: bool = False
    """The house's own table of bots: nobody may sit down."""
    grace_ms: int = _milliseconds(5_000)
    """How long a dropped line is waited for before a stand-in plays."""
    ready_ms: int = _milliseconds(60_000)
    """How long a settlement waits for the players to go on; without limit where clocks are off."""
    pause_ms: int = _milliseconds(5_000)
    """How long a settlement stays where nobody has to agree."""
    presence_ms: int = _milliseconds(200)
    """Who comes and goes is told to everybody once in so long, where it happens all the time: else it would flood."""
    bot_ms: int = _milliseconds(10_000)
    """A bot that has not answered by then is late like anybody."""
    start: Literal["now", "together"] = "now"
    """When the match begins: at once, or when the table's owner says so."""
    unwatched: bool = False
    """True: the next deal starts although nobody is at the table."""
    watchers: int = field(default=200, validator=[ge(0), le(100_000)])
    """As many may watch."""

    @property
    def bank(self) -> int | None:
        """Milliseconds in the bank of each seat as the match begins, None where there is none."""
        return None if self.discard_ms is None and self.claim_ms is None else self.bank_ms

    def value(self, ruleset: Ruleset) -> TableSettings:
        """As everybody at the table may see it."""
        return TableSettings(
            ruleset=ruleset.key,
            ruleset_version=ruleset.version,
            ruleset_name=Names(en=ruleset.names["en"], zh=ruleset.names["zh-Hant"]),
            words=_words(ruleset),
            wall=ruleset.wall,
            reserve=ruleset.procedure.reserve,
            counts_streak=ruleset.counts_streak,
            options=dict(self.options),
            rounds=self.rounds,
            clocks=self.clocks,
            discard_ms=self.discard_ms,
            claim_ms=self.claim_ms,
            floor_ms=self.floor_ms,
            pad_windows=self.pad_windows,
            bank_ms=self.bank,
            public=self.public,
            watching=self.watching,
            reveal=self.reveal,
            house=self.house,
        )

    @staticmethod
    def of(
        clocks: Clocks = "casual",
        *,
        rounds: Literal[1, 4] = 1,
        options: dict[str, OptionValue] | None = None,
        floor_ms: int = 600,
        pad_windows: bool = False,
        public: bool = False,
        watching: Watching = "live",
        reveal: Reveal = "match",
        start: Literal["now", "together"] = "now",
    ) -> "Settings":
        """Settings with the usual times of these clocks."""
        discard_ms, claim_ms, bank_ms = CLOCKS[clocks]
        return Settings(
            rounds=rounds,
            options=dict(options or {}),
            clocks=clocks,
            discard_ms=discard_ms,
            claim_ms=claim_ms,
            bank_ms=bank_ms,
            floor_ms=floor_ms,
            pad_windows=pad_windows,
            public=public,
            watching=watching,
            reveal=reveal,
            start=start,
        )


def _words(ruleset: Ruleset) -> GameWords:
    return GameWords(**{word: Names(en=said["en"], zh=said["zh-Hant"]) for word, said in ruleset.words.items()})
