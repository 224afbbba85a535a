"""Erases a player's personal data, or tells it, at the player's request; removes a player who was added by mistake.

Rules: docs/how-to/evening.md, "Before the tournament". Scores, money and every hash of an erased player stay; so does
the name in the books, where users who may see money read it, for as long as the club has set. A player in no record of
the club can be removed: commands that enter, seat or pay a player hold the club's lock as well, so that no player gets
a history between the check and the removal; seats, standings, ratings and credits are also protected by foreign keys.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any
from unicodedata import category, east_asian_width, normalize
from uuid import UUID

import msgspec
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import F, Model, Q

from scoring import ledger
from scoring.cash import account_of_player
from scoring.ledger import player_statement
from scoring.messages import Amount, Message, say
from scoring.problems import OptionsRejected, Problem, refuse_if
from scoring.seasons.formula import load_past
from scoring.tournament import load_tournament_state
from tournaments import log
from tournaments.log.context import club_lock
from tournaments.merging import entered_by
from tournaments.models import (
    ApiToken,
    CashBook,
    Club,
    Delivery,
    EntryRequest,
    ErasedPlayer,
    EveningSheet,
    FormerActor,
    Import,
    ImportColumns,
    ImportedPlayer,
    Invitation,
    Membership,
    PastTournament,
    Player,
    PlayerLink,
    PlayerNotice,
    PlayerRating,
    PushSubscription,
    Season,
    SeatingDraft,
    Standing,
    Table,
    Tournament,
)
from tournaments.models.people import ERASED_NAME, UNSEEN, folded, name_key, search_key
from tournaments.outbox.receivers import forget_in_outbox, names_of_receivers, receivers_of_person
from tournaments.people.players import renew_public_names, rows_of
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.running.commands.screens import forget_on_screens, messages_on_screens
from tournaments.seating.commands.draft import forget_in_drafts
from tournaments.tables.commands.without_network import forget_in_late_sheets, texts_of_late_sheets

MOST_LISTED = 5
FORGOTTEN_ROW = "-"
MOST_MENTIONS = 200
KEY_DIGITS = 16
# What has a club, whose changes the back office records; and what can have a person in its name or description.
CLUB_OF: Mapping[type[Model], str] = {
    **dict.fromkeys((Tournament, Table, Season, Player, Membership, ApiToken, CashBook), "club"),
    Club: "pk",
}
DESCRIBED: Sequence[tuple[type[Model], str]] = (
    (Tournament, "name"),
    (Season, "name"),
    (Club, "about"),
    (Player, "note"),
)
# What remains in the row of an erased player.
FORGOTTEN = {
    "name": ERASED_NAME,
    "name_key": name_key(ERASED_NAME),
    "search_key": search_key(ERASED_NAME),
    "note": "",
    "email": "",
    "phone": "",
    "member_number": "",
    "wants_mail": False,
    "is_member": False,
    "is_suspended": False,
    "public_name": ERASED_NAME,
    "public_key": name_key(ERASED_NAME),
    "public_search_key": search_key(ERASED_NAME),
    "has_page": False,
    "naming": "",
    "pseudonym": "",
    "merged_name": "",
}


def balance_problems(player: Player) -> list[Problem]:
    """Say what is open between player and club, by currency. A person's merged rows are added."""
    balances: Counter[str] = Counter()
    for row in rows_of(player.club_id, [str(player.id)]):
        balances.update(ledger.balances_of_owner(player.club_id, account_of_player(row)))
    return [_open_balance(player, currency, amount) for currency, amount in balances.items() if amount]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A text of the club that may name a player. `row` is what has it as a name or description, which only people can
    rewrite; other texts are deleted with the player if the owner says so, by their `key`."""

    text: str
    row: Model | None = None

    @property
    def key(self) -> str:
        """The same for the same text, wherever it is."""
        return sha256(self.text.encode()).hexdigest()[:KEY_DIGITS]


def mentions_of(player: Player) -> list[Mention]:
    """The texts that erasing keeps unless they are named: they have a word of the name, but not all of it as written.

    And the names and descriptions that have either, each with its row. At most `MOST_MENTIONS`.
    """
    row_ids, names = _rows_and_names(player)
    rows: list[tuple[str, Model | None]] = []
    for model, field in DESCRIBED:
        described_rows = model._default_manager.filter(**{CLUB_OF[model]: player.club_id}).exclude(pk__in=row_ids)
        rows += [(getattr(row, field), row) for row in described_rows.only("pk", field)]
    texts: list[tuple[str, Model | None]] = [
        *rows,
        *((text, None) for _, text in log.notes_of(player.club_id)),
        *((text, None) for text in Table.objects.filter(club=player.club_id).values_list("name", flat=True)),
        *((text, None) for text in messages_on_screens(player.club_id)),
        *((text, None) for text in texts_of_late_sheets(player.club_id)),
        *((text, None) for texts in _texts_of_invitations(player.club_id) for text in texts),
        *((text, None) for text in names_of_receivers(player.club_id)),
    ]
    mentions = (
        Mention(text=text, row=row)
        for text, row in dict.fromkeys(texts)
        if text and _mention_any(text, names) and (row is not None or not _name_any(text, names))
    )
    return list(islice(mentions, MOST_MENTIONS))


def name_kept_until(player: Player, *, now: datetime) -> date | None:
    """The day on which the books forget the name of a player who is erased now.

    None where they keep none: by the club's settings, or for a player who moved no money and is in no open tournament.
    """
    rows = rows_of(player.club_id, [str(player.id)])
    if not player.club.keep_names_years:
        return None
    if player_statement(player.club_id, rows, last=1) or any(
        tournament.closed_at is None for tournament in entered_by(player)
    ):
        return kept_until(player.club, now)
    return None


def kept_until(club: Club, erased_at: datetime) -> date:
    """The day in the club's zone on which its books forget the name of a player who was erased then."""
    day = erased_at.astimezone(zone_of(club.timezone)).date()
    if (day.month, day.day) == (2, 29):
        day += timedelta(days=1)
    return day.replace(year=day.year + club.keep_names_years)


