"""A client signed in with a role in a club."""

from django.contrib.auth import get_user_model
from django.test import Client

from tournaments.models import Club, Membership


def signed_in(club: Club, role: str = "") -> Client:
    user = get_user_model().objects.create_user("sam")
    if role:
        Membership.objects.create(user=user, club=club, role=role)
    client = Client()
    client.force_login(user)
    return client
