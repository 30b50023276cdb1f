"""The client's TypeScript types, written from the message classes: `python -m parlour_server.protocol.typescript FILE`.

The numbers that the client's texts name come along, each from the module that decides it.

With `--check FILE` nothing is written and the exit status tells whether the file is up to date.
"""

import json
import sys
import types
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs

from parlour_server.people.passwords import SHORTEST
from parlour_server.protocol import events, listings, lobby, messages, values
from parlour_server.table.settings import CLOCKS

HEADER = "// Generated from parlour_server.protocol by `make types`; edit the Python classes instead.\n"


def _type(hint: Any) -> str:
    if hint is type(None):
        return "null"
    if hint is bool:
        return "boolean"
    if hint is int:
        return "number"
    if hint is str:
        return "string"
    origin = get_origin(hint)
    if origin is Literal:
        return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in get_args(hint))
    if origin in (Union, types.UnionType):
        if hint == events.TableEvent:
            return "TableEvent"
        return " | ".join(_type(part) for part in get_args(hint))
    if origin is list:
        inner = _type(get_args(hint)[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is dict:
        return f"Record<string, {_type(get_args(hint)[1])}>"
    if attrs.has(hint):
        return str(hint.__name__)
    raise TypeError(f"no TypeScript for {hint!r}")


def _interface(cls: type, optional: bool) -> str:
    hints = get_type_hints(cls)
    lines = [f"export interface {cls.__name__} {{"]
    for field in attrs.fields(cls):
        tag = field.name in ("type", "e")
        mark = "?" if optional and not tag and field.default is not attrs.NOTHING else ""
        lines.append(f"  {field.name}{mark}: {_type(hints[field.name])};")
    return "\n".join([*lines, "}", ""])


def _union(name: str, union: Any) -> str:
    return f"export type {name} = " + " | ".join(cls.__name__ for cls in get_args(union)) + ";\n"


def plain_classes(module: types.ModuleType) -> list[type]:
    """The classes of values that a module defines, in order."""
    return [cls for cls in vars(module).values() if attrs.has(cls) and cls.__module__ == module.__name__]


def _clocks() -> str:
    fields = ("discard_ms", "claim_ms", "bank_ms")
    lines = ["/** Milliseconds for a discard, for a claim, and in the bank of each seat for a whole match. */"]
    lines.append("export const CLOCKS = {")
    for name, times in CLOCKS.items():
        told = ", ".join([f"{field}: {json.dumps(time)}" for field, time in zip(fields, times, strict=True)])
        lines.append(f"  {name}: {{ {told} }},")
    return "\n".join([*lines, "} as const;", ""])


def generate() -> str:
    """The whole file's text."""
    parts = [HEADER]
    plain = [cls for module in (values, listings) for cls in plain_classes(module)]
    parts += [_interface(cls, optional=False) for cls in plain]
    parts += [_interface(cls, optional=False) for cls in get_args(events.TableEvent)]
    parts.append(_union("TableEvent", events.TableEvent))
    parts += [_interface(cls, optional=True) for cls in get_args(messages.FromClient)]
    parts.append(_union("FromClient", messages.FromClient))
    parts.append(_interface(lobby.RulesetLine, optional=False))
    parts += [_interface(cls, optional=False) for cls in get_args(messages.ToClient)]
    parts.append(_union("ToClient", messages.ToClient))
    parts.append(f"export type ErrorCode = {_type(messages.ErrorCode)};\n")
    parts.append(f"export const PROTOCOL = {messages.PROTOCOL};\n")
    parts.append(_clocks())
    parts.append(
        f"/** Characters of the longest line of talk. */\nexport const LONGEST_LINE = {messages.LONGEST_LINE};\n"
    )
    parts.append(f"/** Characters of the shortest password. */\nexport const SHORTEST_PASSWORD = {SHORTEST};\n")
    return "\n".join(parts)


def main(arguments: list[str]) -> int:
    """Write the file named, or compare it with `--check`; returns the exit status."""
    check = "--check" in arguments
    target = Path(next(argument for argument in arguments if argument != "--check"))
    text = generate()
    if not check:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        return 0
    if target.is_file() and target.read_text(encoding="utf-8") == text:
        return 0
    sys.stderr.write(f"{target} is not what the message classes say: run `make types`\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
