"""The prints before, during and after a tournament: each sheet says what it is for, to users who may see it."""

import re
from collections.abc import Callable
from typing import Any
from unittest import mock
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from syrupy.assertion import SnapshotAssertion

from scoring.events import wire
from tests.builders.admin_tables import NOW, Evening, evening_at
from tests.builders.admin_tournaments import a_night, play_out, record
from tests.builders.paper_files import file, text
from tests.builders.pdf_text import code_drawn, code_of, pages, size
from tests.builders.samples import each
from tests.builders.western_pages import GAMES
from tournaments.log.context import CommandContext
from tournaments.models import Club, Player, Role, Scoresheet, TableToken
from tournaments.models.public_names import Naming
from tournaments.people.access import code_digest, token_digest
from tournaments.people.players import add_players
from tournaments.running.commands.close import close_tournament
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table

pytestmark = pytest.mark.django_db

INDIAN = ("pool_101", "deals_best_of_2", "points")
FINGERPRINT = re.compile(r"Fingerprint 1-[0-9A-F-]+")


def url(tournament: Any, page: str = "") -> str:
    return f"/admin/tournaments/tournament/{tournament.pk}/paper/{page}"


def missing(wanted: list[str] | tuple[str, ...], shown: str) -> list[str]:
    return [words for words in wanted if words not in shown]


def another_table(evening: Evening, number: int, *names: str) -> None:
    players = add_players(evening.club, names)
    seats = [SeatedPlayer(number=place, player=player.pk) for place, player in enumerate(players, start=1)]
    open_table(
        evening.tournament, TableDraft(number=number, seats=seats), context=CommandContext(actor="user:0", now=NOW)
    )


@pytest.mark.parametrize("game", each(*INDIAN, *GAMES, quick=("pool_101", "rum", "rummy_royal")))
def test_the_sheet_of_every_game_has_its_own_boxes_and_what_is_known_before_the_first_deal(
    game: str, club: Club, sam: Client, snapshot: SnapshotAssertion
):
    """Planted fault: a sheet drawn for one game. The form that the game describes is what is printed."""
    preset, names = (GAMES[game].preset, GAMES[game].names) if game in GAMES else (game, ("Asha", "Bo", "Cy"))
    stakes: dict[str, Any] = {"point_value_minor": 200, "entry_minor": 0} if game == "points" else {}
    names = names[:2] if game == "deals_best_of_2" else names
    evening = evening_at(club, preset=preset, names=names, **stakes)
    printed = pages(file(sam.get(url(evening.tournament, "sheets/"))))
    assert [FINGERPRINT.sub("Fingerprint", page) for page in printed] == snapshot


@pytest.mark.slow
def test_the_code_on_a_sheet_opens_the_entry_of_that_table(pool: Evening, sam: Client):
    another_table(pool, 2, "Eli", "Fay")
    printed = file(sam.get(url(pool.tournament, "sheets/")))
    assert code_drawn(printed) == code_of(f"http://testserver{pool.score_url}")
    assert code_drawn(printed, page=2) != code_drawn(printed)
    alone = file(sam.get(url(pool.tournament, f"sheets/?table={pool.table.pk}")))
    assert code_drawn(alone) == code_drawn(printed)
    assert len(pages(alone)) == 2


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "count"), [("sheets", 2), ("cards", 1)])
def test_a_code_that_opens_without_a_login_is_printed_once(kind: str, count: int, pool: Evening, dita: Client):
    cards, key = f"/admin/tournaments/tournament/{pool.tournament.pk}/cards/", str(uuid4())
    answer = dita.post(cards, {"key": key, "print": kind, "paper": "letter"})
    assert answer["Content-Type"] == "application/pdf"
    assert "no-store" in answer["Cache-Control"]
    assert size(answer.content) == (612, 792)
    assert len(pages(answer.content)) == count
    assert b"made already" in dita.post(cards, {"key": key, "print": kind}).content
    assert TableToken.objects.count() == 1


def test_the_code_of_a_printed_card_is_the_one_that_is_stored(pool: Evening, dita: Client):
    """To be scanned the whole secret, to be typed a short one."""
    secret = "s" * 43
    with mock.patch("secrets.token_urlsafe", return_value=secret):
        answer = dita.post(pool.page("cards"), {"key": str(uuid4()), "print": "cards"})
    [page] = pages(answer.content)
    assert missing(["Table 1", "Round 1", "1 Asha", "4 Dev", "Scan the code", "Opens only this table"], page) == []
    typed = page.split("this code: ")[1].split("Opens")[0].split("1 Asha")[0].replace(" ", "")
    stored = TableToken.objects.get()
    assert (stored.digest, stored.code_digest) == (token_digest(secret), code_digest(typed))
    assert code_drawn(answer.content) == code_of(f"http://testserver/table/#{secret}")


