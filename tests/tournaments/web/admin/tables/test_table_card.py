"""One card, one table: the exchange, what the cookie opens, and when it stops.

Planted faults that this catches: a cookie checked for its signature alone outlives revoking; a cookie looked up by
the card's id alone opens the neighbouring table; an exchange that adopts a cookie sent along fixes a session.
"""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.core import signing
from django.core.cache import cache
from django.test import Client
from django.utils import translation
from django.utils.timezone import now

from tests.builders.acts_at_tables import act
from tests.builders.admin_tables import Evening, club_called, evening_at, sheet
from tests.builders.page_text import html, refusal_of
from tests.builders.samples import each
from tests.builders.table_cards import CODE, COOKIE, card_for, device_with, hand_over, types_code
from tournaments.log.context import CommandContext
from tournaments.models import Club, FailedAttempts, Membership, Role, TableToken, Tournament
from tournaments.models.log import Event
from tournaments.people.players import actor_names, add_players
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.tables.commands.record import record_wire_event
from tournaments.tables.commands.table_tokens import revoke_card

DEAL: dict[str, Any] = {"s1": "show", "c2": "45", "c3": "10", "c4": "7"}


@pytest.fixture(autouse=True)
def fresh_counters() -> None:
    cache.clear()


def test_a_card_opens_the_scorers_page_of_its_table_alone_by_a_cookie_hidden_from_scripts(pool: Evening, settings: Any):
    card = card_for(pool)
    device = Client(headers={"user-agent": "Phone at the table"})
    answer = hand_over(device, card.secret)
    assert (answer.status_code, answer.url) == (302, pool.score_url)
    assert device.get(pool.score_url).status_code == 200
    assert device.post(pool.score_url, sheet(1, **DEAL)).status_code == 302
    stored = Event.objects.get(stream_id=pool.table.pk, version=2)
    assert (stored.actor, stored.device) == (f"table:{card.token.pk}", "Phone at the table")
    settings.SESSION_COOKIE_SECURE = True
    cookie = hand_over(Client(), card.secret).cookies[COOKIE]
    assert cookie["httponly"]
    assert cookie["secure"]
    assert (cookie["samesite"], cookie["path"]) == ("Lax", f"/admin/tournaments/table/{pool.table.pk}/")
    assert 0 < cookie["max-age"] <= timedelta(hours=12).total_seconds()


def test_a_code_opens_its_table_however_it_is_typed_and_the_short_one_has_eight_unmistakable_letters(pool: Evening):
    card = card_for(pool)
    code, secret = card.code or "", card.secret or ""
    assert CODE.fullmatch(code)
    for typed in (code, code.lower(), f" {code[:4]} {code[4:]}\r\n", f"{code[:4]}-{code[4:]}", secret):
        answer = types_code(Client(), pool, typed)
        assert (answer.status_code, answer.headers.get("Location")) == (302, pool.score_url), typed
    spaced = " ".join(secret[start : start + 6] for start in range(0, len(secret), 6)) + "\r\n"
    assert hand_over(Client(), spaced).status_code == 302


def test_a_typed_code_opens_nothing_at_another_table_or_club_or_without_its_address(pool: Evening, club: Club):
    card, other = card_for(pool), club_called("Bo's club", "bo")
    wrong = [types_code(Client(), pool, card.code, number=2), types_code(Client(), pool, card.code, club=other.slug)]
    wrong += [types_code(Client(), pool, card.code, club="nobody"), types_code(Client(), pool, "22222222")]
    for answer in wrong:
        assert "No table has this code." in refusal_of(answer)
    assert "Open the address printed beside the code" in refusal_of(hand_over(Client(), card.code))


