"""The purpose of each back office page, one sentence below its heading.

A page is known by its URL name; pages for history and deletion share one sentence for all models.
"""

from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.translation import gettext, gettext_noop

_CLUB, _PLAYER, _SEASON = "tournaments_club_", "tournaments_player_", "tournaments_season_"
_TABLE, _TOURNAMENT, _TOKEN = "tournaments_table_", "tournaments_tournament_", "tournaments_apitoken_"
HISTORY = gettext_noop("Who changed this in the back office, and when.")
DELETION = gettext_noop("Delete this, after a look at what goes with it.")

_SITE = {
    "index": gettext_noop("What needs you comes first. Everything else runs by itself."),
    "login": gettext_noop("For people who run tournaments: sign in with your name and password."),
    "password_change": gettext_noop("Choose a new password for your own login."),
    "password_change_done": gettext_noop("Your new password is in use from now on."),
    "auth_user_changelist": gettext_noop("Who may sign in, and what they do at the club."),
    "auth_user_add": gettext_noop("Make a login for somebody who helps at the club."),
    "auth_user_change": gettext_noop("Name, role and password of one login."),
    "scoring_account_changelist": gettext_noop("Every account of the books, with its balance."),
    "scoring_account_change": gettext_noop("One account of the books, with its entries."),
    "scoring_journalentry_changelist": gettext_noop("Every entry in the books, with what caused it."),
    "scoring_journalentry_change": gettext_noop("One entry in the books: the accounts, amounts and cause."),
    "tournaments_event_changelist": gettext_noop("The club's log: everything that was recorded, in order."),
    "tournaments_event_change": gettext_noop("One record of the log, as it was saved."),
    f"{_TOKEN}changelist": gettext_noop("Links that let programs and screens use the club's data."),
    f"{_TOKEN}add": gettext_noop("Make a link for a program or a screen."),
    f"{_TOKEN}change": gettext_noop("What this device link may do, and until when."),
    f"{_TOKEN}revoke": gettext_noop("Revoke this link: it stops working at once."),
}
_OF_A_CLUB = {
    "changelist": gettext_noop("Your clubs: settings, books and cash desk."),
    "add": gettext_noop("Set up a new club."),
    "change": gettext_noop("Name, place, money and publishing of the club."),
    "books": gettext_noop("The books of a period, to check or to download."),
    "cash": gettext_noop("Take and pay out money at the cash desk."),
    "cash_player": gettext_noop("Take money from one player, pay out, or allow credit."),
    "cash_line": gettext_noop("One entry of the cash book, and how to undo it."),
    "cash_count": gettext_noop("Count the cash in this till."),
    "cash_night": gettext_noop("Count every till, then close the cash book."),
    "cash_nights": gettext_noop("Cash books that were closed."),
    "cash_past": gettext_noop("What came in and went out in this cash book."),
    "cash_file": gettext_noop("This cash book as a file, or on one page to sign."),
    "cash_balances": gettext_noop("Who has money in the club, and who owes it."),
    "unreadable": gettext_noop("Records that this version cannot read, and leaving them out."),
}
_OF_A_PLAYER = {
    "changelist": gettext_noop("Everybody who plays at your clubs."),
    "add": gettext_noop("Add one player, or paste a whole list."),
    "change": gettext_noop("Name, public name and credit limit of one player."),
    "statement": gettext_noop("Every amount of this player, and the balance after it."),
    "erase": gettext_noop("Erase name and notes of a player; results and money stay."),
    "remove": gettext_noop("Remove a player who was added by mistake."),
    "merge": gettext_noop("Merge two players who are the same person."),
    "unmerge": gettext_noop("Make two players of one again."),
}
_OF_A_SEASON = {
    "changelist": gettext_noop("Tournaments counted together over weeks or months."),
    "add": gettext_noop("Start a season: its dates, and how tournaments count."),
    "change": gettext_noop("The season's standings, and how they are calculated."),
    "close": gettext_noop("Close the season: its standings become final."),
}
_OF_A_TABLE = {
    "changelist": gettext_noop("Every table of every tournament, the latest first."),
    "score": gettext_noop("Enter each deal when it was played; the result of the table follows."),
    "totals": gettext_noop("Enter only what a table ends with, where no deals were written down."),
    "sheet": gettext_noop("Every deal of this table, with running totals."),
    "log": gettext_noop("Everything recorded at this table, and by whom."),
    "cards": gettext_noop("A table card lets a phone enter the deals of this table."),
    "card_revoke": gettext_noop("Revoke a table card: its phone can save no more."),
    "correct": gettext_noop("Replace a saved deal, with a reason."),
    "void": gettext_noop("Cancel a deal that must not count."),
    "confirm": gettext_noop("Confirm a deal that somebody else entered."),
    "dispute": gettext_noop("Dispute a deal, so that a director looks at it."),
    "settle_dispute": gettext_noop("Resolve a dispute: keep the deal, correct it or cancel it."),
    "keying": gettext_noop("Enter the deal a second time; both entries must agree."),
    "late": gettext_noop("Accept or refuse deals that came after the table was closed."),
    "exchange": gettext_noop("Two players sat in each other's seats: swap their deals."),
    "hand": gettext_noop("Count a hand from its cards."),
    "rejoin": gettext_noop("Bring an eliminated player back in at this table."),
    "split": gettext_noop("End the game: those still in share the pot."),
    "buy_in": gettext_noop("Record the chips that a player buys."),
    "leave": gettext_noop("Record that a player goes home and plays no more deals."),
    "penalty": gettext_noop("Give a player penalty points."),
    "time": gettext_noop("Call time: the table ends with the deal that is played."),
    "withdraw": gettext_noop("Undo an action that was recorded by mistake."),
    "close": gettext_noop("Close the table: its result counts and is settled."),
    "cancel": gettext_noop("Cancel the table: nothing that was played here counts."),
}
_OF_A_TOURNAMENT = {
    "changelist": gettext_noop("Every tournament of your clubs, the latest first."),
    "add": gettext_noop("Answer three questions: the plan follows from them. You can change all of it later."),
    "change": gettext_noop("Name, date, stakes and tables of this tournament."),
    "night": gettext_noop("What to do next, and how every table is doing."),
    "entries": gettext_noop("Enter players: pick them, or paste a list."),
    "entries_print": gettext_noop("The entries on paper, to tick by hand."),
    "desk": gettext_noop("Check players in and take their entry fees."),
    "desk_player": gettext_noop("Everything about the entry of one player."),
    "seat": gettext_noop("Open one table by hand and seat its players."),
    "seating": gettext_noop("Seat the round, look it over, then publish it."),
    "seats": gettext_noop("Seat a late player or a substitute, free a seat, or swap two players."),
    "moves": gettext_noop("Move players to other tables during a round."),
    "clock": gettext_noop("Start, pause and extend the time of a round."),
    "ties": gettext_noop("Break the ties that decide who qualifies or wins."),
    "cut": gettext_noop("See who qualifies for the next stage, then make the cut."),
    "prizes": gettext_noop("What each place wins, and how that was calculated."),
    "money": gettext_noop("What this tournament adds to the balance of each player."),
    "screens": gettext_noop("Choose what the projector shows."),
    "paper": gettext_noop("Print seating, score sheets, standings and certificates."),
    "cards": gettext_noop("Table cards let phones enter deals, one card a table."),
    "static_site": gettext_noop("Download the results as a website that needs no server."),
    "plan": gettext_noop("Stages, rounds and table sizes, played through before they are saved."),
    "many": gettext_noop("One action for many: preview it, then confirm it once."),
    "repeat": gettext_noop("Make a new tournament like this one, with the same players."),
    "settle": gettext_noop("Settle a table again after its settlement failed."),
    "settle_all": gettext_noop("Settle every table that is behind."),
    "close": gettext_noop("Close the tournament: its results become final."),
    "results": gettext_noop("Who won what, and what to do with the results."),
    "cancel": gettext_noop("Abandon the tournament: nobody wins, and entry fees are refunded."),
    "reopen": gettext_noop("Reopen a closed tournament to correct it."),
    "delete_unused": gettext_noop("Delete a tournament that nobody has used."),
    "restore": gettext_noop("A tournament that was deleted, and the way back."),
    "delete": gettext_noop("Delete a tournament that was never played."),
}
PURPOSES = {
    **_SITE,
    **{f"{_CLUB}{page}": purpose for page, purpose in _OF_A_CLUB.items()},
    **{f"{_PLAYER}{page}": purpose for page, purpose in _OF_A_PLAYER.items()},
    **{f"{_SEASON}{page}": purpose for page, purpose in _OF_A_SEASON.items()},
    **{f"{_TABLE}{page}": purpose for page, purpose in _OF_A_TABLE.items()},
    **{f"{_TOURNAMENT}{page}": purpose for page, purpose in _OF_A_TOURNAMENT.items()},
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
    name = (match.url_name or "") if match else ""
    purpose = PURPOSES.get(name) or next((purpose for end, purpose in _OF_A_KIND.items() if name.endswith(end)), "")
    return gettext(purpose) if purpose else ""