def forget_names_in_books(*, now: datetime) -> int:
    """Clear the names of erased players whose time in the books is over; returns how many."""
    players = Player.objects.exclude(books_name="").select_related("club").only("erased_at", "club")
    over = [
        player.id
        for player in players
        if player.erased_at is None
        or kept_until(player.club, player.erased_at) <= now.astimezone(zone_of(player.club.timezone)).date()
    ]
    return Player.objects.filter(id__in=over).update(books_name="")


def erase_player(player: Player, *, now: datetime, with_balance: bool = False, also: Collection[str] = ()) -> None:
    """Erase a player's name. Scores, money and every hash stay: they contain only the player's id.

    The books keep the name until `name_kept_until`. A player who was erased before keeps that day.

    Free text of the club that has the whole name, as it is written, is deleted as well; so is what `also` names by the
    keys of `mentions_of`. Rows that were merged are one person, and are erased together. The erasure is noted by ids,
    to be done again where an older box or backup brings the player back. Raises OptionsRejected where money is open
    between player and club, unless `with_balance`.
    """
    with club_lock(player.club_id, even_moved=True):
        if not with_balance:
            refuse_if(balance_problems(player), OptionsRejected)
        person = person_of(player)

        def mentions(text: str) -> bool:
            return _name_any(text, person.names) or Mention(text=text).key in also

        for source in SOURCES:
            if source.forget is not None:
                source.forget(person, mentions, now)
        for row in person.rows:
            before = ErasedPlayer.objects.filter(pk=row).first()
            # A row that came with a box may name another club; the moment stays, and with it the day in the books.
            fields = {
                "club": player.club_id,
                "erased_at": before.erased_at if before else now,
                "texts": sorted({*before.texts, *also} if before else also),
            }
            ErasedPlayer.objects.update_or_create(player=row, defaults=fields)