@pytest.mark.slow
def test_a_sheet_is_the_same_to_the_byte_whatever_was_played_since_unless_it_goes_on_from_there(
    pool: Evening, sam: Client
):
    address = url(pool.tournament, "sheets/")
    before = file(sam.get(address))
    pool.deal(1, show="1", s2=30, s3=40, s4=50)
    assert file(sam.get(address)) == before
    [front, *_] = pages(file(sam.get(url(pool.tournament, "sheets/?since=now"))))
    assert missing(["Start 0 30 40 50", "Fingerprint 2-"], front) == []
    assert "Start 0 30 40 50 1 " not in front


@pytest.mark.slow
def test_a_voided_deal_is_the_first_to_be_played_again(club: Club, sam: Client):
    evening = evening_at(club, preset="deals_best_of_3", names=("Asha", "Bo"))
    evening.deal(1, show="1", s2=10)
    evening.deal(2, show="1", s2=20)
    evening.record({"kind": "deal_voided", "deal": 1, "reason": "misdeal"})
    [front, *_] = pages(file(sam.get(url(evening.tournament, "sheets/?since=now"))))
    assert "Start 260 220 1 1 " in front
    assert [row.split()[0] for row in front.split("Start ")[1].split(" S W X S W X")[1:4]] == ["3", "+1", "+2"]


@pytest.mark.slow
def test_ten_tables_are_twenty_pages_in_no_more_queries(pool: Evening, sam: Client):
    """Planted fault: a fingerprint or a name queried table by table."""

    def queries() -> tuple[int, int]:
        with CaptureQueriesContext(connection) as asked:
            printed = file(sam.get(url(pool.tournament, "sheets/")))
        return len(asked), len(pages(printed))

    few, _ = queries()
    players = add_players(pool.club, [f"Player {number}" for number in range(18)])
    for table in range(9):
        seats = [SeatedPlayer(number=at, player=players[2 * table + at - 1].pk) for at in (1, 2)]
        open_table(
            pool.tournament, TableDraft(number=table + 2, seats=seats), context=CommandContext(actor="user:0", now=NOW)
        )
    assert queries() == (few, 20)


@pytest.mark.slow
def test_a_table_of_ten_lies_on_the_long_side_of_the_paper(club: Club, sam: Client):
    evening = evening_at(club, names=tuple(f"Player {number}" for number in range(1, 11)))
    address = url(evening.tournament, "sheets/")
    assert size(file(sam.get(address))) == (841.89, 595.28)
    assert size(file(sam.get(f"{address}?paper=letter"))) == (792, 612)


def test_the_wall_shows_who_sits_where_from_a_to_z_and_by_table(pool: Evening, sam: Client):
    another_table(pool, 2, "Eli", "asha")
    named, tables = pages(file(sam.get(url(pool.tournament, "seating/"))))
    told = [f"({player.hex[:4]})" for player in Player.objects.filter(name__iexact="asha").values_list("pk", flat=True)]
    assert missing([*told, "Bo Table 1 2 Cy Table 1 3 Dev Table 1 4 Eli Table 2 1"], named) == []
    assert named.index("Bo") > named.index("sha (")
    assert missing(["Table 1 1 Asha", "2 Bo 3 Cy 4 Dev Table 2 1 Eli"], tables) == []


@pytest.mark.slow
def test_a_list_for_everybody_shows_the_names_that_everybody_reads(pool: Evening, sam: Client):
    player = Player.objects.get(name="Bo")
    player.naming, player.pseudonym = Naming.PSEUDONYM, "Lucky"
    player.save()
    for page in ("seating/", "standings/", "winners/"):
        assert "Bo" in text(sam.get(url(pool.tournament, page)))
        shown = text(sam.get(url(pool.tournament, f"{page}?names=public")))
        assert "Lucky" in shown
        assert "Bo" not in shown


def test_standings_share_their_places_and_say_when_they_are_not_final(pool: Evening, sam: Client):
    pool.deal(1, show="1", s2=30, s3=30, s4=50)
    shown = text(sam.get(url(pool.tournament, "standings/")))
    wanted = [
        "Not finished: current standings.",
        "1 Asha 0 1",
        "=2 Bo 30 0",
        "=2 Cy 30 0",
        "4 Dev 50 0",
        "Fingerprint ",
    ]
    assert missing(wanted, shown) == []


def test_winners_are_called_out_from_the_last_prize_to_the_first(club: Club, dita: Client, sam: Client):
    night = a_night(club, {"stages": [{"smallest_table": 2}], "prizes_bp": [7_000, 3_000]}, entry_minor=30_000)
    asha, bo = night.enter("Asha", "Bo")
    [table] = night.seat([asha, bo])
    play_out(table)
    record(table, {"kind": "table_closed"})
    assert "Place 2 Bo ₹180.00 Place 1 Asha ₹420.00" in text(dita.get(url(night.tournament, "winners/")))
    told = text(sam.get(url(night.tournament, "winners/")))
    assert "Place 2 Bo Place 1 Asha" in told
    assert "₹" not in told