def test_a_typed_code_ends_with_its_card_and_when_a_later_round_has_begun(pool: Evening):
    card, revoked = card_for(pool), card_for(pool)
    revoke_card(revoked.token.pk, now=now())
    assert "The director has revoked this card." in refusal_of(types_code(Client(), pool, revoked.code), 403)
    players = add_players(pool.club, ("Eli", "Fay"))
    seats = [SeatedPlayer(number=place, player=player.pk) for place, player in enumerate(players, start=1)]
    context = CommandContext(actor="user:0", now=now())
    later = open_table(pool.tournament, TableDraft(number=1, round=2, seats=seats), context=context)
    assert types_code(Client(), pool, card.code).status_code == 302
    outcomes = {"1": {"how": "show"}, "2": {"how": "loss", "count": 4}}
    raw = {"kind": "deal_recorded", "deal": 1, "outcomes": outcomes}
    record_wire_event(later.pk, raw, expected=1, context=CommandContext(actor="user:0", now=now()))
    assert "This code is of an earlier round." in refusal_of(types_code(Client(), pool, card.code), 403)
    assert hand_over(Client(), card.secret).status_code == 302


def new_browser() -> Client:
    client = Client()
    client.get("/table/asha/1/")
    return client


def passes(pause: timedelta) -> None:
    """Time goes by for everybody who has to wait."""
    for row in FailedAttempts.objects.all():
        row.free_at -= pause
        row.save()


@pytest.mark.parametrize("against", each("club", "table", "browser", quick=("browser",)))
def test_guessing_codes_slows_down_a_table_a_club_and_a_browser_and_locks_nobody_out(pool: Evening, against: str):
    """Over all processes. Planted fault: a limit kept in the memory of one of them."""
    card, browser = card_for(pool), new_browser()
    for at in range(25):
        guesser = browser if against == "browser" else new_browser()
        table = at + 2 if against == "club" else 1
        assert types_code(guesser, pool, "22222222", number=table).status_code == 422
        passes(timedelta(seconds=30) * (at < 24))
    cache.clear()
    if against == "browser":
        FailedAttempts.objects.exclude(place__startswith="browser:").delete()
        assert types_code(new_browser(), pool, card.code).status_code == 302
    else:
        browser = new_browser()
    stopped = types_code(browser, pool, card.code)
    assert "Too many wrong codes. Try again in" in refusal_of(stopped, 429)
    assert 0 < int(stopped.headers["Retry-After"]) <= 30
    assert hand_over(browser, card.secret).status_code == 302
    passes(timedelta(seconds=30))
    assert types_code(browser, pool, card.code).status_code == 302


def test_a_wrong_code_is_refused_in_plain_words_and_not_repeated(pool: Evening):
    for code in ("", "   ", "x", "a" * 43, "é\x00<b>", "9" * 10_000):
        client = Client()
        page = refusal_of(hand_over(client, code))
        assert COOKIE not in client.cookies
        assert "data-problem" in page
        assert len(code.strip()) < 2 or code[:40] not in page


@pytest.mark.slow
def test_a_card_lives_for_twelve_hours_and_a_device_that_had_it_is_told(pool: Evening):
    card = card_for(pool)
    device = device_with(card)
    TableToken.objects.filter(pk=card.token.pk).update(
        created_at=now() - timedelta(hours=13), expires_at=now() - timedelta(seconds=1)
    )
    refused = hand_over(Client(), card.secret)
    assert refused.status_code == 403
    assert "This card has expired. Ask the director for a new one." in html(refused)
    told = refusal_of(device.post(pool.score_url, sheet(1, **DEAL)), 403)
    assert "What you typed is kept:" in told
    assert pool.version == 1
    board = f"/c/{pool.club.slug}/t/{pool.tournament.slug}/"
    assert f'href="/en-gb{board}"' in told
    Tournament.objects.filter(pk=pool.tournament.pk).update(is_published=False)
    assert board not in html(device.get(pool.score_url)), "nobody reads a board that is not published"
    assert card.token.expires_at - card.token.created_at == timedelta(hours=12)


def test_a_card_is_worth_no_more_than_its_maker_is_now_and_nothing_once_revoked(pool: Evening):
    for loses in ("membership", "role", "login", "card"):
        card = card_for(pool)
        device, maker = device_with(card), card.token.created_by
        match loses:
            case "membership":
                Membership.objects.filter(user=maker).delete()
            case "role":
                Membership.objects.filter(user=maker).update(role=Role.SCORER)
            case "login":
                maker.is_active = False
                maker.save()
            case "card":
                revoke_card(card.token.pk, now=now())
        assert device.get(pool.score_url).status_code == 403, loses
        assert device.post(pool.score_url, sheet(1, **DEAL)).status_code == 403, loses
        assert hand_over(Client(), card.secret).status_code == 403, loses
    assert pool.version == 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["table_closed", "table_cancelled"])
