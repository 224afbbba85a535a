"""Pages that merge two rows of one player, with a preview of what moves, and that undo the merge.

Rules: docs/how-to/evening.md, "One player in two rows". The page belongs to the row to be removed, and asks for the one
that stays.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from scoring.money.formatting import money
from tournaments.merging import MOST_LISTED, merge_players, merge_problems, moving, undo_merge, undo_problems
from tournaments.models import Player
from tournaments.people.known_names import known_names
from tournaments.web.admin.base.command_fields import MOST_NAME
from tournaments.web.admin.base.command_forms import CommandForm, data_of, words_in
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.scoping import admin_page


@purpose(gettext_noop("Merge two players who are the same person."))
def merge(request: HttpRequest, player: Player) -> HttpResponse:
    """Choose the row that stays, preview what moves, and merge."""
    if player.merged_into_id is not None:
        return _to(player.merged_into_id)
    search_words = words_in(request.GET, "into", "name", max_length=MOST_NAME)
    candidates = _found(player, search_words)
    into = candidates[0] if len(candidates) == 1 and (search_words["into"] or search_words["name"]) else None
    form = CommandForm(data_of(request))
    if form.is_bound and into is not None:
        form.attempt(lambda: merge_players(player, into, context=form.command_context(request)))
        if not form.errors:
            text = gettext("{name} is merged into {other}.").format(name=player.name, other=into.name)
            messages.success(request, text)
            return _to(into.pk)
    context: dict[str, object] = {
        "player": player,
        "into": into,
        "typed": search_words,
        "choices": candidates,
        "form": form,
    }
    if into is not None:
        context |= {"problems": list(merge_problems(player, into)), **_moving(player, into)}
    return admin_page(request, "admin/tournaments/player/merge.html", context, model=Player, refused=form.is_bound)


@purpose(gettext_noop("Make two players of one again."))
def unmerge(request: HttpRequest, player: Player) -> HttpResponse:
    """Ask, then make a merged row a player of its own again."""
    kept_player, name = player.merged_into, player.merged_name
    form = CommandForm(data_of(request))
    if form.is_bound:
        form.attempt(lambda: undo_merge(player, context=form.command_context(request)))
        if not form.errors:
            messages.success(request, gettext("{name} is a player of their own again.").format(name=name))
            return _to(player.pk)
    if kept_player is None:
        return _to(player.pk)
    context = {"player": kept_player, "row": player, "problems": list(undo_problems(player)), "form": form}
    return admin_page(request, "admin/tournaments/player/unmerge.html", context, model=Player, refused=form.is_bound)


def _to(player: object) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("admin:tournaments_player_change", args=[player]))


def _found(player: Player, typed: dict[str, str]) -> list[Player]:
    """Candidates for the row that stays: by id, by name, or else by a similar name."""
    club_names = known_names(player.club)
    if typed["into"]:
        near = [club_names.by_id[typed["into"]]] if typed["into"] in club_names.by_id else []
    elif name := " ".join(typed["name"].split()):
        near = [*club_names.found(name)] or club_names.nearly(name)
    else:
        near = [*club_names.bearers(player.name), *club_names.nearly(player.name)]
    ids = [player_id for player_id, _ in near]
    candidates = Player.objects.present().filter(club=player.club_id, id__in=ids).exclude(id=player.pk)
    return list(candidates.order_by("search_key", "id"))


def _moving(player: Player, into: Player) -> dict[str, object]:
    """Context about what the merge moves."""
    merge_effects, locale = moving(player), player.club.locale
    return {
        "moving": merge_effects,
        "tournaments": merge_effects.tournaments[:MOST_LISTED],
        "more": len(merge_effects.tournaments) - MOST_LISTED,
        "balances": [money(amount, currency, locale) for currency, amount in sorted(merge_effects.moved.items())],
        "credits": [money(limit, currency, locale) for currency, limit in sorted(merge_effects.lost_credit.items())],
        "hides_page": into.has_page and not player.has_page,
    }
