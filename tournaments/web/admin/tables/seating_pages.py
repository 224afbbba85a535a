"""Seating: pick the players of a table in table order, and open it.

Rules: docs/evening.md, "Seating". Names are typed or picked from the list; a name that nobody bears can be added
to the club on the spot.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from django.contrib import admin, messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext

from scoring.problems import KeyReused, Problem, RuleError
from scoring.rules.table.entering import WHOLE_NUMBER
from scoring.rules.variants import variant
from tournaments.models import Table, Tournament
from tournaments.models.people import name_key
from tournaments.people.players import Roster, add_players, next_table, roster
from tournaments.rendering.i18n.filters import called
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.web.admin.base.request import KEY, order_of
from tournaments.web.admin.base.typed_events import clean

PLACES = range(1, 11)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """The form as typed."""

    round: str
    number: str
    name: str
    seats: Mapping[int, str]
    adds_new: bool = False
    key: str = field(default_factory=lambda: str(uuid4()))


def seat(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Pick players, open the table, go on to the next one."""
    if request.method != "POST":
        round_number, number = next_table(tournament)
        wanted = request.GET.get("round", "")
        if wanted.isdecimal() and len(wanted) < 4 and int(wanted) > round_number:
            round_number, number = int(wanted), 1
        seating = Seating(round=str(round_number), number=str(number), name="", seats={})
        return _page(request, tournament, seating)
    seating = _sent(request)
    draft, unknown, problems = _draft(tournament, seating)
    if problems or (unknown and not seating.adds_new):
        return _page(request, tournament, seating, (*problems, *_unknown_problems(unknown)), has_unknown=bool(unknown))
    try:
        with transaction.atomic():
            table = open_table(tournament, _with_new(tournament, draft, unknown), order=order_of(request, seating.key))
    except RuleError as refused:
        return _page(request, tournament, seating, refused.problems)
    except KeyReused:
        detail = gettext("this form was sent before with other players; look at the tables, then send it again")
        again = Seating(round=seating.round, number=seating.number, name=seating.name, seats=seating.seats)
        return _page(request, tournament, again, [Problem(code="key_reused", detail=detail)])
    messages.success(request, _opened_said(table, len(draft.seats) + len(unknown)))
    if request.POST.get("do") == "next":
        return HttpResponseRedirect(reverse("admin:tournaments_tournament_seat", args=[tournament.pk]))
    return HttpResponseRedirect(reverse("admin:tournaments_table_score", args=[table.pk]))


def _sent(request: HttpRequest) -> Seating:
    post = request.POST
    key = post.get("key", "")
    return Seating(
        round=_text(post, "round"),
        number=_text(post, "number"),
        name=_text(post, "name")[:100],
        seats={place: _text(post, f"seat-{place}") for place in PLACES},
        adds_new=post.get("adds_new") == "on",
        key=key if KEY.fullmatch(key) else str(uuid4()),
    )


def _draft(tournament: Tournament, seating: Seating) -> tuple[TableDraft, dict[int, str], list[Problem]]:
    """The table as it was meant: known players by place, unknown names by place, and numbers that are none."""
    problems: list[Problem] = []
    round_number = _number(seating.round, "round", gettext("Round"), problems)
    number = _number(seating.number, "number", gettext("Table"), problems)
    known = roster(tournament, round_number or 1)
    seats, unknown = [], {}
    for place, label in seating.seats.items():
        player = _player(known, label)
        if player is not None:
            seats.append(SeatedPlayer(number=place, player=player))
        elif label:
            unknown[place] = label
    return TableDraft(number=number, round=round_number, name=seating.name, seats=seats), unknown, problems


def _player(known: Roster, label: str) -> UUID | None:
    """Whoever is meant by a name: exactly as it stands in the list, else the only one whose name reads the same."""
    if not label or label in known.by_label:
        return known.by_label.get(label)
    same = [player for name, player in known.by_label.items() if name_key(name) == name_key(label)]
    return same[0] if len(same) == 1 else None


def _with_new(tournament: Tournament, draft: TableDraft, unknown: Mapping[int, str]) -> TableDraft:
    """The draft with players added for the names that nobody bore."""
    added = add_players(tournament.club, list(unknown.values()))
    seats = [SeatedPlayer(number=place, player=player.pk) for place, player in zip(unknown, added, strict=True)]
    return TableDraft(number=draft.number, round=draft.round, name=draft.name, seats=[*draft.seats, *seats])


def _unknown_problems(unknown: Mapping[int, str]) -> list[Problem]:
    return [
        Problem(
            code="unknown_player",
            seat=str(place),
            field="seats",
            detail=gettext(
                "nobody in the club is called {label}: pick from the list, or tick that new names are added"
            ).format(label=label),
        )
        for place, label in unknown.items()
    ]


def _page(
    request: HttpRequest,
    tournament: Tournament,
    seating: Seating,
    problems: Sequence[Problem] = (),
    *,
    has_unknown: bool = False,
) -> TemplateResponse:
    """The form as typed, each problem at its seat."""
    round_number = int(seating.round) if WHOLE_NUMBER.fullmatch(seating.round) else 1
    known = roster(tournament, round_number)
    most = variant(tournament.variant).seats_allowed[-1]
    places = [place for place in PLACES if place <= most or seating.seats.get(place)]
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "opts": Tournament._meta,
        "tournament": tournament,
        "seating": seating,
        "has_unknown": has_unknown,
        "free": known.free_labels,
        "free_count": len(known.free_labels),
        "seats": [
            {
                "place": place,
                "text": seating.seats.get(place, ""),
                "problems": [p for p in problems if p.seat == str(place)],
            }
            for place in places
        ],
        "by_field": {name: [p for p in problems if p.field == name] for name in ("round", "number")},
        "top_problems": [p for p in problems if p.seat is None and p.field not in ("round", "number")],
        "title": gettext("Seat a table of {name}").format(name=tournament.name),
    }
    return TemplateResponse(request, "admin/tournaments/tournament/seat.html", context, status=422 if problems else 200)


def _number(text: str, name: str, title: str, problems: list[Problem]) -> int:
    if WHOLE_NUMBER.fullmatch(text) and 1 <= int(text) <= 32_767:
        return int(text)
    problems.append(
        Problem(code="not_a_number", field=name, detail=gettext("{name} is a whole number from 1").format(name=title))
    )
    return 0


def _text(post: Any, name: str) -> str:
    return clean(str(post.get(name, "")), 200)


def _opened_said(table: Table, players: int) -> str:
    said = gettext("{table} of round {round} is open with {players} players.")
    return said.format(table=called(table), round=table.round, players=players)
