"""Obeys the keeper's orders, one JSON object each; every answer is one too."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice
from typing import Any, Final

from attrs import asdict

from parlour_server.admin.rooms import Room, Rooms
from parlour_server.admin.rulings import Rulings, as_address
from parlour_server.limits import household, is_loopback
from parlour_server.names import clean_name, folded
from parlour_server.proxies import Proxies
from parlour_server.refused import Refused
from parlour_server.storage.changes import Banned, Muted

SHORT: Final = 8
"""Letters of an id as it is shown."""
LEAST: Final = 4
"""Letters of an id that may stand for it."""
MOST_ROWS: Final = 1000
"""Tables or lines in one answer."""
_MOST_HOURS: Final = 24 * 36_500
_LONGEST: Final = 200
_MOST_NAMED: Final = 8
_WHOLE: Final = 32
_PASSWORD: Final = "password"

Order = Mapping[str, Any]
Answer = dict[str, Any]


class Wrong(ValueError):
    """An order that cannot be obeyed; nothing was changed. The text says why, on one line."""


def short(name: str) -> str:
    """An id as it is shown."""
    return name[:SHORT]


def _text(order: Order, key: str) -> str:
    value = order.get(key)
    if not isinstance(value, str) or len(value) > _LONGEST or not _can_be_kept(value):
        raise Wrong(f"{key} must be a text of at most {_LONGEST} characters")
    return value


def _can_be_kept(text: str) -> bool:
    """Whether every database takes it. What is typed in another encoding arrives as half a character."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def _hours(order: Order) -> float | None:
    value = order.get("hours")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= _MOST_HOURS:
        raise Wrong("hours must be a number above 0; without it, it holds for good")
    return float(value)


def _the_one(start: str, ids: Iterable[str], noun: str) -> str:
    """The one id that begins so."""
    if re.fullmatch(r"[0-9a-f]+", start) is None or not LEAST <= len(start) <= _WHOLE:
        raise Wrong(f"a {noun} is named by the first {LEAST} to {_WHOLE} letters of its id: 0-9, a-f")
    found = sorted({name for name in ids if name.startswith(start)})
    if not found:
        raise Wrong(f"there is no {noun} {start}")
    if len(found) > 1:
        raise Wrong(f"there is more than one {noun} {start}: {', '.join(found[:4])}")
    return found[0]


