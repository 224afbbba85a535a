"""Who qualifies for the next stage: the cut as it would be now, the ties to break before it, and undoing a cut.

Rules: docs/rules/tournaments.md, "Cuts" and "Ties". Each button calls one command; no tie is broken automatically.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.html import format_html
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext

from scoring.tournament.standings import CutProposal, TieTask
from scoring.tournament.state.played import score_text
from tournaments.log.context import CommandContext
from tournaments.models import Tournament
from tournaments.models.public_names import Names
from tournaments.rendering.i18n.formatting import has_decimals, number_text
from tournaments.rendering.i18n.translating import translate
from tournaments.running.commands.cut import (
    make_cut,
    settle_by_extra_deal,
    settle_by_high_card,
    settle_by_lots,
    withdraw_cut,
)
from tournaments.running.queries.dashboard import RunningTournament, running_tournament
from tournaments.running.queries.stages import cut_proposal
from tournaments.running.ties import open_ties
from tournaments.web.admin.base.command_fields import ReasonField, TextField, WordField
from tournaments.web.admin.base.command_forms import CommandForm, forms_shown, sent_form
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import go_on, page_url, tournament_page

MOST_TYPED = 80
MOST_TIED = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTie:
    """Tied players by name, with a form for each permitted tie-break."""

    number: int
    task: TieTask
    text: str
    players: tuple[tuple[str, str], ...]
    forms: Mapping[str, "TieForm"]


class CutForm(CommandForm):
    """Make the cut."""

    def do(self, request: HttpRequest, running: RunningTournament) -> str:
        """Run the command; returns a message about what was done."""
        stage_cut = make_cut(running.tournament.pk, context=self.command_context(request))
        return gettext("{count} players qualify.").format(count=len(stage_cut.state.cuts[-1].advancing))


class WithdrawForm(CutForm):
    """Undo the last cut."""

    reason = ReasonField(label=gettext_lazy("Reason for undoing"), max_length=MOST_TYPED)

    def do(self, request: HttpRequest, running: RunningTournament) -> str:
        stage = running.state.cuts[-1].stage if running.state.cuts else running.state.stage
        withdraw_cut(
            running.tournament.pk, stage, reason=self.cleaned_data["reason"], context=self.command_context(request)
        )
        return gettext("Cut undone.")


CUT_FORMS: dict[str, type[CutForm]] = {"cut": CutForm, "withdraw": WithdrawForm}


class TieForm(CommandForm):
    """A tie: its players, and the result of the tie-break."""

    tie = WordField(max_length=MOST_TIED)
    method = WordField()

    def __init__(self, *args: Any, players: Sequence[tuple[str, str]] = (), **kwargs: Any) -> None:
        super().__init__(*args, auto_id="%s", **kwargs)
        self.players = players

    def of_each(self, kind: str) -> dict[str, str]:
        """The value entered for each player."""
        return {player: self.cleaned_data[f"{kind}-{player}"] for player, _ in self.players}

    def settle(self, tournament: UUID, context: CommandContext) -> None:
        """Store the result."""
        raise NotImplementedError


class HighCardForm(TieForm):
    """A card for each player, the highest first."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        attrs = {"size": 4, "placeholder": gettext("Kh"), "autocomplete": "off"}
        for player, name in self.players:
            label = format_html("<bdi>{}</bdi>", name)
            self.fields[f"card-{player}"] = TextField(label=label, max_length=4, attrs=attrs, required=False)

    def settle(self, tournament: UUID, context: CommandContext) -> None:
        settle_by_high_card(tournament, self.of_each("card"), context=context)


class ExtraDealForm(TieForm):
    """The places of the players in an extra deal."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", gettext("place")), *((place, place) for place in self.places)]
        for player, name in self.players:
            label = format_html("<bdi>{}</bdi>", name)
            self.fields[f"place-{player}"] = forms.ChoiceField(label=label, choices=choices, required=False)

    @property
    def places(self) -> list[str]:
        """One place for each player."""
        return [str(place) for place in range(1, 1 + len(self.players))]

    def clean(self) -> None:
        """Refuse unless every place is given once."""
        given_places = [value for name, value in self.cleaned_data.items() if name.startswith("place-")]
        if sorted(given_places) != sorted(self.places):
            detail = gettext("give every place once: an extra deal leaves no ties")
            raise ValidationError(detail, code="not_a_choice")

    def settle(self, tournament: UUID, context: CommandContext) -> None:
        places = self.of_each("place")
        order = sorted(places, key=lambda player: int(places[player]))
        settle_by_extra_deal(tournament, order, context=context)


class LotsForm(TieForm):
    """Lots drawn with a draw code, so that anyone can repeat the draw."""

    seed = TextField(
        label=gettext_lazy("Draw code"),
        help_text=gettext_lazy("Shown so that anyone can repeat the draw."),
        max_length=MOST_TYPED,
        required=False,
    )

    def settle(self, tournament: UUID, context: CommandContext) -> None:
        players = [player for player, _ in self.players]
        settle_by_lots(tournament, players, seed=self.cleaned_data["seed"], context=context)


TIE_FORMS: dict[str, type[TieForm]] = {"high_card": HighCardForm, "extra_deal": ExtraDealForm, "lots": LotsForm}


@purpose(gettext_noop("See who qualifies for the next stage, then make the cut."))
def cut(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The cut as it would be now; made with one button, undone with a reason."""
    running = running_tournament(tournament, now=now(), names=Names.REAL)
    form = sent_form(request, CUT_FORMS)
    message = form.attempt(lambda: form.do(request, running)) if form and form.is_valid() else None
    if message is None:
        return _page(request, running, "cut", form)
    return go_on(request, page_url("night", tournament), message)


