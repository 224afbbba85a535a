"""A person can be erased: the name is removed everywhere but in the books, every total and every hash stays.

Planted faults these catch: a reason with the name that stays, the admin's own log, a total that changes.
"""

import json
import re
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command

from scoring.problems import OptionsRejected
from tests.builders.admin_tables import person as staff
from tests.builders.api_clients import person
from tests.builders.playing import NOW, context, loses, new_table, new_tournament, show
from tests.builders.receivers import new_receiver
from tests.builders.tampering import undone
from tournaments import log
from tournaments.books.commands import settle_table
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import (
    EntryRequest,
    FormerActor,
    Import,
    ImportColumns,
    ImportKind,
    Invitation,
    LateSheet,
    Player,
    PushSubscription,
    Receiver,
    Role,
    Table,
)
from tournaments.models.log import EventNote
from tournaments.models.people import name_key
from tournaments.outbox.secrets import sealed
from tournaments.people.invitations import invite
from tournaments.people.player_links import give_links
from tournaments.privacy import erase_player, forget_names_in_books, mentions_of, what_is_known
from tournaments.running.commands.screens import steer
from tournaments.running.screens import Steering

pytestmark = pytest.mark.django_db

NAME = "Zubeida Merchant"


def everything() -> str:
    """Every value of every row of the database."""
    rows: list[Any] = []
    for model in apps.get_models():
        rows += model._default_manager.values_list()
    return repr(rows).casefold()


@pytest.fixture
def table():
    tournament = new_tournament(preset="points", point_value_minor=200)
    played = new_table(tournament, ("Asha", NAME, "Cy", "Dev"))
    played.deal(1, show, loses(34), loses(20), loses(12))
    played.record({"kind": "penalty_given", "seat": "2", "points": 5, "reason": "zubeida was late"})
    played.record({"kind": "penalty_given", "seat": "1", "points": 5, "reason": "Asha was late"})
    settle_table(played.row.id, now=NOW)
    steer(tournament, Steering(message="Zubeida leads after round 1"), context=context())
    player = Player.objects.get(name=NAME)
    LogEntry.objects.create(
        user=person(tournament.club, Role.DIRECTOR),
        content_type=ContentType.objects.get_for_model(Player),
        object_id=str(player.id),
        object_repr=NAME,
        action_flag=CHANGE,
        change_message=f"renamed to {NAME}",
    )
    invite(
        Invitation(
            id=uuid4(),
            club=tournament.club,
            role=Role.SCORER,
            name=NAME,
            note=f"For {NAME}",
            made_by=person(tournament.club, Role.OWNER),
        ),
        now=NOW,
    )
    return played


def imported(player: Player) -> None:
    """The player came with a list, whose file and one of whose columns are named after them."""
    made: dict[str, Any] = {"actor": "user:sam", "key": "k", "digest": "0" * 64, "made_at": NOW}
    row = Import.objects.create(club=player.club, kind=ImportKind.PLAYERS, file_name="zubeida.csv", **made)
    after = {"name": NAME, "email": "z@merchant.example"}
    row.players.create(player=player, is_new=False, before={"name": "Z Merchant"}, after=after)
    headings = {"zubeida": "name", "tel": "phone"}
    ImportColumns.objects.create(club=player.club, kind=ImportKind.PLAYERS, headings=headings)


def late_sheet(table: Any) -> None:
    """A sheet that came late, with a reason."""
    body = json.dumps({"kind": "penalty_given", "seat": "2", "points": 5, "reason": f"{NAME} was late"})
    sent: dict[str, Any] = {"key": "k", "digest": "0" * 64, "actor": "user:sam", "sent_at": NOW}
    LateSheet.objects.create(club=table.row.tournament.club, table=table.row, body=body, **sent)


