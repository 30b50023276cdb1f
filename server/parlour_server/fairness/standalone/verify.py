#!/usr/bin/env python3
"""Checks the record of a mahjong match without the program that wrote it: python3 verify.py FILE [--key HEX]

It needs Python 3.9 or newer and nothing else. It lays every wall again from the seed and what the seats added, compares
the hands and every draw with it, and checks the seal. It knows no rule of the game beyond that; docs/fairness.md is
what it was written from. Exit status: 0, 1 where something is wrong, 2 where the file cannot be read.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator
from typing import Any, NoReturn

KINDS = [f"{rank}{suit}" for suit in "mpsz" for rank in range(1, 8 if suit == "z" else 10)]
SET = [kind for kind in KINDS for _ in range(4)] + [f"{number}f" for number in range(1, 9)]
"""The 144 physical tiles by number."""


class Wrong(Exception):
    """Something in the record is not as it has to be."""


class Unreadable(Exception):
    """This is no record, or none that this program knows."""


# --- the shuffle ------------------------------------------------------------------------------------------------------


def sized(part: bytes) -> bytes:
    """L(x) of docs/fairness.md."""
    return bytes([len(part) // 256, len(part) % 256]) + part


def stream(key: bytes) -> Iterator[int]:
    """The octets that decide the wall, without end."""
    counter = 0
    while True:
        message = b"mj-stream-v1" + bytes(counter >> shift & 255 for shift in range(56, -8, -8))
        yield from hmac.new(key, message, hashlib.sha256).digest()
        counter += 1


def lay(context: bytes, seed: bytes, nonces: list[bytes], number: int, throws: int) -> tuple[list[str], list[int]]:
    """The wall as kinds, first tile first, and the dice."""
    message = b"mj-key-v1" + sized(context)
    for nonce in nonces:
        message += sized(nonce)
    source = stream(hmac.new(seed, message, hashlib.sha256).digest())
    order = list(range(number))
    last = number - 1
    while last > 0:
        value = 256 * next(source) + next(source)
        if value >= 65536 // (last + 1) * (last + 1):
            continue
        chosen = value % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
        last -= 1
    dice: list[int] = []
    while len(dice) < throws:
        octet = next(source)
        if octet < 252:
            dice.append(octet % 6 + 1)
    return [SET[tile] for tile in order], dice


def unhex(value: Any, length: int, what: str) -> bytes:
    """The octets of a text in hex; Wrong where it is another."""
    if not isinstance(value, str) or not re.fullmatch(f"[0-9a-f]{{{2 * length}}}", value):
        raise Wrong(f"{what} is not {length} octets in hex of small letters")
    return bytes.fromhex(value)


# --- the signature (RFC 8032) -----------------------------------------------------------------------------------------

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)
Point = tuple[int, int, int, int]


def plus(one: Point, other: Point) -> Point:
    """The sum of two points of the curve."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, point: Point) -> Point:
    """A multiple of a point."""
    total: Point = (0, 1, 1, 0)
    while number:
        if number & 1:
            total = plus(total, point)
        point = plus(point, point)
        number >>= 1
    return total


