"""A message as it is sent: its data with the names that the club publishes, and a sentence or two in a language.

Nothing of this is stored. A name that was erased or hidden before a message could be sent is not in it.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.db.models import OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext, ngettext, override

from scoring.tournament import load_tournament_state
from tournaments.books.player_balances import balances_of
from tournaments.cash.queries import waiting
from tournaments.models import Delivery, EntrantsShown, EveningSheet, MessageKind, Player, Receiver, Tournament
from tournaments.outbox.messages import PRIVATE
from tournaments.printing import amount_text
from tournaments.printing.report import report_figures
from tournaments.rendering.i18n.formatting import listed, number
from tournaments.rendering.i18n.translating import language_of_locale

MOST_NAMED = 6
# They name players who come, which a tournament may not show.
OF_WHO_COMES = frozenset({MessageKind.ENTRY_RECEIVED, MessageKind.STANDBY_PLACE})


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


def rendered(delivery: Delivery, receiver: Receiver) -> Rendered | None:
    """A delivery in words and data; None where it has become pointless. Raises NotYet."""
    club, language = receiver.club, language_of(receiver)
    with override(language):
        if delivery.kind == MessageKind.TEST:
            text = gettext("This is a test message from {club}.").format(club=club.name)
            link = _link(receiver, "club", club.slug)
            return Rendered(
                **_frame(delivery, language), subject=club.name, text=text, link=link, data={"club": club.slug}
            )
        data: dict[str, Any] = msgspec.json.decode(delivery.body)
        tournament = _with_hiding().filter(pk=data["tournament"], club=club).first()
        if tournament is None or not (delivery.kind in PRIVATE or (tournament.is_published and club.is_published)):
            return None
        found = _with_figures(delivery.kind, data, tournament)
        if found is None:
            return None
        names: dict[str, str] = {}
        if delivery.kind not in OF_WHO_COMES or tournament.shows_entrants == EntrantsShown.NAMES:
            names = _published_names(club.pk, getattr(tournament, "hiding", None), _players_in(found))
        public = tournament.is_published and club.is_published
        link = (
            _link(receiver, "tournament", club.slug, tournament.slug) if public else _link(receiver, "club", club.slug)
        )
        whole = {"club": club.slug, "name": tournament.name, "link": link, **found, "names": names}
        title = str(MessageKind(delivery.kind).label)
        return Rendered(
            **_frame(delivery, language),
            subject=f"{tournament.name}: {title}",
            text=_SENTENCES[delivery.kind](_Sentence(tournament, found, names, str(delivery.player_id or ""))),
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


def _with_figures(kind: str, data: dict[str, Any], tournament: Tournament) -> dict[str, Any] | None:
    """The data, with the amounts of the books as they are now; None where nothing is owed. Raises NotYet."""
    if kind not in PRIVATE:
        if not tournament.club.shows_money:
            for row in data.get("seats", ()):
                row.pop("won_minor", None)
        return data
    if tournament.closed_at is None or tournament.is_cancelled:
        # Reopened: its next closing tells again.
        return None
    if tournament in waiting(tournament.club, tournament.currency):
        raise NotYet
    if kind == MessageKind.NIGHT_REPORT:
        figures = msgspec.structs.asdict(report_figures(tournament))
        return {**data, "figures": figures, "currency": tournament.currency}
    balance = balances_of(tournament.club_id, tournament.currency, [data["player"]])[data["player"]]
    return {**data, "due_minor": -balance, "currency": tournament.currency} if balance < 0 else None


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


def _published_names(club_id: UUID, hiding: str | None, players: Collection[str]) -> dict[str, str]:
    """Public names by id, without players who were erased, or whom a director has hidden from the public."""
    hidden = load_tournament_state(hiding).hidden if hiding else frozenset()
    rows = Player.objects.filter(club=club_id, id__in=[UUID(player) for player in players])
    names = rows.filter(erased_at__isnull=True).values_list("id", "public_name")
    return {str(player): name for player, name in names if str(player) not in hidden}


@dataclass(frozen=True, slots=True)
class _Sentence:
    """The words of one message, to one player about themselves where `me` is that player's id."""

    tournament: Tournament
    data: dict[str, Any]
    names: dict[str, str]
    me: str

    def _round(self) -> str:
        return number(self.data["round"])

    def _table(self) -> str:
        return gettext("Round {round}, table {table}").format(round=self._round(), table=number(self.data["table"]))

    def _name(self, player: str) -> str:
        return self.names.get(player, gettext("A player"))

    def _is_me(self, player: str) -> bool:
        """Whether it is the reader; a merged row of theirs is theirs too."""
        if not self.me:
            return False
        rows = Player.objects.filter(id=UUID(player), merged_into=UUID(self.me))
        return player == self.me or rows.exists()

    def _my_row(self, rows: list[dict[str, Any]]) -> dict[str, Any] | None:
        by_player = {str(row["player"]): row for row in rows}
        return by_player.get(self.me) or next((row for key, row in by_player.items() if self._is_me(key)), None)

    def seating_published(self) -> str:
        tables = self.data["tables"]
        if self.me:
            for table in tables:
                if seat := self._my_row(table["seats"]):
                    text = gettext("Round {round}: table {table}, seat {seat}")
                    return text.format(round=self._round(), table=number(table["table"]), seat=number(seat["seat"]))
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
        if self.me and (row := self._my_row(self.data["seats"])):
            text = gettext("{table}: you are in place {place} with {score}.")
            return text.format(table=self._table(), place=number(row["place"]), score=self._score(row))
        if not self.data["winners"]:
            return gettext("{table}: the game is over.").format(table=self._table())
        winners = listed([self._name(player) for player in self.data["winners"]])
        return gettext("{table}: winner {names}.").format(table=self._table(), names=winners)

    def deal_corrected(self) -> str:
        rows = self.data["changes"]
        start = gettext("{table}: a score was corrected.").format(table=self._table())
        if self.me and (row := self._my_row(rows)):
            return f"{start} {gettext('You have {score} now.').format(score=self._score(row['after']))}"
        text = gettext("{name}: {score}")
        scores = [text.format(name=self._name(row["player"]), score=self._score(row["after"])) for row in rows]
        return f"{start} {listed(scores[:MOST_NAMED])}"

    def _score(self, row: dict[str, Any]) -> str:
        if row.get("chips") is not None:
            return ngettext("{number} chip", "{number} chips", row["chips"]).format(number=number(row["chips"]))
        points = row["total"] if row.get("total") is not None else row["net_points"]
        return ngettext("{number} point", "{number} points", points).format(number=number(points))

    def entry_received(self) -> str:
        if self.me:
            return gettext("You are entered in {tournament}.").format(tournament=self.tournament.name)
        text = gettext("{name} has entered {tournament}.")
        return text.format(name=self._name(self.data["player"]), tournament=self.tournament.name)

    def standby_place(self) -> str:
        place = number(self.data["place"])
        if self.me:
            return gettext("You are in place {place} on the standby list.").format(place=place)
        text = gettext("{name} is in place {place} on the standby list.")
        return text.format(name=self._name(self.data["player"]), place=place)

    def balance_due(self) -> str:
        amount = amount_text(self.data["due_minor"], self.tournament)
        if self.me:
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