class Desk:
    """Where the keeper's orders come in."""

    def __init__(self, rooms: Rooms, rulings: Rulings, proxies: Proxies | None = None) -> None:
        self._rooms = rooms
        self._rulings = rulings
        self._proxies = proxies or Proxies(())
        self._orders: dict[str, tuple[frozenset[str], Callable[[Order], Answer]]] = {
            "status": (frozenset(), self._status),
            "tables": (frozenset(), self._tables),
            "sockets": (frozenset(), self._sockets),
            "freeze": (frozenset({"table"}), self._freeze),
            "thaw": (frozenset({"table"}), self._thaw),
            "close": (frozenset({"table"}), self._close),
            "drain": (frozenset({"on"}), self._drain),
            "bans": (frozenset(), self._bans),
            "ban": (frozenset({"who", "hours", "reason"}), self._ban),
            "unban": (frozenset({"who"}), self._unban),
            "mute": (frozenset({"who", "hours", "reason"}), self._mute),
            "unmute": (frozenset({"who"}), self._unmute),
        }

    def obey(self, order: object) -> Answer:
        """Do what is ordered; raises Wrong."""
        if not isinstance(order, dict) or not isinstance(order.get("do"), str):
            raise Wrong('an order is an object such as {"do": "status"}')
        keys, obeying = self._orders.get(order["do"], (frozenset(), None))
        if obeying is None:
            raise Wrong(f"orders are {', '.join([*self._orders, _PASSWORD])}")
        if not order.keys() <= keys | {"do"}:
            raise Wrong(f"{order['do']} takes {', '.join(sorted(keys)) or 'nothing'}")
        return obeying(order)

    async def attend(self, order: object) -> Answer:
        """Do what is ordered, what takes a while too; raises Wrong."""
        if not isinstance(order, dict) or order.get("do") != _PASSWORD:
            return self.obey(order)
        if order.keys() != {"do", "account"}:
            raise Wrong(f"{_PASSWORD} takes account")
        account = _text(order, "account")
        try:
            found = await self._rooms.new_password(account)
        except Refused as refused:
            raise Wrong(str(refused)) from None
        if found is None:
            raise Wrong(f"nobody has the account {account}")
        password, ended = found
        return {"account": account, "password": password, "ended": ended}

    # --- looking ---

    def _status(self, _: Order) -> Answer:
        return asdict(self._rooms.standing())

    def _tables(self, _: Order) -> Answer:
        rooms = sorted(self._rooms.rooms(), key=lambda room: (room.state == "over", room.age_s))
        return {"tables": [asdict(room) for room in rooms[:MOST_ROWS]], "count": len(rooms)}

    def _sockets(self, _: Order) -> Answer:
        visitors = list(self._rooms.visitors())
        return {"sockets": [asdict(visitor) for visitor in islice(visitors, MOST_ROWS)], "count": len(visitors)}

    # --- tables ---

    def _room(self, order: Order) -> Room:
        rooms = {room.match: room for room in self._rooms.rooms()}
        return rooms[_the_one(_text(order, "table"), rooms, "table")]

    def _freeze(self, order: Order) -> Answer:
        room = self._room(order)
        if room.state == "over":
            raise Wrong("its match is over")
        self._rooms.freeze(room.match)
        return {"table": room.match}

    def _thaw(self, order: Order) -> Answer:
        room = self._room(order)
        if room.state != "frozen":
            raise Wrong(f"it is not frozen: it is {room.state}")
        try:
            self._rooms.thaw(room.match)
        except ValueError as error:
            raise Wrong(f"it stays frozen: {error}") from None
        return {"table": room.match}

    def _close(self, order: Order) -> Answer:
        room = self._room(order)
        self._rooms.close_room(room.match)
        return {"table": room.match}

    def _drain(self, order: Order) -> Answer:
        on = order.get("on", True)
        if not isinstance(on, bool):
            raise Wrong("on must be true or false")
        self._rooms.drain(on)
        return {"draining": on, "playing": self._rooms.standing().playing}

    # --- people ---

    def _person(self, who: str, among: Collection[str] | None = None) -> str:
        """The id of the one person whose id begins so, or who is called so; `among` are those whom it may be, else
        everybody who is here or was lately, and a whole id is anybody's."""
        start = who.lower()
        if among is None and re.fullmatch(rf"[0-9a-f]{{{_WHOLE}}}", start):
            return start
        names = dict(self._rooms.people())
        ids = names.keys() if among is None else among
        called = folded(clean_name(who))
        found = sorted(
            [
                one
                for one in ids
                if (len(start) >= LEAST and one.startswith(start)) or (called and folded(names.get(one, "")) == called)
            ]
        )
        if not found:
            where = "is here or was lately" if among is None else "is on the list"
            raise Wrong(f"nobody {where} who is called {who} or whose id begins so")
        if len(found) > 1:
            which = ", ".join([f"{short(one)} {names.get(one, '')}".strip() for one in found[:_MOST_NAMED]])
            further = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
            raise Wrong(f"more than one person is called {who}, or has an id that begins so: {which}{further}")
        return found[0]

    def _is_called(self, who: str) -> bool:
        return any(name == who for _, name in self._rooms.people())

    def _bans(self, _: Order) -> Answer:
        bans, mutes = self._rulings.bans(), self._rulings.mutes()
        return {"bans": [asdict(ban) for ban in bans], "mutes": [asdict(mute) for mute in mutes]}

    def _ban(self, order: Order) -> Answer:
        who, hours, reason = _text(order, "who"), _hours(order), _text({"reason": "", **order}, "reason")
        address = as_address(who)
        if address is not None and self._is_called(who):
            raise Wrong(f"{who} is an address, and somebody has named themselves so: name the person by the id")
        if address is None:
            ban = self._rulings.ban_identity(self._person(who), hours, reason)
            ended = self._rooms.dismiss(ban.who, None)
        elif is_loopback(address) or self._proxies.trusts(address):
            raise Wrong(f"{address} is this machine or a proxy: everybody comes from there")
        else:
            ban = self._rulings.ban_address(address, hours, reason)
            ended = self._rooms.dismiss(None, ban.who)
        return {"kind": ban.kind, "who": ban.who, "until": ban.until, "ended": ended}

    def _unban(self, order: Order) -> Answer:
        who = _text(order, "who")
        bans = {ban.who: ban for ban in self._rulings.bans()}
        address = as_address(who)
        if who.lower() in bans:
            key = who.lower()
        elif address is not None:
            key = household(address)
        else:
            key = self._person(who, [ban.who for ban in bans.values() if ban.kind == "identity"])
        ban: Banned | None = bans.get(key)
        if ban is None:
            raise Wrong(f"{key} is not banned")
        self._rulings.lift(ban)
        return {"kind": ban.kind, "who": ban.who}

    def _mute(self, order: Order) -> Answer:
        who, hours, reason = _text(order, "who"), _hours(order), _text({"reason": "", **order}, "reason")
        muted = self._rulings.mute(self._person(who), hours, reason)
        return {"who": muted.identity, "until": muted.until}

    def _unmute(self, order: Order) -> Answer:
        mutes: dict[str, Muted] = {mute.identity: mute for mute in self._rulings.mutes()}
        who = self._person(_text(order, "who"), mutes)
        self._rulings.unmute(mutes[who])
        return {"who": who}