def point_of(octets: bytes) -> Point | None:
    """The point that 32 octets stand for, None where they stand for none."""
    number = int.from_bytes(octets, "little")
    sign, y = number >> 255, number % 2**255
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x % 2 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether `signature` is one that the owner of `key` has made of `message`."""
    public, commitment = point_of(key), point_of(signature[:32])
    number = int.from_bytes(signature[32:], "little")
    if public is None or commitment is None or BASE is None or number >= ORDER:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    left, right = times(number, BASE), plus(commitment, times(challenge, public))
    return not ((left[0] * right[2] - right[0] * left[2]) % P or (left[1] * right[2] - right[1] * left[2]) % P)


# --- the table --------------------------------------------------------------------------------------------------------


class Wall:
    """What is left of a wall: places of tiles, the ordinary ones and those that lie loose."""

    def __init__(self, tiles: list[str], loose: int) -> None:
        places = list(range(len(tiles)))
        self.tiles = tiles
        self.rest = places[: len(places) - loose]
        self.loose = places[len(places) - loose :]
        self.is_loose = loose > 0

    def draw(self) -> str:
        """The next tile in turn."""
        if not self.rest and not self.loose:
            raise Wrong("a tile is drawn, and the wall is empty")
        return self.tiles[self.rest.pop(0) if self.rest else self.loose.pop(0)]

    def replace(self) -> str:
        """The next replacement."""
        if not self.is_loose:
            if not self.rest:
                raise Wrong("a tile is replaced, and the wall is empty")
            return self.tiles[self.rest.pop()]
        if not self.loose:
            raise Wrong("a tile is replaced, and none lies loose")
        taken = self.loose.pop(0)
        if self.rest:
            whole = self.rest[-1] % 2 == 1 and len(self.rest) > 1
            self.loose.append(self.rest.pop(-2 if whole else -1))
        return self.tiles[taken]


class Table:
    """The four hands of a deal as the events move them."""

    def __init__(self, wall: Wall, event: dict[str, Any]) -> None:
        self.wall = wall
        self.hands: list[list[str]] = [[], [], [], []]
        self.pongs: list[list[str]] = [[], [], [], []]
        """The tiles of pongs that were claimed, for gongs made of them."""
        dealer, sizes = event["dealer"], event["sizes"]
        size = min(sizes)
        turns = [(dealer + turn) % 4 for turn in range(4)]
        if sizes != [size + 1 if seat == dealer else size for seat in range(4)]:
            raise Wrong("the hands are not one tile more for the dealer")
        dealt = 0
        while dealt < size:
            number = 4 if size - dealt >= 4 else 1
            for seat in turns:
                self.hands[seat] += [wall.draw() for _ in range(number)]
            dealt += number
        self.hands[dealer].append(wall.draw())
        for seat in range(4):
            if sorted(event["hands"][seat]) != sorted(self.hands[seat]):
                raise Wrong(f"the hand dealt to seat {seat} is another than the wall gives")

    def take(self, seat: int, tiles: list[str]) -> None:
        """The tiles leave a hand."""
        for tile in tiles:
            if tile not in self.hands[seat]:
                raise Wrong(f"seat {seat} has no {tile}")
            self.hands[seat].remove(tile)

    def event(self, event: dict[str, Any]) -> None:
        """The next event of the deal."""
        name, seat = event["e"], event.get("seat", -1)
        if type(seat) is not int or not -1 <= seat < 4 or (seat == -1 and "seat" in event):
            raise Wrong(f"there is no seat {seat}")
        if name == "draw":
            tile = self.wall.draw() if event["source"] == "wall" else self.wall.replace()
            if tile != event["tile"]:
                raise Wrong(f"seat {seat} draws {event['tile']}, and the wall gives {tile}")
            self.hands[seat].append(tile)
        elif name == "flowers":
            self.take(seat, event["tiles"])
        elif name == "discard":
            self.take(seat, [event["tile"]])
        elif name == "promoted":
            if event["tile"] not in self.pongs[seat]:
                raise Wrong(f"seat {seat} has no pong of {event['tile']}")
            self.take(seat, [event["tile"]])
        elif name == "meld":
            meld = event["meld"]
            own = list(meld["tiles"])
            if meld["claimed"] is not None:
                if meld["claimed"] not in own:
                    raise Wrong("a set is laid without the tile that was claimed")
                own.remove(meld["claimed"])
            self.take(seat, own)
            if meld["form"] == "pong":
                self.pongs[seat].append(meld["tiles"][0])
        elif name in ("won", "hand_shown"):
            shown = list(event["hand"] if name == "won" else event["tiles"])
            if name == "won" and event["by"] == "self_draw":
                shown.append(event["tile"])
            if sorted(shown) != sorted(self.hands[seat]):
                raise Wrong(f"seat {seat} shows another hand than it has")


class Deal:
    """What the record tells of one deal's shuffle."""

    def __init__(self, line: int, context: str, commit: str) -> None:
        self.line = line
        self.context = context
        self.commit = commit
        self.nonces: list[str | None] | None = None
        self.seed: str | None = None
        self.wall: list[str] | None = None
        self.dice: list[int] = []


