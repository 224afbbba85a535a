"""Two rows of a player that are one person: read as one everywhere, and separated again without a trace.

Planted faults that these catch: a night of the merged row left out of its season; a statement of one account alone; a
correction after the merge that an undo gives to the wrong player; the merged name offered to pasted lists; a merge of
two who played one tournament; a row whose column differs from the log.
"""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.events import cash, wire
from scoring.ledger import ledger_problems, player_statement
from scoring.problems import EventNotAllowed, OptionsRejected
from tests.builders.admin_tables import club_called, person
from tests.builders.playing import NOW, context, loses, new_club, new_tournament, show
from tests.builders.seasons import caught_up, played, season, shown
from tests.builders.tampering import undone, unguarded
from tests.builders.there import there
from tournaments import log
from tournaments.boards.players import listed_players, page_player, player_page
from tournaments.books.commands import settle_table, tables_to_settle
from tournaments.books.player_balances import balances_of, balances_of_club, credits_of, means_of
from tournaments.cash.commands import open_book, write_in_book
from tournaments.cash.queries import players_called
from tournaments.changing import change_player
from tournaments.entries.commands.enter import check_list, enter_list
from tournaments.entries.commands.lists import read_pasted
from tournaments.entries.commands.set_up import repeat_tournament
from tournaments.integrity.audit import compare_books
from tournaments.integrity.rebuild import rebuild, rebuild_differences
from tournaments.log.auditing import verify_log
from tournaments.merging import merge_players, undo_merge
from tournaments.models import Club, Player, PlayerCredit, PlayerRating, Role, Table, Tournament
from tournaments.models.log import Event
from tournaments.models.people import ERASED_NAME
from tournaments.models.public_names import Naming
from tournaments.people.known_names import known_names
from tournaments.people.players import add_players, likely_duplicates, rows_of
from tournaments.privacy import erase_player, remove_player
from tournaments.running.commands.close import close_tournament, reopen_tournament
from tournaments.running.commands.record import record_in_tournament, tournament_state
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table

pytestmark = pytest.mark.django_db
ENTRY = 10_000


def player(club: Club, name: str) -> Player:
    return Player.objects.present().get(club=club, name=name)


def settle_all(club: Club) -> None:
    for table in tables_to_settle():
        assert not settle_table(table, now=NOW).problem
    caught_up(club)


def two_nights(**fields: Any) -> Club:
    """Asha Rao wins the first night and Asha R. the second, each against Bo: they are one person."""
    club = new_club(is_published=True)
    played(club, "Asha Rao", "Bo", day=0, entry_minor=ENTRY, **fields)
    played(club, "Asha R.", "Bo", day=7, entry_minor=ENTRY, **fields)
    settle_all(club)
    return club


def merged(club: Club, name: str = "Asha R.", into: str = "Asha Rao", **extra: Any) -> Player:
    """The merged row."""
    row = player(club, name)
    merge_players(row, player(club, into), context=context(**extra))
    caught_up(club)
    row.refresh_from_db()
    return row


def proven() -> None:
    assert rebuild_differences() == []
    assert verify_log(is_full=True).findings == ()
    assert ledger_problems() == []
    assert compare_books().faults == ()


def reasons(refused: pytest.ExceptionInfo[EventNotAllowed]) -> list[str]:
    return [problem.text() for problem in refused.value.problems]


def balance(of: Player) -> int:
    return balances_of(of.club_id, "INR", [str(of.id)])[str(of.id)]


@pytest.mark.slow
def test_two_rows_are_one_player_in_seasons_ratings_and_on_the_public_page():
    club = two_nights()
    spring = season(club)
    caught_up(club)
    assert shown(spring)[0] == "1 Bo 12"
    row = merged(club)
    kept = player(club, "Asha Rao")
    assert shown(spring)[0] == "1 Asha Rao 20"
    assert len(shown(spring)) == 2
    assert set(PlayerRating.objects.values_list("player__name", "nights")) == {("Asha Rao", 2), ("Bo", 2)}
    assert [(each.name, each.tournaments) for each in listed_players(club)[0]] == [("Asha Rao", 2), ("Bo", 2)]
    page = there(player_page(kept))
    assert [result.place for result in page.results] == [1, 1]
    assert [(each.name, each.tables, each.ahead) for each in page.opponents] == [("Bo", 2, 2)]
    bo = there(player_page(player(club, "Bo")))
    assert [(each.name, each.player, each.behind) for each in bo.opponents] == [("Asha Rao", str(kept.id), 2)]
    assert there(page_player(club, row.id)).id == kept.id
    proven()
    undo_merge(row, context=context())
    caught_up(club)
    assert sorted(name for name in Player.objects.values_list("name", flat=True)) == ["Asha R.", "Asha Rao", "Bo"]
    assert len(shown(spring)) == 3
    assert PlayerRating.objects.count() == 3
    proven()