def erase_again(erasures: Iterable[ErasedPlayer]) -> int:
    """Erase the players of a list who are here and were not erased; returns how many.

    An erasure keeps its moment, and so the day on which the books forget the name.
    """
    erased = 0
    for erasure in erasures:
        player = Player.objects.filter(pk=erasure.player, club=erasure.club, erased_at=None).first()
        if player is not None:
            erase_player(player, now=erasure.erased_at, with_balance=True, also=erasure.texts)
            erased += 1
    return erased


# A backup that is older than an erasure brings the player back: the list of erasures lies beside the backups as well.
ERASURES = "erased-players.jsonl"


class _Erased(msgspec.Struct, frozen=True):
    player: UUID
    club: UUID
    erased_at: datetime
    texts: list[str] = []


def list_erasures_beside(folder: Path) -> None:
    """Add the erasures of this installation to the list in a folder, which may have more. Raises OSError."""
    path = folder / ERASURES
    listed = {erasure.player: erasure for erasure in _listed(path)}
    rows = ErasedPlayer.objects.order_by("erased_at", "player").values_list("player", "club", "erased_at", "texts")
    here = {row[0]: _Erased(*row) for row in rows}
    if here.items() <= listed.items():
        return
    draft = folder / f".{ERASURES}"
    draft.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in (listed | here).values()))
    draft.replace(path)


def erase_as_listed_beside(folder: Path) -> int:
    """Erase again whom the list in a folder, or that of this database, names; returns how many. Raises OSError."""
    for row in _listed(folder / ERASURES):
        fields = {"club": row.club, "erased_at": row.erased_at, "texts": row.texts}
        ErasedPlayer.objects.get_or_create(player=row.player, defaults=fields)
    return erase_again(ErasedPlayer.objects.filter(player__in=Player.objects.filter(erased_at=None).values("pk")))


def _listed(path: Path) -> list[_Erased]:
    decoder = msgspec.json.Decoder(_Erased)
    return list(map(decoder.decode, path.read_bytes().splitlines())) if path.exists() else []


# Everything that holds something about a person: what the person is told of it, and how it is erased.


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A player with all merged rows, and every name that they have."""

    player: Player
    rows: Mapping[str, str]
    names: Sequence[str]

    @property
    def club_id(self) -> UUID:
        return self.player.club_id


Mentions = Callable[[str], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A place that holds something about a person.

    `tell` returns it for the person, as JSON; `forget` erases it. None where it stays: `stays` says why.
    """

    name: str
    tell: Callable[[Person], Any]
    forget: Callable[[Person, Mentions, datetime], object] | None = None
    stays: str = ""


def person_of(player: Player) -> Person:
    """The player with all rows and names."""
    rows, names = _rows_and_names(player)
    return Person(player=player, rows=rows, names=names)


def what_is_known(player: Player, *, now: datetime) -> dict[str, Any]:
    """Everything that is known here about a person, by source, as JSON. Texts that may name the player are included."""
    person = person_of(player)
    return {
        "player": str(player.pk),
        "club": player.club.name,
        "made_at": now.isoformat(),
        **{source.name: source.tell(person) for source in SOURCES},
    }


_TOLD_OF_ROW = (
    *("id", "name", "merged_name", "member_number", "email", "phone", "is_member", "is_suspended", "naming"),
    *("pseudonym", "public_name", "has_page", "note", "created_at", "erased_at", "books_name", "merged_into_id"),
)


def _tell_rows(person: Person) -> list[dict[str, Any]]:
    rows = Player.objects.filter(id__in=person.rows).order_by("created_at", "id").values_list(*_TOLD_OF_ROW)
    return [dict(zip(_TOLD_OF_ROW, map(_plain, row), strict=True)) for row in rows]


def _forget_rows(person: Person, mentions: Mentions, now: datetime) -> None:
    books_name = F("name") if name_kept_until(person.player, now=now) else ""
    rows = Player.objects.filter(id__in=person.rows)
    rows.filter(erased_at__isnull=True).update(books_name=books_name, erased_at=now)
    rows.update(**FORGOTTEN)
    renew_public_names(person.club_id)


