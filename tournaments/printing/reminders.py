"""The rules that are asked for at a table, each in one plain sentence with the numbers of this very table.

Rules: docs/rules of each game. A sentence belongs to an option, so that a game which has the option has its sentence.
All options in force stand on the back of the sheet.
"""

from collections.abc import Callable, Iterator
from typing import Any

from django.utils.translation import gettext, ngettext

from scoring.money.formatting import Notation, money
from scoring.options import describe_options
from scoring.rules.table.fields import SheetField
from scoring.rules.table.table import Table
from scoring.rules.table.variant import AnySetup
from tournaments.rendering.i18n.formatting import number
from tournaments.rendering.i18n.translating import told
from tournaments.tables.queries.option_words import option_said, option_title

Sentence = Callable[[AnySetup], str]


def reminders(setup: AnySetup, locale: str) -> tuple[str, ...]:
    """What is asked for most at such a table."""
    said = [sentence(setup) for name, sentence in SENTENCES.items() if hasattr(setup.options, name)]
    if setup.stakes.point_value_minor:
        worth = money(setup.stakes.point_value_minor, setup.stakes.currency, locale)
        said.insert(0, gettext("One point is worth {amount}.").format(amount=worth))
    return tuple(filter(None, said))


def what_to_write(table: Table, fields: tuple[SheetField, ...]) -> tuple[str, ...]:
    """What each box takes: the letters of endings with what they cost, and the help of every other field."""
    said = list(_letters(table))
    said += [f"{told(field.title)}: {told(field.help)}" for field in fields if field.help and not field.is_rare]
    rare = dict.fromkeys(told(field.title) for field in fields if field.is_rare and not field.group)
    if rare:
        said.append(gettext("Seldom needed, to be written beside the deal: {what}.").format(what=", ".join(rare)))
    return tuple(dict.fromkeys(said))


def options_in_force(rules: Any, setup: AnySetup, locale: str) -> Iterator[tuple[str, str]]:
    """Every option of the house with what holds at this table."""
    notation = Notation(setup.stakes.currency, locale)
    for described in describe_options(rules.options_type):
        yield option_title(described), option_said(described["name"], setup.options, notation)


def _letters(table: Table) -> Iterator[str]:
    """The letters that stand for an ending, with their prices."""
    keys = [key for key in table.rules.endings(table.setup) if key.is_offered and key.hand != "counted"]
    priced = [f"{key.letter.upper()} {told(key.title)}{'' if key.price is None else f' {key.price}'}" for key in keys]
    if priced:
        yield " · ".join(priced)
    most = table.rules.hand_cap(table.setup)
    if most is not None:
        yield gettext("Whoever lost with cards in hand: their count, {most} at most.").format(most=most)


def _limit(setup: AnySetup) -> str:
    if setup.options.eliminate_at == "exceed":
        return gettext("Out above {limit} points.").format(limit=setup.options.limit)
    return gettext("Out at {limit} points or more.").format(limit=setup.options.limit)


def _rejoin(setup: AnySetup) -> str:
    options = setup.options
    if options.max_rejoins == 0:
        return gettext("Nobody rejoins.")
    said = gettext(
        "Rejoin: before the next deal, as long as nobody who is in has more than {most}; back with the highest "
        "total and one more."
    ).format(most=options.rejoin_threshold)
    if options.max_rejoins is None:
        return said
    often = ngettext("{number} time at most.", "{number} times at most.", options.max_rejoins)
    return f"{said} {often.format(number=number(options.max_rejoins))}"


def _splits(setup: AnySetup) -> str:
    said = option_said("splits", setup.options, Notation(setup.stakes.currency, "en"))
    return gettext("The pot is split: {how}.").format(how=said)


def _deals(setup: AnySetup) -> str:
    options = setup.options
    said = ngettext("{number} deal is played", "{number} deals are played", options.deals)
    chips = gettext("with {chips} chips each to begin with.").format(chips=options.deals * options.chips_per_deal)
    return f"{said.format(number=number(options.deals))} {chips}"


def _level(setup: AnySetup) -> str:
    how = option_said("tiebreak", setup.options, Notation(setup.stakes.currency, "en"))
    return gettext("Level at the top: {how}.").format(how=how)


def _table_stakes(setup: AnySetup) -> str:
    if not setup.options.table_stakes:
        return ""
    return gettext("Whoever bought in holds a full count before each deal, or sits out.")


def _wrong_show(setup: AnySetup) -> str:
    if setup.options.wrong_show_continues:
        return gettext("After a wrong show the others play on.")
    return gettext("A wrong show ends the deal: the others score nothing.")


def _misses(setup: AnySetup) -> str:
    misses = setup.options.misses_limit
    said = ngettext(
        "{number} missed turn is a middle drop.", "{number} missed turns in a row are a middle drop.", misses
    )
    return said.format(number=number(misses))


def _stock(setup: AnySetup) -> str:
    how = option_said("stock_exhausted", setup.options, Notation(setup.stakes.currency, "en"))
    return gettext("When the stock runs out: {how}.").format(how=how)


def _stock_out(setup: AnySetup) -> str:
    how = option_said("stock_out", setup.options, Notation(setup.stakes.currency, "en"))
    return gettext("When the stock runs out: {how}.").format(how=how)


def _target(setup: AnySetup) -> str:
    if getattr(setup.options, "end", "target") != "target":
        return ""
    return gettext("Played to {target} points, reached or passed.").format(target=setup.options.target)


def _rounds(setup: AnySetup) -> str:
    options = setup.options
    if getattr(options, "end", "rounds") != "rounds":
        return ""
    said = ngettext("{number} deal is played.", "{number} deals are played.", options.rounds)
    return said.format(number=number(options.rounds))


def _first_meld(setup: AnySetup) -> str:
    least = setup.options.first_meld_min
    return gettext("A first meld is worth {points} points at least.").format(points=least) if least else ""


def _eliminated(setup: AnySetup) -> str:
    lost = setup.options.eliminate_minus
    return gettext("Out with {points} points lost.").format(points=lost) if lost else ""


def _gin(setup: AnySetup) -> str:
    options = setup.options
    return gettext("Gin {gin} points, undercut {undercut}, game {game}, each box {box}.").format(
        gin=options.gin_bonus, undercut=options.undercut_bonus, game=options.game_bonus, box=options.box_bonus
    )


def _ante(setup: AnySetup) -> str:
    options = setup.options
    return gettext("Every box before each deal: {each} from a seat, {dealer} from the dealer.").format(
        each=options.ante_each, dealer=options.ante_dealer
    )


def _start_chips(setup: AnySetup) -> str:
    return gettext("Every seat begins with {chips} chips.").format(chips=setup.options.start_chips)


SENTENCES: dict[str, Sentence] = {
    "limit": _limit,
    "max_rejoins": _rejoin,
    "splits": _splits,
    "deals": _deals,
    "tiebreak": _level,
    "table_stakes": _table_stakes,
    "target": _target,
    "rounds": _rounds,
    "first_meld_min": _first_meld,
    "eliminate_minus": _eliminated,
    "gin_bonus": _gin,
    "start_chips": _start_chips,
    "ante_each": _ante,
    "wrong_show_continues": _wrong_show,
    "misses_limit": _misses,
    "stock_exhausted": _stock,
    "stock_out": _stock_out,
}