def test_winners_without_prizes_are_the_first_three_places(pool: Evening, sam: Client):
    pool.deal(1, show="1", s2=20, s3=30, s4=40)
    shown = text(sam.get(url(pool.tournament, "winners/")))
    assert "Place 3 Cy Place 2 Bo Place 1 Asha" in shown
    assert "Dev" not in shown


def test_certificates_wait_until_places_are_certain_and_none_are_one(pool: Evening, sam: Client):
    address = url(pool.tournament, "certificates/?most=2")
    assert b"places may change" in sam.get(address, follow=True).content
    for deal in (1, 2):
        pool.deal(deal, show="1", s2=60, s3=70, s4=70)
    printed = file(sam.get(address))
    first, second = pages(printed)
    assert missing(["Certificate", "awarded to Asha Place 1 Friday Pool 101", "Fingerprint "], first) == []
    assert "awarded to Bo Place 2" in second
    assert size(printed) == (841.89, 595.28)
    assert len(pages(file(sam.get(url(pool.tournament, "certificates/?most=0"))))) == 1


def test_a_certificate_for_nobody_is_a_word_and_no_file(pool: Evening, sam: Client):
    """Planted fault: a file without a page, which cannot be made, is an error of the server."""
    pool.record({"kind": "table_cancelled", "reason": "fire alarm"})
    close_tournament(pool.tournament.pk, context=CommandContext(actor="user:0", now=NOW))
    assert b"Nobody has a place yet." in sam.get(url(pool.tournament, "certificates/"), follow=True).content


@pytest.mark.slow
def test_the_money_of_a_night_says_what_lies_in_the_tills_for_it(club: Club, dita: Client):
    night = a_night(club, {"stages": [{"smallest_table": 2}]}, entry_minor=30_000)
    [asha, bo] = night.enter("Asha", "Bo")
    night.record(wire.EntryPaid(player=asha, amount_minor=30_000), wire.EntryPaid(player=bo, amount_minor=30_000))
    night.seat([asha, bo])
    shown = text(dita.get(f"/admin/tournaments/tournament/{night.tournament.pk}/money/summary/"))
    assert missing(["Charged to players ₹600.00", "Held in all tills ₹600.00"], shown) == []
    assert "In the prize pool, not paid out yet ₹600.00" in shown


@pytest.mark.slow
def test_names_are_text_on_every_sheet(pool: Evening, dita: Client):
    hostile = "<b>&amp;</b> {page} %s =cmd()|\u202e"
    Player.objects.filter(name="Bo").update(name=hostile)
    pool.deal(1, show="2", s1=20, s3=30, s4=40)
    shown = [text(dita.get(url(pool.tournament, page))) for page in ("sheets/", "seating/", "standings/", "winners/")]
    shown.append(pages(dita.post(pool.page("cards"), {"key": str(uuid4()), "print": "cards"}).content)[0])
    assert [page for page in shown if "<b>&amp;</b> {page} %s =cmd()|" not in page] == []


def test_the_page_offers_what_a_role_may_print_and_remembers_the_paper(
    pool: Evening, sam: Client, dita: Client, signed_in: Callable[..., Client]
):
    assert "Tournament report" in dita.get(url(pool.tournament)).content.decode()
    page = sam.get(url(pool.tournament)).content.decode()
    assert [words for words in ("Tournament report", "without a login") if words in page] == []
    assert "paper=a4" in page
    sam.get(url(pool.tournament, "?paper=letter"))
    assert "paper=letter" in sam.get(url(pool.tournament)).content.decode()
    assert signed_in(Role.DISPLAY, login="wall").get(url(pool.tournament)).status_code in (403, 404)


def test_a_round_or_a_table_that_is_not_there_is_not_printed(pool: Evening, sam: Client):
    for wanted in ("?round=2", "?round=x", "?round=99999999999", "?table=nobody"):
        assert sam.get(url(pool.tournament, f"sheets/{wanted}")).status_code == 404, wanted


@pytest.mark.slow
def test_a_table_that_was_given_up_needs_no_sheet(pool: Evening, sam: Client):
    another_table(pool, 2, "Eli", "Fay")
    pool.record({"kind": "table_cancelled", "reason": "nobody came"})
    shown = text(sam.get(url(pool.tournament, "sheets/")))
    assert "Table 2" in shown
    assert "Dev" not in shown
    assert Scoresheet.objects.filter(is_cancelled=True).count() == 1
