"""A derivation as a referee reads it: lines of at most 80 columns."""

from collections.abc import Mapping, Sequence
from typing import Final
from unicodedata import east_asian_width

from parlour_engine.notation import TILE_TEXT, hand_text, meld_text
from parlour_engine.rulesets import Ruleset
from parlour_engine.scoring.dangerous import Danger
from parlour_engine.scoring.explanation import (
    ADDED,
    DOUBLE,
    LIMIT,
    VOID,
    ExplainedHand,
    ExplainedPayment,
    ExplainedReading,
    ExplainedRow,
    Explanation,
    ReplacedRow,
)
from parlour_engine.scoring.record import LOST, WAYS, ScoringRecord
from parlour_engine.shortfall import PartialReading, Shortfall
from parlour_engine.tiles import Kind
from parlour_server.derivation.words import Words
from parlour_server.record_text import columns, shown

WIDTH: Final = 80
_OTHERS: Final = 3
"""So many other readings are laid out; a hand of one suit may have dozens."""


def explanation_text(explanation: Explanation, words: Words) -> list[str]:
    """The derivation of every hand, then the payments."""
    lines: list[str] = []
    for hand in explanation.hands:
        lines += ["", *hand_lines(hand, words)]
    if explanation.payments:
        danger = explanation.danger
        lines += ["", words.payments]
        if danger is not None:
            lines += _wrapped(_danger(danger, explanation.hands[0], words), "  ", "  ")
        for payment in explanation.payments:
            said = _payment(payment, words, penalty=danger is not None and danger.penalised)
            lines += _wrapped(said, "  ", "    ")
        net = [f"{words.winds[wind]} {amount:{'+' if amount else ''},}" for wind, amount in enumerate(explanation.net)]
        lines += _wrapped(f"{words.net}{words.colon}{words.comma.join(net)}", "  ", "    ")
        if explanation.ruleset.scores_all and len(explanation.hands) == 1:
            lines += _wrapped(words.others_unknown, "  ", "  ")
        if explanation.unjudged and danger is None:
            lines += _wrapped(words.unjudged, "  ", "  ")
    return lines


def heading(ruleset: Ruleset, words: Words, name: str) -> list[str]:
    """The game, its version, the record's id, and the switches that differ from the default."""
    title = words.heading(ruleset.names[words.language], ruleset.version, shown(name))
    lines = [*_wrapped(title), "=" * min(WIDTH, columns(title))]
    changed = [
        f"{ruleset.options[key].names[words.language]} ({key}) = {str(value).lower()}"
        for key, value in ruleset.values.items()
        if value != ruleset.options[key].default
    ]
    return lines + (_wrapped(words.options("; ".join(changed)), "", "  ") if changed else [])


def record_lines(record: ScoringRecord, words: Words, *, wins: bool = True) -> list[str]:
    """Who won on what, and the tiles."""
    player = words.winds[record.seat_wind]
    if record.by == LOST:
        said = words.lost(player)
    elif not wins:
        said = words.not_winning(player)
    else:
        said = words.wins[WAYS[record.by]](player, "" if record.from_wind < 0 else words.winds[record.from_wind])
    facts = [
        words.flags[flag]
        for flag in ("replacement", "last_tile", "first_discard", "gong_on_gong", "called")
        if getattr(record, flag)
    ]
    said = words.space.join([said, *facts, words.round(words.winds[record.round_wind])])
    tiles = [kind for kind, held in enumerate(record.counts) for _ in range(held)]
    listed = [(words.in_hand, hand_text(tiles) or words.none)]
    if record.win_tile >= 0:
        listed.append((words.win_tile if wins else words.tile, TILE_TEXT[record.win_tile]))
    if record.melds:
        listed.append((words.melds, " ".join([_meld(meld_text(meld)) for meld in record.melds])))
    if record.flowers:
        listed.append((words.flowers, hand_text(record.flowers)))
    wide = max([columns(label) for label, _ in listed])
    return _wrapped(said) + [f"  {_padded(label, wide)}  {value}" for label, value in listed]


def hand_lines(hand: ExplainedHand, words: Words) -> list[str]:
    """One hand: tiles, reading, rows, what gave way, the sum."""
    lines = record_lines(hand.record, words)
    if hand.waits:
        lines += _wrapped(words.waits(_kinds(hand.waits)), "  ", "    ")
    lines += ["", *_reading_lines(hand, words), "", words.rows]
    if not hand.rows:
        lines.append(f"  {words.no_rows}")
    for row in hand.rows:
        lines += _row(row, words)
    if hand.replaced:
        lines += ["", words.replaced]
        for gone in hand.replaced:
            lines += _replaced(gone, words)
    return [*lines, "", *_sum_lines(hand, words)]


