"""A ruleset, and what is different between two, as lines for a terminal of 80 columns."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import click
from rich.cells import cell_len, chop_cells

from parlour_engine.rulesets import Change, Difference, InstantPayment, Option, Paragraph, Ruleset, SheetRow, Switch
from parlour_server.rulebook import replaced
from parlour_server.switch_text import called, changes

LANGUAGES: Final = ("en", "zh-Hant")
WIDTH: Final = 79
_BREAKABLE: Final = "，。；、：）"

_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "version": "version",
        "based_on": "based on",
        "each": "each",
        "point": "point",
        "points": "points",
        "double": "double",
        "doubles": "doubles",
        "half": "half the limit",
        "whole": "the limit",
        "more": "and {step} more for each further one",
        "from": "as many as the switch “{name}” says",
        "replaces": "takes the place of",
        "everyone": "also for hands that did not win",
        "boolean": "true or false",
        "integer": "a whole number from {} to {}",
        "words": "Words of the game",
        "instants": "Paid at once by each other player",
        "heads": "for 9, 10, 11 ... different heads",
        "groups": "Groups: of the rows in one only that which is worth most counts",
        "options": "Switches",
        "procedure": "How a deal is played",
        "default": "default",
        "or": "or",
    },
    "zh-Hant": {
        "version": "版本",
        "based_on": "依據",
        "each": "每個",
        "point": "分",
        "points": "分",
        "double": "番",
        "doubles": "番",
        "half": "半滿",
        "whole": "滿貫",
        "more": "其後每多一次再加{step}",
        "from": "按選項「{name}」",
        "replaces": "取代",
        "everyone": "沒有{win}的牌亦計",
        "boolean": "true 或 false",
        "integer": "{} 至 {} 的整數",
        "words": "本玩法之用語",
        "instants": "即時由其餘每家支付",
        "heads": "起手九、十、十一……種么九",
        "groups": "組別：同組只計最高者",
        "options": "選項",
        "procedure": "打法",
        "default": "預設",
        "or": "或",
    },
}


_KEYS: Final[Mapping[str, str]] = {"rules": "rule", "equal_later": "equal = later"}
"""Keys of the file whose values have another name inside."""


def title(ruleset: Ruleset, lang: str) -> str:
    """Name, key and version in one line."""
    return f"{ruleset.names[lang]} ({ruleset.key}, {_WORDS[lang]['version']} {ruleset.version})"


def print_lines(lines: Iterable[str]) -> None:
    """Print lines; headings, which end in a tab, are bold where the output is a terminal."""
    for line in lines:
        heading = line.endswith("\t")
        # Where the output is no terminal, click takes the style away.
        click.echo(click.style(line.rstrip("\t"), bold=heading))


def page(ruleset: Ruleset, lang: str) -> Iterator[str]:
    """The whole ruleset in one language."""
    words = _WORDS[lang]
    yield title(ruleset, lang) + "\t"
    yield from wrapped(ruleset.source, "")
    if ruleset.based_on is not None:
        yield from wrapped(f"{words['based_on']} {ruleset.base_names[lang]} ({ruleset.based_on})", "")
    for section in ruleset.sections:
        yield ""
        yield f"{section.names[lang]} ({section.id})\t"
        for row in ruleset.sheet:
            if row.section == section.id:
                yield from _row(row, ruleset, lang)
    yield ""
    yield words["words"] + "\t"
    for word, said in ruleset.words.items():
        yield f"  {word:8}{said[lang]}"
    if ruleset.groups:
        yield ""
        yield words["groups"] + "\t"
        for group in ruleset.groups:
            yield from _headed(group.id, "equal = later" if group.equal_later else "", group.clause)
    if ruleset.instants:
        yield ""
        yield words["instants"] + "\t"
        for payment in ruleset.instants.values():
            yield from _instant(payment, ruleset, lang)
    if ruleset.options:
        yield ""
        yield words["options"] + "\t"
        for option in ruleset.options.values():
            yield from _option(option, lang)
    if ruleset.procedures:
        yield ""
        yield words["procedure"] + "\t"
        for paragraph in ruleset.procedures:
            yield from _headed(identified(paragraph, lang), "", paragraph.clause)
            yield from wrapped(paragraph.rules[lang], "    ")


def difference_lines(found: Iterable[Difference], lang: str) -> Iterator[str]:
    """One line or more for each difference, under the word for what it is a piece of."""
    part = ""
    for difference in found:
        if difference.part != part:
            part = difference.part
            yield part + "\t"
        name = f" ({difference.names[lang]})" if lang in difference.names else ""
        if not difference.changes:
            yield from wrapped(f"{difference.what} {difference.id}{name}", "  ", "      ")
            continue
        said = [_change(change, difference, lang) for change in difference.changes]
        if part in ("play", "words", "ruleset"):
            for change in said:
                yield from wrapped(change, "  ", "      ")
        elif len(said) == 1:
            yield from wrapped(f"{difference.id}{name}: {said[0]}", "  ", "      ")
        else:
            yield from wrapped(f"{difference.id}{name}:", "  ", "      ")
            for change in said:
                yield from wrapped(change, "    ", "      ")


def _row(row: SheetRow, ruleset: Ruleset, lang: str) -> Iterator[str]:
    words = _WORDS[lang]
    yield from _headed(identified(row, lang), worth(row, lang), row.clause)
    yield from wrapped(row.rules[lang], "    ")
    if row.points_from:
        yield from wrapped(words["from"].format(name=ruleset.options[row.points_from].names[lang]), "    ")
    if row.step:
        yield from wrapped(words["more"].format(step=row.step), "    ")
    names = {other.id: other.names[lang] for other in ruleset.sheet}
    outdone = [names[name] for name in replaced(row, ruleset)]
    if outdone:
        separator = "、" if lang == "zh-Hant" else ", "
        yield from wrapped(f"{words['replaces']}: {separator.join(outdone)}", "    ", "      ")
    if "unfinished" in row.readings:
        yield from wrapped(words["everyone"].format(win=ruleset.words["win"][lang]), "    ")
    for told in changes(row, ruleset.options, lang):
        yield from wrapped(told or "", "    ", "      ")
    yield from wrapped(_asked(next(printed for printed in ruleset.printed if printed.id == row.id)), "    ", "      ")


def identified(piece: SheetRow | InstantPayment | Paragraph, lang: str) -> str:
    """What people call a piece, and what a file calls it."""
    return f"{piece.names[lang]} ({piece.id})"


def _asked(row: SheetRow) -> str:
    """When a row counts, in the keys and words of its file; empty for one that is asked nothing."""
    said = [f'question = "{row.question}"'] if row.question else []
    if row.least != 1:
        said.append(f"least = {row.least}")
    if row.most >= 0:
        said.append(f"most = {row.most}")
    for key, names in (("groups", row.groups), ("only", row.only)):
        if names:
            said.append(f"{key} = [" + ", ".join(f'"{name}"' for name in names) + "]")
    return ", ".join(said)


def worth(row: SheetRow, lang: str) -> str:
    """What a row gives, in words."""
    words = _WORDS[lang]
    gap = "" if lang == "zh-Hant" else " "
    found: list[str] = []
    if row.points:
        found.append(f"{row.points}{gap}{words['point' if row.points == 1 else 'points']}")
    if row.doubles:
        found.append(f"{row.doubles}{gap}{words['double' if row.doubles == 1 else 'doubles']}")
    if row.limit:
        found.append(words[row.limit])
    if not found:
        return f"0{gap}{words['points']}"
    return (", ".join(found)) + (f" {words['each']}" if row.each else "")


def _set(switch: Switch, lang: str) -> str:
    changed = {
        "points": switch.points,
        "question": switch.question,
        "groups": switch.groups,
        "readings": switch.readings,
    }
    return ", ".join(f"{key} = {_plain(value, lang)}" for key, value in changed.items() if value is not None)


def _instant(payment: InstantPayment, ruleset: Ruleset, lang: str) -> Iterator[str]:
    words = _WORDS[lang]
    points = payment.points or (payment.bases * ruleset.procedure.base,)
    yield from _headed(identified(payment, lang), ", ".join(map(str, points)), payment.clause)
    if payment.points:
        yield from wrapped(words["heads"], "    ")
    yield from wrapped(payment.rules[lang], "    ")


def _option(option: Option, lang: str) -> Iterator[str]:
    words = _WORDS[lang]
    values = [called(value, option.value_names, lang) for value in option.values]
    allowed = f" {words['or']} ".join(values) or words[option.type].format(*option.span or ())
    yield from _headed(option.names[lang], "", option.clause)
    yield from wrapped(f"{option.id}: {allowed} ({words['default']} {_plain(option.default, lang)})", "    ", "      ")
    if option.rules is not None:
        yield from wrapped(option.rules[lang], "    ")


def _change(change: Change, difference: Difference, lang: str) -> str:
    key = _KEYS.get(change.key, change.key)
    before, after = [
        called(value, difference.value_names, lang) if change.key == "default" else _plain(value, lang)
        for value in (change.before, change.after)
    ]
    return f"{key} {before} -> {after}"


def _plain(value: object, lang: str) -> str:
    """A value of a ruleset as its file would have it, near enough to read."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or (isinstance(value, str | tuple | list | Mapping) and not value):
        return "none"
    if isinstance(value, Mapping):
        if lang in value:
            return f'"{value[lang]}"'
        return "{ " + ", ".join(f"{key} = {_plain(said, lang)}" for key, said in value.items()) + " }"
    if isinstance(value, Switch):
        when = ", ".join(f"{name} = {_plain(said, lang)}" for name, said in value.when.items())
        return f"({when}: {_set(value, lang)})"
    if isinstance(value, tuple | list):
        return ", ".join(_plain(item, lang) for item in value)
    record = getattr(value, "record", None)
    return _plain(record, lang) if record is not None else str(value)