def test_a_card_dies_with_its_table_and_stays_dead_when_that_is_withdrawn(pool: Evening, kind: str):
    card = card_for(pool)
    device = device_with(card)
    if kind == "table_closed":
        for seat in ("2", "3", "4"):
            pool.record({"kind": "seat_left", "seat": seat})
    reason = {"reason": "power cut"} if kind == "table_cancelled" else {}
    pool.record({"kind": kind, **reason})
    assert device.get(pool.score_url).status_code == 403
    assert "The table is finished, so its card has ended." in html(device.get(pool.score_url))
    pool.record({"kind": "fact_withdrawn", "version": pool.version, "reason": "too early"})
    assert device.get(pool.score_url).status_code == 403
    assert device_with(card_for(pool)).get(pool.score_url).status_code == 200


def test_closing_the_table_with_its_card_tells_that_it_is_stored_and_leaves_it_to_the_director(pool: Evening):
    pool.deal(1, show="1", s2=45, s3=10, s4=10)
    device = device_with(card_for(pool))
    for seat in ("2", "3", "4"):
        pool.record({"kind": "seat_left", "seat": seat})
    answer = device.post(pool.page("close"), act(5))
    assert answer.status_code == 302
    page = html(device.get(answer["Location"]))
    assert ("Saved. " in page, "Not saved." in page) == (True, False)
    typed = {**sheet(6, s1="show", c2="54", c3="10", c4="10"), "reason": "misread"}
    assert device.post(pool.page("correct/1"), typed).status_code == 403
    assert pool.version == 6


def test_a_cookie_that_was_tampered_with_opens_nothing(pool: Evening, club: Club):
    """The third is signed by ourselves, yet combines the card with a table that is not its own; and in every letter."""
    other = evening_at(club, names=("Eli", "Fay"), name="Saturday")
    card, table, salt = str(card_for(pool).token.pk), str(other.table.pk), "tournaments.table_card"
    for forged in (
        signing.dumps([card, table], salt="another purpose"),
        signing.dumps([card, table], salt=salt, key="guessed"),
        signing.dumps([card, table], salt=salt),
        signing.dumps([table], salt=salt),
        signing.dumps({"table": 1}, salt=salt),
        signing.dumps([1, 2], salt=salt),
        signing.dumps([str(uuid4()), table], salt=salt),
        f"{card}:{table}",
        "x" * 5_000,
        "é\x7f:::",
    ):
        device = Client()
        device.cookies[COOKIE] = forged
        answer = device.get(other.score_url)
        assert answer.status_code == 302, forged
        assert answer["Location"].startswith("/admin/login/")
    device = device_with(card_for(pool))
    value = device.cookies[COOKIE].value
    # The last letter of a base64 signature has unused bits, which may change without changing it.
    for place in range(0, len(value) - 1, 7):
        changed = value[:place] + ("A" if value[place] != "A" else "B") + value[place + 1 :]
        device.cookies[COOKIE] = changed
        assert device.get(pool.score_url).status_code == 302, place


def test_what_a_device_carried_before_is_not_adopted(pool: Evening):
    client = Client()
    client.cookies[COOKIE] = planted = signing.dumps([str(uuid4()), str(pool.table.pk)], salt="tournaments.table_card")
    client.cookies["sessionid"] = "planted"
    answer = hand_over(client, card_for(pool).secret)
    assert answer.cookies[COOKIE].value != planted
    assert not getattr(answer.cookies.get("sessionid"), "value", "")
    page = client.get(pool.score_url)
    assert page.status_code == 200
    assert not page.wsgi_request.user.is_authenticated


