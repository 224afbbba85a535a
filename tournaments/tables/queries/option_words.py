"""House options in the words of players: what each choice means, and what holds where a house has set nothing.

Rules: docs/rules, "House rules" of each game. The names of options and choices are those of the log. Knows nothing of
where they are printed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext, ngettext

from scoring.money.formatting import Notation, money, percent
from scoring.options import Options, Wording
from scoring.rules.table.variant import AnyVariant
from tournaments.rendering.i18n.translating import translate

NOT_SET = "–"
SILENT = Wording()


def option_title(rules: AnyVariant, described: Mapping[str, Any]) -> str:
    """What an option is called beside its value."""
    return gettext(rules.wordings.get(described["name"], SILENT).title or str(described["help"]))


def option_said(rules: AnyVariant, name: str, options: Options, notation: Notation) -> str:
    """The value of an option as people say it, yes, 20, ₹4.00, 10% or what a choice means; else what holds then."""
    value, wording = options.holding(name), rules.wordings.get(name, SILENT)
    if value is None and wording.follows:
        value = options.holding(wording.follows)
    if value is None:
        return gettext(wording.unset) if wording.unset else NOT_SET
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, str):
        return translate(wording.said(value))
    if name.endswith("_minor"):
        return money(value, *notation)
    return percent(value, notation.locale) if name.endswith("_bp") else str(value)


def by_seats_said(values: Sequence[tuple[int, int]]) -> str:
    """A number that depends on how many sit at a table: `values` are pairs of seats and number."""
    kinds = sorted({value for _, value in values})
    if len(kinds) == 1:
        return str(kinds[0])
    if len(kinds) > 2:
        said = gettext("%(least)s to %(most)s, by the number of seats")
        return said % {"least": kinds[0], "most": kinds[-1]}
    seats = next(seats for seats, value in values if value != values[0][1])
    said = ngettext("%(first)s; from %(seats)s seat on %(then)s", "%(first)s; from %(seats)s seats on %(then)s", seats)
    return said % {"first": values[0][1], "seats": seats, "then": dict(values)[seats]}
