"""On which line of a TOML text a key stands: `tomllib` reads values but does not say where they were."""

import re
from typing import Final

Place = tuple[str, int]
"""A table and which of that name (from 0); the text before the first header is the table without a name."""


class Lines:
    """The lines of the tables and keys of one text."""

    def __init__(self, text: str) -> None:
        self._headers: Final[dict[Place, int]] = {}
        self._keys: Final[dict[Place, dict[str, int]]] = {}
        table, index = "", 0
        seen: dict[str, int] = {}
        for line, statement in _statements(text):
            if statement.startswith("["):
                table = statement.strip("[] \t")
                index = seen.get(table, 0)
                seen[table] = index + 1
                self._headers[(table, index)] = line
            else:
                key = statement.split("=", 1)[0].split(".", 1)[0].strip().strip("\"'")
                self._keys.setdefault((table, index), {}).setdefault(key, line)

    def header(self, table: str, index: int = 0) -> int:
        """The line on which a table begins, 0 where it has no header of its own."""
        return self._headers.get((table, index), 0)

    def of(self, table: str, index: int = 0) -> dict[str, int]:
        """The lines of a table's keys, by key."""
        return dict(self._keys.get((table, index), {}))


_TAKEN: Final = ("Cannot overwrite", "Cannot declare", "Cannot mutate", "Duplicate inline table key")
"""How `tomllib` begins where a key or a table is there already. It names neither, nor where the first one stands."""


def written_twice(text: str, said: str) -> tuple[int, str] | None:
    """The line of a key or a table that is there already, and what to tell about it; None where `said`, the message of
    `tomllib`, is about something else."""
    if not said.startswith(_TAKEN):
        return None
    place = re.search(r"\(at line (\d+), ", said)
    last = int(place[1]) if place else text.count("\n") + 1
    inline = re.match(r"Duplicate inline table key (.*) \(at ", said)
    if inline:
        return last, f"{inline[1][:60]} is written twice in one table"
    line, statement = 1, ""
    found: list[tuple[int, str]] = []
    for number, earlier in _statements(text):
        if number > last:
            break
        line, statement = number, earlier
        found.append((number, earlier))
    header = statement.startswith("[")
    name = _parts(statement)
    table: tuple[str, ...] = ()
    first = 0
    for number, earlier in found[:-1]:
        other = _parts(earlier)
        if earlier.startswith("["):
            table = other
            # A key stands against one of its own table, which is the last one.
            first = first if header else 0
            taken = header and other == name and not (earlier.startswith("[[") and statement.startswith("[["))
        else:
            other = (*table, *other) if header else other
            shorter = min(len(name), len(other))
            taken = name[:shorter] == other[:shorter]
        first = first or (number if taken else 0)
    if first:
        return line, f"{'.'.join(name)[:60]!r} is written twice, on lines {first} and {line}"
    return line, "a key or a table that is there already is written again"


def _parts(statement: str) -> tuple[str, ...]:
    """The parts of the dotted name of a header or a key."""
    name = statement.strip("[] \t") if statement.startswith("[") else statement.split("=", 1)[0]
    return tuple([part.strip().strip("\"'") for part in name.split(".")])


def _statements(text: str) -> list[tuple[int, str]]:
    """The first line of every header and every `key = value`, with its number."""
    found: list[tuple[int, str]] = []
    depth = 0
    quote = ""
    for number, line in enumerate(text.split("\n"), 1):
        content = line.strip()
        if depth == 0 and not quote and content and not content.startswith("#"):
            found.append((number, content.split("#", 1)[0].rstrip() if content.startswith("[") else content))
            if content.startswith("["):
                continue
        depth, quote = _after(line, depth, quote)
    return found


_CLOSED: Final = re.compile(r"""[^"'#\[\]{}]+|"(?!"")(?:[^"\\]|\\.)*"|'(?!'')[^']*'|#.*""")
"""What changes neither brackets nor quotes: plain text, a string of one line, a comment."""


def _after(line: str, depth: int, quote: str) -> tuple[int, str]:
    """How many brackets and which quotes are still open when a line has been read."""
    at = 0
    while at < len(line):
        if quote:
            end = _end(line, at, quote)
            if end < 0:
                return depth, quote
            at, quote = end, ""
        elif found := _CLOSED.match(line, at):
            at = found.end()
        elif line.startswith(_LONG_QUOTES, at):
            quote = line[at : at + 3]
            at += 3
        else:
            depth += (line[at] in "[{") - (line[at] in "]}")
            at += 1
    return depth, quote


_LONG_QUOTES: Final = ('"""', "'''")


def _end(line: str, at: int, quote: str) -> int:
    """Where a string of several lines has ended, -1 where it goes on."""
    while at < len(line):
        if line[at] == "\\" and quote == '"""':
            at += 2
        elif line.startswith(quote, at):
            return at + 3
        else:
            at += 1
    return -1