def _tell_drafts(person: Person) -> list[dict[str, Any]]:
    drafts = SeatingDraft.objects.filter(tournament__club=person.club_id).select_related("tournament")
    return [
        {"tournament": draft.tournament.name, "round": draft.round, "changed_at": _plain(draft.changed_at)}
        for draft in drafts.order_by("tournament_id", "round")
        if any(row in draft.plan for row in person.rows)
    ]


def _tell_notes(person: Person) -> list[dict[str, Any]]:
    own = {event.position for row in person.rows for event in log.find(club=person.club_id, naming=row)}
    return [
        {"position": position, "text": text}
        for position, text in sorted(log.notes_of(person.club_id))
        if position in own or _mention_any(text, person.names)
    ]


def _forget_notes(person: Person, mentions: Mentions, now: datetime) -> None:
    notes = log.notes_of(person.club_id)
    log.erase_notes(person.club_id, [position for position, text in notes if mentions(text)])


def _mentioned(person: Person, texts: Iterable[str]) -> list[str]:
    return [text for text in texts if text and _mention_any(text, person.names)]


def _tell_described(person: Person) -> list[str]:
    rows = (model._default_manager.filter(**{CLUB_OF[model]: person.club_id}) for model, _ in DESCRIBED)
    texts = (
        text
        for described_rows, (_, field) in zip(rows, DESCRIBED, strict=True)
        for text in described_rows.exclude(pk__in=person.rows).values_list(field, flat=True)
    )
    return _mentioned(person, texts)


def _tell_changes(person: Person) -> list[dict[str, Any]]:
    entries = LogEntry.objects.filter(content_type__app_label="tournaments").select_related("content_type")
    of_row = entries.filter(content_type__model="player", object_id__in=list(person.rows))
    of_club = entries.filter(object_id=str(person.club_id))
    return [
        {"at": _plain(entry.action_time), "what": entry.object_repr, "change": entry.change_message}
        for entry in (of_row | of_club).order_by("action_time", "pk")
        if entry.object_id in person.rows or _mention_any(f"{entry.object_repr} {entry.change_message}", person.names)
    ]


def _forget_changes(person: Person, mentions: Mentions, now: datetime) -> None:
    of_player = LogEntry.objects.filter(content_type__app_label="tournaments", content_type__model="player")
    of_player.filter(object_id__in=person.rows).update(object_repr=ERASED_NAME, change_message="")
    _forget_in_changes(person.club_id, mentions)


def _former_actors(person: Person, mentions: Mentions) -> list[FormerActor]:
    return [row for row in FormerActor.objects.filter(club=person.club_id) if mentions(row.name)]


def _forget_actors(person: Person, mentions: Mentions, now: datetime) -> None:
    FormerActor.objects.filter(pk__in=[row.pk for row in _former_actors(person, mentions)]).delete()


def _tell_entries(person: Person) -> list[dict[str, Any]]:
    sheets = EveningSheet.objects.filter(club=person.club_id).select_related("tournament")
    return [
        {"tournament": sheet.tournament.name, **msgspec.to_builtins(entrants[row])}
        for sheet in sheets.order_by("last_position").iterator(50)
        if any(row in sheet.state for row in person.rows)
        for entrants in [load_tournament_state(sheet.state).entrants]
        for row in person.rows
        if row in entrants
    ]


def _tell_results(person: Person) -> list[dict[str, Any]]:
    columns = ("round", "seat_number", "total", "chips", "place", "payout_minor", "deals_played", "is_finished")
    rows = Standing.objects.filter(player_id__in=list(person.rows))
    rows = rows.order_by("tournament__starts_at", "table__round", "table_id")
    names = ("tournament__name", "tournament__starts_at", "tournament__currency", "table__number", *columns)
    return [
        dict(zip((name.replace("__", "_") for name in names), map(_plain, row), strict=True))
        for row in rows.values_list(*names)
    ]