@pytest.mark.slow
def test_one_journal_entry_moves_the_balance_and_an_undo_moves_it_back():
    club = two_nights()
    row, kept = player(club, "Asha R."), player(club, "Asha Rao")
    before = {each: balance(each) for each in (row, kept)}
    assert all(before.values())
    merged(club)
    lines = player_statement(club.id, rows_of(club.id, [str(kept.id)]))
    assert lines[-1].balance_minor == sum(before.values()) == balance(kept)
    moves = {line.amount_minor for line in lines if line.cause == f"merge:{row.id}"}
    assert moves == {-before[row], before[row]}
    assert player_statement(club.id, [str(kept.id)])[-1].balance_minor == sum(before.values())
    assert player_statement(club.id, [str(row.id)])[-1].balance_minor == 0
    assert balances_of_club(club.id, "INR")[str(kept.id)] == sum(before.values())
    undo_merge(row, context=context())
    assert {each: balance(each) for each in (row, kept)} == before
    proven()


@pytest.mark.slow
def test_a_correction_after_the_merge_counts_for_the_person_and_an_undo_leaves_it_where_it_belongs():
    club = new_club()
    played(club, "Asha Rao", "Bo", day=0, entry_minor=ENTRY)
    second = played(club, "Asha R.", "Bo", day=7, entry_minor=ENTRY)
    settle_all(club)
    row, kept = player(club, "Asha R."), player(club, "Asha Rao")
    whole, own = balance(row) + balance(kept), balance(kept)
    merged(club)
    reopen_tournament(second.row.tournament_id, reason="the sheet was read the wrong way round", context=context())
    for number in (1, 2):
        second.correct(number, loses(62), show)
    close_tournament(second.row.tournament_id, context=context())
    settle_all(club)
    lost = whole - balance(kept)
    assert lost > 0
    proven()
    undo_merge(row, context=context())
    assert balance(kept) == own
    assert balance(row) == whole - own - lost
    proven()


def test_who_played_together_or_is_in_an_open_tournament_is_not_merged_and_all_reasons_are_told():
    club = two_nights()
    played(club, "Asha R.", "Asha Rao", day=14, entry_minor=ENTRY)
    night = new_tournament(club, name="Tonight")
    enter_list(night.pk, read_pasted("Asha R.\nBo").rows, context=context(), adds_new=False)
    row, kept = player(club, "Asha R."), player(club, "Asha Rao")
    with pytest.raises(EventNotAllowed) as refused:
        merge_players(row, kept, context=context())
    assert reasons(refused) == ["Asha R. and Asha Rao are both in Night 14", "Asha R. is in Tonight: close it first"]
    with pytest.raises(EventNotAllowed) as refused:
        merge_players(row, row, context=context())
    assert reasons(refused) == ["choose another player"]
    erase_player(kept, now=NOW, with_balance=True)
    kept.refresh_from_db()
    with pytest.raises(EventNotAllowed) as refused:
        merge_players(row, kept, context=context())
    assert reasons(refused)[0] == "an erased player cannot be merged"
    assert log.head_of(club.id, club.id) is None
    assert not Player.objects.exclude(merged_into=None).exists()


@pytest.mark.slow
def test_a_player_who_withdrew_from_an_open_tournament_can_be_merged():
    club = two_nights()
    night = new_tournament(club, name="Tonight")
    enter_list(night.pk, read_pasted("Asha R.\nAsha Rao\nBo").rows, context=context(), adds_new=False)
    with pytest.raises(EventNotAllowed) as refused:
        merge_players(player(club, "Asha R."), player(club, "Asha Rao"), context=context())
    assert reasons(refused) == ["Asha R. and Asha Rao are both in Tonight"]
    record_in_tournament(night.pk, wire.EntryWithdrawn(player=str(player(club, "Asha R.").id)), context=context())
    assert merged(club).merged_into_id == player(club, "Asha Rao").id
    proven()


