"""The answer to hello: somebody comes back by a token, or is new here."""

from importlib.metadata import version
from typing import Final, Protocol

from parlour_bots.levels import LEVELS
from parlour_server.names import clean_name, is_guests
from parlour_server.people import requests
from parlour_server.people.identity import room_for_line
from parlour_server.people.people import Came
from parlour_server.people.requests import Speaker
from parlour_server.protocol.lobby import RulesetLine, Welcome
from parlour_server.protocol.messages import PROTOCOL, ErrorCode, Hello

VERSION: Final = version("mahjong-parlour")


class Hall(requests.Hall, Protocol):
    """What of the house is needed here."""

    @property
    def ruleset_lines(self) -> list[RulesetLine]:
        """The rulesets one may choose."""

    @property
    def demonstration(self) -> str | None:
        """The table that is always there to be watched."""

    @property
    def floor_ms(self) -> int:
        """The claim floor of a table that chooses none."""

    @property
    def house_key(self) -> str | None:
        """What the house seals records with: the public half, in hex."""


class Arriving(Speaker, Protocol):
    """A line that has said hello and is nobody's yet."""

    @property
    def is_up(self) -> bool:
        """Whether anybody would hear an answer."""

    def turn_away(self, code: ErrorCode, text: str, reason: str) -> None:
        """Say why, and close the line."""

    def refuse(self, code: ErrorCode, text: str) -> None:
        """Say why; the line goes on."""


async def arrive(hello: Hello, line: Arriving, hall: Hall, most_lines: int) -> None:
    """Make the line somebody's and welcome them, or turn it away. Raises Refused where the line stays nobody's, or
    where only the name that came with hello is wrong."""
    if hello.protocol != PROTOCOL:
        text = f"this server speaks protocol {PROTOCOL}"
        line.turn_away("unsupported_protocol", text, "unsupported protocol")
        return
    came = await hall.people.come_back(hello.token) if hello.token is not None else None
    if hall.house.banned(None if came is None else came.identity.id, line.address):
        line.turn_away("banned", "the house does not let you in", "banned")
        return
    if came is None:
        if hello.token is not None:
            line.refuse("bad_token", "nobody here has this token; here is a new one")
        came = await hall.people.welcome(hello.name, line.address)
    elif not await room_for_line(came.identity, most_lines):
        line.turn_away("too_many", "too many lines of one guest", "too many lines of one guest")
        return
    if not line.is_up:
        return
    line.become(came.identity, came.session)
    line.send(_welcome(came, hall))
    # A browser may send along what it was called as a guest before; that is no wish.
    if came.token is None and hello.name is not None and not is_guests(hello.name):
        if clean_name(hello.name) not in {"", came.identity.name}:
            await requests.rename(came.identity, hello.name, line, hall)


def _welcome(came: Came, hall: Hall) -> Welcome:
    return Welcome(
        protocol=PROTOCOL,
        server=VERSION,
        token=came.token,
        name=came.identity.name,
        rulesets=hall.ruleset_lines,
        bots=list(LEVELS),
        account=came.identity.account,
        demonstration=hall.demonstration,
        floor_ms=hall.floor_ms,
        house_key=hall.house_key,
    )
