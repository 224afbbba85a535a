"""Seasons in the admin: made, previewed, frozen by the first night, closed, calculated with progress shown."""

import re
from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine
from django.test import Client

from scoring.seasons.formula import Category, Formula, dump_formula, load_formula
from tests.builders.flat import flat
from tests.builders.page_forms import sent
from tests.builders.playing import context
from tests.builders.seasons import caught_up, played, season, shown
from tests.builders.there import there
from tournaments.models import Club, ClubReadings, Season, Tournament
from tournaments.running.commands.close import close_tournament
from tournaments.seasons.commands import close_season

pytestmark = pytest.mark.django_db
LIST = "/admin/tournaments/season/"
AFTER = "2026-06-02T12:00:00Z"


def typed(club: Club, **fields: Any) -> dict[str, Any]:
    """The form of a season, as it is sent."""
    own = {"name": "Spring", "starts_on": "2026-01-01", "ends_on": "2026-05-31", "is_published": "on"}
    formula = {"points": "place", "place_points": "10, 6, 3", "drop_worst": "", "minimum_nights": "", "attendance": ""}
    return {"club": str(club.pk), **own, **formula, "best": "", "field_base": "", **fields}


def page(answer: Any) -> str:
    return flat(answer.content.decode())


def test_a_season_is_made_of_what_was_typed(dita: Client, club: Club):
    wanted = typed(club, best="8", attendance="2", category_1="Gin", games_1=["variant:gin", "preset:pool_101"])
    answer = dita.post(f"{LIST}add/", wanted)
    made = Season.objects.get()
    assert answer["Location"] == f"{LIST}{made.pk}/change/"
    formula = load_formula(made.formula)
    assert (formula.place_points, formula.best, formula.attendance, formula.field_base) == ((10, 6, 3), 8, 2, None)
    assert [(each.name, each.variants, each.presets) for each in formula.categories] == [
        ("Gin", ("gin",), ("pool_101",))
    ]
    assert (made.slug, made.starts_on, made.is_published) == ("spring", date(2026, 1, 1), True)
    again = page(dita.get(f"{LIST}{made.pk}/change/"))
    assert 'value="10, 6, 3"' in again
    assert '<option value="variant:gin" selected>' in again


def test_the_form_of_a_new_season_sent_twice_makes_one(dita: Client, club: Club):
    """A double click, and "Back" with another name. Planted fault: a form without a key, and two seasons."""
    key = there(re.search('name="key" value="([^"]+)"', page(dita.get(f"{LIST}add/"))))[1]
    wanted = typed(club, key=key)
    first, again = (dita.post(f"{LIST}add/", wanted) for _ in range(2))
    assert first["Location"] == again["Location"]
    other = dita.post(f"{LIST}add/", {**wanted, "name": "Summer"})
    assert (other.status_code, Season.objects.count()) == (422, 1)
    assert "form already sent with other data" in page(other)


def test_what_is_wrong_is_reported_at_its_field_and_nothing_is_stored(dita: Client, club: Club):
    answer = dita.post(
        f"{LIST}add/", typed(club, place_points="6, 10", ends_on="2025-12-31", points="score", field_base=9)
    )
    assert answer.status_code == 422
    assert "a later place cannot be worth more than an earlier one" in page(answer)
    assert "a season cannot end before it starts" in page(answer)
    assert "the number of players changes points for places; here the score counts" in page(answer)
    unread = dita.post(f"{LIST}add/", typed(club, place_points="ten"))
    assert "ten is not a number of points" in page(unread)
    assert not Season.objects.exists()


def test_a_preview_shows_standings_and_words_and_stores_nothing(dita: Client, club: Club):
    """Planted fault: a preview that stores first leaves a season behind."""
    played(club, "Bo", "Asha", "Cy")
    caught_up(club)
    told = page(dita.post(f"{LIST}add/", typed(club, place_points="7, 5", best="3", preview="1")))
    assert "Preview: not saved" in told
    assert '<td class="num">1</td><th scope="row"><bdi>Bo</bdi></th><td class="num">7</td>' in told
    assert "The best 3 tournaments of each player count." in told
    assert "7, 5, from the first place down" in told
    assert not Season.objects.exists()


