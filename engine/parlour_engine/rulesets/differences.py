"""What is different between two rulesets, piece by piece."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from attrs import Attribute, fields, frozen

from parlour_engine.rulesets.ruleset import Example, Ruleset, SheetRow

ADDED, REMOVED, CHANGED = "added", "removed", "changed"


@frozen
class Change:
    """One key that two rulesets give differently, None where one of them does not have it."""

    key: str
    before: object
    after: object


@frozen
class Difference:
    """A piece that only one of two rulesets has, or that they say differently.

    `part` is what the file calls it (`row`, `option`, `group`, `section`, `instant`, `procedure`), or `play`, `words`
    or `ruleset` for keys that belong to the whole; `names` are those of the newer piece, empty where it has none.
    `changes` is empty for what was added or removed; `value_names` are those of a switch in both, the newer ones where
    they differ.
    """

    part: str
    id: str
    names: Mapping[str, str]
    what: str
    changes: tuple[Change, ...] = ()
    value_names: Mapping[str, Mapping[str, str]] = MappingProxyType({})


_WHOLE: Final = ("names", "version", "source", "tally", "payment")


def differences(old: Ruleset, new: Ruleset) -> tuple[Difference, ...]:
    """Every difference, in the order of the rule book: the whole, play, words, rows, groups, headings, options,
    payments, procedure. Switches are compared as the files declare them, not as a table has set them."""
    found = [*_whole(old, new)]
    for part, before, after in (
        ("row", old.printed, new.printed),
        ("group", old.groups, new.groups),
        ("section", old.sections, new.sections),
        ("option", tuple(old.options.values()), tuple(new.options.values())),
        ("instant", tuple(old.instants.values()), tuple(new.instants.values())),
        ("procedure", old.procedures, new.procedures),
    ):
        found += _pieces(part, before, after)
    return tuple(found)


def _whole(old: Ruleset, new: Ruleset) -> Iterator[Difference]:
    changes = [Change(key, getattr(old, key), getattr(new, key)) for key in _WHOLE]
    changes = [change for change in changes if change.before != change.after]
    if changes:
        yield Difference("ruleset", new.key, new.names, CHANGED, tuple(changes))
    for part, before, after in (("play", old.play, new.play), ("words", old.words, new.words)):
        keys = [*before, *(key for key in after if key not in before)]
        changes = [Change(key, before.get(key), after.get(key)) for key in keys]
        changes = [change for change in changes if change.before != change.after]
        if changes:
            yield Difference(part, part, {}, CHANGED, tuple(changes))


def _pieces(part: str, before: Sequence[Any], after: Sequence[Any]) -> Iterator[Difference]:
    olds = {piece.id: piece for piece in before}
    news = {piece.id: piece for piece in after}
    for name, piece in olds.items():
        if name not in news:
            yield Difference(part, name, getattr(piece, "names", {}), REMOVED)
    for name, piece in news.items():
        names = getattr(piece, "names", {})
        if name not in olds:
            yield Difference(part, name, names, ADDED)
        elif changes := tuple(_changes(olds[name], piece)):
            called = {**getattr(olds[name], "value_names", {}), **getattr(piece, "value_names", {})}
            yield Difference(part, name, names, CHANGED, changes, called)


def _changes(old: Any, new: Any) -> Iterator[Change]:
    attribute: Attribute[Any]
    for attribute in fields(type(new)):
        before, after = getattr(old, attribute.name), getattr(new, attribute.name)
        if isinstance(before, Example) and isinstance(after, Example):
            # Where a hand stands is no difference.
            before, after = before.record, after.record
        if attribute.name == "points" and isinstance(new, SheetRow):
            # Points that an option gives are none of the row's own.
            before, after = [None if row.points_from else row.points for row in (old, new)]
        if before != after:
            yield Change(attribute.name, before, after)