@pytest.mark.slow
def test_nothing_says_the_name_any_more_and_what_is_said_of_others_stays(table):
    assert "zubeida" in everything()
    player = Player.objects.get(name=NAME)
    contact = {"email": "z@merchant.example", "phone": "98200 12345", "member_number": "m-42", "wants_mail": True}
    Player.objects.filter(pk=player.pk).update(**contact)
    sent = new_receiver(player.club, name="Zubeida Merchant")
    sent.deliveries.create(
        position=1,
        number=1,
        message_id="msg_1",
        kind="table_result",
        player=player,
        body="{}",
        told_at=NOW,
        answer="no z@merchant.example",
    )
    own = new_receiver(player.club, "mail", address=sealed("Z@merchant.example"))
    tournament = table.row.tournament
    requests: list[dict[str, Any]] = [
        {"player": player, "name": "Zubi", "phone": "98200 12345"},
        {"name": "ZUBEIDA merchant"},
        {"name": "Zed", "email": "Z@merchant.example"},
        {"name": "Zed", "note": f"comes with {NAME}"},
        {"name": "Zara", "phone": "+98200-12345"},
        {"name": "Asha"},
    ]
    for number, typed in enumerate(requests):
        row = EntryRequest(club_id=tournament.club_id, tournament=tournament, made_at=NOW, expires_at=NOW, **typed)
        row.code, row.digest = f"{number}", f"{number}" * 64
        row.save()
    imported(player)
    late_sheet(table)
    give_links(player.club, [player.pk], key=uuid4(), by="user:sam", now=NOW)
    subscription: dict[str, Any] = {"browser": sealed("{}"), "address_digest": "a" * 64, "network": "b" * 64}
    PushSubscription.objects.create(club=player.club, player=player, language="en-gb", **subscription)
    FormerActor.objects.create(club=player.club, actor="user:7", name=NAME)
    Table.objects.filter(pk=table.row.pk).update(name=f"{NAME}'s table")
    told = what_is_known(player, now=NOW)
    assert [name for name in told if not told[name]] == [
        # Lists of past tournaments are those of test_past_standings.py.
        *("seating_drafts", "imported_tournaments", "descriptions", "entries", "imported_results", "ratings"),
    ]
    names = {row.get("name", row["note"]) for row in told["entry_requests"]}
    assert names == {"Zubi", "ZUBEIDA merchant", "Zed", "Zara", f"comes with {NAME}"}
    others = [row for row in told["entry_requests"] if len(row) == 1]
    assert others == [{"note": f"comes with {NAME}"}], "another's contact is theirs"
    assert [row["receiver"] for row in told["messages"] if "receiver" in row] == ["Zubeida Merchant", "mail"]
    assert [row["after"] for row in told["imports"]] == [{"name": NAME, "email": "z@merchant.example"}]
    assert [mention.text for mention in mentions_of(player)] == ["zubeida was late", "Zubeida leads after round 1"]
    erase_player(player, now=NOW, with_balance=True, also=[mention.key for mention in mentions_of(player)])
    assert [len(re.findall(word, everything())) for word in ("zubeida", "merchant")] == [1, 1], "for the books alone"
    forget_names_in_books(now=NOW + timedelta(days=3_653))
    assert not re.search("zubeida|merchant|98200|m-42", everything())
    assert sorted(EntryRequest.objects.values_list("name", "note")) == [("Asha", ""), ("Zed", "")], "another's stays"
    assert not Receiver.objects.filter(pk=own.pk).exists(), "an encrypted address is still an address"
    assert [note.text for note in EventNote.objects.all()] == ["Asha was late"]


@pytest.mark.slow
def test_totals_hashes_and_money_are_as_before(table):
    before = (table.totals(), [event.hash for event in log.read(table.row.tournament.club_id, table.row.id)])
    erase_player(Player.objects.get(name=NAME), now=NOW, with_balance=True)
    assert (table.totals(), [event.hash for event in log.read(table.row.tournament.club_id, table.row.id)]) == before
    assert rebuild_differences() == []
    call_command("verify_log", full=True, stdout=StringIO())
    call_command("check_ledger", stdout=StringIO())


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Asha", "The club holds 132.00 INR for Asha. Pay it out first"),
        (NAME, "Zubeida Merchant owes 68.00 INR. Take it, or write it off"),
    ],
)
def test_nobody_with_money_between_them_and_the_club_is_erased_unasked(table, name, told):
    """Planted fault: a receipt over 10,152.41 that reads "Erased player"."""
    player = Player.objects.get(name=name)
    with pytest.raises(OptionsRejected) as refused:
        erase_player(player, now=NOW)
    assert [str(problem.detail) for problem in refused.value.problems] == [told]
    player.refresh_from_db()
    assert (player.name, player.erased_at) == (name, None)


def test_the_page_says_what_is_open_and_erases_after_a_second_tick(table, client):
    player = Player.objects.get(name="Asha")
    client.force_login(staff("olga", Role.OWNER, player.club))
    url = f"/admin/tournaments/player/{player.pk}/erase/"
    for answer, status in ((client.get(url), 200), (client.post(url, {"sure": "yes"}), 422)):
        assert answer.status_code == status
        assert [problem.field for problem in answer.context["problems"]] == ["with_balance"]
    assert client.post(url, {"sure": "yes", "with_balance": "yes"}).status_code == 302
    player.refresh_from_db()
    assert player.erased_at is not None