def test_tie_breaks_are_picked_in_their_order_and_frozen_with_the_formula(dita: Client, club: Club):
    """Planted fault: with the picks read as a set, their order is lost."""
    wanted = typed(club, tie_break_1="most_wins", tie_break_3="best_night")
    dita.post(f"{LIST}add/", wanted)
    made = Season.objects.get()
    assert load_formula(made.formula).tie_breaks == ("most_wins", "best_night")
    change = f"{LIST}{made.pk}/change/"
    shown_form = page(dita.get(change))
    assert shown_form.count('<option value="most_wins" selected>') == 1
    assert "are ranked by more first places, then more points in the best tournament." in shown_form
    twice = sent(dita, change, {**wanted, "tie_break_2": "most_wins"})
    assert twice.status_code == 422
    assert "a tie-break is listed twice" in page(twice)
    played(club, "Asha", "Bo", is_closed=False)
    sent(dita, change, typed(club, tie_break_1="fewer_nights"))
    assert load_formula(Season.objects.get().formula).tie_breaks == ("most_wins", "best_night")


@pytest.fixture
def old(club: Club) -> Season:
    """A season with a table for gin and for a preset that this service no longer has."""
    made = season(club)
    category = Category(name="Cards", variants=("gin",), presets=("pool_77",))
    formula = Formula(place_points=(10, 6, 3), categories=(category,))
    Season.objects.filter(pk=made.pk).update(formula=dump_formula(formula))
    made.refresh_from_db()
    return made


@pytest.mark.slow
def test_a_game_that_is_no_longer_offered_is_told_and_kept_until_it_is_taken_out(dita: Client, club: Club, old: Season):
    """Planted fault: with the choices of today alone, the next change of the name silently removes the game."""
    change = f"{LIST}{old.pk}/change/"
    told = page(dita.get(change))
    assert "No longer offered: <bdi>pool_77</bdi>." in told
    assert '<option value="preset:pool_77" selected>' in told
    wanted = typed(club, name="Summer", category_1="Cards", games_1=["variant:gin", "preset:pool_77"])
    assert sent(dita, change, {**wanted, "preview": "1"}).status_code == 200
    assert sent(dita, change, wanted).status_code == 302
    assert load_formula(Season.objects.get().formula) == load_formula(old.formula)
    sent(dita, change, {**wanted, "games_1": ["variant:gin"]})
    assert load_formula(Season.objects.get().formula).categories[0].presets == ()
    assert "No longer offered" not in page(dita.get(change))
    assert sent(dita, change, wanted).status_code == 422


def test_a_frozen_season_with_a_game_that_is_no_longer_offered_can_still_be_renamed_and_prolonged(
    dita: Client, club: Club, old: Season
):
    """Planted fault: a choice that is refused in a read-only field keeps the whole form from being stored."""
    played(club, "Asha", "Bo", is_closed=False)
    change = f"{LIST}{old.pk}/change/"
    assert "Locked: a tournament of this season has been played." in page(dita.get(change))
    assert sent(dita, change, typed(club, name="Summer", ends_on="2026-06-30")).status_code == 302
    stored = Season.objects.get()
    assert (stored.name, stored.ends_on, stored.formula) == ("Summer", date(2026, 6, 30), old.formula)