def _tell_past_results(person: Person) -> list[dict[str, Any]]:
    results = PastTournament.objects.filter(club=person.club_id).select_related("season").order_by("day", "pk")
    return [
        {
            "day": _plain(result.day),
            "name": result.name,
            "season": result.season.name,
            "place": standings.places[row],
            "points_in_hundredths": standings.points.get(row),
        }
        for result in results
        for row in person.rows
        if row in result.state and row in (standings := load_past(result.state)).places
    ]


def _tell_records(person: Person) -> list[dict[str, Any]]:
    events = {event.position: event for row in person.rows for event in log.find(club=person.club_id, naming=row)}
    return [
        {"position": position, "kind": event.kind, "recorded_at": _plain(event.recorded_at)}
        for position, event in sorted(events.items())
    ]


def _tell_money(person: Person) -> list[dict[str, Any]]:
    return [
        {name: _plain(value) for name, value in line._asdict().items() if name != "posting"}
        for line in player_statement(person.club_id, list(person.rows))
    ]


def _tell_rating(person: Person) -> list[dict[str, Any]]:
    columns = ("mu", "sigma", "nights", "tables")
    return list(PlayerRating.objects.filter(player_id__in=list(person.rows)).values(*columns))


def _plain(value: Any) -> Any:
    """A value of a row as JSON has it."""
    return value.isoformat() if isinstance(value, datetime) else str(value) if isinstance(value, UUID) else value


def _requests_of(person: Person) -> tuple[list[EntryRequest], list[EntryRequest]]:
    """What the player sent to enter by themselves, and what others did."""
    keys, emails, phones = {name_key(name) for name in person.names}, _emails_of(person), _phones_of(person)
    own: list[EntryRequest] = []
    others: list[EntryRequest] = []
    for row in EntryRequest.objects.filter(club=person.club_id).select_related("tournament").order_by("made_at"):
        is_own = (
            str(row.player_id) in person.rows
            if row.player_id
            else name_key(row.name) in keys or row.email.casefold() in emails or _digits(row.phone) in phones
        )
        (own if is_own else others).append(row)
    return own, others


def _tell_requests(person: Person) -> list[dict[str, Any]]:
    """What they sent, and of what others sent only the texts that name them."""
    columns = ("name", "email", "phone", "note", "made_at")
    own, others = _requests_of(person)
    return [
        *({"tournament": row.tournament.name, **{name: _plain(getattr(row, name)) for name in columns}} for row in own),
        *({"note": row.note} for row in others if _name_any(row.note, person.names)),
    ]


def _forget_requests(person: Person, mentions: Mentions, now: datetime) -> None:
    own, others = _requests_of(person)
    EntryRequest.objects.filter(pk__in=[row.pk for row in own]).delete()
    EntryRequest.objects.filter(pk__in=[row.pk for row in others if mentions(row.note)]).update(note="")


def _tell_links(person: Person) -> dict[str, list[dict[str, Any]]]:
    """When links were made and used, and what was said with them; a link's code is stored nowhere."""
    made, said = (
        ("made_at", "last_used_at", "revoked_at", "new_email"),
        ("tournament__name", "kind", "said_at", "comes_at"),
    )
    links = PlayerLink.objects.filter(player__in=list(person.rows)).order_by("made_at", "pk").values_list(*made)
    notices = PlayerNotice.objects.filter(player__in=list(person.rows)).order_by("said_at", "pk").values_list(*said)
    return {
        "links": [dict(zip(made, map(_plain, row), strict=True)) for row in links],
        "notices": [dict(zip(("tournament", *said[1:]), map(_plain, row), strict=True)) for row in notices],
    }


def _forget_links(person: Person, mentions: Mentions, now: datetime) -> None:
    PlayerLink.objects.filter(player__in=list(person.rows)).delete()
    PlayerNotice.objects.filter(player__in=list(person.rows)).delete()


def _emails_of(person: Person) -> set[str]:
    """The addresses of the player's rows, folded."""
    emails = Player.objects.filter(id__in=person.rows).exclude(email="").values_list("email", flat=True)
    return {email.casefold() for email in emails}