def test_a_forged_request_cannot_hand_over_a_card_or_score_with_somebodys(pool: Evening):
    strict = Client(enforce_csrf_checks=True)
    assert hand_over(strict, card_for(pool).secret).status_code == 403
    assert COOKIE not in strict.cookies
    strict.cookies[COOKIE] = device_with(card_for(pool)).cookies[COOKIE].value
    for page in ("score", "preview", "leave", "close", "void/1", "correct/1"):
        assert strict.post(pool.page(page), sheet(1, **DEAL)).status_code == 403, page
    assert pool.version == 1


def test_a_form_of_the_cards_own_page_with_an_old_token_is_kept_and_one_of_another_table_is_not(pool: Evening):
    """The phone lost its page's data. Planted faults: the card treated as a login only; any card accepted."""
    card = card_for(pool)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies[COOKIE] = device_with(card).cookies[COOKIE].value
    typed = {**sheet(1, **DEAL), "csrfmiddlewaretoken": "x" * 64}
    ours = {"referer": f"http://testserver{pool.score_url}", "origin": "http://testserver"}
    assert "Send again" in refusal_of(strict.post(pool.score_url, typed, headers=ours), 403)
    revoke_card(card.token.pk, now=now())
    assert "Send again" not in html(strict.post(pool.score_url, typed, headers=ours))
    assert pool.version == 1


def test_a_login_that_may_score_goes_before_the_card_and_one_that_may_only_look_behind(
    pool: Evening, sam: Client, signed_in: Any
):
    card = card_for(pool)
    for client, version in ((sam, 1), (signed_in(Role.DISPLAY, login="wall"), 2)):
        hand_over(client, card.secret)
        client.post(pool.score_url, sheet(version, deal=version, key=f"{version:032}", **DEAL))
    by_login, by_card = Event.objects.filter(stream_id=pool.table.pk, kind="deal_recorded").order_by("version")
    assert by_login.actor.startswith("user:")
    assert by_card.actor == f"table:{card.token.pk}"


def test_guessing_one_beginning_from_many_devices_is_stopped(pool: Evening):
    for number in range(10):
        client = Client()
        client.get("/table/")
        assert hand_over(client, f"abcdef{number}").status_code == 422
    assert hand_over(Client(), "abcdef-once-more").status_code == 429


def test_wrong_codes_are_counted_for_a_device_over_all_processes_and_its_lock_ends(pool: Evening):
    """Planted fault: counts in the memory of one process, so that each further one allows ten more."""
    guesser, colleague, card = Client(), Client(), card_for(pool)
    for client in (guesser, colleague):
        client.get("/table/")
    for number in range(10):
        cache.clear()
        assert hand_over(guesser, f"guess-{number}-{'x' * 40}").status_code == 422
    stopped = hand_over(guesser, card.secret)
    assert "Too many wrong codes" in refusal_of(stopped, 429)
    assert stopped["Retry-After"] == "600"
    assert hand_over(colleague, card.secret).status_code == 302
    with time_machine.travel(now() + timedelta(minutes=11), tick=False):
        assert hand_over(guesser, card.secret).status_code == 302


def test_last_use_is_noted_once_a_minute(pool: Evening):
    card = card_for(pool)
    device = device_with(card)
    device.get(pool.score_url)
    first = TableToken.objects.get(pk=card.token.pk).last_used_at
    assert first is not None
    device.get(pool.score_url)
    assert TableToken.objects.get(pk=card.token.pk).last_used_at == first
    assert str(card.token) == "Card of Table 1"


@pytest.mark.slow
def test_the_history_names_the_card_and_its_table(pool: Evening, sam: Client):
    card = card_for(pool)
    raw = {"kind": "seat_left", "seat": "4"}
    record_wire_event(
        pool.table.pk,
        raw,
        expected=1,
        context=CommandContext(actor=f"table:{card.token.pk}", now=now(), device="a phone"),
    )
    assert "<bdi>Table card of Table 1</bdi>" in html(sam.get(pool.page("log")))
    stale = html(sam.post(pool.score_url, sheet(1, **DEAL)))
    assert "Table card of Table 1" in stale
    with translation.override("de"):
        assert actor_names({f"table:{card.token.pk}"}) == {f"table:{card.token.pk}": "Tischkarte von Tisch 1"}
