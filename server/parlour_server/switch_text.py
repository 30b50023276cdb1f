"""What the switches of a ruleset say in words: what a value is called, and what it changes in a row."""

from collections.abc import Mapping
from typing import Final

from parlour_engine.rulesets import Option, OptionValue, SheetRow

_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "where": "Where {all}: {what}",
        "and": " and ",
        "is": "“{name}” is {value}",
        "number": "“{name}” is {value}",
        "chosen": "“{name}” is “{value}”",
        "on": "on",
        "off": "off",
        "point": "1 point.",
        "points": "{count} points.",
        "not": "this does not hold: {rule}",
        "between": " ",
        "called": "{value} “{name}”",
    },
    "zh-Hant": {
        "where": "{all}時：{what}",
        "and": "，而",
        "is": "「{name}」為{value}",
        "number": "「{name}」為 {value} ",
        "chosen": "「{name}」選「{value}」",
        "on": "開",
        "off": "關",
        "point": "1 分。",
        "points": "{count} 分。",
        "not": "以下不適用：{rule}",
        "between": "",
        "called": "{value}「{name}」",
    },
}


def value_text(option: Option, value: OptionValue, lang: str) -> str:
    """A value as people say it: on, 5, or the name that the file gives it."""
    if isinstance(value, bool):
        return _WORDS[lang]["on" if value else "off"]
    names = option.value_names.get(str(value))
    return str(value) if names is None else names[lang]


def called(value: object, value_names: Mapping[str, Mapping[str, str]], lang: str) -> str:
    """A value as the file has it, with its name if it has one."""
    if isinstance(value, bool):
        return "true" if value else "false"
    names = value_names.get(str(value))
    return str(value) if names is None else _WORDS[lang]["called"].format(value=value, name=names[lang])


def changes(row: SheetRow, options: Mapping[str, Option], lang: str) -> list[str | None]:
    """For each switch of a row what it changes, in a sentence; None where other sentences have said all of it."""
    words = _WORDS[lang]
    found: list[str | None] = []
    told: set[tuple[str, OptionValue]] = set()
    for switch in row.switches:
        pairs = set(switch.when.items())
        said: list[str] = []
        if switch.points is not None:
            said.append(words["point" if switch.points == 1 else "points"].format(count=switch.points))
        if switch.changes_more and not pairs <= told:
            said += [_rule(options[name], value, lang) for name, value in switch.when.items() if options[name].rules]
            told |= pairs
        where = words["and"].join([_is(options[name], value, lang) for name, value in switch.when.items()])
        found.append(words["where"].format(all=where, what=words["between"].join(said)) if said else None)
    return found


def _rule(option: Option, value: OptionValue, lang: str) -> str:
    """What holds where a switch has this value; the rule of one that is on or off says what it is to be on."""
    rule = (option.rules or {})[lang]
    return _WORDS[lang]["not"].format(rule=rule) if value is False else rule


def _is(option: Option, value: OptionValue, lang: str) -> str:
    words = _WORDS[lang]
    said = words["chosen" if isinstance(value, str) else "is" if isinstance(value, bool) else "number"]
    return said.format(name=option.names[lang], value=value_text(option, value, lang))