def _headed(name: str, worth_of: str, clause: str) -> Iterator[str]:
    """`  name ..... worth` with the clause at the right, on a line of its own where there is no room."""
    left = f"  {name}"
    right = f"{worth_of}  [{clause}]" if worth_of else f"[{clause}]"
    gap = WIDTH - cell_len(left) - cell_len(right)
    if gap >= 2:
        yield left + " " * gap + right
    else:
        yield from wrapped(name, "  ")
        yield " " * max(4, WIDTH - cell_len(right)) + right


def wrapped(text: str, indent: str, further: str | None = None) -> Iterator[str]:
    """A text in lines of WIDTH columns at most; Chinese may break anywhere but before a stop."""
    room = WIDTH - len(indent if further is None else further)
    line = ""
    margin = indent
    for piece in _pieces(text):
        if line and cell_len(line + piece.rstrip()) > room:
            yield margin + line.rstrip()
            line, margin = "", indent if further is None else further
        for part in chop_cells(piece, room) if cell_len(piece) > room else [piece]:
            if line and cell_len(line + part.rstrip()) > room:
                yield margin + line.rstrip()
                line, margin = "", indent if further is None else further
            line += part
    if line:
        yield margin + line.rstrip()


def _pieces(text: str) -> Iterator[str]:
    """The text cut where a line may end."""
    piece = ""
    for place, letter in enumerate(text):
        piece += letter
        after = text[place + 1 : place + 2]
        if letter == " " or (cell_len(letter) == 2 and after not in _BREAKABLE) or cell_len(after) == 2:
            if after and after in _BREAKABLE:
                continue
            yield piece
            piece = ""
    if piece:
        yield piece
