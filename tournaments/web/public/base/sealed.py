"""The line at the foot of a club's own pages: up to where its log is sealed, for pages that no one board covers."""

from typing import Any

from tournaments import log
from tournaments.models import Club
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.web.public.base.words import moment


def sealed_context(club: Club) -> dict[str, Any]:
    """What `pages/sealed.html` reads, in one query; nothing to show before the first seal."""
    seal = log.last_seal(club.id)
    if seal is None:
        return {"seal": None}
    return {
        "seal": seal,
        "seal_fingerprint": log.seal_fingerprint(seal),
        "sealed": moment(seal.sealed_at, zone_of(club.timezone)),
    }
