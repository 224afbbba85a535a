"""A message as it is sent: its data with the names that the club publishes, and a sentence or two in a language.

Nothing of this is stored. A name that was erased or hidden before a message could be sent is not in it.
"""

import time
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from django.conf import settings
from django.db.models import OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext, ngettext, override

from scoring.tournament import load_tournament_state
from tournaments.books.player_balances import balances_of_club
from tournaments.cash.queries import waiting
from tournaments.models import Delivery, EntrantsShown, EveningSheet, MessageKind, Player, Receiver, Tournament
from tournaments.outbox.messages import PRIVATE
from tournaments.people.players import merged_rows
from tournaments.printing import amount_text
from tournaments.printing.report import report_figures
from tournaments.rendering.i18n.formatting import listed, number
from tournaments.rendering.i18n.translating import language_of_locale

MOST_NAMED = 6
# They name players who come, which a tournament may not show.
OF_WHO_COMES = frozenset({MessageKind.ENTRY_RECEIVED, MessageKind.STANDBY_PLACE})


LOOKED_UP_SECONDS = 1.0
T = TypeVar("T")


class Lookups:
    """What the messages of one batch have in common, read once.

    Read again after a second: what was erased or unpublished is not told any longer than that.
    """

    def __init__(self) -> None:
        self._values: dict[Hashable, Any] = {}
        self._until = 0.0

    def get(self, key: Hashable, read: Callable[[], T]) -> T:
        """The value of a key, as it was a second ago at most."""
        moment = time.monotonic()
        if moment > self._until:
            self._values, self._until = {}, moment + LOOKED_UP_SECONDS
        if key not in self._values:
            self._values[key] = read()
        value: T = self._values[key]
        return value


class NotYet(Exception):
    """What the message tells is still being settled: it is sent a little later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A message to send. `data` is for programs: ids, names as published, amounts in minor units."""

    kind: str
    told_at: datetime
    subject: str
    text: str
    link: str
    language: str
    data: dict[str, Any]

    @property
    def payload(self) -> bytes:
        """The body of a webhook, as Standard Webhooks describes it."""
        moment = self.told_at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        return msgspec.json.encode({"type": self.kind, "timestamp": moment, "data": self.data})


def rendered(delivery: Delivery, receiver: Receiver, lookups: Lookups) -> Rendered | None:
    """A delivery in words and data; None where it has become pointless. Raises NotYet.

    To a player nobody else is named, and the data has that player's part alone. A browser that follows a player is told
    of the player by name, and of nothing where the name is not published.
    """
    club, subscription = receiver.club, delivery.subscription
    language = subscription.language if subscription is not None else language_of(receiver)
    with override(language):
        if delivery.kind == MessageKind.TEST:
            text = gettext("This is a test message from {club}.").format(club=club.name)
            link = _link(receiver, "club", club.slug)
            return Rendered(
                **_frame(delivery, language), subject=club.name, text=text, link=link, data={"club": club.slug}
            )
        data: dict[str, Any] = msgspec.json.decode(delivery.body)
        tournament_id = data["tournament"]
        tournament = lookups.get(
            tournament_id, lambda: _with_hiding().filter(pk=tournament_id, club=receiver.club_id).first()
        )
        if tournament is None or not (delivery.kind in PRIVATE or (tournament.is_published and club.is_published)):
            return None
        found = _with_figures(delivery.kind, data, tournament, lookups)
        if found is None:
            return None
        about = str(found.pop("about", delivery.player_id or ""))
        names: dict[str, str] = {}
        hidden = lookups.get((tournament_id, "hidden"), lambda: _hidden_in(tournament))
        if about and subscription is not None:
            names = _published_names(club.pk, {about} - hidden, lookups)
            if not names:
                return None
        elif not about and (delivery.kind not in OF_WHO_COMES or tournament.shows_entrants == EntrantsShown.NAMES):
            names = _published_names(club.pk, _players_in(found) - hidden, lookups)
        public = tournament.is_published and club.is_published
        link = (
            _link(receiver, "tournament", club.slug, tournament.slug) if public else _link(receiver, "club", club.slug)
        )
        if about in names:
            # The leaderboard shows the row of who is named so.
            link = f"{link}?follow={about[:8]}"
        whole = {"club": club.slug, "name": tournament.name, "link": link, **found, "names": names}
        title = str(MessageKind(delivery.kind).label)
        return Rendered(
            **_frame(delivery, language),
            subject=f"{names[about]}: {tournament.name}" if about in names else f"{tournament.name}: {title}",
            text=_SENTENCES[delivery.kind](_Sentence(tournament, found, names, about)),
            link=link,
            data=whole,
        )