def _phones_of(person: Person) -> set[str]:
    """The telephone numbers of the player's rows, as digits."""
    phones = Player.objects.filter(id__in=person.rows).exclude(phone="").values_list("phone", flat=True)
    return {_digits(phone) for phone in phones} - {""}


def _digits(phone: str) -> str:
    return re.sub(r"\D", "", phone)


def _tell_outbox(person: Person) -> list[dict[str, Any]]:
    """What was sent to them, and receivers that have their address or name."""
    columns = ("kind", "told_at")
    rows = Delivery.objects.filter(player__in=list(person.rows)).order_by("told_at", "pk").values_list(*columns)
    own = receivers_of_person(person.club_id, _emails_of(person), lambda name: _mention_any(name, person.names))
    return [
        *(dict(zip(columns, map(_plain, row), strict=True)) for row in rows),
        *({"receiver": receiver.name} for receiver in own),
    ]


def _forget_outbox(person: Person, mentions: Mentions, now: datetime) -> None:
    forget_in_outbox(person.club_id, person.rows, _emails_of(person), mentions)


def _tell_followers(person: Person) -> list[dict[str, Any]]:
    """When a browser began to follow the player: whose it is nobody knows."""
    rows = PushSubscription.objects.filter(player__in=list(person.rows))
    return [{"since": _plain(made)} for made in rows.values_list("created_at", flat=True)]


def _tell_imports(person: Person) -> list[dict[str, Any]]:
    rows = ImportedPlayer.objects.filter(player_id__in=list(person.rows)).order_by("pk")
    return [{"before": before, "after": after} for before, after in rows.values_list("before", "after")]


def _forget_in_imports(person: Person, mentions: Mentions, now: datetime) -> None:
    """Empty what imports keep of the player to be undone, and the names of files with a word of the name."""
    ImportedPlayer.objects.filter(player_id__in=list(person.rows)).update(before={}, after={})
    files = Import.objects.filter(club=person.club_id).exclude(file_name="").values_list("id", "file_name")
    Import.objects.filter(id__in=[made for made, name in files if _mention_any(name, person.names)]).update(
        file_name=""
    )


def _tell_headings(person: Person) -> list[str]:
    rows = ImportColumns.objects.filter(club=person.club_id).values_list("headings", flat=True)
    return _mentioned(person, (heading for headings in rows for heading in headings))


def _forget_headings(person: Person, mentions: Mentions, now: datetime) -> None:
    """Drop headings with a word of the name: they are kept without capitals."""
    for row in ImportColumns.objects.filter(club=person.club_id):
        kept = {heading: field for heading, field in row.headings.items() if not _mention_any(heading, person.names)}
        if len(kept) < len(row.headings):
            row.headings = kept
            row.save(update_fields=["headings"])


