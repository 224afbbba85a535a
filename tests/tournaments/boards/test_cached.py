"""Answers are made once under the ETag of what they show, and never sent where that has changed."""

import gzip
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection, models, transaction
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from tests.builders.admin_tables import person
from tests.builders.patience import PATIENCE
from tests.builders.public_tables import Seated, a_club, a_tournament, address, seat
from tests.builders.samples import some_of
from tests.builders.tampering import undone
from tests.builders.there import there
from tournaments.boards import seats
from tournaments.boards.clubs import tournament_by_address
from tournaments.integrity.rebuild import rebuild
from tournaments.models import Club, Player, Role, Standing, Table, Tournament
from tournaments.privacy import erase_player
from tournaments.projections.cached import LEFT_OUT_SECONDS, cached, cached_already
from tournaments.projections.shown import SHOWN, WATCHED
from tournaments.rendering.left_out import lines_of
from tournaments.web.public.base.answers import tournament_tag

pytestmark = pytest.mark.django_db

VIEWS = ("", "board/", "board.json", "embed/part/", "rounds/")
ZIPPED = {"Accept-Encoding": "gzip"}
WATCHED_MODELS = (Club, Player, Table, Tournament)
# Columns of these models that no board shows, each with its reason.
UNSHOWN = {
    "Club": {
        "id": "its key",
        "keeps_limits": "what a desk takes",
        "smallest_cash": "what a desk takes",
        "cash_rounding": "what a desk takes",
        "naming": "shown as the public names that follow from it",
        "telling": "marks names that are given later",
        "token_days": "of device links",
        "tokens_end_with_password": "of device links",
        "requires_second_factor": "of signing in",
        "keep_names_years": "of the club's books",
        "keeps_boxes_days": "of the club's copies",
        "has_player_links": "of personal links, which no board shows",
        "created_at": "shown nowhere in public",
    },
    "Player": {
        "id": "its key",
        "club_id": "never changes",
        "name": "read by people of the club alone, and counted apart",
        "name_key": "follows the name",
        "search_key": "follows the name",
        "public_key": "follows the public name",
        "public_search_key": "follows the public name",
        "is_member": "what a desk takes",
        "is_suspended": "asked about when somebody is seated",
        "naming": "shown as the public name that follows from it",
        "pseudonym": "the same",
        "note": "for the club alone",
        **dict.fromkeys(("email", "phone", "wants_mail", "member_number"), "for the club alone"),
        "merged_name": "for the club alone, which searches by it",
        "books_name": "for the club's books alone",
        "created_at": "shown nowhere in public",
    },
    "Table": {
        **dict.fromkeys(("tournament_id", "club_id"), "never changes"),
        "id": "its key",
        "created_at": "shown nowhere in public",
    },
    "Tournament": {
        "id": "its key",
        "club_id": "never changes",
        "unpublished_at": "for seasons",
        **dict.fromkeys(("asks_email", "asks_phone"), "of a form, which is never cached"),
        "created_at": "shown nowhere before the first event",
        "board_position": "in every tag by itself",
    },
}


@pytest.fixture
def tournament() -> Tournament:
    return a_tournament(a_club())


@pytest.fixture
def table(tournament: Tournament) -> Seated:
    return seat(tournament).deal("show", 34, 12, "first_drop")


def club_of(tournament: Tournament) -> Club:
    """The club as a request loads it, with the version of its texts."""
    return there(tournament_by_address(tournament.club.slug, tournament.slug)).club


def names_bo(answer: Any) -> bool:
    return re.search(rb"\bBo\b", answer.content) is not None


@pytest.mark.parametrize("view", VIEWS)
def test_what_is_kept_is_what_is_made_and_is_not_made_again(
    client: Client, tournament: Tournament, table: Seated, view: str, monkeypatch: pytest.MonkeyPatch
):
    first = client.get(address(tournament, view))
    with monkeypatch.context() as from_now_on:
        from_now_on.setattr("tournaments.boards.board_of", lambda *_, **__: pytest.fail("made again"))
        packed, again = (client.get(address(tournament, view), headers=headers) for headers in (ZIPPED, {}))
    assert packed.status_code == again.status_code == 200
    caches["answers"].clear()
    anew = client.get(address(tournament, view))
    assert first.content == again.content == anew.content
    assert first["ETag"] == again["ETag"]