def test_a_name_in_any_script_goes(table):
    for name, reason in (
        ("李雷", "李雷算错了"),  # A script without blanks.
        ("李 雷", "李雷迟到"),  # Written together.
        ("🂡", "🂡 was late"),
        ("Ñandú", "Ñandú was late"),
    ):
        with undone():
            player = called(table, name)
            replace(table).record({"kind": "penalty_given", "seat": "2", "points": 5, "reason": reason})
            erase_player(player, now=NOW, with_balance=True)
            assert len(EventNote.objects.filter(text__contains="Asha")) == 1
            assert not any(name.replace(" ", "") in note.text for note in EventNote.objects.all()), name


def called(table: Any, name: str) -> Player:
    """The player of seat 2, under another name."""
    Player.objects.filter(name=NAME).update(name=name, name_key=name_key(name))
    return Player.objects.get(name=name)


def penalty(table: Any, reason: str) -> None:
    table.record({"kind": "penalty_given", "seat": "1", "points": 5, "reason": reason})


def test_only_a_text_with_the_whole_name_goes_unasked(table):
    """Planted fault: a player called Will, with whom each note went that has the word."""
    for name, text, is_named in (
        ("Will", "we will play on, goodwill", False),  # a word of the language
        ("Will", "Will was late", True),  # the name as it is written
        ("Will", "Willy was late", False),  # the beginning of another name
        ("Mark Rose", "please mark the rose card", False),  # words of the name
        ("Mark Rose", "paid to Mark  Rose.", True),  # the whole name with more blanks
        ("राम", "आराम के बाद", False),  # the end of a Hindi word
        ("राम", "रामू देर से आया", False),  # the beginning of a Hindi word
        ("राम", "राम देर से आया", True),  # a Hindi name
    ):
        with undone():
            penalty(replace(table), text)
            erase_player(called(table, name), now=NOW, with_balance=True)
            assert EventNote.objects.filter(text=text).exists() is not is_named, (name, text)


def test_the_page_asks_for_each_text_and_leads_to_names_that_only_people_can_change(table, client):
    for reason in ("will be paid later", "asked by will", "Will was late"):
        penalty(table, reason)
    player, club, tournament = called(table, "Will"), table.row.tournament.club, table.row.tournament
    type(tournament).objects.filter(pk=tournament.pk).update(name="Cup of Will")
    client.force_login(staff("olga", Role.OWNER, club))
    url = f"/admin/tournaments/player/{player.pk}/erase/"
    page = client.get(url)
    shown = {mention.text: (mention, link) for mention, link in page.context["mentions"]}
    assert set(shown) == {"will be paid later", "asked by will", "Cup of Will"}
    assert shown["Cup of Will"][1] == f"/admin/tournaments/tournament/{tournament.pk}/change/"
    assert shown["Cup of Will"][1] in page.content.decode()
    ticked = shown["asked by will"][0].key
    again = client.post(url, {"also": ticked, "with_balance": "yes"})
    assert f'value="{ticked}" checked' in " ".join(again.content.decode().split())
    assert client.post(url, {"sure": "yes", "with_balance": "yes", "also": ticked}).status_code == 302
    left = set(EventNote.objects.values_list("text", flat=True))
    assert left == {"zubeida was late", "Asha was late", "will be paid later"}


def test_records_of_changes_to_other_rows_of_the_club_forget_the_name(table):
    """Planted fault: only the entries of the player's own page, so that a tournament's kept the name."""
    tournament, other = table.row.tournament, new_tournament(name="Elsewhere")
    user = person(tournament.club, Role.DIRECTOR)
    for row in (tournament, other):
        entry = {"user": user, "content_type": ContentType.objects.get_for_model(row), "object_id": str(row.pk)}
        for message in (f"named after {NAME}", "moved to Friday"):
            LogEntry.objects.create(object_repr="Cup", action_flag=CHANGE, change_message=message, **entry)
    erase_player(Player.objects.get(name=NAME), now=NOW, with_balance=True)
    kept = LogEntry.objects.filter(object_id=str(tournament.pk)).values_list("object_repr", "change_message")
    assert sorted(kept) == [("-", ""), ("Cup", "moved to Friday")]
    assert LogEntry.objects.filter(object_id=str(other.pk), change_message__contains=NAME).exists(), "another club's"