@pytest.mark.slow
def test_the_merged_row_is_offered_nowhere_and_its_name_means_the_one_that_stays():
    club = two_nights()
    row = merged(club)
    kept = player(club, "Asha Rao")
    assert (row.name, row.public_name, row.merged_name) == ("Asha Rao", "Asha Rao", "Asha R.")
    assert known_names(club).found("asha r.") == [(kept.id, "Asha Rao")]
    assert likely_duplicates(club, ["asha r.", "Asha Rao", "Dev"]) == ["asha r.", "Asha Rao"]
    assert players_called(club, "r.") == {str(kept.id): "Asha Rao"}
    night = new_tournament(club, name="Tonight")
    checked = check_list(night, read_pasted("Asha R.\nAsha Rao").rows)
    assert [one.player for one in checked.rows] == [str(kept.id)]
    assert [problem.code for problem in checked.problems] == ["listed_twice"]
    book = open_book(club.id, "INR", context=context())
    with pytest.raises(EventNotAllowed, match="no such player"):
        write_in_book(book, cash.CreditGranted(player=str(row.id), limit_minor=5, reason="x"), context=context())


@pytest.mark.slow
def test_a_repeat_enters_the_one_that_stays_once():
    club = new_club()
    night = new_tournament(club)
    enter_list(night.pk, read_pasted("Asha R.\nAsha Rao\nBo").rows, context=context(), adds_new=True)
    close_tournament(night.pk, context=context())
    row, kept = merged(club), player(club, "Asha Rao")
    again = repeat_tournament(night, context=context())
    entrants = tournament_state(again.tournament).entrants
    assert str(kept.id) in entrants
    assert str(row.id) not in entrants
    assert (again.entered, again.gone) == (2, 0)
    with pytest.raises(EventNotAllowed) as refused:
        reopen_tournament(night.pk, reason="one more round", context=context())
    assert "undo the merge first" in reasons(refused)[0]


def test_in_a_tournament_that_was_reopened_the_name_means_the_entry_that_is_there():
    club = new_club()
    night = new_tournament(club)
    enter_list(night.pk, read_pasted("Asha R.\nBo").rows, context=context(), adds_new=True)
    add_players(club, ["Asha Rao"])
    close_tournament(night.pk, context=context())
    row = merged(club)
    reopen_tournament(night.pk, reason="one more round", context=context())
    enter_list(night.pk, read_pasted("Asha Rao\nAsha R. (new)").rows, context=context(), adds_new=True)
    assert str(row.id) in tournament_state(night).entrants
    assert len(tournament_state(night).entrants) == 3


def test_the_same_order_again_changes_nothing_and_a_chain_is_one_person():
    club = two_nights()
    played(club, "A. Rao", "Cy", day=21, entry_minor=ENTRY)
    settle_all(club)
    total = sum(balance(player(club, name)) for name in ("A. Rao", "Asha R.", "Asha Rao"))
    third = player(club, "A. Rao")
    for _ in range(2):
        merge_players(third, player(club, "Asha R."), context=context(key="merge-once"))
    second = merged(club)
    third.refresh_from_db()
    kept = player(club, "Asha Rao")
    assert third.merged_into_id == kept.id
    assert balance(kept) == total
    proven()
    undo_merge(second, context=context())
    third.refresh_from_db()
    assert third.merged_into_id == second.id
    assert third.name == "Asha R."
    assert balance(second) + balance(kept) == total
    caught_up(club)
    proven()
    with pytest.raises(EventNotAllowed, match="is not merged"):
        undo_merge(second, context=context())


