"""The club's trial balance, its books as files, and a tournament's balances with the state of their settlement.

Rules: docs/how-to/books.md. For users who may see money. A file is complete before it is sent, so that none arrives
truncated; a journal too long for a download is left to the management command.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.cache import caches
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name, now
from django.utils.translation import get_language, gettext, gettext_lazy, gettext_noop
from django.views.decorators.http import require_POST

from scoring.ledger.readings import account_balances
from scoring.money.formatting import Notation, grouped_minor
from tournaments.books import prize_cause
from tournaments.books.commands import settle_table
from tournaments.books.queries import (
    RETRYABLE,
    BookScope,
    SettlementState,
    Sides,
    TrialLine,
    names_of,
    scope_of,
    settlement_of,
    sheets_to_settle,
    sum_of_sides,
    tournament_players,
    tournament_settlement,
    trial_lines,
)
from tournaments.cash.payouts import PlayerShare, payouts_of, player_shares
from tournaments.models import Club, Player, Scoresheet, Tournament
from tournaments.models.bounds import FIRST_DAY, LAST_DAY
from tournaments.models.people import search_key
from tournaments.people.permissions import Permission, may
from tournaments.people.players import rows_of, uuid_of
from tournaments.printing import not_printed
from tournaments.printing.books import statement_document, trial_balance_document
from tournaments.printing.files import (
    CONTENT_TYPES,
    FileKind,
    download_problems,
    write_balances,
    write_journal,
    write_statement,
)
from tournaments.printing.payouts import GONE, payout_list
from tournaments.printing.report import tournament_report
from tournaments.release import tag_digest
from tournaments.rendering.i18n.translating import translate, trial_title
from tournaments.rendering.left_out import lines_of
from tournaments.rendering.pdf import Document
from tournaments.running.commands.settle import settle_tournament
from tournaments.web.admin.base.command_forms import words_in
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import (
    PLAYERS_A_PAGE,
    page_of,
    page_url,
    pdf_answer,
    size_of,
    tournament_from,
    tournament_page,
)
from tournaments.web.admin.base.scoping import actor_in, admin_page, require_books
from tournaments.web.downloads import file_answer

CSV = CONTENT_TYPES[FileKind.CSV]
TITLES = {FileKind.CSV: "CSV", FileKind.XLSX: "XLSX", FileKind.BEANCOUNT: "beancount", FileKind.PDF: "PDF"}


class CalendarDayField(forms.DateField):
    """A calendar date whose next day can be represented as well."""

    default_validators = [MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)]


class PeriodForm(forms.Form):
    """Days on the club's clock, both included; an empty one means from the beginning, or until now."""

    first = CalendarDayField(label=gettext_lazy("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    last = CalendarDayField(label=gettext_lazy("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def clean(self) -> dict[str, object] | None:
        """Refuse a period that ends before it begins."""
        cleaned = super().clean() or {}
        first, last = cleaned.get("first"), cleaned.get("last")
        if first and last and last < first:
            self.add_error("last", gettext("{last} is before {first}.").format(last=last, first=first))
        return cleaned


@purpose(gettext_noop("The books of a period, to check or to download."))
def books(request: HttpRequest, club: Club) -> HttpResponse:
    """Each kind of account: its opening balance, debits, credits and closing balance."""
    require_books(request, club)
    return _page(request, club, PeriodForm(request.GET))


def journal(request: HttpRequest, club: Club) -> HttpResponseBase:
    """The journal of a period as a file."""
    require_books(request, club)
    form = PeriodForm(request.GET)
    if not form.is_valid():
        return _page(request, club, form)
    extract = _extract(club, form)
    return _journal_file(request, extract, form)


def balances(request: HttpRequest, club: Club) -> HttpResponseBase:
    """Every account with its balance as a file, or the trial balance on paper."""
    require_books(request, club)
    form = PeriodForm(request.GET)
    if not form.is_valid():
        return _page(request, club, form)
    extract = _extract(club, form)
    if _kind(request) is FileKind.PDF:
        return _paper(request, trial_balance_document(extract), f"{extract.name}-balances")
    return file_answer(
        lambda file: write_balances(file, extract), f"{extract.name}-balances.csv", CONTENT_TYPES[FileKind.CSV]
    )


def tournament_journal(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """All journal entries of one tournament and its tables, as a file."""
    require_books(request, tournament.club)
    return _journal_file(request, _whole(tournament), PeriodForm({}))


def payouts(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """Who is paid how much and who owes, with a line for each to sign."""
    return _paper(request, payout_list(tournament), f"{_whole(tournament).name}-payouts")


def tournament_summary(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """A printed report for the owner: winners, tables, corrections, money."""
    require_books(request, tournament.club)
    return _paper(request, tournament_report(tournament), f"{_whole(tournament).name}-report")


def statement(request: HttpRequest, player: Player) -> HttpResponseBase:
    """One player's statement as a file, named by number: a name can be erased, a downloaded file cannot."""
    name = f"{player.club.slug}-statement-{player.pk}"
    if _kind(request) is FileKind.PDF:
        return _paper(request, statement_document(player), name)
    return file_answer(lambda file: write_statement(file, player), f"{name}.csv", CSV)


def _extract(club: Club, form: PeriodForm) -> BookScope:
    """The books of the period that was asked for."""
    return BookScope(club=club, first=form.cleaned_data["first"], last=form.cleaned_data["last"])


def _whole(tournament: Tournament) -> BookScope:
    """All entries of a tournament."""
    return BookScope(club=tournament.club, tournament=tournament)


def _kind(request: HttpRequest) -> FileKind:
    """The file kind that was asked for; CSV for an unknown one."""
    kind_text = request.GET.get("kind", "")
    return FileKind(kind_text) if kind_text in set(FileKind) else FileKind.CSV


def _journal_file(request: HttpRequest, extract: BookScope, form: PeriodForm) -> HttpResponseBase:
    kind = _kind(request)
    problems = download_problems(extract, kind)
    if problems:
        form.add_error(None, [translate(problem.message) for problem in problems])
        return _page(request, extract.club, form)
    size = size_of(request)
    return file_answer(
        lambda file: write_journal(file, extract, kind, size), f"{extract.name}.{kind}", CONTENT_TYPES[kind]
    )


def _paper(request: HttpRequest, document: Document, name: str) -> HttpResponseBase:
    return pdf_answer([document], size_of(request), name)


def _page(request: HttpRequest, club: Club, form: PeriodForm) -> TemplateResponse:
    context = {
        "club": club,
        "form": form,
        "came_from": tournament_from(request, club),
        "title": gettext("Books: {name}").format(name=club.name),
        "sections": _sections(club, form) if form.is_valid() else [],
        "kinds": [(kind.value, title) for kind, title in TITLES.items()],
        "not_printed": not_printed([club.name, *names_of(club).values()]),
    }
    return admin_page(request, "admin/tournaments/club/books.html", context, model=Club)


def _sections(club: Club, form: PeriodForm) -> list[dict[str, object]]:
    """One section per currency, with its sums."""
    by_currency: dict[str, list[TrialLine]] = {}
    for line in trial_lines(account_balances(scope_of(_extract(club, form)))):
        by_currency.setdefault(line.currency, []).append(line)
    return [
        {
            "currency": currency,
            "rows": [
                {
                    "title": trial_title(line.kind, is_owing=line.is_owing),
                    "amounts": _figures(line.sides, currency, club),
                }
                for line in lines
            ],
            "sums": _figures(sums := sum_of_sides(line.sides for line in lines), currency, club),
            "is_balanced": sums[0::2] == sums[1::2],
        }
        for currency, lines in by_currency.items()
    ]


def _figures(sides: Sides, currency: str, club: Club) -> list[str]:
    """Amounts as the club writes them; nothing where there is none."""
    return [grouped_minor(amount, currency, club.locale) if amount else "" for amount in sides]


# A tournament's balances: the settlement of each table, its problem if any, and the button that tries again.

# Sent by the retry button of the entries and prizes in place of a table's id.
EVENING = "evening"


# How many tables one page of the list holds.
TABLES_A_PAGE = 50
MOST_SOUGHT = 60
_LINE = "admin/tournaments/tournament/money_line.html"


@purpose(gettext_noop("What this tournament adds to the balance of each player."))
def money(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The tables with their settlement, who owes or is owed, and all players with a link to their statement.

    Long lists are paginated, and players can be searched by name.
    """
    sought = " ".join(words_in(request.GET, "q")["q"].split())[:MOST_SOUGHT]
    players = tournament_players(tournament, sought)
    tables = page_of(request, "tables", sheets_to_settle(tournament.pk), TABLES_A_PAGE)
    shares = player_shares(tournament)
    # A player who was merged into another since is listed under that one.
    matching_players = rows_of(tournament.club_id, (str(player) for player, _ in players)) if sought else None
    listed = [
        share for share in shares if share.held_minor and (matching_players is None or share.player in matching_players)
    ]
    owed = sorted(listed, key=_debts_first)
    balances = page_of(request, "owed", owed, PLAYERS_A_PAGE)
    notation = Notation(tournament.currency, tournament.club.locale)
    payouts, names = payouts_of(tournament, shares), {share.player: share.name for share in shares}
    may_settle = may(actor_in(request), Permission.SETTLE, tournament.club)
    shared_context: dict[str, Any] = {"tournament": tournament, "may_settle": may_settle, "retryable": RETRYABLE}
    shared_context["journal"] = journal = reverse("admin:scoring_journalentry_changelist")
    context = {
        **shared_context,
        "lines": lines_of(settlement_of(tables.object_list), partial(_line, request, shared_context)),
        "tables": tables,
        "evening": tournament_settlement(tournament),
        "evening_journal": f"{journal}?cause={prize_cause(tournament.pk)}",
        "balances": balances,
        "owed": [
            (share, [notation.money(amount) for amount in share.amounts[:-1]], notation.money(abs(share.held_minor)))
            for share in balances
        ],
        "paid_out": [
            (payout, names[payout.player] or gettext(GONE), notation.money(payout.amount_minor)) for payout in payouts
        ],
        "paid_out_sum": notation.money(sum(payout.amount_minor for payout in payouts)),
        "players": page_of(request, "players", players, PLAYERS_A_PAGE),
        "sought": sought,
        # Kept in the page links of the players' list.
        "more": f"&{urlencode({'q': sought})}" if sought else "",
        "not_printed": not_printed([tournament.club.name, tournament.name, *names.values()]),
        "title": gettext("Balances: {name}").format(name=tournament.name),
    }
    return tournament_page(request, tournament, "money", context)


def _debts_first(share: PlayerShare) -> tuple[int, str]:
    return share.held_minor, search_key(share.name)


def _line(request: HttpRequest, shown: Mapping[str, Any], state: SettlementState) -> SafeString:
    """One table of the list. Lines without a button, almost all on a long night, are cached in the process.

    The cache key holds everything that such a line shows.
    """
    context = {**shown, "state": state}
    if state.problem is not None or state.state in RETRYABLE:
        return render_to_string(_LINE, context, request)
    key = tag_digest("settlement", get_language(), get_current_timezone_name(), repr(state))
    line: SafeString | None = caches["answers"].get(key)
    if line is None:
        line = render_to_string(_LINE, context)
        caches["answers"].set(key, line)
    return line


@purpose(gettext_noop("Settle a table again after its settlement failed."))
@require_POST
def settle(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Settle one table, or the tournament's entries and prizes, now; doing it twice posts once."""
    table_text = words_in(request.POST, "table")["table"]
    if table_text == EVENING:
        settled = settle_tournament(tournament.pk, now=now())
    else:
        settled = settle_table(_table_in(tournament, table_text), now=now())
    if settled.problem:
        messages.error(request, gettext("Not settled: {problem}").format(problem=translate(settled.problem)))
    elif settled.posted or settled.reversed:
        messages.success(
            request,
            gettext("Settled: {posted} entries posted, {reversed} reversed.").format(
                posted=settled.posted, reversed=settled.reversed
            ),
        )
    else:
        messages.info(request, gettext("Nothing to post: the books are up to date."))
    return HttpResponseRedirect(page_url("money", tournament))


def _table_in(tournament: Tournament, text: str) -> UUID:
    """The id of this tournament's table; 404 for any other."""
    table_id = uuid_of(text)
    if table_id is None or not Scoresheet.objects.filter(table_id=table_id, table__tournament=tournament).exists():
        raise Http404
    return table_id
