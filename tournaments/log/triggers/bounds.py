"""What an event, its note and a seal take at most, whichever program inserts them."""

from scoring.ledger.triggers.definitions import MOST_COUNT, MOST_POSITION, MOST_SMALL, Bounds
from tournaments.models.log import HASH_BYTES, MOST_BODY, MOST_NOTE

OF_LOG = {
    "tournaments_event": Bounds(
        moments=("recorded_at", "occurred_at"),
        counts={"version": MOST_COUNT, "schema": MOST_SMALL, "recipe": MOST_SMALL},
        wide={"position": MOST_POSITION},
        short={"kind": 40, "actor": 100, "device": 100, "key": 200},
        long={"body": MOST_BODY, "request_digest": HASH_BYTES, "note_digest": HASH_BYTES, "hash": HASH_BYTES},
    ),
    "tournaments_eventnote": Bounds(long={"salt": 16, "text": MOST_NOTE}),
    "tournaments_seal": Bounds(
        moments=("sealed_at",),
        wide={"from_position": MOST_POSITION, "to_position": MOST_POSITION},
        long={"root": HASH_BYTES, "previous": HASH_BYTES, "hash": HASH_BYTES},
    ),
}