def test_a_page_that_was_opened_before_somebody_was_erased_or_merged_merges_nothing_into_them():
    """Planted fault: the rows as the page had read them were checked, not their present state under the lock."""
    club = two_nights()
    row, kept, (cy, dev) = player(club, "Asha R."), player(club, "Asha Rao"), add_players(club, ["Cy", "Dev"])
    for into, meanwhile in (
        (kept, lambda: erase_player(player(club, "Asha Rao"), now=NOW, with_balance=True)),
        (kept, lambda: merge_players(player(club, "Asha R."), cy, context=context())),
        (dev, lambda: remove_player(player(club, "Dev"))),
    ):
        with undone():
            meanwhile()
            with pytest.raises(EventNotAllowed):
                merge_players(row, into, context=context())
            proven()


@pytest.mark.slow
def test_what_was_asked_for_the_row_that_goes_alone_holds_for_the_person():
    club = two_nights()
    Player.objects.filter(name="Asha R.").update(is_suspended=True, naming=Naming.PSEUDONYM, pseudonym="Ace")
    row = merged(club)
    kept = player(club, "Asha Rao")
    assert (kept.is_suspended, kept.public_name, kept.has_page) == (True, "Ace", True)
    assert {each.name for each in listed_players(club)[0]} == {"Ace", "Bo"}
    proven()
    undo_merge(row, context=context())
    assert {each.public_name for each in Player.objects.all()} == {"Ace", "Asha Rao", "Bo"}
    caught_up(club)
    proven()


@pytest.mark.slow
def test_the_credit_of_the_row_that_stays_holds_for_the_person_and_for_a_seat_of_the_other():
    club = two_nights(preset="pool_101")
    row, kept = player(club, "Asha R."), player(club, "Asha Rao")
    for one, limit in ((row, 700), (kept, 500)):
        PlayerCredit.objects.create(club=club, player=one, currency="INR", limit_minor=limit)
    merged(club)
    means = means_of(club.id, "INR", [str(kept.id)])[str(kept.id)]
    assert (means.credit_minor, means.balance_minor) == (500, balance(kept))
    other = add_players(club, ["Cy"])[0]
    assert credits_of("INR", [str(row.id), str(kept.id), str(other.id)]) == {str(row.id): 500, str(kept.id): 500}


# One person has one entry, and sits at a table once.


def test_an_entry_that_was_withdrawn_is_not_meant_by_the_name_nor_made_again_and_keeps_nothing_closed():
    club = new_club()
    night = new_tournament(club)
    enter_list(night.pk, read_pasted("Asha R.\nAsha Rao\nBo").rows, context=context(), adds_new=True)
    record_in_tournament(night.pk, wire.EntryWithdrawn(player=str(player(club, "Asha R.").id)), context=context())
    row = merged(club)
    enter_list(night.pk, read_pasted("Asha Rao").rows, context=context(), adds_new=True)
    assert len(tournament_state(night).field()) == 2
    with pytest.raises(EventNotAllowed) as refused:
        record_in_tournament(night.pk, wire.PlayerEntered(player=str(row.id)), context=context())
    assert "undo the merge first" in reasons(refused)[0]
    close_tournament(night.pk, context=context())
    reopen_tournament(night.pk, reason="one more round", context=context())


def test_a_table_seats_the_row_that_stays_or_the_one_that_sat_there_before():
    """Planted faults: each half left out. The API seats by number, whatever lists offer."""
    club = two_nights()
    first = Tournament.objects.get(name="Night 7")
    row = merged(club)
    kept, bo = player(club, "Asha Rao"), player(club, "Bo")
    reopen_tournament(first.pk, reason="one more round", context=context())
    for night, known, other in ((new_tournament(club), kept, row), (first, row, kept)):
        for seats in ((other, bo), (row, kept)):
            with pytest.raises(OptionsRejected, match="was merged: choose the other row"):
                opened(night, *seats)
        assert opened(night, known, bo).seats.count() == 2


def opened(night: Tournament, *players: Player) -> Table:
    seats = [SeatedPlayer(number=place, player=one.id) for place, one in enumerate(players, 1)]
    return open_table(night, TableDraft(number=9, round=2, seats=seats), context=context())


def test_erasing_forgets_both_names_and_no_undo_brings_one_back():
    club = two_nights()
    row = merged(club)
    rename_player_to(club, "Asha Rao", "Asha Rao-Sen")
    row.refresh_from_db()
    assert row.name == "Asha Rao-Sen"
    erase_player(player(club, "Asha Rao-Sen"), now=NOW, with_balance=True)
    rows = Player.objects.exclude(name="Bo").values_list("name", "public_name", "merged_name")
    assert set(rows) == {(ERASED_NAME, ERASED_NAME, "")}
    with pytest.raises(EventNotAllowed, match="can no longer be undone"):
        undo_merge(row, context=context())
    proven()