@pytest.mark.slow
@pytest.mark.parametrize("view", [*VIEWS, "api", "board.csv", "board/?since=" + 18 * "0", "?at=1"])
def test_what_is_compressed_has_a_strong_tag_of_its_own_and_either_tag_is_known(
    client: Client, tournament: Tournament, table: Seated, view: str
):
    """Planted faults: the plain text's tag for both, a weak one, only its own tag known, bytes packed with the time."""
    api = reverse("api:leaderboard", kwargs={"tournament_id": tournament.pk})
    path = api if view == "api" else address(tournament, view)
    plain, packed, again = client.get(path), client.get(path, headers=ZIPPED), client.get(path, headers=ZIPPED)
    caches["answers"].clear()
    anew = client.get(path, headers=ZIPPED)
    assert gzip.decompress(packed.content) == plain.content
    assert packed.content == again.content == anew.content
    assert (plain["ETag"][0], packed["ETag"]) == ('"', f'{plain["ETag"][:-1]}-gz"')
    assert not plain.has_header("Content-Encoding")
    for headers, sent in (({}, plain), (ZIPPED, packed)):
        for known in (plain["ETag"], packed["ETag"], f"W/{packed['ETag']}"):
            unchanged = client.get(path, headers={**headers, "If-None-Match": known})
            assert (unchanged.status_code, unchanged["ETag"], unchanged.content) == (304, sent["ETag"], b"")
            assert not unchanged.has_header("Content-Encoding")


@pytest.mark.slow
def test_each_language_has_an_answer_of_its_own(client: Client, tournament: Tournament, table: Seated):
    """Planted fault: with one row for a page whatever its language, every second visitor rendered it again."""
    said = [client.get(address(tournament), headers={"Accept-Language": each}).content for each in ("en", "de", "hi")]
    assert len(set(said)) == 3
    again = [client.get(address(tournament), headers={"Accept-Language": each}).content for each in ("en", "de", "hi")]
    assert again == said


def test_machines_of_every_language_read_one_answer(
    client: Client, tournament: Tournament, table: Seated, django_assert_num_queries: Any
):
    """Planted fault: with the language in its tag, it was made again for each visitor of another language."""
    path = address(tournament, "board.json")
    first = client.get(path, headers={"Accept-Language": "en"})
    with django_assert_num_queries(1):
        again = client.get(path, headers={"Accept-Language": "de"})
    assert (again.content, again["ETag"]) == (first.content, first["ETag"])


@pytest.mark.parametrize("view", ["", "board/", "rounds/", "board.json"])
def test_who_may_see_what_is_not_published_is_the_only_one_who_does(
    client: Client, tournament: Tournament, table: Seated, admin_client: Client, view: str
):
    """Planted fault: made for a director, it was sent from the cache to everybody."""
    Tournament.objects.update(is_published=False)
    assert admin_client.get(address(tournament, view)).status_code == 200
    assert client.get(address(tournament, view)).status_code == 404


def test_each_host_has_a_page_of_its_own(client: Client, tournament: Tournament, table: Seated):
    """Planted fault: without the host in its tag, the whole addresses of a preview were those of another one."""
    here, there = (client.get(address(tournament), headers={"Host": host}) for host in ("localhost", "127.0.0.1"))
    assert here["ETag"] != there["ETag"]
    assert b"http://127.0.0.1/" in there.content
    assert b"http://127.0.0.1/" not in here.content


# Changes without an event.


def shown_columns() -> Iterator[tuple[type[models.Model], str]]:
    for model in WATCHED_MODELS:
        for field in model._meta.concrete_fields:
            if field.attname not in UNSHOWN[model.__name__]:
                yield model, field.attname