def test_a_season_is_closed_when_it_is_over_and_everything_is_counted(dita: Client, club: Club):
    made = season(club)
    night = played(club, "Asha", "Bo", is_closed=False)
    close = f"{LIST}{made.pk}/close/"
    with time_machine.travel("2026-03-01T12:00:00Z", tick=False):
        refused = page(dita.post(close))
        assert "läuft bis So., 31. Mai 2026" in page(dita.get(close, headers={"Accept-Language": "de"}))
    assert "lasts until Sun 31 May 2026" in refused
    assert "Night 0 is not closed, and would be missing" in refused
    close_tournament(night.row.tournament_id, context=context())
    with time_machine.travel(AFTER, tick=False):
        assert "is not counted yet" in page(dita.post(close))
        caught_up(club)
        assert dita.post(close).status_code == 302
        assert "is closed already" in page(dita.post(close))
    made.refresh_from_db()
    assert made.closed_at is not None
    assert shown(made) == ["1 Asha 10", "2 Bo 6"]


def test_of_a_closed_season_only_whether_it_is_published_can_be_changed(dita: Client, club: Club):
    """Planted fault: a season that was closed before it was published, or has content to hide, stays so."""
    made = season(club, is_published=False)
    played(club, "Asha", "Bo")
    caught_up(club)
    change = f"{LIST}{made.pk}/change/"
    with time_machine.travel(AFTER, tick=False):
        close_season(made, now=datetime(2026, 6, 2, 12, tzinfo=UTC))
        shown_form = page(dita.get(change))
        answer = sent(dita, change, typed(club, name="Other", ends_on="2026-08-31", place_points="1, 1"))
    assert f"{LIST}{made.pk}/close/" not in shown_form
    assert answer.status_code == 302
    stored = Season.objects.get()
    assert (stored.name, stored.ends_on, stored.is_published) == ("Spring", date(2026, 5, 31), True)
    assert (stored.formula, stored.closed_at is None) == (made.formula, False)


@pytest.mark.slow
def test_a_club_in_another_time_zone_has_its_nights_counted_by_the_new_days(olga: Client, club: Club):
    """Planted fault: the days move with the zone, and the season stays as it was until the next night is closed."""
    may = season(club)
    night = played(club, "Asha", "Bo")
    Tournament.objects.filter(id=night.row.tournament_id).update(starts_at=datetime(2026, 5, 31, 20, tzinfo=UTC))
    caught_up(club)
    assert shown(may) == []
    own = {name: getattr(club, name) for name in ("name", "slug", "currency", "locale", "naming")}
    typed_club = {**own, "timezone": "Europe/Berlin"}
    assert sent(olga, f"/admin/tournaments/club/{club.pk}/change/", typed_club).status_code == 302
    caught_up(club)
    assert shown(may) == ["1 Asha 10", "2 Bo 6"]


def test_how_far_the_worker_is_can_be_watched_and_it_can_be_asked_again(dita: Client, club: Club):
    made = season(club)
    played(club, "Asha", "Bo")
    part = f"{LIST}{made.pk}/progress/"
    assert "Waiting for a worker." in page(dita.get(part))
    ClubReadings.objects.update(progress_done=3, progress_total=7)
    watched = page(dita.get(part))
    assert "3 of 7 steps" in watched
    assert 'hx-trigger="every 1s"' in watched
    caught_up(club)
    done = page(dita.get(part))
    assert "All closed and corrected tournaments are included. Last calculated" in done
    assert "hx-trigger" not in done
    dita.post(f"{LIST}{made.pk}/again/")
    assert ClubReadings.objects.get().is_behind
    ClubReadings.objects.update(problem="ZeroDivisionError: no")
    assert "Calculation failed; trying again: ZeroDivisionError: no" in page(dita.get(f"{LIST}{made.pk}/change/"))


def test_a_scorer_sees_a_season_and_changes_nothing(sam: Client, club: Club):
    made = season(club)
    assert sam.get(f"{LIST}{made.pk}/change/").status_code == 200
    assert sam.post(f"{LIST}{made.pk}/change/", typed(club, name="Mine")).status_code == 403
    assert sam.get(f"{LIST}add/").status_code == 403
    assert Season.objects.get().name == "Spring"
