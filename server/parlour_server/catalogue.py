"""The rulesets as the welcome offers them."""

from typing import Literal, cast

from parlour_engine.rulesets import Ruleset
from parlour_engine.rulesets.ruleset import Option
from parlour_server.protocol.lobby import RulesetLine
from parlour_server.protocol.values import OptionLine
from parlour_server.table.verdict import names_of


def ruleset_line(ruleset: Ruleset) -> RulesetLine:
    """A ruleset with the switches that a table may set."""
    return RulesetLine(
        key=ruleset.key,
        version=ruleset.version,
        name=names_of(ruleset.names),
        hand_size=ruleset.procedure.hand_size,
        rounds=ruleset.rounds,
        options=[option_line(option) for option in ruleset.options.values()],
    )


def option_line(option: Option) -> OptionLine:
    """A switch, what it may be and what its values are called."""
    least, most = option.span or (None, None)
    return OptionLine(
        id=option.id,
        name=names_of(option.names),
        rule=None if option.rules is None else names_of(option.rules),
        type=cast(Literal["boolean", "integer", "text"], option.type),
        default=option.default,
        values=list(option.values),
        value_names={value: names_of(names) for value, names in option.value_names.items()},
        least=least,
        most=most,
    )
