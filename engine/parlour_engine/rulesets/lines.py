"""On which line of a TOML text a key stands: `tomllib` reads values but does not say where they were."""

from typing import Final

Place = tuple[str, int, str]
"""Table, which of the tables of that name (from 0), key; the empty key is the table's header."""


class Lines:
    """The lines of the tables and keys of one text."""

    def __init__(self, text: str) -> None:
        self._lines: Final[dict[Place, int]] = {}
        table, index = "", 0
        seen: dict[str, int] = {}
        for line, statement in _statements(text):
            if statement.startswith("["):
                table = statement.strip("[] \t")
                index = seen.get(table, 0)
                seen[table] = index + 1
                self._lines[(table, index, "")] = line
            else:
                key = statement.split("=", 1)[0].split(".", 1)[0].strip().strip("\"'")
                self._lines.setdefault((table, index, key), line)

    def line(self, table: str, index: int = 0, key: str = "") -> int:
        """The line of a key, of its table where the key is missing, else 1."""
        return self._lines.get((table, index, key)) or self._lines.get((table, index, "")) or 1


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


def _after(line: str, depth: int, quote: str) -> tuple[int, str]:
    """How many brackets and which quotes are still open when a line has been read."""
    at = 0
    while at < len(line):
        if quote:
            if line[at] == "\\" and quote.startswith('"'):
                at += 2
            elif line.startswith(quote, at):
                at += len(quote)
                quote = ""
            else:
                at += 1
        elif line[at] in "\"'":
            quote = line[at] * 3 if line.startswith(line[at] * 3, at) else line[at]
            at += len(quote)
        elif line[at] == "#":
            break
        else:
            depth += (line[at] in "[{") - (line[at] in "]}")
            at += 1
    # A quote of one mark ends with its line.
    return depth, quote if len(quote) == 3 else ""