def test_every_column_is_watched_or_shown_nowhere():
    """A new column of these must be put into one list or the other."""
    watched = {(model._meta.db_table, column) for model, column in shown_columns()}
    assert watched == {(name, column) for name, columns in WATCHED.items() for column in columns}


def another(field: Any, value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return {
                "timezone": "Europe/Berlin",
                "locale": "de_DE",
                "currency": "EUR",
                "levy_on": "fee",
                "shows_entrants": "names",
            }.get(field.name, {"pool_101": "pool_201", "pool": "points"}.get(value, f"{value}x"))
        case dict():
            return {**value, "limit": 201}
        case None if isinstance(field, models.DateTimeField):
            return now()
        case None if isinstance(field, models.ForeignKey):
            return Player.objects.latest("pk").pk
        case None:
            return 9_999
    return now()


@pytest.mark.slow
@pytest.mark.postgres
def test_no_tag_stays_where_the_answer_has_changed(client: Client, tournament: Tournament, table: Seated):
    """Written without any command, as any program may write it. Planted faults: each trigger left out by turns."""
    tags = {view: client.get(address(tournament, view))["ETag"] for view in VIEWS}
    for number, (model, column) in enumerate(shown_columns()):
        with undone():
            change(model, column)
            changed = Tournament.objects.select_related("club").get()
            assert tournament_tag(changed) != tags["board/"], column
            # No rules read the options of another game.
            for view, tag in some_of(tags.items(), part=number) if column != "variant" else ():
                answer = client.get(address(changed, view), headers={"If-None-Match": tag})
                assert answer.status_code in (200, 404), (column, view)


def change(model: type[models.Model], column: str) -> None:
    row = model._default_manager.order_by("pk")[:1].get()
    field = model._meta.get_field(column)
    model._default_manager.filter(pk=row.pk).update(**{column: another(field, getattr(row, column))})


@pytest.mark.postgres
def test_a_real_name_changes_the_tags_of_those_who_read_it_and_no_other(
    client: Client, tournament: Tournament, table: Seated
):
    """Planted faults: each half of the trigger left out. A changed public tag would reveal what is not published."""
    path = reverse("api:leaderboard", kwargs={"tournament_id": tournament.pk})
    member = Client()
    member.force_login(person("dita", Role.DIRECTOR, tournament.club))
    before = [each.get(path)["ETag"] for each in (client, member)]
    Player.objects.filter(name="Bo").update(name="Bodil")
    after = [each.get(path)["ETag"] for each in (client, member)]
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, False]


def test_a_change_of_one_club_leaves_what_is_cached_of_others(
    client: Client, tournament: Tournament, table: Seated, django_assert_num_queries: Any
):
    client.get(address(tournament, "board.json"))
    other = a_club(slug="other")
    Club.objects.filter(pk=other.pk).update(name="Another")
    with django_assert_num_queries(1):
        assert client.get(address(tournament, "board.json")).status_code == 200


@pytest.mark.slow
def test_who_was_erased_is_in_no_answer(client: Client, tournament: Tournament, table: Seated):
    """Planted fault: the version of the club's texts left out of any of the tags."""
    assert all(names_bo(client.get(address(tournament, view))) for view in VIEWS)
    erase_player(Player.objects.get(name="Bo"), now=now(), with_balance=True)
    assert [view for view in VIEWS if names_bo(client.get(address(tournament, view)))] == []


def test_what_was_made_before_somebody_was_erased_is_not_stored_after_it(tournament: Tournament, table: Seated):
    """Planted fault: stored without comparing the version of the club's texts again."""

    def overtaken() -> bytes:
        erase_player(Player.objects.get(name="Bo"), now=now(), with_balance=True)
        return b"Bo leads"

    assert cached("key", overtaken, club=club_of(tournament)) == b"Bo leads"
    assert cached_already("key") is None


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("view", VIEWS)
def test_who_is_erased_while_a_board_is_made_is_never_served_from_it(view: str, monkeypatch: pytest.MonkeyPatch):
    """The board is made from what was read before; the name goes before it is stored. The next answer is without it."""
    tournament = a_tournament(a_club())
    seat(tournament).deal("show", 34, 12, "first_drop")
    read = seats.seats_now
    gone: list[threading.Thread] = []

    def overtaken(*words: Any) -> Any:
        found = read(*words)
        if not gone:
            gone.append(_started(lambda: erase_player(Player.objects.get(name="Bo"), now=now(), with_balance=True)))
            gone[0].join()
        return found

    monkeypatch.setattr("tournaments.boards.seats_now", overtaken)
    late = Client().get(address(tournament, view))
    assert names_bo(late)
    assert gone
    answer = Client().get(address(tournament, view), headers={"If-None-Match": late["ETag"]})
    assert answer.status_code == 200
    assert not names_bo(answer)
    assert cached_already(late["ETag"]) is None


