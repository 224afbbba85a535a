"""What a planned evening says of a score: its parts, what stands in for a missed round, what put one before another."""

from django.utils.translation import gettext_noop

from tournaments.rendering.i18n.forms import Form, ngettext_noop

PARTS = (
    gettext_noop("Round {round}, table {table}"),
    gettext_noop("Round {round}, tables {tables}"),
    gettext_noop("Table {table} starts with {points}"),
    gettext_noop("Brought from stage {number}: {score}"),
    gettext_noop("Entered between stages: starts with the average"),
    gettext_noop("Entered between stages: starts with 0"),
    gettext_noop("Re-entry: starts with {score}"),
    gettext_noop("Re-entry: {score} added"),
    gettext_noop("Late entry, {where} missed: {why}"),
    gettext_noop("round {round}"),
    gettext_noop("rounds {rounds} and {last}"),
    gettext_noop("starts with 0"),
    gettext_noop("starts with the average, {score}"),
    gettext_noop("zero would be better than the average, {score}"),
    gettext_noop("starts {number} behind the lowest, who had {score}"),
    gettext_noop("Round {round} forfeited"),
    gettext_noop("Round {round} forfeited: the worst of the round, {score}"),
    gettext_noop("Sat out round {round}"),
    gettext_noop("Left after round {round}"),
    gettext_noop("Sat out round {round}: {word}, {score}"),
    gettext_noop("Left after round {round}: {word}, {score}"),
    gettext_noop("own average"),
    gettext_noop("average of the round"),
)
DECIDED = (
    gettext_noop("{what} against {other}"),
    gettext_noop("tied on every tie-break"),
    gettext_noop("ahead in the extra deal"),
    gettext_noop("{card} drawn"),
    gettext_noop("card {number}"),
    gettext_noop("ahead by lot (draw code {code})"),
    ngettext_noop("{count} deal won", "{count} deals won"),
    ngettext_noop("{count} wrong show", "{count} wrong shows"),
    ngettext_noop("{count} drop", "{count} drops"),
    gettext_noop("ranked higher at their own table"),
    gettext_noop("{number} beaten head to head"),
    gettext_noop("{points} in the last deal"),
)
SAID: tuple[Form, ...] = (*PARTS, *DECIDED)
