"""The rules that are asked for at a table, each in one plain sentence with the numbers of this very table.

Rules: docs/rules of each game. Each game says them of its options. All options in force stand on the back of the sheet.
"""

from collections.abc import Iterator

from django.utils.translation import gettext

from scoring.money.formatting import Notation, money
from scoring.options import describe_options
from scoring.rules.table.fields import SheetField
from scoring.rules.table.table import Table
from scoring.rules.table.variant import AnySetup, AnyVariant
from tournaments.rendering.i18n.translating import told, translate
from tournaments.tables.queries.option_words import option_said, option_title


def reminders(table: Table, locale: str) -> tuple[str, ...]:
    """What is asked for most at such a table."""
    said = [translate(message) for message in table.rules.reminders(table.setup)]
    stakes = table.setup.stakes
    if stakes.point_value_minor:
        worth = money(stakes.point_value_minor, stakes.currency, locale)
        said.insert(0, gettext("One point is worth {amount}.").format(amount=worth))
    return tuple(said)


def what_to_write(table: Table, fields: tuple[SheetField, ...]) -> tuple[str, ...]:
    """What each box takes: the letters of endings with what they cost, and the help of every other field."""
    said = list(_letters(table))
    said += [f"{told(field.title)}: {told(field.help)}" for field in fields if field.help and not field.is_rare]
    rare = dict.fromkeys(told(field.title) for field in fields if field.is_rare and not field.group)
    if rare:
        said.append(gettext("Seldom needed, to be written beside the deal: {what}.").format(what=", ".join(rare)))
    return tuple(dict.fromkeys(said))


def options_in_force(rules: AnyVariant, setup: AnySetup, locale: str) -> Iterator[tuple[str, str]]:
    """Every option of the house with what holds at this table."""
    notation = Notation(setup.stakes.currency, locale)
    for described in describe_options(rules.options_type):
        yield option_title(rules, described), option_said(rules, described["name"], setup.options, notation)


def _letters(table: Table) -> Iterator[str]:
    """The letters that stand for an ending, with their prices."""
    keys = [key for key in table.rules.endings(table.setup) if key.is_offered and key.hand != "counted"]
    priced = [f"{key.letter.upper()} {told(key.title)}{'' if key.price is None else f' {key.price}'}" for key in keys]
    if priced:
        yield " · ".join(priced)
    most = table.rules.hand_cap(table.setup)
    if most is not None:
        yield gettext("Losers with cards in hand: their hand points, at most {most}.").format(most=most)