class Match:
    """A match as its record tells it. `take` each row after the first in order; it raises Wrong or Unreadable."""

    def __init__(self, header: dict[str, Any], loose: int) -> None:
        self.loose = loose
        self.name: str | None = header.get("match")
        if self.name is not None:
            unhex(self.name, 16, "the match's name")
        self.digest = header["ruleset"]["digest"]
        self.deals: dict[int, Deal] = {}
        self.walls = self.draws = self.replacements = 0
        self.version = 0
        self.table: Table | None = None
        self.scores = [0, 0, 0, 0]
        self.settled = True
        self.cut = self.ended = False

    def take(self, line: int, row: dict[str, Any]) -> None:
        """The next row."""
        kind = row["row"]
        if self.ended:
            raise Wrong("the record goes on after its end")
        if kind == "event":
            if type(row["version"]) is not int or row["version"] != self.version + 1:
                raise Wrong(f"version {row['version']} follows version {self.version}")
            self.version += 1
            name = row["event"]["e"]
            if name.startswith("shuffle_"):
                self.shuffle(line, row["event"])
            else:
                self.goes_on()
                self.event(row["event"])
        elif kind == "wall":
            self.goes_on()
            self.lay(row)
        elif kind == "end":
            hidden = [number for number, deal in self.deals.items() if deal.seed is None]
            if hidden:
                raise Wrong(f"the match is {row['reason']}, and the seed of deal {hidden[0]} was never shown")
            self.ended = True
        elif kind in ("offered", "answered"):
            self.goes_on()
        elif kind != "seat":
            raise Unreadable(f"a row {kind!r} is unknown")

    def goes_on(self) -> None:
        """Anything but the showing of seeds, who sits where, and the end."""
        if self.cut:
            raise Wrong("a seed was shown, and its deal goes on")

    def shuffle(self, line: int, event: dict[str, Any]) -> None:
        """An event of the shuffle."""
        number = event["deal"]
        deal = self.deals.get(number)
        if type(number) is not int:
            raise Unreadable("a deal has a whole number")
        if event["e"] == "shuffle_revealed":
            self.reveal(number, deal, event["seed"])
            return
        self.goes_on()
        if number != self.walls + 1 or not self.settled:
            raise Wrong(f"the shuffle of deal {number} has no place here")
        if event["e"] == "shuffle_committed":
            if deal is not None or len(self.deals) != self.walls:
                raise Wrong(f"deal {number} was committed to before, or an earlier one was not")
            if self.name is None:
                found = re.match(r"match:([0-9a-f]{32})\|", event["context"])
                self.name = found.group(1) if found else ""
            expected = f"match:{self.name}|deal:{number}|rules:{self.digest}"
            if event["context"] != expected:
                raise Wrong(f"the commitment is not for {expected}")
            unhex(event["commit"], 32, "the commitment")
            self.deals[number] = Deal(line, event["context"], event["commit"])
        elif event["e"] == "shuffle_fixed":
            if deal is None or deal.nonces is not None:
                raise Wrong(f"what the seats add to deal {number} comes before its commitment, or twice")
            if len(event["nonces"]) != 4:
                raise Wrong("four seats add something")
            for nonce in event["nonces"]:
                if nonce is not None:
                    unhex(nonce, 16, "what a seat adds")
            deal.nonces = event["nonces"]
        else:
            raise Unreadable(f"an event {event['e']!r} is unknown")

    def reveal(self, number: int, deal: Deal | None, seed: Any) -> None:
        """A seed is shown: it has to fit the commitment, and the wall to fit both."""
        if deal is None or deal.seed is not None:
            raise Wrong(f"the seed of deal {number} is shown, and was shown before or never committed to")
        if deal.wall is None or (number == self.walls and not self.settled):
            self.cut = True
        octets, context = unhex(seed, 32, "the seed"), deal.context.encode()
        commit = hashlib.sha256(b"mj-commit-v1" + sized(context) + sized(octets)).hexdigest()
        if commit != deal.commit:
            raise Wrong(f"the seed of deal {number} does not fit its commitment in line {deal.line}")
        deal.seed = seed
        if deal.wall is not None:
            nonces = [bytes(16) if nonce is None else bytes.fromhex(nonce) for nonce in deal.nonces or []]
            wall, dice = lay(context, octets, nonces, len(deal.wall), len(deal.dice))
            if wall != deal.wall:
                raise Wrong(f"the wall of deal {number} is not the one that its seed and the seats give")
            if dice != deal.dice:
                raise Wrong(f"the dice of deal {number} are not those that its seed and the seats give")

    def lay(self, row: dict[str, Any]) -> None:
        """A wall is laid."""
        self.walls += 1
        text = row["wall"]
        tiles = [text[at : at + 2] for at in range(0, len(text), 2)]
        if row["deal"] != self.walls or not self.settled:
            raise Wrong(f"the wall of deal {row['deal']} has no place here")
        if sorted(tiles) not in (sorted(SET), sorted(SET[:136])):
            raise Wrong("the wall is not a full set of tiles")
        deal = self.deals.get(self.walls)
        if self.deals and (deal is None or deal.nonces is None):
            raise Wrong(f"the wall of deal {self.walls} is laid before its commitment, or before what the seats add")
        if deal is not None:
            deal.wall, deal.dice = tiles, row["dice"]
        self.table, self.wall, self.dice = None, Wall(tiles, self.loose), row["dice"]
        self.settled = False

    def event(self, event: dict[str, Any]) -> None:
        """Any other event."""
        name = event["e"]
        if name in ("match_started", "match_ended"):
            return
        if self.settled:
            raise Wrong("something happens, and no wall has been laid")
        if name == "deal_started":
            if event["dice"] != self.dice or event["deal"] != self.walls or event["scores"] != self.scores:
                raise Wrong("the deal begins with other dice, another number or other scores")
            self.table = Table(self.wall, event)
            return
        if self.table is None:
            raise Wrong("something happens before the tiles are dealt")
        self.table.event(event)
        if name == "draw":
            self.draws += event["source"] == "wall"
            self.replacements += event["source"] != "wall"
        elif name in ("paid", "settled"):
            if sum(event["changes"]):
                raise Wrong("a payment does not sum to zero")
            self.scores = [self.scores[seat] + event["changes"][seat] for seat in range(4)]
            if event["scores"] != self.scores:
                raise Wrong("the scores do not add up")
            self.settled = name == "settled"