@pytest.mark.postgres
def test_what_a_process_of_the_release_before_stores_goes_with_the_next_name(tournament: Tournament, table: Seated):
    """While processes are replaced, former ones store rows. Planted fault: an erased name stayed in the table."""
    columns = "club_id, tournament_id, view, making, moment, tag, position, version, digest, packed"
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO tournaments_keptanswer ({columns}) VALUES (%s, %s, 'json', '', %s, '', 0, 0, '', '')",
            [tournament.club_id, tournament.pk, connection.ops.adapt_datetimefield_value(now())],
        )
        Player.objects.filter(name="Bo").update(name="Bodil", public_name="Bodil")
        cursor.execute("SELECT count(*) FROM tournaments_keptanswer")
        assert cursor.fetchone() == (0,)


@pytest.mark.postgres
def test_where_a_trigger_was_down_everything_is_made_again(client: Client, tournament: Tournament, table: Seated):
    """Planted fault: restored without a warning, and a name that was changed meanwhile stayed on every screen."""
    tag = client.get(address(tournament, "board.json"))["ETag"]
    # Deferred constraints of this test's transaction keep PostgreSQL from altering a table.
    connection.check_constraints()
    SHOWN.make_way(connection)
    Player.objects.filter(name="Bo").update(name="Bodil", public_name="Bodil")
    assert client.get(address(tournament, "board.json"), headers={"If-None-Match": tag}).status_code == 304
    connection.check_constraints()
    SHOWN.restore(connection)
    answer = client.get(address(tournament, "board.json"), headers={"If-None-Match": tag})
    assert "Bodil" in [row["name"] for row in answer.json()["standings"]]


@pytest.mark.postgres
def test_the_triggers_stand_as_they_were_made():
    """On both databases as the database returns them, or they would be created again with each migration."""
    assert SHOWN.missing(connection) == []
    assert SHOWN.strangers(connection) == {}


# What cannot be made.