BY_NUMBER = "holds the player's id alone, from which nobody is known once the row is erased"
# One line for each place: who asks is told of it, and erasing covers it.
SOURCES: tuple[Source, ...] = (
    # First what is found by the names, which the rows have until they are erased.
    Source(
        name="notes",
        tell=_tell_notes,
        forget=_forget_notes,
    ),
    Source(
        name="seating_drafts",
        tell=_tell_drafts,
        forget=lambda person, mentions, now: forget_in_drafts(person.club_id, person.rows),
    ),
    Source(
        name="tables",
        tell=lambda person: _mentioned(
            person, Table.objects.filter(club=person.club_id).values_list("name", flat=True)
        ),
        forget=lambda person, mentions, now: _forget_at_tables(person.club_id, mentions),
    ),
    Source(
        name="screens",
        tell=lambda person: _mentioned(person, messages_on_screens(person.club_id)),
        forget=lambda person, mentions, now: forget_on_screens(person.club_id, mentions),
    ),
    Source(
        name="late_sheets",
        tell=lambda person: _mentioned(person, texts_of_late_sheets(person.club_id)),
        forget=lambda person, mentions, now: forget_in_late_sheets(person.club_id, mentions),
    ),
    Source(name="entry_requests", tell=_tell_requests, forget=_forget_requests),
    Source(name="personal_links", tell=_tell_links, forget=_forget_links),
    Source(
        name="invitations",
        tell=lambda person: _mentioned(
            person, (text for texts in _texts_of_invitations(person.club_id) for text in texts)
        ),
        forget=lambda person, mentions, now: _forget_in_invitations(person.club_id, mentions),
    ),
    Source(
        name="imported_tournaments",
        tell=lambda person: _mentioned(
            person, PastTournament.objects.filter(club=person.club_id).values_list("name", flat=True)
        ),
        forget=lambda person, mentions, now: _forget_past_names(person.club_id, mentions),
    ),
    Source(name="imports", tell=_tell_imports, forget=_forget_in_imports),
    Source(name="import_columns", tell=_tell_headings, forget=_forget_headings),
    Source(name="messages", tell=_tell_outbox, forget=_forget_outbox),
    Source(
        name="followers",
        tell=_tell_followers,
        forget=lambda person, mentions, now: PushSubscription.objects.filter(player__in=list(person.rows)).delete(),
    ),
    Source(name="changes", tell=_tell_changes, forget=_forget_changes),
    Source(
        name="former_logins",
        tell=lambda person: [row.name for row in _former_actors(person, lambda name: _mention_any(name, person.names))],
        forget=_forget_actors,
    ),
    Source(name="names", tell=_tell_rows, forget=_forget_rows),
    Source(name="descriptions", tell=_tell_described, stays="only people can rewrite a name or a description"),
    Source(name="entries", tell=_tell_entries, stays=BY_NUMBER),
    Source(name="results", tell=_tell_results, stays=BY_NUMBER),
    Source(name="imported_results", tell=_tell_past_results, stays=BY_NUMBER),
    Source(name="ratings", tell=_tell_rating, stays=BY_NUMBER),
    Source(name="records", tell=_tell_records, stays=BY_NUMBER),
    Source(name="money", tell=_tell_money, stays=BY_NUMBER),
)


def _rows_and_names(player: Player) -> tuple[dict[str, str], list[str]]:
    """The ids of the player's rows, and every name that they have."""
    row_ids = rows_of(player.club_id, [str(player.id)])
    stored_names = Player.objects.filter(id__in=row_ids).values_list("name", "pseudonym", "merged_name")
    return row_ids, [name for names in stored_names for name in names if name]


def _open_balance(player: Player, currency: str, amount_minor: int) -> Problem:
    amount, name = Amount(abs(amount_minor), currency), player.name
    detail = say("{name} owes {amount}. Take it, or write it off", amount=amount, name=name)
    if amount_minor > 0:
        detail = say("The club holds {amount} for {name}. Pay it out first", amount=amount, name=name)
    return Problem("open_balance", detail, field="with_balance")


def _forget_at_tables(club_id: UUID, mentions: Callable[[str], bool]) -> None:
    """Remove the names of tables that are named after the player; their notes in the log are erased too."""
    named_tables = Table.objects.filter(tournament__club=club_id).exclude(name="").values_list("id", "name")
    Table.objects.filter(id__in=[table for table, name in named_tables if mentions(name)]).update(name="")


def _forget_past_names(club_id: UUID, mentions: Callable[[str], bool]) -> None:
    """Remove the names of imported tournaments that are named after the player; their days stay."""
    names = PastTournament.objects.filter(club=club_id).exclude(name="").values_list("id", "name")
    PastTournament.objects.filter(id__in=[key for key, name in names if mentions(name)]).update(name="")


def _texts_of_invitations(club_id: UUID) -> Iterator[tuple[str, str]]:
    yield from Invitation.objects.filter(club=club_id).values_list("name", "note")


def _forget_in_invitations(club_id: UUID, mentions: Callable[[str], bool]) -> None:
    """Empty names and notes of people who were invited that name the player."""
    for column in ("name", "note"):
        texts = set(Invitation.objects.filter(club=club_id).values_list(column, flat=True))
        named = [text for text in texts if text and mentions(text)]
        Invitation.objects.filter(club=club_id, **{f"{column}__in": named}).update(**{column: ""})


