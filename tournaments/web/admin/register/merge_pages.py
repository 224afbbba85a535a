"""Pages that merge two rows of one player, with a preview of what moves, and that undo the merge.

Rules: docs/how-to/evening.md, "One player in two rows". The page belongs to the row to be removed, and asks for the one
that stays.
"""

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext

from scoring.money.formatting import money
from tournaments.merging import MOST_LISTED, merge_players, merge_problems, moving, undo_merge, undo_problems
from tournaments.models import Player
from tournaments.people.known_names import known_names
from tournaments.web.admin.base.command_fields import MOST_NAME
from tournaments.web.admin.base.command_forms import CommandForm, data_of, words_in


def merge(request: HttpRequest, player: Player) -> HttpResponse:
    """Choose the row that stays, preview what moves, and merge."""
    if player.merged_into_id is not None:
        return _to(player.merged_into_id)
    typed = words_in(request.GET, "into", "name", max_length=MOST_NAME)
    found = _found(player, typed)
    into = found[0] if len(found) == 1 and (typed["into"] or typed["name"]) else None
    form = CommandForm(data_of(request))
    if form.is_bound and into is not None:
        form.attempt(lambda: merge_players(player, into, context=form.command_context(request)))
        if not form.errors:
            text = gettext("{name} is merged into {other}.").format(name=player.name, other=into.name)
            messages.success(request, text)
            return _to(into.pk)
    context: dict[str, object] = {"player": player, "into": into, "typed": typed, "choices": found, "form": form}
    if into is not None:
        context |= {"problems": list(merge_problems(player, into)), **_moving(player, into)}
    return _page(request, "merge", context, status=422 if form.is_bound else 200)


def unmerge(request: HttpRequest, player: Player) -> HttpResponse:
    """Ask, then make a merged row a player of its own again."""
    kept, name = player.merged_into, player.merged_name
    form = CommandForm(data_of(request))
    if form.is_bound:
        form.attempt(lambda: undo_merge(player, context=form.command_context(request)))
        if not form.errors:
            messages.success(request, gettext("{name} is a player of their own again.").format(name=name))
            return _to(player.pk)
    if kept is None:
        return _to(player.pk)
    context = {"player": kept, "row": player, "problems": list(undo_problems(player)), "form": form}
    return _page(request, "unmerge", context, status=422 if form.is_bound else 200)


def _to(player: object) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("admin:tournaments_player_change", args=[player]))


def _page(request: HttpRequest, name: str, context: dict[str, object], *, status: int) -> TemplateResponse:
    whole = {**admin.site.each_context(request), "opts": Player._meta, **context}
    return TemplateResponse(request, f"admin/tournaments/player/{name}.html", whole, status=status)


def _found(player: Player, typed: dict[str, str]) -> list[Player]:
    """Candidates for the row that stays: by id, by name, or else by a similar name."""
    known = known_names(player.club)
    if typed["into"]:
        near = [known.by_id[typed["into"]]] if typed["into"] in known.by_id else []
    elif name := " ".join(typed["name"].split()):
        near = [*known.found(name)] or known.nearly(name)
    else:
        near = [*known.bearers(player.name), *known.nearly(player.name)]
    ids = [one for one, _ in near]
    found = Player.objects.present().filter(club=player.club_id, id__in=ids).exclude(id=player.pk)
    return list(found.order_by("search_key", "id"))


def _moving(player: Player, into: Player) -> dict[str, object]:
    """Context about what the merge moves."""
    found, locale = moving(player), player.club.locale
    return {
        "moving": found,
        "tournaments": found.tournaments[:MOST_LISTED],
        "more": len(found.tournaments) - MOST_LISTED,
        "balances": [money(amount, currency, locale) for currency, amount in sorted(found.moved.items())],
        "credits": [money(limit, currency, locale) for currency, limit in sorted(found.lost_credit.items())],
        "hides_page": into.has_page and not player.has_page,
    }