def _frame(delivery: Delivery, language: str) -> dict[str, Any]:
    return {"kind": delivery.kind, "told_at": delivery.told_at, "language": language}


def language_of(receiver: Receiver) -> str:
    """The language of a receiver's messages: its own, or the club's."""
    return receiver.language or language_of_locale(receiver.club.locale)


def site_of(receiver: Receiver) -> str:
    """What the addresses in its messages begin with: where the site is published, or where the receiver was added."""
    return str(settings.PUBLISH_SITE).rstrip("/") or receiver.site


def _link(receiver: Receiver, page: str, *words: str) -> str:
    return site_of(receiver) + reverse(f"pages:{page}", args=words)


def _with_figures(kind: str, data: dict[str, Any], tournament: Tournament, lookups: Lookups) -> dict[str, Any] | None:
    """The data, with the amounts of the books as they are now; None where nothing is owed. Raises NotYet."""
    if kind not in PRIVATE:
        if not tournament.club.shows_money:
            for row in data.get("seats", ()):
                row.pop("won_minor", None)
        return data
    if tournament.closed_at is None or tournament.is_cancelled:
        # Reopened: its next closing tells again.
        return None
    club, currency = tournament.club_id, tournament.currency
    if tournament in lookups.get(("waiting", currency), lambda: waiting(tournament.club, currency)):
        raise NotYet
    if kind == MessageKind.NIGHT_REPORT:
        figures = msgspec.structs.asdict(report_figures(tournament))
        return {**data, "figures": figures, "currency": currency}
    balances = lookups.get(("balances", currency), lambda: balances_of_club(club, currency))
    people = lookups.get("people", lambda: merged_rows(club))
    balance = balances.get(people.get(data["player"], data["player"]), 0)
    return {**data, "due_minor": -balance, "currency": currency} if balance < 0 else None


def _players_in(data: dict[str, Any]) -> set[str]:
    """The ids of all players in the data of a message."""
    players = {str(player) for player in (*data.get("sitting_out", ()), *data.get("winners", ()))}
    players |= {str(row["player"]) for row in (*data.get("changes", ()), *data.get("seats", ()))}
    players |= {str(seat["player"]) for table in data.get("tables", ()) for seat in table["seats"]}
    return players | ({str(data["player"])} if "player" in data else set())


def _with_hiding() -> QuerySet[Tournament]:
    """Tournaments with their club and, as `hiding`, the state of one in which somebody is hidden from the public."""
    hiding = EveningSheet.objects.filter(tournament=OuterRef("pk"), state__contains='"is_hidden":true')
    return Tournament.objects.select_related("club").annotate(hiding=Subquery(hiding.values("state")))


def _hidden_in(tournament: Tournament) -> frozenset[str]:
    """The players whom a director has hidden from the public in a tournament of `_with_hiding`."""
    hiding = getattr(tournament, "hiding", None)
    return load_tournament_state(hiding).hidden if hiding else frozenset()


def _published_names(club_id: UUID, players: Collection[str], lookups: Lookups) -> dict[str, str]:
    """Public names by id, without players who were erased."""
    known: dict[str, str | None] = lookups.get("names", dict)
    missing = [UUID(player) for player in players if player not in known]
    if missing:
        rows = Player.objects.filter(club=club_id, id__in=missing, erased_at__isnull=True)
        known |= dict.fromkeys(map(str, missing))
        known |= {str(player): name for player, name in rows.values_list("id", "public_name")}
    return {player: name for player in players if (name := known[player]) is not None}


