"""The arithmetic of payouts and prizes, as `scoring.money.arithmetic` puts it into words."""

from django.utils.translation import gettext_noop

from tournaments.rendering.i18n.forms import Form, ngettext_noop

MADE = (
    gettext_noop("{what} of {each} make {sum}"),
    ngettext_noop("{count} entry", "{count} entries"),
    ngettext_noop("{what} and {count} rejoin", "{what} and {count} rejoins"),
    ngettext_noop("{count} point", "{count} points"),
    ngettext_noop("{count} chip", "{count} chips"),
    gettext_noop("Deal {deal}: {what} of {each} make {sum}"),
)
TAKEN = (
    gettext_noop("{number} times: {why}"),
    gettext_noop("House fee: {rate} of {sum} is {fee}"),
    gettext_noop("House fee: {rate} of {sum}, at least {floor}, is {fee}"),
    gettext_noop("House fee: {rate} of {sum}, at most {cap}, is {fee}"),
    gettext_noop("House fee: {rate} of {sum}, at least {floor}, at most {cap}, is {fee}"),
    gettext_noop("Levy: {rate} of {sum} is {amount}"),
    gettext_noop("Levy: {rate} of {sum}, at most {cap}, is {amount}"),
    gettext_noop("{levy}: {rate} of {sum} is {amount}"),
    gettext_noop("{levy}: {rate} of {sum}, at most {cap}, is {amount}"),
)
SHARED = (
    gettext_noop("Second prize: {rate} of {sum} is {prize}"),
    gettext_noop("{seat}: {part} as an equal part"),
    gettext_noop("{seat}: {ahead} for drops left and {part} as an equal part"),
    gettext_noop("The house keeps {number} chips that could not be divided"),
    gettext_noop("{kept} of {sum} stay with the club"),
    gettext_noop("Guaranteed prizes of {promised}: the club adds {added}"),
    gettext_noop("Fixed prizes of {promised}: the club adds {added}"),
    gettext_noop("Fixed prizes of {promised} are scaled down to {sum}"),
)
PLACES = (
    gettext_noop("stage {number}"),
    gettext_noop("table {table}"),
    gettext_noop("round {round}, table {table}"),
    gettext_noop("place {place}"),
    gettext_noop("places {first} to {last}"),
    gettext_noop("{first} to {last}"),
    gettext_noop("{where}, place {place}"),
    gettext_noop("{where}, places {first} to {last}"),
    gettext_noop("{where}, place {place}: {why}"),
    gettext_noop("place {place}: {why}"),
    gettext_noop("{amount} fixed"),
    gettext_noop("{amount} of {promised} fixed is {sum}"),
    gettext_noop("{rate} of {rest} is {sum}"),
    gettext_noop("{number} of {of} shares of {rest} is {sum}"),
    gettext_noop("{rate} of {rest} and {left} left over is {sum}"),
    gettext_noop("{number} of {of} shares of {rest} and {left} left over is {sum}"),
    gettext_noop("{amount} fixed and {why}"),
    gettext_noop("{amount} of {promised} fixed and {why}"),
    gettext_noop("{where}, places {first} to {last}: {why}"),
    gettext_noop("places {first} to {last}: {why}"),
    gettext_noop("{sum} for {number} is {part} each"),
    gettext_noop("{sum} for {number} is {part} each, {left} left over to the first place"),
    gettext_noop("{sum} for {number} is {part} each, {left} left over by the order of seats"),
    gettext_noop("{amount} each"),
    gettext_noop("{amount} or {other}"),
    gettext_noop("{amount} or {other} each"),
    gettext_noop("a player"),
)
POTS = (
    ngettext_noop("{pot}: {count} player paid {paid} in", "{pot}: {count} players paid {paid} in"),
    ngettext_noop(
        "{pot}: {count} player paid {paid} in, {brought} was there: {sum}",
        "{pot}: {count} players paid {paid} in, {brought} was there: {sum}",
    ),
    gettext_noop("{pot}: {sum} to one player"),
    gettext_noop("{pot}: {sum} to {number} players in equal parts"),
    gettext_noop("{pot}: {sum} added to the prizes"),
    gettext_noop("{pot}: {sum} carried to the next night"),
    gettext_noop("not won: to the prizes"),
    gettext_noop("not won: carried to the next tournament"),
)
TITLES = (
    gettext_noop("Entry fees"),
    gettext_noop("House fee"),
    gettext_noop("Side pots that nobody won"),
    gettext_noop("The club adds"),
    gettext_noop("Stays with the club"),
    gettext_noop("Prizes"),
)
UNSETTLED = (
    gettext_noop("this table has conflicting records: a director must resolve that first"),
    gettext_noop("this table has conflicting records: nothing is paid until the director has resolved them"),
    gettext_noop("a record of the tournament cannot be read: a director must leave it out first"),
    gettext_noop("a table has conflicting records: a director must resolve that first"),
    gettext_noop("a corrected deal must be confirmed before prizes are paid"),
    gettext_noop("this is a practice table: nothing was paid, and nothing is settled"),
)
SAID: tuple[Form, ...] = (*MADE, *TAKEN, *SHARED, *PLACES, *POTS, *TITLES, *UNSETTLED)