def _reading_lines(hand: ExplainedHand, words: Words) -> list[str]:
    if not hand.reading.groups:
        return [words.reading, f"  {words.none}"]
    lines = [words.reading, *_wrapped(_groups(hand.reading, hand.record, words), "  ", "  ")]
    lines.append(f"  {words.legend}")
    if hand.record.by == LOST:
        return lines
    if hand.margin is None:
        return [*lines, f"  {words.only}"]
    best = hand.others[0]
    lines += _wrapped(words.best(len(hand.others) + 1, hand.margin, f"{best.total:,}"), "  ", "    ")
    lines.append(f"  {words.considered}")
    for other in hand.others[:_OTHERS]:
        lines += _wrapped(f"{other.total:>7,}  {_groups(other, hand.record, words)}", "  ", " " * 11)
    if len(hand.others) > _OTHERS:
        lines.append(f"  {words.more(len(hand.others) - _OTHERS):>9}")
    return lines


def _groups(reading: ExplainedReading, record: ScoringRecord, words: Words) -> str:
    texts = []
    for place, group in enumerate(reading.groups):
        tiles = _meld(meld_text(record.melds[place])) if group.declared else hand_text(group.tiles)
        texts.append(f"{words.forms[group.form]} {tiles}{'*' if group.winning else ''}".replace(" ", _GLUE))
    return "  ".join(texts)


def _meld(text: str) -> str:
    return text if text.startswith("(") else f"[{text}]"


def _row(row: ExplainedRow, words: Words) -> list[str]:
    name = row.names[words.language] + (words.each(row.count) if row.count > 1 else "")
    rule = row.rules[words.language]
    return [*_entry(_worth(row.points, row.doubles, row.limit, words), name, row.clause), *_rule(rule)]


def _replaced(row: ReplacedRow, words: Words) -> list[str]:
    name = f"{row.names[words.language]}{words.comma}{words.gives_way(row.by_names[words.language])}"
    return _entry(_worth(row.points, row.doubles, row.limit, words), name, row.clause)


def _worth(points: int, doubles: int, limit: str, words: Words) -> str:
    if limit:
        return words.half_limit if limit == "half" else words.whole_limit
    if doubles and not points:
        return words.doubles(doubles)
    return f"{points:,} {words.doubles(doubles)}" if doubles else f"{points:,}"


def _entry(worth: str, name: str, clause: str) -> list[str]:
    """`worth  name ..... clause`, the clause at the right margin where there is room."""
    head = " " * max(0, 9 - columns(worth)) + worth + "  "
    room = WIDTH - columns(head) - columns(name) - columns(clause)
    if room >= 2:
        return [head + name + " " * room + clause]
    lines = _wrapped(name, head, " " * 11)
    return [*lines, *[_padded_left(line) for line in _wrapped(clause)]]


def _padded_left(text: str) -> str:
    return " " * (WIDTH - columns(text)) + text


def _rule(rule: str) -> list[str]:
    return _wrapped(rule, " " * 11, " " * 11) if rule else []


def _sum_lines(hand: ExplainedHand, words: Words) -> list[str]:
    names = {row.id: row.names[words.language] for row in hand.rows}
    points = {row.id: row.points for row in hand.rows}
    lines = [words.sum]
    for step in hand.steps:
        if step.does == DOUBLE:
            said = words.doubled(names[step.row])
        elif step.does == LIMIT:
            said = words.limit_by(names[step.row]) if step.row else words.limit
        elif step.does == VOID:
            said = words.void
        elif step.does == ADDED:
            said = words.added(names[step.row], f"{points[step.row]:,}")
        else:
            said = words.points
        lines += _wrapped(said, f"{step.value:>9,}  ", " " * 11)
    return [*lines, f"{hand.total:>9,}  {words.total}"]


def _danger(danger: Danger, winner: ExplainedHand, words: Words) -> str:
    """What made the discard dangerous, and what became of its discarder."""
    discarder = words.winds[danger.discarder]
    end = "" if danger.judged else words.danger_open(discarder)
    return danger_text(danger.shown, danger.excuse, discarder, words.winds[winner.seat_wind], words, end)