def test_who_could_not_make_it_leaves_it_to_the_next(tournament: Tournament, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: the next request waited two seconds for one that had failed."""
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("waited"))

    def fallen() -> bytes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        cached("key", fallen, club=club_of(tournament))
    assert cached("key", lambda: b"made", club=club_of(tournament)) == b"made"
    assert cached_already("key") == b"made"


def test_an_answer_with_rows_left_out_is_made_again_soon(tournament: Tournament, monkeypatch: pytest.MonkeyPatch):
    """Planted faults: kept for ten minutes though the row can be read again; or made again for each phone of a hall."""
    club = club_of(tournament)

    def incomplete() -> bytes:
        lines_of([None], lambda _: 1 / 0)
        return b"incomplete"

    cached("key", incomplete, club=club)
    assert cached("key", lambda: b"whole", club=club) == b"incomplete"
    later = time.time() + LEFT_OUT_SECONDS
    monkeypatch.setattr(time, "time", lambda: later)
    assert cached("key", lambda: b"whole", club=club) == b"whole"


# The past.


@pytest.mark.slow
def test_moments_of_the_past_are_not_cached(client: Client, tournament: Tournament, table: Seated):
    """There are as many as events, and each is asked for once."""
    for at in range(10):
        tag = client.get(address(tournament, "board.json"), {"at": str(at)})["ETag"]
        assert cached_already(tag) is None


def test_a_position_that_is_not_there_yet_shows_the_next_deal_once_it_is(
    client: Client, tournament: Tournament, table: Seated
):
    ahead = {"at": "1000"}
    first = client.get(address(tournament, "board.json"), ahead)
    table.deal(20, "show", 3, 4)
    second = client.get(address(tournament, "board.json"), ahead, headers={"If-None-Match": first["ETag"]})
    assert second.status_code == 200
    assert second.json()["tables"][0]["deals"] == 2


# Made again.


@pytest.mark.slow
def test_no_tag_from_before_a_rebuild_stands_for_what_was_fixed(client: Client, tournament: Tournament, table: Seated):
    """Planted fault: what was cached deleted and no number raised, so that every browser kept the wrong total."""
    Standing.objects.filter(seat_number=2).update(total=7)
    wrong = {view: client.get(address(tournament, view)) for view in VIEWS}
    rebuild()
    for view, answer in wrong.items():
        anew = client.get(address(tournament, view), headers={"If-None-Match": answer["ETag"]})
        assert anew.content not in (b"", answer.content)


# Several at once.


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_readers_at_once_make_it_once():
    """Planted fault: without the claim both made it."""
    tournament = a_tournament(a_club())
    made: list[int] = []
    is_making, answers = threading.Event(), []

    def slowly() -> bytes:
        made.append(1)
        is_making.set()
        threading.Event().wait(0.3)
        return b"made"

    def read() -> None:
        answers.append(cached("key", slowly, club=club_of(tournament)))

    first = _started(read)
    is_making.wait(10)
    others = [_started(read) for _ in range(3)]
    for each in (first, *others):
        each.join()
    assert len(made) == 1
    assert len(set(answers)) == 1


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_reader_beside_an_open_transaction_keeps_nothing_that_is_taken_back():
    tournament = a_tournament(a_club())
    table = seat(tournament).deal("show", 34, 12, "first_drop")
    answers: list[Any] = []

    def read() -> None:
        answers.append(json.loads(Client().get(address(tournament, "board.json")).content))

    with transaction.atomic():
        table.deal(20, "show", 3, 4)
        _started(read).join()
        transaction.set_rollback(True)
    read()
    assert [answer["tables"][0]["deals"] for answer in answers] == [1, 1]
    assert answers[0] == answers[1]


@pytest.mark.postgres
@pytest.mark.parametrize("kept_before", [True, False])
@pytest.mark.django_db(transaction=True)
def test_a_reader_waits_for_nobody_who_renames(kept_before: bool):
    """Planted fault: a board was sent only after waiting for the lock of the club's number."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite lets one write at a time")
    tournament = a_tournament(a_club())
    seat(tournament).deal("show", 34, 12, "first_drop")
    if kept_before:
        Client().get(address(tournament, "board.json"))
        caches["answers"].clear()
    answers: list[int] = []

    def read() -> None:
        with connection.cursor() as cursor:
            # Who waits for a lock waits without an end, but for what sets a limit of its own.
            cursor.execute("SET lock_timeout = 0")
        answers.append(Client().get(address(tournament, "board.json")).status_code)

    with transaction.atomic():
        Club.objects.filter(pk=tournament.club_id).update(name="Another")
        _started(read).join(PATIENCE)
        assert answers == [200]


def _started(deed: Callable[[], None]) -> threading.Thread:
    def run() -> None:
        try:
            # As where the site is served: for a connection that is open the request sets how long it waits.
            connection.ensure_connection()
            deed()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_a_part_that_another_process_made_is_told_of_as_a_difference(
    client: Client, tournament: Tournament, table: Seated
):
    """The base of the difference is found again in the stored answer."""
    whole = client.get(address(tournament, "board/"))
    base = whole.content.decode().partition('data-base="')[2][:18]
    caches["answers"].clear()
    client.get(address(tournament, "board/"), {"since": base}, headers={"If-None-Match": whole["ETag"]})
    table.deal(20, "show", 3, 4)
    assert "change" in client.get(address(tournament, "board/"), {"since": base}).json()
