"""A derivation as plain data, for `parlour explain --json` (docs/explain.md)."""

from collections.abc import Mapping, Sequence

from parlour_engine.notation import TILE_TEXT, hand_text, meld_text
from parlour_engine.rulesets import Ruleset
from parlour_engine.scoring.dangerous import Danger
from parlour_engine.scoring.explanation import ExplainedHand, ExplainedReading, Explanation
from parlour_engine.scoring.groups import Group
from parlour_engine.scoring.record import LOST, WAYS, ScoringRecord
from parlour_engine.seats import WINDS
from parlour_engine.shortfall import PartialReading, Shortfall
from parlour_engine.tiles import Kind

Plain = dict[str, object]


def explanation_value(explanation: Explanation) -> Plain:
    """The hands and the payments, all names and rules in both languages."""
    return {
        "hands": [hand_value(hand) for hand in explanation.hands],
        "payments": [
            {
                "from": WINDS[payment.source],
                "to": WINDS[payment.target],
                "amount": payment.amount,
                "reason": payment.reason,
                "alone": payment.alone,
                "doubled": payment.doubled,
                "higher": payment.higher,
                "lower": payment.lower,
            }
            for payment in explanation.payments
        ],
        "net": dict(zip(WINDS, explanation.net, strict=True)),
        "dangerous_discard": _danger(explanation.danger),
    }


def _danger(danger: Danger | None) -> Plain | None:
    if danger is None:
        return None
    return {
        "from": WINDS[danger.discarder],
        "shown": list(danger.shown),
        "pays": danger.penalised if danger.judged else None,
        "excused": danger.excuse or None,
    }


def game_value(ruleset: Ruleset) -> Plain:
    """The game and the switches that differ from its defaults."""
    return {
        "ruleset": ruleset.key,
        "version": ruleset.version,
        "options": {name: value for name, value in ruleset.values.items() if value != ruleset.options[name].default},
    }


def shortfall_value(
    shortfall: Shortfall, reading: PartialReading, form_names: Mapping[str, Mapping[str, str]]
) -> Plain:
    """What a hand lacks; `form_names` are those of the special forms."""
    return {
        "missing": shortfall.missing,
        "form": shortfall.form,
        "completing": _tiles(shortfall.completing),
        "helping": _tiles(shortfall.helping),
        "forms": [
            {
                "form": form.form,
                "name": _texts(form_names.get(form.form, {})),
                "missing": form.missing,
                "helping": _tiles(form.helping),
            }
            for form in shortfall.forms
        ],
        "parts": [
            {
                "form": part.form,
                "there": hand_text(part.there),
                "lacking": part.lacking,
                "waits": _tiles(part.waits),
            }
            for part in reading.parts
        ],
        "left_over": hand_text(reading.spare),
    }


def hand_value(hand: ExplainedHand) -> Plain:
    """One hand with its derivation."""
    record = hand.record
    return {
        "seat": WINDS[hand.seat_wind],
        "won": hand.won,
        "hand": hand_text([kind for kind, held in enumerate(record.counts) for _ in range(held)]),
        "melds": [meld_text(meld) for meld in record.melds],
        "flowers": hand_text(record.flowers),
        "win": _win(record),
        "reading": _reading(hand.reading),
        "considered": [_reading(other) for other in hand.others],
        "margin": hand.margin,
        "waits": _tiles(hand.waits),
        "awards": [
            {
                "award": row.id,
                "name": _texts(row.names),
                "rule": _texts(row.rules),
                "clause": row.clause,
                "points": row.points,
                "doubles": row.doubles,
                "limit": row.limit or None,
                "count": row.count,
                "stage": row.stage,
            }
            for row in hand.rows
        ],
        "replaced": [
            {
                "award": row.id,
                "name": _texts(row.names),
                "rule": _texts(row.rules),
                "clause": row.clause,
                "points": row.points,
                "doubles": row.doubles,
                "limit": row.limit or None,
                "by": row.by,
            }
            for row in hand.replaced
        ],
        "points": hand.points,
        "doubles": hand.doubles,
        "limited": hand.limited,
        "steps": [{"does": step.does, "award": step.row or None, "value": step.value} for step in hand.steps],
        "total": hand.total,
        "payments": dict(zip(WINDS, hand.payments, strict=True)),
    }


def _win(record: ScoringRecord) -> Plain | None:
    if record.by == LOST:
        return None
    return {
        "by": WAYS[record.by],
        "tile": None if record.win_tile < 0 else TILE_TEXT[record.win_tile],
        "from": None if record.from_wind < 0 else WINDS[record.from_wind],
    }


def _reading(reading: ExplainedReading) -> Plain:
    return {
        "form": reading.form,
        "groups": [_group(group) for group in reading.groups],
        "points": reading.points,
        "total": reading.total,
    }


def _group(group: Group) -> Plain:
    return {
        "form": group.form,
        "tiles": hand_text(group.tiles),
        "declared": group.declared,
        "winning": group.winning,
    }


def _tiles(kinds: Sequence[Kind]) -> list[str]:
    return [TILE_TEXT[kind] for kind in kinds]


def _texts(texts: Mapping[str, str]) -> dict[str, str]:
    return dict(texts)