def danger_text(
    warnings: Sequence[str], excuse: str | None, discarder: str, winner: str, words: Words, end: str = ""
) -> str:
    """That a discard was dangerous, by which warnings, and its `end`: else that the discarder pays for all, or the
    excuse why not."""
    shown = words.semicolon.join([words.warnings[word] for word in warnings])
    end = end or (words.excuses[excuse] if excuse else words.danger_pays)(discarder)
    return f"{words.danger(discarder, winner, shown)}{words.space}{end}"


def _payment(payment: ExplainedPayment, words: Words, *, penalty: bool) -> str:
    """`penalty` where one player pays for all, his own part among it."""
    pays = words.pays(words.winds[payment.source], words.winds[payment.target], f"{payment.amount:,}")
    if payment.reason == "difference":
        why = [words.difference(f"{payment.higher:,}", f"{payment.lower:,}")]
    elif payment.reason == "hand":
        why = [words.reasons["own" if penalty else "alone" if payment.alone else "each"]]
    else:
        why = [words.reasons[payment.reason]]
    why += [words.twice] if payment.doubled else []
    return f"{pays}{words.colon}{words.semicolon.join(why)}{words.stop}"


# --- what is missing ------------------------------------------------------------------------------------------------


def shortfall_text(
    shortfall: Shortfall, reading: PartialReading, form_names: Mapping[str, Mapping[str, str]], words: Words
) -> list[str]:
    """What the hand lacks, which tiles complete it or bring it nearer, and its parts."""

    def named(form: str) -> str:
        return form_names[form][words.language] if form in form_names else words.standard

    said = f"{words.missing(shortfall.missing)}{words.comma}{words.nearest(named(shortfall.form))}{words.stop}"
    lines = [words.missing_heading, *_wrapped(said, "  ", "  ")]
    if shortfall.helping:
        label = words.completing if shortfall.completing else words.helping
        lines += _wrapped(f"{label}{words.colon}{_kinds(shortfall.helping)}", "  ", "    ")
    others = [form for form in shortfall.forms if form.form != shortfall.form]
    if others:
        listed = words.semicolon.join([f"{named(form.form)} {words.missing(form.missing)}" for form in others])
        lines += _wrapped(f"{words.other_forms}{words.colon}{listed}", "  ", "    ")
    lines += ["", words.parts]
    for part in reading.parts:
        form = words.set if part.form == "set" else words.eyes
        if not part.lacking:
            state = words.complete
        elif part.waits:
            state = words.lacks_one_of(_kinds(part.waits))
        else:
            state = words.lacking(part.lacking)
        lines.append(f"  {_padded(form, 6)}{_padded(hand_text(part.there) or '-', 8)}{state}")
    if reading.spare:
        lines += _wrapped(f"{words.spare}{words.colon}{hand_text(reading.spare)}", "  ", "    ")
    return lines


def _kinds(kinds: Sequence[Kind]) -> str:
    return " ".join([TILE_TEXT[kind] for kind in kinds])


# --- columns ----------------------------------------------------------------------------------------------------------

_GLUE: Final = "\N{NO-BREAK SPACE}"
"""Holds together what must not be broken over two lines; printed as a space."""


def _padded(text: str, wide: int) -> str:
    return text + " " * (wide - columns(text))


def _wrapped(text: str, first: str = "", then: str = "") -> list[str]:
    """The text broken to `WIDTH` columns: at spaces, or between Chinese characters."""
    lines: list[str] = []
    line, blank = first, True
    for piece in _pieces(text):
        if not blank and columns(line) + columns(piece.rstrip(" ")) > WIDTH:
            lines.append(line.rstrip(" "))
            line = then
        line += piece
        blank = False
    return [done.replace(_GLUE, " ") for done in (*lines, line.rstrip(" "))]


_NOT_FIRST: Final = "。，；：、）」！？"
"""Marks that no line begins with."""


def _pieces(text: str) -> list[str]:
    """What may stand on either side of a break: a word with the spaces after it, a Chinese character with its mark."""
    pieces: list[str] = []
    for letter in text:
        last = pieces[-1] if pieces else ""
        wide = east_asian_width(letter) in "WF"
        joins = bool(last) and (
            letter == " "
            or letter in _NOT_FIRST
            or (not wide and not last.endswith(" ") and east_asian_width(last[-1]) not in "WF")
        )
        if joins:
            pieces[-1] += letter
        else:
            pieces.append(letter)
    return pieces