@purpose(gettext_noop("Break the ties that decide who qualifies or wins."))
def ties(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The ties to break, each by an extra deal, a card for each player, or lots."""
    running = running_tournament(tournament, now=now(), names=Names.REAL)
    if request.method != "POST":
        return _page(request, running, "ties")
    form = _sent_tie(request, running)
    if form.is_valid():
        form.attempt(lambda: form.settle(tournament.pk, form.command_context(request)))
    if form.errors:
        return _page(request, running, "ties", form)
    return go_on(request, page_url("night", running.tournament), gettext("Tie resolved."))


def _sent_tie(request: HttpRequest, running: RunningTournament) -> TieForm:
    """The submitted form of a tie: of whose it is, and how it was broken."""
    tie_form = TieForm(request.POST)
    players, method = tuple(tie_form.read["tie"].split()), tie_form.read["method"]
    kind = TIE_FORMS.get(method, LotsForm)
    return kind(request.POST, players=tuple((player, running.names.get(player, player)) for player in players))


def _proposal(running: RunningTournament) -> CutProposal:
    """The cut as it would be now; an empty one where the plan makes no cut."""
    stage = running.state.current
    if stage is None or not stage.cuts or not running.state.rounds_of(running.state.stage):
        return CutProposal(stage=running.state.stage, advancing=())
    return cut_proposal(running.tournament, running.state)


def _page(
    request: HttpRequest, running: RunningTournament, page: str, sent: CommandForm | None = None
) -> TemplateResponse:
    state, names, proposal = running.state, running.names, _proposal(running)
    last = state.cuts[-1] if state.cuts else None
    tasks = open_ties(running.tournament, running.state) if page == "ties" else proposal.tasks
    scores = {player: score_text(score) for player, score in proposal.scores.items()}
    decimals = has_decimals(scores.values())
    scores = {player: number_text(score, decimals=decimals) for player, score in scores.items()}
    context: dict[str, Any] = {
        "title": (gettext("Cut: {name}") if page == "cut" else gettext("Ties: {name}")).format(
            name=running.tournament.name
        ),
        "form": sent,
        "forms": forms_shown(CUT_FORMS, sent if isinstance(sent, CutForm) else None),
        "stage": state.current,
        "going_on": [
            (names[player], scores[player], translate(proposal.reasons[player])) for player in proposal.advancing
        ],
        "staying": [(names[player], score) for player, score in scores.items() if player not in proposal.reasons],
        "ties": [_shown(number, task, running, sent) for number, task in enumerate(tasks)],
        "ties_url": page_url("ties", running.tournament),
        "cut_url": page_url("cut", running.tournament),
        "last": last,
        "last_names": [names[player] for player in last.advancing] if last else [],
        "may_withdraw": last is not None and not state.rounds_of(last.stage + 1),
        "seated_round": state.last_round.round if state.last_round else 0,
    }
    return tournament_page(request, running.tournament, page, context)


def _tie_text(task: TieTask) -> str:
    """What a tie is about: who qualifies, or the prizes of its places."""
    where = translate(task.where)
    if task.places == len(task.players):
        return gettext("Tied for {where}. Until the tie is broken they share the prizes.").format(where=where)
    text = ngettext(
        "Tied for the {where}: {places} of {players} qualifies.",
        "Tied for the {where}: {places} of {players} qualify.",
        task.places,
    )
    return text.format(where=where, places=task.places, players=len(task.players))


def _shown(number: int, task: TieTask, running: RunningTournament, sent: CommandForm | None) -> ShownTie:
    """Tied players with a form for each tie-break; a draw code is suggested for lots."""
    players = tuple((player, running.names[player]) for player in task.players)
    initial = {"tie": " ".join(task.players), "seed": uuid4().hex[:8]}
    offered = {
        method: sent
        if isinstance(sent, TieForm) and type(sent) is kind and sent.players == players
        else kind(players=players, initial={**initial, "method": method})
        for method, kind in TIE_FORMS.items()
        if method in task.methods
    }
    if "lots" in offered:
        offered["lots"].fields["seed"].widget.attrs["id"] = f"seed-{number}"
    return ShownTie(number=number, task=task, text=_tie_text(task), players=players, forms=offered)
