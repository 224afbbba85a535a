"""The address on every table's card: short, because somebody may have to type it."""

from django.urls import path

from tournaments.web.admin.tables.card_exchange import exchange

app_name = "cards"
urlpatterns = [path("", exchange, name="exchange")]
