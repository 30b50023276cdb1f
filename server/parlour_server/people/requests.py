"""What takes a while to answer: it waits for the disk, or for a password's slow hash. A line has one under way."""

import asyncio
from typing import Final, Protocol

from parlour_server.people.house import House
from parlour_server.people.identity import Identity, PersonLine, room_for_line
from parlour_server.people.people import People
from parlour_server.protocol.lobby import (
    AskStatistics,
    ListMatches,
    LogIn,
    LogOut,
    Register,
    Rename,
    Renamed,
    SignedIn,
)
from parlour_server.protocol.messages import ToClient
from parlour_server.refused import Refused
from parlour_server.storage.store import Store

Slow = Register | LogIn | LogOut | Rename | ListMatches | AskStatistics
SIGNING_OUT: Final = 0.8
"""Seconds for writing that a token is void; then its lines are closed all the same."""
LINE_OUT: Final = "signed out"


class Speaker(PersonLine, Protocol):
    """The line that asks."""

    address: str

    def send(self, message: ToClient) -> None:
        """Answer."""

    def become(self, identity: Identity, session: bytes) -> None:
        """Speak for somebody else from now on; a table one was at has been left."""


class Hall(Protocol):
    """What of the house is needed here."""

    @property
    def people(self) -> People:
        """Everybody the house knows."""

    @property
    def house(self) -> House:
        """Whom its keeper does not want."""

    @property
    def store(self) -> Store:
        """What is written."""

    def rename(self, person: str, name: str) -> None:
        """Tell the tables somebody's new name."""


async def answer(message: Slow, identity: Identity, line: Speaker, hall: Hall, most_lines: int) -> None:
    """Do what `identity` asks for on `line`; raises Refused."""
    match message:
        case Register():
            account = await hall.people.register(identity, line.address, message.account, message.password)
            line.send(SignedIn(None, account, identity.name))
        case LogIn():
            came = await hall.people.log_in(hall.house, line.address, message.account, message.password)
            if came.identity is not identity and not await room_for_line(came.identity, most_lines):
                # Nobody has the token.
                await hall.people.log_out(came.identity, came.session, everywhere=False)
                raise Refused("too_many", "too many lines of one guest")
            line.become(came.identity, came.session)
            line.send(SignedIn(came.token, came.identity.account or message.account, came.identity.name))
        case LogOut():
            await _log_out(identity, line.session, hall.people, everywhere=message.everywhere)
        case Rename():
            await rename(identity, message.name, line, hall)
        case ListMatches():
            line.send(await hall.store.matches(identity.id if message.mine else None, message.before))
        case AskStatistics():
            line.send(await hall.store.statistics(identity.id))


async def rename(identity: Identity, wanted: str, line: Speaker, hall: Hall) -> None:
    """Another name for `identity`, told to it and to its tables; raises Refused."""
    line.send(Renamed(await hall.people.rename(identity, wanted)))
    hall.rename(identity.id, identity.name)


async def _log_out(identity: Identity, session: bytes, people: People, *, everywhere: bool) -> None:
    try:
        async with asyncio.timeout(SIGNING_OUT):
            await people.log_out(identity, session, everywhere=everywhere)
        written = True
    except TimeoutError:
        # The token is refused from now on; only that it will be after a crash too cannot be told.
        written = False
    for other in list(identity.lines):
        if everywhere or other.session == session:
            other.dismiss(LINE_OUT, signed_out=written)
