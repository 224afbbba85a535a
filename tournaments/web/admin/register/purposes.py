"""The purpose of each back office page, one sentence below its heading.

Pages of our own declare it (`purpose`); those that Django makes are known by their URL names. Pages for history and
deletion share one sentence for all models.
"""

from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.translation import gettext, gettext_noop

HISTORY = gettext_noop("Who changed this in the back office, and when.")
DELETION = gettext_noop("Delete this, after a look at what goes with it.")

# By URL name.
PURPOSES = {
    "index": gettext_noop("What needs you comes first. Everything else runs by itself."),
    "login": gettext_noop("For people who run tournaments: sign in with your name and password."),
    "password_change": gettext_noop("Choose a new password for your own login."),
    "password_change_done": gettext_noop("Your new password is saved."),
    "scoring_account_changelist": gettext_noop("Every account of the books, with its balance."),
    "scoring_account_change": gettext_noop("One account of the books, with its entries."),
    "scoring_journalentry_changelist": gettext_noop("Every entry in the books, with what caused it."),
    "scoring_journalentry_change": gettext_noop("One entry in the books: the accounts, amounts and cause."),
    "tournaments_event_changelist": gettext_noop("The club's log: everything that was recorded, in order."),
    "tournaments_event_change": gettext_noop("One record of the log, as it was saved."),
    "tournaments_apitoken_changelist": gettext_noop("Links that let programs and screens use the club's data."),
    "tournaments_apitoken_add": gettext_noop("Make a link for a program or a screen."),
    "tournaments_apitoken_change": gettext_noop("What this device link may do, and until when."),
    "tournaments_club_changelist": gettext_noop("Your clubs: settings, books and cash desk."),
    "tournaments_club_add": gettext_noop("Set up a new club."),
    "tournaments_club_change": gettext_noop("Name, place, money and publishing of the club."),
    "tournaments_player_changelist": gettext_noop("Everybody who plays at your clubs."),
    "tournaments_player_add": gettext_noop("Add one player, or paste a whole list."),
    "tournaments_player_change": gettext_noop("Name, public name and credit limit of one player."),
    "tournaments_season_changelist": gettext_noop("Tournaments counted together over weeks or months."),
    "tournaments_season_add": gettext_noop("Start a season: its dates, and how tournaments count."),
    "tournaments_season_change": gettext_noop("The season's standings, and how they are calculated."),
    "tournaments_table_changelist": gettext_noop("Every table of every tournament, the latest first."),
    "tournaments_tournament_changelist": gettext_noop("Every tournament of your clubs, the latest first."),
    "tournaments_tournament_add": gettext_noop(
        "Answer three questions: the plan follows from them. You can change all of it later."
    ),
    "tournaments_tournament_change": gettext_noop("Name, date, stakes and tables of this tournament."),
    "tournaments_tournament_delete": gettext_noop("Delete a tournament that was never played."),
}
_OF_A_KIND = {"_history": HISTORY, "_delete": DELETION}


def purpose_of(request: HttpRequest) -> str:
    """The purpose of the requested page; empty for files and parts of pages."""
    return _purpose(request.resolver_match)


def purpose_at(path: str) -> str:
    """The purpose of the page at an address; empty where there is none."""
    try:
        return _purpose(resolve(urlsplit(path).path))
    except Resolver404:
        return ""


def _purpose(match: ResolverMatch | None) -> str:
    if match is None:
        return ""
    name = match.url_name or ""
    of_a_kind = next((text for end, text in _OF_A_KIND.items() if name.endswith(end)), "")
    text = getattr(match.func, "purpose", "") or PURPOSES.get(name, of_a_kind)
    return gettext(text) if text else ""
