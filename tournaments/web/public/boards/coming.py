"""What the page of a tournament to come tells those who may enter by themselves: fee, places, standby list, who comes.

Rules: docs/how-to/publishing.md, "A tournament to come". A function of state and settings, and of the deadline, which
is in the page's tag.
"""

from collections.abc import Mapping

from django.utils.timezone import now
from django.utils.translation import gettext

from scoring.money.formatting import money
from scoring.tournament import TournamentState
from scoring.tournament.state import Standing
from tournaments.entries.self_entry import entries_end, places_of, state_of, why_closed
from tournaments.models import EntrantsShown, Tournament
from tournaments.models.public_names import Names
from tournaments.printing import notation_of
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.rendering.i18n.translating import translate
from tournaments.running.remembered_names import names_of_players
from tournaments.web.public.base.answers import Context
from tournaments.web.public.base.words import moment

# Of a longer list the others are counted.
MOST_NAMES = 200


def coming_context(tournament: Tournament) -> Context | None:
    """The context of `pages/coming.html`; None once it has begun, and where nobody enters by themselves."""
    if not tournament.takes_entries:
        return None
    state = state_of(tournament)
    if state.is_started or state.is_closed:
        return None
    zone, closed = zone_of(tournament.club.timezone), why_closed(tournament, state, now=now())
    shows_number = tournament.shows_entrants != EntrantsShown.NOTHING
    names = public_names(tournament, state) if tournament.shows_entrants == EntrantsShown.NAMES else {}
    return {
        "starts": moment(tournament.starts_at, zone),
        "ends": moment(entries_end(tournament), zone),
        "fee": fee_text(tournament, state),
        "places": places_of(tournament, state),
        "shows_number": shows_number,
        "names": names.get(Standing.ENTERED, [])[:MOST_NAMES],
        "more": max(0, len(names.get(Standing.ENTERED, [])) - MOST_NAMES),
        "standby_names": names.get(Standing.STANDBY, [])[:MOST_NAMES],
        "closed": [translate(reason) for reason in closed],
    }


def public_names(tournament: Tournament, state: TournamentState) -> Mapping[Standing, list[str]]:
    """Who plays and who stands by, by the names that the club publishes, without players hidden from the public."""
    shown = {
        player: entrant.standing
        for player, entrant in state.entrants.items()
        if not entrant.is_hidden and entrant.standing in (Standing.ENTERED, Standing.STANDBY)
    }
    names = names_of_players(tournament.club, shown, Names.PUBLIC)
    a_to_z = sorted((name.key, player, name.name) for player, name in names.items())
    listed: dict[Standing, list[str]] = {}
    for _, player, name in a_to_z:
        listed.setdefault(shown[player], []).append(name)
    return listed


def fee_text(tournament: Tournament, state: TournamentState) -> str:
    """The entry fee, and the members' where there is one."""
    notation = notation_of(tournament)
    if not tournament.entry_minor:
        return gettext("Free entry")
    fees = [money(tournament.entry_minor, *notation)]
    if state.plan is not None and state.plan.member_minor is not None:
        fees.append(gettext("members {amount}").format(amount=money(state.plan.member_minor, *notation)))
    return " · ".join(fees)
