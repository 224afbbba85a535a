"""Personal links: given, ended, and the one-time code of the second step.

Planted faults these catch: a code that is compared before the try is counted, a link that outlives its player, an
earlier link that still opens.
"""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils.timezone import now

from scoring.problems import ClubMoved, OptionsRejected
from tests.builders.player_links import link_of, player_called, tonight
from tests.builders.playing import context
from tournaments import log
from tournaments.entries.commands.notices import say_notice
from tournaments.merging import merge_players, undo_merge
from tournaments.models import Club, Player, PlayerLink, PlayerNotice
from tournaments.people.player_links import (
    CODE_LASTS,
    MAILED_AGAIN_AFTER,
    MOST_TRIES,
    code_to_mail,
    end_link,
    give_code,
    give_links,
    link_by_code,
    open_link,
    use_code,
)
from tournaments.privacy import erase_player, remove_player, what_is_known

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return tonight("Asha", "Bo")


def codes(refused):
    return [problem.code for problem in refused.value.problems]


@pytest.mark.usefixtures("tournament")
def test_a_link_opens_until_a_new_one_is_given_and_its_code_is_stored_nowhere():
    link, code = link_of("Asha")
    assert open_link(link.pk) == link
    assert link_by_code(f" {code.lower()} ".strip()) == link
    assert code not in repr(list(PlayerLink.objects.values_list()))
    newer, _ = link_of("Asha")
    assert open_link(link.pk) is None
    assert open_link(newer.pk) == newer
    end_link(newer.player_id, now=now())
    assert open_link(newer.pk) is None


def test_the_same_form_again_makes_no_other_link(tournament):
    asha, key = player_called("Asha"), uuid4()
    first, again = (give_links(tournament.club, [asha.pk], key=key, by="user:1", now=now()) for _ in range(2))
    assert first[0].link == again[0].link
    assert first[0].code
    assert again[0].code == "", "it is shown once"
    assert open_link(first[0].link.pk) is not None


def test_links_for_all_leave_out_who_was_erased_meanwhile(tournament):
    asha, bo = player_called("Asha"), player_called("Bo")
    erase_player(bo, now=now())
    made = give_links(tournament.club, [asha.pk, bo.pk], key=uuid4(), by="user:1", now=now())
    assert [link.player for link, _ in made] == [asha]


def test_a_club_that_turns_links_off_gives_none_and_opens_none(tournament):
    link, _ = link_of("Asha")
    Club.objects.update(has_player_links=False)
    assert open_link(link.pk) is None
    with pytest.raises(OptionsRejected) as refused:
        give_links(tournament.club, [link.player_id], key=uuid4(), by="user:1", now=now())
    assert codes(refused) == ["links_are_off"]


def test_a_moved_club_gives_no_links_but_ends_them(tournament):
    link, _ = link_of("Asha")
    log.move_club(tournament.club_id, "rummy.example.org")
    with pytest.raises(ClubMoved):
        give_links(tournament.club, [link.player_id], key=uuid4(), by="user:1", now=now())
    end_link(link.player_id, now=now())
    assert open_link(link.pk) is None


def test_erasing_deletes_link_and_notices_of_which_the_player_is_told_before(tournament):
    link, code = link_of("Asha")
    say_notice(tournament.pk, link.player, PlayerNotice.Kind.HERE, now=now())
    told = what_is_known(link.player, now=now())["personal_links"]
    assert (len(told["links"]), told["notices"][0]["kind"]) == (1, "here")
    assert code not in repr(told)
    erase_player(link.player, now=now())
    assert not PlayerLink.objects.exists()
    assert not PlayerNotice.objects.exists()


@pytest.mark.usefixtures("tournament")
def test_the_link_of_a_merged_row_ends_and_that_of_the_other_stays():
    loser, _ = link_of("Cy")
    winner, _ = link_of("Asha")
    merge_players(loser.player, winner.player, context=context(now=now()))
    assert open_link(loser.pk) is None
    assert open_link(winner.pk) is not None
    undo_merge(Player.objects.get(pk=loser.player_id), context=context(now=now()))
    assert open_link(loser.pk) is None, "it was on paper in the meantime"


@pytest.mark.usefixtures("tournament")
def test_a_player_without_history_can_be_removed_though_they_had_a_link():
    link, _ = link_of("Dev")
    remove_player(link.player)
    assert not PlayerLink.objects.exists()


@pytest.mark.usefixtures("tournament")
def test_a_one_time_code_works_once():
    link, _ = link_of("Asha")
    code = give_code(link, now=now())
    assert use_code(link, f"{code[:3]} {code[3:]}", now=now()) == ""
    with pytest.raises(OptionsRejected) as refused:
        use_code(link, code, now=now())
    assert codes(refused) == ["no_code"]


@pytest.mark.usefixtures("tournament")
def test_a_code_ends_after_five_wrong_tries_after_ten_minutes_and_with_the_next_one():
    link, _ = link_of("Asha")
    code = give_code(link, now=now())
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    for _ in range(MOST_TRIES):
        with pytest.raises(OptionsRejected) as refused:
            use_code(link, wrong, now=now())
        assert codes(refused) == ["wrong_code"]
    with pytest.raises(OptionsRejected) as refused:
        use_code(link, code, now=now())
    assert codes(refused) == ["no_code"], "the right one too"
    code = give_code(link, now=now())
    with pytest.raises(OptionsRejected):
        use_code(link, code, now=now() + CODE_LASTS)
    earlier, code = code, give_code(link, now=now())
    if earlier != code:
        with pytest.raises(OptionsRejected):
            use_code(link, earlier, now=now())
    use_code(link, code, now=now())


@pytest.mark.usefixtures("tournament")
def test_a_code_of_one_link_is_none_of_another_and_ends_with_its_link():
    asha, _ = link_of("Asha")
    bo, _ = link_of("Bo")
    code = give_code(asha, now=now())
    with pytest.raises(OptionsRejected):
        use_code(bo, code, now=now())
    end_link(asha.player_id, now=now())
    with pytest.raises(OptionsRejected):
        use_code(asha, code, now=now())
    with pytest.raises(OptionsRejected):
        give_code(asha, now=now())


@pytest.mark.usefixtures("tournament")
def test_a_code_is_mailed_to_an_agreed_address_once_in_four_hours_unless_it_was_used():
    link, _ = link_of("Asha")
    Player.objects.filter(pk=link.player_id).update(email="asha@example.org")
    link.player.refresh_from_db()
    with pytest.raises(OptionsRejected) as refused:
        code_to_mail(link, now=now())
    assert codes(refused) == ["no_address"], "nobody has confirmed it"
    link.player.wants_mail = True
    moment = now()
    code = code_to_mail(link, now=moment)
    with pytest.raises(OptionsRejected) as refused:
        code_to_mail(link, now=moment + MAILED_AGAIN_AFTER - timedelta(seconds=1))
    assert codes(refused) == ["mailed_already"]
    use_code(link, code, now=moment)
    assert code_to_mail(link, now=moment)
