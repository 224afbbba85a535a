"""Changes of a player's row and of a club's settings: one command for each, which its page and the API call.

Both are columns and no events, because names and contacts can be erased. A form shows the same problems before it
saves: `player_problems` and `club_problems` are all that is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any
from uuid import UUID
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.timezone import now

from scoring.messages import Amount, Message, say
from scoring.money.formatting import currency_problems, place_names
from scoring.problems import OptionsRejected, Problem, refuse_if, shown
from tournaments.log.context import club_lock
from tournaments.models import Club, ClubSlug, Player
from tournaments.models.public_names import Naming
from tournaments.people.invitations import record
from tournaments.people.known_names import distinct_names
from tournaments.people.players import name_problems, player_name_problems, renew_public_names
from tournaments.projections.stale import mark_stale

# Names that depend on this machine or stand for no zone at all: another machine may not know them.
NO_ZONES = frozenset({"localtime", "Factory"})
# The largest notes have this many minor units.
MOST_CASH_PIECE = 1_000_000
# So many fit into the column.
MOST_CASH_CURRENCIES = 20
# Fields of a player from which public names follow, also those of other players and of merged rows.
NAMING_FIELDS = frozenset({"name", "naming", "pseudonym", "has_page"})
Changes = Mapping[str, Any]
NOTHING: Changes = {}


def change_player(player_id: UUID, changes: Changes, *, expected: Changes = NOTHING) -> Player:
    """Change columns of a player, and with them the public names of the club; returns the row as it is then.

    `expected` are values that somebody saw who changes them. A name that another player has gets a mark. Repeating it
    changes nothing, whatever was expected. Raises OptionsRejected with every problem.
    """
    changes = _stripped(changes)
    with club_lock(Player.objects.values_list("club_id", flat=True).get(pk=player_id)):
        player = Player.objects.select_related("club").get(pk=player_id)
        refuse_if([*_stale(player, changes, expected), *player_problems(player, changes)], OptionsRejected)
        changed = _set_changed(player, changes)
        if not changed:
            return player
        if "name" in changed:
            (player.name,) = distinct_names(player.club_id, [player.name], now=now(), but=player.pk)
        if NAMING_FIELDS.isdisjoint(changed):
            # Not the derived columns either: this row's alone would forget the choice of a row merged into it.
            player.save(update_fields=changed)
        else:
            save_changed(player, changed)
            renew_public_names(player.club_id)
        return Player.objects.select_related("club").get(pk=player_id)


def player_problems(player: Player, changes: Changes) -> list[Problem]:
    """Why these columns of a player cannot be changed so. A stored value that is the same is never a problem."""
    if player.erased_at is not None:
        return [Problem("erased", say("an erased player cannot be changed"))]
    if player.merged_into_id is not None:
        return [Problem("merged", say("{name} is merged already", name=player.merged_name))]
    changes = _changed(player, changes)
    problems = []
    for field, title in (("name", say("Name")), ("pseudonym", say("Chosen name"))):
        # A pseudonym can be emptied; whether one is needed is asked below.
        if field in changes and (changes[field] or field == "name"):
            problems += player_name_problems(changes[field], field, title)
    naming, pseudonym = (changes.get(field, getattr(player, field)) for field in ("naming", "pseudonym"))
    if naming == Naming.PSEUDONYM and not pseudonym and not {"naming", "pseudonym"}.isdisjoint(changes):
        detail = say("Enter the chosen name, or choose another way for public pages.")
        problems.append(Problem("missing_field", detail, field="pseudonym"))
    others = Player.objects.filter(club=player.club_id).exclude(pk=player.pk)
    if changes.get("member_number") and others.filter(member_number=changes["member_number"]).exists():
        detail = say("Another player of the club has this number.")
        problems.append(Problem("taken", detail, field="member_number"))
    return [*problems, *_column_problems(Player(), changes, {problem.field for problem in problems})]


def change_club(club_id: UUID, changes: Changes, *, expected: Changes = NOTHING, by: Any = None) -> Club:
    """Change settings of a club, and what follows: public names, and the days to which tournaments belong.

    `expected` are values that somebody saw who changes them. The history of the club names `by`, the user; a page of
    the back office leaves it out, because Django records what its form changed. Repeating it changes nothing. Raises
    OptionsRejected with every problem.
    """
    changes = _stripped(changes)
    with club_lock(club_id):
        club = Club.objects.get(pk=club_id)
        refuse_if([*_stale(club, changes, expected), *club_problems(club, changes)], OptionsRejected)
        changed = _set_changed(club, changes)
        if changed:
            save_changed(club, changed)
            renew_public_names(club_id)
        if "timezone" in changed:
            mark_stale(club_id)
        if changed and by is not None:
            # Django keeps such a record in English, and translates it when it is read.
            with translation.override(None):
                titles = [str(field.verbose_name) for field in Club._meta.fields if field.name in changed]
            record(by, [club], {"changed": {"fields": titles}})
        return club


def club_problems(club: Club, changes: Changes) -> list[Problem]:
    """Why these settings of a club cannot be changed so. A stored value that is the same is never a problem."""
    changes = _changed(club, changes)
    problems = []
    if "name" in changes:
        problems += name_problems(changes["name"], "name", say("Name"))
    if "slug" in changes and ClubSlug.objects.filter(slug__iexact=changes["slug"]).exclude(club_id=club.pk).exists():
        # Its old addresses still lead to that club.
        detail = say("Another club has used this address. Choose another one.")
        problems.append(Problem("taken", detail, field="slug"))
    if "currency" in changes:
        problems += currency_problems(changes["currency"])
    for field, choices in (("timezone", time_zones), ("locale", place_names)):
        if field in changes and changes[field] not in choices():
            detail = say("{typed} is not one of the choices", typed=shown(changes[field]))
            problems.append(Problem("not_a_choice", detail, field=field))
    problems += _cash_problems(changes.get("smallest_cash", {}))
    return [*problems, *_column_problems(Club(), changes, {problem.field for problem in problems})]


@cache
def time_zones() -> Sequence[str]:
    """The time zones that this machine knows; cached, because reading them opens hundreds of files."""
    return tuple(sorted(available_timezones() - NO_ZONES))


def save_changed(row: Any, changed: Sequence[str]) -> None:
    """Write the columns of the changed fields, and derived columns that are written whenever the row is."""
    columns = {field.name: field for field in row._meta.concrete_fields}
    names = [name for name in changed if name in columns]
    if names:
        following = [name for name, field in columns.items() if getattr(field, "follows_row", False)]
        row.save(update_fields=[*names, *following])


def _cash_problems(minor_by_currency: Mapping[str, int]) -> Iterator[Problem]:
    """Problems with the smallest notes or coins, in minor units by currency."""
    if len(minor_by_currency) > MOST_CASH_CURRENCIES:
        detail = say("at most {most} currencies", most=MOST_CASH_CURRENCIES)
        yield Problem("too_many", detail, field="smallest_cash")
    for currency, minor in minor_by_currency.items():
        for problem in currency_problems(currency):
            yield Problem(problem.code, problem.detail, field="smallest_cash")
        if not 0 < minor <= MOST_CASH_PIECE:
            detail = say("{typed}: enter the value of a note or coin", typed=Amount(minor, currency))
            yield Problem("out_of_range", detail, field="smallest_cash")


def _stripped(changes: Changes) -> dict[str, Any]:
    """Texts without blanks around them, as forms send them."""
    return {name: value.strip() if isinstance(value, str) else value for name, value in changes.items()}


def _changed(row: Any, changes: Changes) -> dict[str, Any]:
    return {name: value for name, value in changes.items() if getattr(row, name) != value}


def _set_changed(row: Any, changes: Changes) -> list[str]:
    """Give a row its new values; returns the columns that have another one now."""
    changed = _changed(row, changes)
    for name, value in changed.items():
        setattr(row, name, value)
    return list(changed)


def _stale(row: Any, changes: Changes, expected: Changes) -> Iterator[Problem]:
    """What somebody else changed. A value that is the wanted one already is not: the same request may have set it."""
    for name in _changed(row, _stripped(expected)):
        if name in changes and getattr(row, name) == changes[name]:
            continue
        detail = say("Not saved: someone else changed this field. Compare, then save.")
        yield Problem("stale", detail, field=f"expected.{name}")


def _column_problems(row: Any, changes: Changes, reported: set[str | None]) -> Iterator[Problem]:
    """What the columns themselves refuse, in Django's words; `row` is a blank one. A form has said it before."""
    for name, value in changes.items():
        setattr(row, name, value)
    others = {field.name for field in row._meta.fields if field.name not in changes} | reported
    try:
        # Programs read English, whatever a browser asks for.
        with translation.override("en"):
            row.clean_fields(exclude=others)
    except ValidationError as refused:
        for name, texts in refused.message_dict.items():
            yield Problem("not_valid", Message(" ".join(texts)), field=name)
