"""The books of a club for programs: accounts, journal, trial balance, statements, and the same files as on the pages.

Rules: docs/reference/api.md, "The books"; docs/how-to/books.md. Read-only. Closed to who counts tills blind until every
till is counted, except for the statement of one player.
"""

from collections.abc import Mapping
from functools import partial
from itertools import groupby
from typing import Any
from uuid import UUID

from django import forms
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import translation
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.ledger import StatementLine, player_statement
from scoring.ledger.readings import account_balances, accounts_with_balance, journal_of
from scoring.problems import OptionsRejected, refuse_if
from tournaments.books.queries import BookScope, names_of, scope_of, sum_of_sides, trial_lines
from tournaments.models import Club, Player, Tournament
from tournaments.people.permissions import Permission
from tournaments.people.players import rows_of, uuid_of
from tournaments.printing.books import statement_document, trial_balance_document
from tournaments.printing.files import FileKind, download_problems, write_balances, write_journal, write_statement
from tournaments.rendering.i18n.translating import activate_locale
from tournaments.web.api import book_shapes as shapes
from tournaments.web.api.answers import shaped
from tournaments.web.api.clubs import find_club
from tournaments.web.api.doors import ApiView, filtered, page_of, page_of_list
from tournaments.web.api.downloads import (
    PAPER,
    FileView,
    download,
    kind_asked,
    kind_parameter,
    media_types,
    paper,
    paper_asked,
)
from tournaments.web.api.filters import AccountFilter, DayField, EntryFilter
from tournaments.web.api.problems import BadParameter
from tournaments.web.api.schema import PAGING, describes

FIRST = OpenApiParameter("from", OpenApiTypes.DATE, description="The first day, in the club's time zone")
LAST = OpenApiParameter("to", OpenApiTypes.DATE, description="The last day, included")
TOURNAMENT = OpenApiParameter(
    "tournament", OpenApiTypes.UUID, description="Only what was posted for this tournament; not with days"
)
JOURNAL_FILES = (FileKind.CSV, FileKind.XLSX, FileKind.BEANCOUNT, FileKind.PDF)
PRINTED_FILES = (FileKind.CSV, FileKind.PDF)


class Accounts(ApiView):
    """The accounts of a club's books."""

    permissions = {"GET": Permission.SEE_BOOKS}

    @describes("list_accounts", shapes.AccountPage, parameters=PAGING, filters=AccountFilter)
    def get(self, request: Request, club_id: UUID) -> Response:
        """Every account with what it holds now, by kind, owner and currency."""
        club = find_club(self, club_id)
        rows = filtered(request, AccountFilter, accounts_with_balance(club.pk))
        show = partial(_account, names=names_of(club))
        return Response(page_of(request, rows, show, order=("kind", "owner", "currency", "id")))


class Journal(ApiView):
    """The journal of a club's books."""

    permissions = {"GET": Permission.SEE_BOOKS}

    @describes("list_journal", shapes.JournalPage, parameters=PAGING, filters=EntryFilter)
    def get(self, request: Request, club_id: UUID) -> Response:
        """Every entry with its postings, the newest first."""
        club = find_club(self, club_id)
        rows = filtered(request, EntryFilter, journal_of(club.pk), club=club)
        show = partial(_entry, names=names_of(club))
        return Response(page_of(request, rows, show, order=("-posted_at", "reference")))


class JournalFile(FileView):
    """The journal as a file."""

    permissions = {"GET": Permission.SEE_BOOKS}

    @describes(
        "download_journal",
        media_types(*JOURNAL_FILES),
        parameters=[kind_parameter(*JOURNAL_FILES), FIRST, LAST, TOURNAMENT, PAPER],
    )
    def get(self, request: Request, club_id: UUID) -> HttpResponseBase:
        """The journal of a period or of a tournament, oldest first. One that is too long is refused: ask for less."""
        club = find_club(self, club_id)
        kind, size = kind_asked(request, *JOURNAL_FILES), paper_asked(request)
        extract = _extract(request, club)
        refuse_if(download_problems(extract, kind), OptionsRejected)
        activate_locale(club.locale)
        return download(lambda file: write_journal(file, extract, kind, size), extract.name, kind)


class TrialBalance(ApiView):
    """The trial balance of a club's books."""

    permissions = {"GET": Permission.SEE_BOOKS}

    @describes("read_trial_balance", shapes.TrialBalanceAnswer, parameters=[FIRST, LAST])
    def get(self, request: Request, club_id: UUID) -> Response:
        """Each kind of account on both sides of the books: before a period, in it and after it."""
        extract = _extract(request, find_club(self, club_id))
        lines = trial_lines(account_balances(scope_of(extract)))
        sums = [sum_of_sides(line.sides for line in own) for _, own in groupby(lines, key=lambda line: line.currency)]
        names = ("opening_debit", "opening_credit", "debit", "credit", "closing_debit", "closing_credit")
        items = [
            shaped(
                shapes.TrialBalanceLine,
                line,
                **{f"{name}_minor": amount for name, amount in zip(names, line.sides, strict=True)},
            )
            for line in lines
        ]
        return Response(
            shapes.TrialBalanceAnswer(
                club=extract.club.pk,
                first=extract.first,
                last=extract.last,
                is_balanced=all(sides[0::2] == sides[1::2] for sides in sums),
                lines=items,
            )
        )