# --- the file ---------------------------------------------------------------------------------------------------------


def lines_of(name: str) -> list[bytes]:
    """The lines of a file, each with its line feed."""
    try:
        with open(name, "rb") as file:  # noqa: PTH123 # a path is all it is given
            content = file.read()
    except OSError as error:
        raise Unreadable(f"{name}: {error.strerror}") from error
    if not content:
        raise Unreadable("the file is empty")
    lines = content.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, no key of which stands twice."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def object_of(line: bytes) -> dict[str, Any]:
    """The JSON object of a line."""
    try:
        value = json.loads(line.decode("utf-8").lstrip("\ufeff"), object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"this is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise Unreadable("this is no JSON object")
    return value


def check_seal(row: dict[str, Any], chain: bytes, key: str | None) -> None:
    """The seal of lines that came to `chain`."""
    if sorted(row) != ["chain", "key", "row", "signature"]:
        raise Unreadable("a seal has chain, key and signature")
    if unhex(row["chain"], 32, "the seal's chain") != chain:
        raise Wrong(f"the lines come to {chain.hex()}, and the seal was made for {row['chain']}")
    public, signature = unhex(row["key"], 32, "the seal's key"), unhex(row["signature"], 64, "the signature")
    if key is not None and row["key"] != key:
        raise Wrong(f"the seal was made with the key {row['key']}")
    if not signed(public, b"mj-seal-v1" + chain, signature):
        raise Wrong("the signature is not one of the seal's key")


def checked(lines: list[bytes], key: str | None, loose: int) -> tuple[Match, str | None, tuple[int, Exception] | None]:
    """The match, the key that sealed it, and the first line that is wrong with the reason."""
    sealer: str | None = None
    chain = b""
    match: Match | None = None
    for number, line in enumerate(lines, 1):
        try:
            row = object_of(line)
            if match is None:
                if row.get("record") not in (1, 2) or type(row["record"]) is not int:
                    raise Unreadable("this is no record of a match in a format that this program knows (1 or 2)")
                match = Match(row, loose)
            elif row.get("row") == "seal":
                if not match.ended or sealer is not None:
                    raise Wrong("a record is sealed once, after its last row")
                check_seal(row, chain, key)
                sealer = row["key"]
            elif sealer is not None:
                raise Wrong("the record goes on after its seal")
            else:
                match.take(number, row)
        except (Wrong, Unreadable) as error:
            if match is None:
                raise
            return match, sealer, (number, error)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise Unreadable(f"line {number}: something is missing or of another type ({error!r:.60})") from error
        chain = hashlib.sha256(chain + line).digest()
    assert match is not None
    return match, sealer, None


def report(match: Match, sealer: str | None, key: str | None, loose_known: bool) -> Iterator[str]:
    """What was checked and what was not, in lines."""
    yield f"match {match.name or 'without a name'}, {match.walls} deals"
    for number, deal in sorted(match.deals.items()):
        if deal.seed is not None:
            took_part = [
                f"seat {seat}" for seat in range(4) if deal.nonces is not None and deal.nonces[seat] is not None
            ]
            seats = f"{' and '.join(took_part) or 'no seat'} added a part"
            wall = "wall and dice are what they give" if deal.wall is not None else "never dealt"
            yield f"deal {number}: the seed fits the commitment in line {deal.line}; {seats}; {wall}"
    way = "the loose tiles" if match.loose else "the end of the wall"
    yield f"{match.draws} draws and {match.replacements} replacements are the walls', taken from {way}" + (
        "" if loose_known else " or otherwise: nothing here tells"
    )
    yield f"payments add up to the scores {match.scores}; that they follow the rules was not checked"
    if sealer is not None:
        yield f"the seal is right, made with the key {sealer}"
    if match.walls and not match.deals:
        yield "NOT CHECKED: whether the walls were fair, since the record tells no commitments"
    if any(deal.seed is None for deal in match.deals.values()):
        yield "NOT CHECKED: walls whose seeds are not shown yet"
    if not match.ended:
        yield "NOT CHECKED: what comes after this; the record has no end"
    if sealer is None:
        yield "NOT CHECKED: whose record it is, since it has no seal"
    elif key is None:
        yield "NOT CHECKED: whose key that is; compare it with the house's, or insist on that with --key"


def stop(text: str, status: int) -> NoReturn:
    """The end."""
    sys.stderr.write(f"{text}\n")
    sys.exit(status)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--key", metavar="HEX", help="insist on a seal that was made with this key")
    arguments = parser.parse_args()
    key: str | None = arguments.key.lower() if arguments.key else None
    if key is not None and not re.fullmatch(r"[0-9a-f]{64}", key):
        parser.error("a key is 64 digits in hex")
    try:
        lines = lines_of(arguments.file)
        found = [checked(lines, key, loose) for loose in (0, 2)]
    except (Wrong, Unreadable) as error:
        stop(f"{arguments.file}: {error}", 2)
    # A game takes replacements in one of two ways: the one that leads further is this game's.
    reached = [len(lines) + 1 if wrong is None else wrong[0] for _, _, wrong in found]
    match, sealer, wrong = found[reached[1] > reached[0]]
    if wrong is not None:
        number, reason = wrong
        stop(f"{arguments.file}, line {number}: {reason}", 2 if isinstance(reason, Unreadable) else 1)
    for line in report(match, sealer, key, reached[0] != reached[1]):
        sys.stdout.write(line + "\n")
    if key is not None and sealer is None:
        stop(f"{arguments.file}: it has no seal, and --key insists on one", 1)


if __name__ == "__main__":
    main()
