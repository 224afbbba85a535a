"""The hour that a club's clock skips or shows twice: asked about wherever a time is entered, and never guessed."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from tests.builders.admin_tables import club_called, evening_at, person
from tests.builders.page_forms import forms_in, opened
from tests.builders.page_text import refusal_of
from tournaments.log.context import CommandContext
from tournaments.models import Club, Role, Tournament
from tournaments.printing import club_moment
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.sheet_import import CellUnread
from tournaments.sheet_import.columns import read_moment
from tournaments.tables.commands.record import record_wire_event

pytestmark = pytest.mark.django_db
ADD = "/admin/tournaments/tournament/add/"
TWICE, SKIPPED = "2026-10-25T02:30", "2026-03-29T02:30"
DEAL = {"1": {"how": "show"}, **{seat: {"how": "loss", "count": 2} for seat in "234"}}


@pytest.fixture
def berlin(db: None) -> Club:
    return Club.objects.create(name="Spree", slug="spree", timezone="Europe/Berlin", currency="EUR", is_published=True)


@pytest.fixture
def director(berlin: Club) -> Client:
    client = Client()
    client.force_login(person("dita", Role.DIRECTOR, berlin))
    return client


def draft(club: Club, moment: str, **more: str) -> dict[str, str]:
    typed = {"name": "Late", "starts_at": moment, "currency": "EUR", "entry": "0", "fee": "0", "point_value": "0"}
    return {"club": str(club.pk), "preset": "pool_101", **typed, **more}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shown", "told", "meant"),
    [
        (TWICE, "The clock shows 2026-10-25 02:30 twice that day.", ["2026-10-25T00:30", "2026-10-25T01:30"]),
        (SKIPPED, "The clock skips 2026-03-29 02:30 that day.", ["2026-03-29T00:30", "2026-03-29T01:30"]),
    ],
)
def test_a_beginning_in_doubt_is_asked_about_and_stored_as_chosen(
    director: Client, berlin: Club, shown: str, told: str, meant: list[str]
):
    refused = refusal_of(director.post(ADD, draft(berlin, shown)))
    assert told in refused
    assert not Tournament.objects.exists()
    form = next(form for form in forms_in(refused) if form.has("starts_at"))
    choices = [one.value for one in form.controls if one.name == "reading"]
    for choice in choices:
        assert director.post(ADD, {**form.values(), "reading": choice}).status_code == 302
    stored = Tournament.objects.order_by("starts_at").values_list("starts_at", flat=True)
    assert list(stored) == [datetime.fromisoformat(f"{moment}+00:00") for moment in meant]


def test_a_choice_of_another_time_is_no_choice(director: Client, berlin: Club):
    assert director.post(ADD, draft(berlin, TWICE, reading="2026-10-25T03:30+01:00")).status_code == 422


def test_a_tournament_in_the_second_hour_stays_there_when_its_name_is_changed(director: Client, berlin: Club):
    made = evening_at(berlin, name="Late").tournament
    second = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    Tournament.objects.filter(pk=made.pk).update(starts_at=second)
    url = f"/admin/tournaments/tournament/{made.pk}/change/"
    assert director.post(url, {**opened(director, url).values(), "name": "Later"}).status_code == 302
    made.refresh_from_db()
    assert (made.name, made.starts_at) == ("Later", second)


def test_a_sheet_whose_time_is_in_doubt_is_refused_with_both_and_takes_either():
    for shown in ("2026-10-25 02:30", "25.10.2026 02.30", "29/03/2026 02:30"):
        with pytest.raises(ValueError, match=r"enter .+ or .+") as refused:
            read_moment(shown, zone_of("Europe/Berlin"))
        first, second = str(refused.value).rpartition("enter ")[2].split(" or ")
        assert read_moment(first, zone_of("Europe/Berlin")) < read_moment(second, zone_of("Europe/Berlin"))


def test_a_moment_that_no_calendar_has_is_refused_on_a_sheet():
    """Planted fault: the parser's own error, and a traceback in `import_sheet`."""
    written = "2026-13-45 10:00+01:00", "2026-01-17 25:00+05:30", "2026-01-17 19:30+99:99", "२०२६-०१-१७ १९:३०+०५:३०"
    for moment in written:
        with pytest.raises(CellUnread, match="is not a date"):
            read_moment(moment, zone_of("Europe/Berlin"))


def test_a_moment_of_the_past_in_doubt_is_asked_about(client: Client, berlin: Club):
    url = f"/c/spree/t/{evening_at(berlin, name='Late').tournament.slug}/"
    asked = client.get(f"{url}?at={TWICE}:00")
    assert asked.status_code == 400
    page = asked.content.decode()
    assert "Which of the two?" in page
    for offset in ("%2B02:00", "%2B01:00"):
        assert f"?at={TWICE}:00{offset}" in page
        assert client.get(f"{url}?at={TWICE}:00{offset}").status_code == 200
    asha = club_called("Asha's club", "asha")
    in_no_doubt = f"/c/asha/t/{evening_at(asha).tournament.slug}/?at=2026-10-25T02:30:00%2B01:00"
    assert client.get(in_no_doubt).status_code == 200


@pytest.mark.slow
def test_two_deals_in_the_hour_that_comes_twice_are_told_apart_on_pages_and_paper(
    client: Client, director: Client, berlin: Club
):
    evening = evening_at(berlin, name="Late")
    log, home = f"/admin/tournaments/table/{evening.table.pk}/log/", f"/c/spree/t/{evening.tournament.slug}/"
    for number, (at, offset) in enumerate((("00:50", "+02:00"), ("01:10", "+01:00")), start=1):
        at_once = CommandContext(actor="user:0", now=datetime.fromisoformat(f"2026-10-25T{at}+00:00"))
        sheet = {"kind": "deal_recorded", "deal": number, "outcomes": DEAL}
        record_wire_event(evening.table.pk, sheet, expected=evening.version, context=at_once)
        for page in (client.get(home), client.get(f"{home}r1/table-1/"), director.get(log)):
            assert f"02:{at[3:]}:00 (UTC{offset})" in page.content.decode()
        assert f"02:{at[3:]} (UTC{offset})" in club_moment(at_once.now, evening.tournament)
