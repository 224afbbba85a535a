"""The names that the public reads, brought up to date in a club: as chosen, and no two alike.

Rules: docs/publishing.md, "Names". Of players who would look the same the one who came first keeps the plain name, so
that nobody's name changes because somebody else has joined. Called in the turn in which a player or a club is written.
"""

from collections.abc import Iterable
from uuid import UUID

from tournaments.models import Club, Player
from tournaments.models.people import name_key
from tournaments.models.public_names import TELLING_DIGITS, shown_name, telling_name

MOST_DIGITS = 32
CHOICE = ("id", "name", "naming", "pseudonym", "public_name")


def renew_public_names(club_id: UUID) -> int:
    """Every player of a club under the name that follows from the choices; says how many have another one now."""
    naming = Club.objects.values_list("naming", flat=True).get(id=club_id)
    living = Player.objects.filter(club_id=club_id, erased_at__isnull=True)
    players = list(living.order_by("created_at", "id").only(*CHOICE))
    changed = []
    for player, shown in zip(players, as_chosen(players, naming).values(), strict=True):
        if player.public_name != shown:
            player.public_name, player.public_key = shown, name_key(shown)
            changed.append(player)
    Player.objects.bulk_update(changed, ("public_name", "public_key"), batch_size=300)
    return len(changed)


def as_chosen(players: Iterable[Player], naming: str) -> dict[UUID, str]:
    """What the public reads of each player, who came first first: as the club shows everybody, or they have chosen."""
    taken: set[str] = set()
    names: dict[UUID, str] = {}
    for player in players:
        shown = shown_name(player.name, player.naming or naming, player.pseudonym)
        if name_key(shown) in taken:
            told = (telling_name(shown, player.id, digits) for digits in range(TELLING_DIGITS, MOST_DIGITS + 1))
            shown = next(name for name in told if name_key(name) not in taken)
        taken.add(name_key(shown))
        names[player.id] = shown
    return names