@dataclass(frozen=True, slots=True)
class _Sentence:
    """The words of one message. `about` is the player whom it is about, if it is not about all: the reader's own id, or
    that of a player whom the reader follows, who is named then.
    """

    tournament: Tournament
    data: dict[str, Any]
    names: dict[str, str]
    about: str

    def _round(self) -> str:
        return number(self.data["round"])

    def _table(self) -> str:
        return gettext("Round {round}, table {table}").format(round=self._round(), table=number(self.data["table"]))

    def _name(self, player: str) -> str:
        return self.names.get(player, gettext("A player"))

    def _own(self, rows: list[dict[str, Any]]) -> dict[str, Any] | None:
        return next((row for row in rows if self.about and row["player"] == self.about), None)

    def seating_published(self) -> str:
        tables = self.data["tables"]
        for table in tables:
            if seat := self._own(table["seats"]):
                text = gettext("Round {round}: table {table}, seat {seat}")
                return text.format(round=self._round(), table=number(table["table"]), seat=number(seat["seat"]))
        if self.about in self.data["sitting_out"]:
            if self.about in self.names:
                text = gettext("Round {round}: {name} sits out")
                return text.format(round=self._round(), name=self.names[self.about])
            return gettext("Round {round}: you sit out").format(round=self._round())
        if self.data["is_change"]:
            text = gettext("Round {round}: seats changed at tables {tables}")
            return text.format(round=self._round(), tables=listed([number(table["table"]) for table in tables]))
        text = ngettext(
            "Round {round} is seated: {number} table", "Round {round} is seated: {number} tables", len(tables)
        )
        return text.format(round=self._round(), number=number(len(tables)))

    def seating_withdrawn(self) -> str:
        return gettext("The seating of round {round} was undone. Wait for the new one.").format(round=self._round())

    def round_started(self) -> str:
        return gettext("Round {round} has started.").format(round=self._round())

    def table_result(self) -> str:
        if row := self._own(self.data["seats"]):
            text = gettext("{table}: you are in place {place} with {score}.")
            if self.about in self.names:
                text = gettext("{table}: {name} is in place {place} with {score}.")
            figures = {"place": number(row["place"]), "score": self._score(row)}
            return text.format(table=self._table(), name=self._name(self.about), **figures)
        if not self.data["winners"]:
            return gettext("{table}: the game is over.").format(table=self._table())
        winners = listed([self._name(player) for player in self.data["winners"]])
        return gettext("{table}: winner {names}.").format(table=self._table(), names=winners)

    def deal_corrected(self) -> str:
        rows = self.data["changes"]
        start = gettext("{table}: a score was corrected.").format(table=self._table())
        if row := self._own(rows):
            text = gettext("You have {score} now.")
            if self.about in self.names:
                text = gettext("{name} has {score} now.")
            return f"{start} {text.format(name=self._name(self.about), score=self._score(row['after']))}"
        text = gettext("{name}: {score}")
        scores = [text.format(name=self._name(row["player"]), score=self._score(row["after"])) for row in rows]
        return f"{start} {listed(scores[:MOST_NAMED])}"

    def _score(self, row: dict[str, Any]) -> str:
        if row.get("chips") is not None:
            return ngettext("{number} chip", "{number} chips", row["chips"]).format(number=number(row["chips"]))
        points = row["total"] if row.get("total") is not None else row["net_points"]
        return ngettext("{number} point", "{number} points", points).format(number=number(points))

    def entry_received(self) -> str:
        if self.about:
            return gettext("You are entered in {tournament}.").format(tournament=self.tournament.name)
        text = gettext("{name} has entered {tournament}.")
        return text.format(name=self._name(self.data["player"]), tournament=self.tournament.name)

    def standby_place(self) -> str:
        place = number(self.data["place"])
        if self.about:
            return gettext("You are in place {place} on the standby list.").format(place=place)
        text = gettext("{name} is in place {place} on the standby list.")
        return text.format(name=self._name(self.data["player"]), place=place)

    def balance_due(self) -> str:
        amount = amount_text(self.data["due_minor"], self.tournament)
        if self.about:
            return gettext("You owe the club {amount}.").format(amount=amount)
        return gettext("{name} owes {amount}.").format(name=self._name(self.data["player"]), amount=amount)

    def night_report(self) -> str:
        figures = self.data["figures"]
        parts = [
            ngettext("{number} player", "{number} players", figures["players"]),
            ngettext("{number} table", "{number} tables", figures["tables"]),
            ngettext("{number} deal", "{number} deals", figures["deals"]),
            ngettext("{number} corrected deal", "{number} corrected deals", figures["corrected_deals"]),
        ]
        counts = [figures[name] for name in ("players", "tables", "deals", "corrected_deals")]
        told = listed([part.format(number=number(count)) for part, count in zip(parts, counts, strict=True)])
        result = amount_text(figures["result_minor"], self.tournament)
        return gettext("The tournament is closed: {counts}. Result for the club: {amount}.").format(
            counts=told, amount=result
        )


_SENTENCES: dict[str, Callable[[_Sentence], str]] = {
    MessageKind.SEATING_PUBLISHED: _Sentence.seating_published,
    MessageKind.SEATING_WITHDRAWN: _Sentence.seating_withdrawn,
    MessageKind.ROUND_STARTED: _Sentence.round_started,
    MessageKind.TABLE_RESULT: _Sentence.table_result,
    MessageKind.DEAL_CORRECTED: _Sentence.deal_corrected,
    MessageKind.ENTRY_RECEIVED: _Sentence.entry_received,
    MessageKind.STANDBY_PLACE: _Sentence.standby_place,
    MessageKind.BALANCE_DUE: _Sentence.balance_due,
    MessageKind.NIGHT_REPORT: _Sentence.night_report,
}
