"""Seals over a club's log, and fingerprints of it."""

from datetime import timedelta
from hashlib import sha256

import pytest
from django.db import OperationalError

from scoring.events import hashes
from scoring.events.hashes import short_form
from tests.builders.log_writers import START, new_club, open_table
from tests.builders.there import there
from tournaments import log, tasks
from tournaments.log import seals
from tournaments.models.log import Seal

# The leaves and roots of the reference tests of Certificate Transparency, which RFC 6962 describes.
LEAVES = [
    bytes.fromhex(leaf)
    for leaf in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = {
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    5: "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}


def test_roots_are_those_of_the_reference():
    assert {count: hashes.merkle_root(LEAVES[:count]).hex() for count in ROOTS} == ROOTS


def test_a_tree_is_split_as_the_standard_splits_it():
    leaves = [bytes([number]) for number in range(39)]
    for count in range(1, 40):
        assert hashes.merkle_root(leaves[:count]) == _split_root(leaves[:count])


@pytest.mark.django_db
def test_a_club_is_sealed_from_its_first_event_on_and_again_only_after_another():
    club = new_club()
    assert log.seal_club(club.id, START) is None
    table = open_table(club)
    assert seals.clubs_to_seal() == [club.id]
    log.seal_club(club.id, START)
    assert seals.clubs_to_seal() == []
    assert log.seal_club(club.id, START) is None
    assert Seal.objects.count() == 1
    table.writes(1)
    log.seal_club(club.id, START + timedelta(minutes=1))
    assert seals.clubs_to_seal() == []
    table.writes(2)
    assert seals.clubs_to_seal() == [club.id]


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_seal_covers_what_is_not_sealed_yet():
    club = new_club()
    table = open_table(club)
    table.writes(1)
    first = there(log.seal_club(club.id, START))
    table.writes(2)
    second = there(log.seal_club(club.id, START + timedelta(minutes=1)))
    assert [(seal.from_position, seal.to_position) for seal in (first, second)] == [(1, 2), (3, 3)]
    assert bytes(second.previous) == bytes(first.hash)
    assert bytes(first.root) == hashes.merkle_root(
        [event.hash for event in log.read(table.club.id, table.stream_id)[:2]]
    )


@pytest.mark.postgres
@pytest.mark.django_db
def test_of_two_sealers_at_once_one_writes(monkeypatch):
    """The second one has read the same end of the log. Planted fault it catches: no unique start of a seal."""
    club = new_club()
    open_table(club)
    log.seal_club(club.id, START)
    asked = iter([None])
    real = seals.last_seal
    monkeypatch.setattr(seals, "last_seal", lambda club_id: next(asked, real(club_id)))
    assert log.seal_club(club.id, START) == Seal.objects.get()


@pytest.mark.django_db
def test_fingerprints_name_a_place_and_the_hash_there():
    club = new_club()
    table = open_table(club)
    stored = table.writes(1).stored
    seal = there(log.seal_club(club.id, START))
    assert log.fingerprint(table.club.id, table.stream_id) == f"2-{short_form(stored.hash)}"
    assert log.club_fingerprint(club.id) == f"2-{short_form(bytes(seal.hash))}"


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_log_that_cannot_be_sealed_keeps_no_other_waiting_and_one_that_rests_is_not_asked(monkeypatch):
    """Planted faults: the round ended at the first log that could not be sealed; every log was tried each time."""
    clubs = sorted((new_club(name=str(number)) for number in range(3)), key=lambda club: club.id)
    for club in clubs:
        open_table(club).writes(1)
    tried = []

    def sealed(club_id, now):
        tried.append(club_id)
        if club_id == clubs[0].id:
            raise OperationalError("database is locked")
        return log.seal_club(club_id, now)

    monkeypatch.setattr(tasks, "seal_club", sealed)
    tasks.seal_logs()
    tasks.seal_logs()
    assert tried == [club.id for club in (*clubs, clubs[0])]
    assert set(Seal.objects.values_list("club", flat=True)) == {club.id for club in clubs[1:]}


def _split_root(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha256(b"\x01" + _split_root(leaves[:split]) + _split_root(leaves[split:])).digest()
