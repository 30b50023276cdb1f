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