def _forget_in_changes(club_id: UUID, mentions: Callable[[str], bool]) -> None:
    """Empty the back office's records of changes that name the player, of whatever the club has; not another club's."""
    for model, of_club in CLUB_OF.items():
        of_model = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(model))
        texts = of_model.values_list("object_id", "object_repr", "change_message").iterator()
        ids = {row for row, label, change in texts if mentions(label) or mentions(change)}
        here = model._default_manager.filter(**{"pk__in": ids, of_club: club_id}).values_list("pk", flat=True)
        entries = of_model.filter(object_id__in=[str(pk) for pk in here])
        named = [entry.pk for entry in entries if mentions(entry.object_repr) or mentions(entry.change_message)]
        LogEntry.objects.filter(pk__in=named).update(object_repr=FORGOTTEN_ROW, change_message="")


def _name_any(text: str, names: Sequence[str]) -> bool:
    return any(_names(text, name) for name in names)


def _names(text: str, name: str) -> bool:
    """Whether a text has the whole name as it is written, capitals included: `we will play` does not name Will."""
    text, name = (" ".join(UNSEEN.sub("", normalize("NFKC", raw_text)).split()) for raw_text in (text, name))
    if any(east_asian_width(sign) in "WF" for sign in name):
        # Written without blanks: no name ends where another word begins.
        return "".join(name.split()) in "".join(text.split())
    starts = (match.start() for match in re.finditer(re.escape(name), text))
    return any(not _continues(text[:at][-1:]) and not _continues(text[at + len(name) :][:1]) for at in starts)


def _continues(sign: str) -> bool:
    """Whether a word goes on with this sign: a letter, one of its marks, or a digit."""
    return bool(sign) and category(sign)[0] in "LMN"


def _mention_any(text: str, names: Sequence[str]) -> bool:
    return any(_mentions(text, name) for name in names)


def _mentions(text: str, name: str) -> bool:
    """Whether a text contains a word of the name or, for a name that is not plain ASCII, the name anywhere."""
    if _words(text) & _words(name):
        return True
    whole = "".join(folded(name).split())
    return not whole.isascii() and whole in "".join(folded(text).split())


def _words(text: str) -> set[str]:
    """Return the words of a text as names are compared; single letters are ignored."""
    return {word for word in re.findall(r"\w+", folded(text)) if len(word) > 1}


def remove_player(player: Player) -> None:
    """Remove a player without a history; repeating it changes nothing. Raises OptionsRejected with the reasons."""
    with club_lock(player.club_id):
        refuse_if(list(history_of(player)), OptionsRejected)
        Player.objects.filter(id=player.id).delete()
        renew_public_names(player.club_id)


def history_of(player: Player) -> Iterator[Problem]:
    """Yield where a player is named: tournaments by name, at most five, cash books and the books. In four queries."""
    streams = {event.stream_id for event in log.find(club=player.club_id, naming=str(player.id))}
    named = Tournament.objects.filter(Q(id__in=streams) | Q(tables__in=streams)).distinct().order_by("starts_at", "id")
    names = list(named.values_list("name", flat=True)[: MOST_LISTED + 1])
    for name in names[:MOST_LISTED]:
        yield _reason("played", say("{name} is in {tournament}", name=player.name, tournament=name))
    if len(names) > MOST_LISTED:
        yield _reason("played", say("{name} is in more tournaments", name=player.name))
    if CashBook.objects.filter(id__in=streams).exists():
        yield _reason("paid", say("{name} is in a cash book", name=player.name))
    if player_statement(player.club_id, [str(player.id)], last=1):
        yield _reason("paid", say("{name} has entries in the accounts", name=player.name))
    elif streams and not names:
        yield _reason("recorded", say("{name} is in the records of the club", name=player.name))


def _reason(code: str, why: Message) -> Problem:
    return Problem(code=code, field="player", detail=why)