class BalancesFile(FileView):
    """Every account with its balance, as a file."""

    permissions = {"GET": Permission.SEE_BOOKS}

    @describes(
        "download_balances",
        media_types(*PRINTED_FILES),
        parameters=[kind_parameter(*PRINTED_FILES), FIRST, LAST, PAPER],
    )
    def get(self, request: Request, club_id: UUID) -> HttpResponseBase:
        """Every account of a period (CSV), or the trial balance on paper (PDF)."""
        club = find_club(self, club_id)
        extract = _extract(request, club)
        name = f"{extract.name}-balances"
        if kind_asked(request, *PRINTED_FILES) is FileKind.PDF:
            return paper(request, lambda: trial_balance_document(extract), name, club)
        return download(lambda file: write_balances(file, extract), name, FileKind.CSV)


class Statement(ApiView):
    """What a player paid and got in a club."""

    permissions = {"GET": Permission.SEE_MONEY}

    @describes("list_statement", shapes.StatementPage, parameters=PAGING)
    def get(self, request: Request, club_id: UUID, player_id: UUID) -> Response:
        """Every amount with the balance after it, oldest first. Of a merged player all of one person."""
        player = _player(find_club(self, club_id), player_id)
        lines = player_statement(player.club_id, rows_of(player.club_id, [str(player.pk)]))
        numbered = list(enumerate(lines, start=1))
        return Response(page_of_list(request, numbered, _line, key=lambda pair: pair[1].posting))


class StatementFile(FileView):
    """A player's statement as a file."""

    permissions = {"GET": Permission.SEE_MONEY}

    @describes("download_statement", media_types(*PRINTED_FILES), parameters=[kind_parameter(*PRINTED_FILES), PAPER])
    def get(self, request: Request, club_id: UUID, player_id: UUID) -> HttpResponseBase:
        """The whole statement; the file has no name in its own, because a name can be erased."""
        club = find_club(self, club_id)
        player = _player(club, player_id)
        name = f"{club.slug}-statement-{player.pk}"
        if kind_asked(request, *PRINTED_FILES) is FileKind.PDF:
            return paper(request, lambda: statement_document(player), name, club)
        return download(lambda file: write_statement(file, player), name, FileKind.CSV)


def _player(club: Club, player_id: UUID) -> Player:
    return get_object_or_404(Player.objects.select_related("club"), pk=player_id, club=club)


def _extract(request: Request, club: Club) -> BookScope:
    """The part of the books that is asked for. Raises BadParameter with everything that is wrong."""
    days, problems = {}, {}
    for name in ("from", "to"):
        try:
            with translation.override("en"):
                days[name] = DayField().clean(request.query_params[name]) if name in request.query_params else None
        except forms.ValidationError as error:
            problems[name] = f"{name}: {' '.join(error.messages)}"
    first, last = days.get("from"), days.get("to")
    if first and last and last < first:
        problems["to"] = f"to: {last} is before {first}."
    key = request.query_params.get("tournament")
    tournament_id = uuid_of(key) if key is not None else None
    tournament = Tournament.objects.filter(pk=tournament_id, club=club).first() if tournament_id else None
    if key is not None and tournament is None:
        problems["tournament"] = "tournament must be the id of a tournament of this club."
    elif tournament is not None and (first or last):
        problems["tournament"] = "Give days or a tournament, not both."
    if problems:
        raise BadParameter(problems)
    return BookScope(club=club, first=first, last=last, tournament=tournament)


def _account(account: Any, names: Mapping[str, str]) -> shapes.AccountAnswer:
    return shaped(shapes.AccountAnswer, account, name=names.get(account.owner, ""))


def _entry(entry: Any, names: Mapping[str, str]) -> shapes.EntryOfJournal:
    postings = [
        shaped(
            shapes.PostingAnswer,
            posting,
            account=posting.account_id,
            kind=posting.account.kind,
            owner=posting.account.owner,
            name=names.get(posting.account.owner, ""),
        )
        for posting in entry.postings.all()
    ]
    return shaped(
        shapes.EntryOfJournal,
        entry,
        postings=postings,
        reverses=entry.reverses.reference if entry.reverses_id else "",
        is_undone=hasattr(entry, "reversal"),
    )


def _line(numbered: tuple[int, StatementLine]) -> shapes.StatementLineAnswer:
    number, line = numbered
    return shaped(shapes.StatementLineAnswer, line, number=number)
