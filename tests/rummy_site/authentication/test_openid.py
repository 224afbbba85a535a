"""Another service signs people in: only into logins that exist, and by addresses that it has verified."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from rummy_site.environment import refuse_without
from tests.builders.fresh_database import fresh_database
from tests.builders.openid_service import openid_service

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.slow
@pytest.mark.django_db
def test_the_service_signs_in_logins_that_exist_and_makes_none(tmp_path: Path):
    """Planted faults: an address taken that was not verified; a login made; the first of two logins; a state of
    another browser; a connection that another site made, or that goes on when it was ended; a failure where the
    service is away.
    """
    with openid_service() as address, fresh_database(tmp_path) as environment:
        openid = {"OPENID_URL": address, "OPENID_CLIENT_ID": "club", "OPENID_SECRET": "secret", "OPENID_NAME": "Club"}
        done = subprocess.run(
            [sys.executable, "-m", "tests.builders.openid_visits"],
            cwd=ROOT,
            env={**environment, **openid},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "verified": "olga",
        "in capitals": "olga",
        "not verified": "",
        "of nobody": "",
        "no staff": "",
        "without an address": "",
        "refused": "",
        "a state of another browser": "",
        "sent from another site": ["/admin/account/", "/admin/account/"],
        "before the password": False,
        "is connected": True,
        "connected": "olga",
        "disconnected": "",
        "after a new password": "",
        "away": [
            "/admin/login/",
            ["The other service does not answer. Try again later, or use your password."],
        ],
        "two logins": "",
        "logins": 3,
    }


def test_a_setting_whose_libraries_are_missing_is_refused_with_what_to_install():
    refuse_without("json", what="OPENID_URL", extra="openid")
    with pytest.raises(ImproperlyConfigured, match=r"install rummy-evening\[openid\]"):
        refuse_without("no_such_library", what="OPENID_URL", extra="openid")
