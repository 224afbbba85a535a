"""What a box holds, model by model; what is derived on arrival instead; and what stays, each with its reason.

A new model of our applications gets one line in one of the three lists (tests/tournaments/boxes/test_contents.py).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models

from scoring.ledger import carrying as books
from scoring.messages import say
from scoring.money.formatting import currency_problems
from scoring.storage.row_lines import Misfit, Record, RowFormat
from tournaments.log import carrying as log_rows
from tournaments.models import (
    Club,
    ClubSlug,
    EntryRequest,
    ErasedPlayer,
    EveningSheet,
    FormerActor,
    Import,
    ImportedPlayer,
    LateSheet,
    PastTournament,
    Player,
    Scoresheet,
    ScreenProgramme,
    Season,
    Seat,
    SeatingDraft,
    Table,
    Tournament,
)
from tournaments.people.players import login_names

CHUNK = 1_000
Write = Callable[[Club, Sequence[dict[str, Any]]], None]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """The rows of one model: their part of the box, how they are written and read, and how they are stored.

    `key` are the columns that no two rows share; `refers` names the kind whose first key a column must name; `clean`
    adds what the model's own fields refuse, such as an unknown choice.
    """

    name: str
    part: str
    format: RowFormat
    records: Callable[[UUID], Iterator[Record]]
    write: Write
    key: tuple[str, ...]
    refers: Mapping[str, str]
    clean: Callable[[dict[str, Any], list[Misfit]], None] = lambda values, misfits: None


def _carried(model: type[models.Model], part: str, *, of_club: str = "club", without: Sequence[str] = ()) -> Kind:
    """A model whose rows are stored as they are; columns with the club are left out, it is that of the box."""
    own_club = of_club == "club" and model is not Club
    left_out = {*without, *(("club_id",) if own_club else ())}
    row_format = RowFormat(model, without=left_out)

    def records(club_id: UUID) -> Iterator[Record]:
        rows = model._base_manager.filter(**{of_club: club_id}).order_by("pk").values_list(*row_format.names)
        yield from map(row_format.record, rows.iterator(CHUNK))

    def write(club: Club, rows: Sequence[dict[str, Any]]) -> None:
        of_it = {"club": club} if own_club else {}
        model._base_manager.bulk_create([model(**of_it, **row) for row in rows])

    return Kind(
        name=model._meta.label_lower,
        part=part,
        format=row_format,
        records=records,
        write=write,
        key=_KEYS.get(model) or (_key_of(model),),
        refers=_references(row_format),
        clean=lambda values, misfits: _clean(model, values, misfits),
    )


def _key_of(model: type[models.Model]) -> str:
    key: Any = model._meta.pk
    return str(key.attname)


def _clean(model: type[models.Model], values: dict[str, Any], misfits: list[Misfit]) -> None:
    row = model(**values)
    others = {field.name for field in model._meta.concrete_fields if field.remote_field or field.attname not in values}
    try:
        row.clean_fields(exclude=others)
    except ValidationError as error:
        misfits += [
            (name, say("{why}", why=message))
            for name, errors in error.error_dict.items()
            for single_error in errors
            if single_error.code != "blank"
            for message in single_error.messages
        ]
    if isinstance(row, Club) and "currency" in values:
        misfits += [(problem.field or "currency", problem.message) for problem in currency_problems(values["currency"])]


def _references(row_format: RowFormat) -> dict[str, str]:
    return {
        name: field.related_model._meta.label_lower
        for name, field in row_format.fields.items()
        if field.related_model and field.related_model is not Club
    }


def _settled(model: type[models.Model], columns: Sequence[str]) -> Kind:
    """Columns of a derived row that follow from no event: how far its money is settled. Stored after it is derived."""
    key = _key_of(model)
    others = {field.attname for field in model._meta.concrete_fields} - {key, *columns}
    row_format = RowFormat(model, without=others)

    def records(club_id: UUID) -> Iterator[Record]:
        rows = model._base_manager.filter(club=club_id).order_by("pk").values_list(*row_format.names)
        yield from map(row_format.record, rows.iterator(CHUNK))

    def write(club: Club, rows: Sequence[dict[str, Any]]) -> None:
        for row in rows:
            model._base_manager.filter(club=club, pk=row.pop(key)).update(**row)

    return Kind(
        name=model._meta.label_lower,
        part=SETTLED,
        format=row_format,
        records=records,
        write=write,
        key=(key,),
        refers=_references(row_format),
    )


def _actor_records(club_id: UUID) -> Iterator[Record]:
    """Names of logins and devices of this installation that the log names, and of those before it."""
    imports = Import.objects.filter(club=club_id).values_list("actor", "undone_by")
    names = login_names(log_rows.actors(club_id).union(*imports), club_id)
    names |= dict(FormerActor.objects.filter(club=club_id).exclude(actor__in=names).values_list("actor", "name"))
    yield from ({"actor": actor, "name": name[:200]} for actor, name in sorted(names.items()))


def _write_erasures(club: Club, rows: Sequence[dict[str, Any]]) -> None:
    """Add to the list of this installation, which may have some of them.

    Raises IntegrityError for a player of another club here: a box would have them erased there.
    """
    ids = [row["player"] for row in rows]
    if Player.objects.filter(pk__in=ids).exclude(club=club).exists():
        raise IntegrityError("a player of another club")
    ErasedPlayer.objects.bulk_create([ErasedPlayer(club=club.pk, **row) for row in rows], ignore_conflicts=True)


def _of_log(name: str, part: str, row_format: RowFormat, records: Any, write: Any, **how: Any) -> Kind:
    return Kind(
        name=name,
        part=part,
        format=row_format,
        records=records,
        write=lambda club, rows: write(club.pk, rows),
        **{"refers": {}, **how},
    )


CLUB, NAMES, PLAY, LOG, SEALS, BOOKS, SETTLED, ERASED = PARTS = (
    *("club.jsonl", "names.jsonl", "settings.jsonl", "log.jsonl", "seals.jsonl", "books.jsonl", "settled.jsonl"),
    "erasures.jsonl",
)
_KEYS: dict[type[models.Model], tuple[str, ...]] = {
    SeatingDraft: ("tournament_id", "round"),
    FormerActor: ("actor",),
    ImportedPlayer: ("of_id", "player_id"),
}
_ACTORS = _carried(FormerActor, NAMES, without=("id",))
_TABLES = Table._meta.label_lower
EVENT, ENTRY, POSTING = "tournaments.event", "scoring.journalentry", "scoring.posting"
# In the order in which they are written and stored.
CARRIED: tuple[Kind, ...] = (
    _carried(Club, CLUB, of_club="pk"),
    _carried(ClubSlug, CLUB),
    _carried(Player, NAMES),
    Kind(**{**vars(_ACTORS), "records": _actor_records}),
    _carried(Season, PLAY),
    _carried(PastTournament, PLAY),
    _carried(Tournament, PLAY),
    _carried(Table, PLAY),
    _carried(Seat, PLAY, of_club="table__club"),
    _carried(LateSheet, PLAY),
    _carried(EntryRequest, PLAY),
    _carried(SeatingDraft, PLAY, of_club="tournament__club", without=("id",)),
    _carried(ScreenProgramme, PLAY),
    _carried(Import, PLAY),
    _carried(ImportedPlayer, PLAY, of_club="of__club", without=("id",)),
    _of_log("tournaments.stream", LOG, log_rows.STREAMS, log_rows.stream_records, log_rows.write_streams, key=("id",)),
    _of_log(
        *(EVENT, LOG, log_rows.EVENTS, log_rows.event_records, log_rows.write_events),
        key=("position",),
        refers={"stream_id": "tournaments.stream"},
    ),
    _of_log(
        "tournaments.seal", SEALS, log_rows.SEALS, log_rows.seal_records, log_rows.write_seals, key=("from_position",)
    ),
    _of_log("scoring.account", BOOKS, books.ACCOUNTS, books.account_records, books.write_accounts, key=("id",)),
    _of_log(
        *(ENTRY, BOOKS, books.ENTRIES, books.entry_records, books.write_entries),
        key=("id",),
        refers={"reverses_id": ENTRY},
    ),
    _of_log("scoring.settledcause", BOOKS, books.CAUSES, books.cause_records, books.write_causes, key=("cause",)),
    _settled(Scoresheet, ("due_version", "settled_version", "settle_problem", "settle_attempts", "settled_at")),
    _settled(EveningSheet, ("due_position", "settled_position", "settle_problem", "settled_at")),
    Kind(**{**vars(_carried(ErasedPlayer, ERASED, without=("club",))), "write": _write_erasures}),
)
# Written again on arrival, from the log and what else is carried.
DERIVED = {
    "tournaments.standing": "from the events of its table",
    "tournaments.cashbook": "from its own events",
    "tournaments.playercredit": "from the events of cash books",
    "tournaments.nightresult": "from the boards of closed tournaments",
    "tournaments.seasontable": "from the results of its tournaments",
    "tournaments.playerrating": "from the results of closed tournaments",
    "tournaments.clubreadings": "what a worker has done; done on arrival",
    "tournaments.shownversion": "a counter of this database's triggers",
}
# In other rows of the box, or never.
WITHIN = {
    "tournaments.eventnote": EVENT,
    POSTING: ENTRY,
    "tournaments.clubhead": "the manifest: the log's position",
}
LEFT_OUT = {
    "tournaments.membership": "who may do what: logins are the installation's, and an owner invites on the new one",
    "tournaments.invitation": "a secret of this installation",
    "tournaments.importcolumns": "guessed again from the headings of the next list",
    "tournaments.receiver": "its address is encrypted with this installation's key: entered again on the new one",
    "tournaments.pushsubscription": "a browser is told by the site where its reader asked; asked again on the new one",
    "tournaments.delivery": "messages of this installation",
    "tournaments.apitoken": "a secret of this installation",
    "tournaments.tabletoken": "a secret of this installation; cards are printed again",
    "tournaments.playerlink": "a secret of this installation; the desk of the new one gives links again",
    "tournaments.playernotice": "said to the desk of this installation, with such a link",
    "tournaments.failedattempts": "of this installation's sign-in",
    "tournaments.device": "phones report themselves again",
    "tournaments.publishedcopy": "files in this installation's store",
    "tournaments.workerheartbeat": "of this installation's worker",
    "tournaments.sitecheck": "what was found on this installation",
    "tournaments.projectionrelease": "of this installation's code",
}