def rename_player_to(club: Club, name: str, other: str) -> None:
    change_player(Player.objects.get(club=club, name=name, merged_into=None).pk, {"name": other})


def test_a_row_that_says_otherwise_than_the_log_is_found_and_made_right_again():
    club = two_nights()
    row = merged(club)
    Player.objects.filter(id=row.id).update(merged_into=player(club, "Bo"))
    assert any(str(row.id) in line for line in rebuild_differences())
    rebuild()
    assert rebuild_differences() == []
    bo = player(club, "Bo")
    Player.objects.filter(id=bo.id).update(merged_into=player(club, "Asha Rao"))
    assert any(str(bo.id) in line for line in rebuild_differences())
    rebuild()
    Player.objects.filter(id=row.id).update(name="Asha R.")
    assert any(str(row.id) in line for line in rebuild_differences())


@pytest.mark.slow
def test_an_entry_of_a_merge_that_the_log_does_not_know_is_found():
    club = two_nights()
    row = merged(club)
    with unguarded():
        stored = Event.objects.get(kind="players_merged")
        Event.objects.filter(pk=stored.pk).update(body=stored.body.replace('"INR":', '"EUR":'))
    assert any(f"merge:{row.id}" in line for line in compare_books().faults)


def test_the_pages_show_what_moves_merge_and_undo(client: Client):
    club = two_nights()
    season(club)
    row, kept = player(club, "Asha R."), player(club, "Asha Rao")
    client.force_login(person("dita", Role.DIRECTOR, club))
    page = reverse("admin:tournaments_player_merge", args=[row.pk])
    assert f"?into={kept.pk}" in client.get(page).content.decode()
    assert "check spelling" in client.get(f"{page}?name=Zoltan").content.decode()
    preview = client.get(f"{page}?name=asha+rao").content.decode()
    for said in ("Night 7", "Spring", "one player on every page", "Merge players"):
        assert said in preview
    answer = client.post(f"{page}?into={kept.pk}", {"key": "7" * 32})
    assert answer.status_code == 302
    own = client.get(reverse("admin:tournaments_player_change", args=[row.pk]))
    assert own.url == reverse("admin:tournaments_player_change", args=[kept.pk])  # type: ignore[attr-defined]
    shown_page = client.get(reverse("admin:tournaments_player_change", args=[kept.pk])).content.decode()
    assert "Merged with <bdi>Asha R.</bdi>" in " ".join(shown_page.split())
    listed = reverse("admin:tournaments_player_changelist")
    assert client.get(listed).content.decode().count("Asha Rao</a>") == 1
    assert "Asha Rao</a>" in client.get(f"{listed}?q=Asha+R.").content.decode()
    undo = reverse("admin:tournaments_player_unmerge", args=[row.pk])
    assert "Undo merge of" in client.get(undo).content.decode()
    assert client.post(undo, {"key": "8" * 32}).status_code == 302
    row.refresh_from_db()
    assert (row.merged_into_id, row.name) == (None, "Asha R.")


@pytest.mark.slow
def test_a_merge_that_is_refused_says_why_on_the_page_and_a_scorer_may_not(client: Client):
    club = two_nights()
    played(club, "Asha R.", "Asha Rao", day=14)
    row, kept = player(club, "Asha R."), player(club, "Asha Rao")
    client.force_login(person("dita", Role.DIRECTOR, club))
    page = reverse("admin:tournaments_player_merge", args=[row.pk]) + f"?into={kept.pk}"
    shown_page = client.get(page).content.decode()
    assert "Asha R. and Asha Rao are both in Night 14" in shown_page
    assert "Merge players</button>" not in shown_page
    assert client.post(page, {"key": "7" * 32}).status_code == 422
    client.force_login(person("sam", Role.SCORER, club))
    assert client.get(page).status_code == 403
    stranger = club_called("away", "Away")
    client.force_login(person("dora", Role.DIRECTOR, stranger))
    assert client.get(page).status_code == 404
