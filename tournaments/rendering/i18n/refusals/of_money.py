"""What the cash desk, prizes, balances and settlement refuse."""

from django.utils.translation import gettext_noop

from tournaments.rendering.i18n.forms import Form

TILLS = (
    gettext_noop("this till is open already"),
    gettext_noop("this till was counted and closed"),
    gettext_noop("this till was counted and closed tonight: open one in the next book"),
    gettext_noop("this till is closed already"),
    gettext_noop("there is no such till tonight: open it first"),
    gettext_noop("count the till first: only then there is a difference"),
    gettext_noop("count the till before it is closed"),
    gettext_noop("the till holds what it should"),
    gettext_noop("the difference is {sum} now, not {asked}: look again, something was taken or given meanwhile"),
    gettext_noop("{amount} were counted and {sum} should be there: count again, or book the difference and say why"),
    gettext_noop("a till is still open: count and close every till first"),
    gettext_noop("{number} tills are still open: count and close every till first"),
    gettext_noop("{amount} were taken without a till: move them to a till or the bank"),
    gettext_noop("players' money goes through a till or the bank"),
    gettext_noop("{asked} are not in the till: bring change first"),
    gettext_noop("{where} holds {sum}: {asked} are not there"),
    gettext_noop("the till"),
    gettext_noop("the bank account"),
)
LIMITS = (
    gettext_noop("{name} comes to {number}: the most that can be kept is {most}"),
    gettext_noop(
        "entries, side pots and prizes come to {number}, most of it by {name}: the most that can be kept is {most}"
    ),
    gettext_noop("{name} is there {number} times: of one piece at most {most} are counted"),
)
BOOKS = (
    gettext_noop("the night's book is closed for good: write it in the next one, and say what it is about"),
    gettext_noop("this was taken back already"),
    gettext_noop("line {number} of the book is no movement that can be taken back"),
    gettext_noop("{name} is not settled yet: wait for the worker"),
    gettext_noop("the money is there already: choose another place"),
    gettext_noop("{typed} is no currency of ISO 4217; the code of Indian rupees is INR, of euros EUR"),
)
BALANCES = (
    gettext_noop("{seat} cannot pay for themselves out of the same account"),
    gettext_noop("{seat} owes {sum}: {asked} cannot be written off"),
    gettext_noop("{seat} owes nothing: {asked} cannot be written off"),
    gettext_noop("{seat} owes {sum}, more than was granted: take it, grant credit, or write it off"),
    gettext_noop("{seat} has {sum} in the club, and {left} may be taken"),
    gettext_noop("{seat} has {held} at stake at open tables: until they are settled, {amount} of credit are needed"),
    gettext_noop("{seat} has {sum} in the club, {held} of it at stake at open tables, and {left} may be taken"),
)
ENTRIES = (
    gettext_noop("entries are marked as paid: give them back first, a rehearsal takes no money that counts"),
    gettext_noop("{seat} has not paid so much: no more can be given back than was paid"),
    gettext_noop("the plan has no entry fee for members"),
    gettext_noop("{seat} has entered on these terms already"),
)
POTS = (
    gettext_noop("{seat} joins a side pot twice"),
    gettext_noop("everybody plays for {pot}: nobody joins it"),
    gettext_noop("{seat} does not play for {pot}"),
    gettext_noop("{pot} has been won already: take that back first"),
    gettext_noop("say who has won {pot}"),
    gettext_noop("nobody has won {pot}"),
    gettext_noop("the plan has no side pot {pot}"),
    gettext_noop("the plan has no side pot {pot}; there are {list}"),
    gettext_noop("side pot {number}: {why}"),
    gettext_noop("{number} side pots are called {pot}"),
    gettext_noop("side pot {pot} is called by words on one line, without blanks around them"),
    gettext_noop("side pot {pot} costs nothing, so everybody plays for it"),
)
PRIZES = (
    gettext_noop("the shares of the prize pool make {rate}, not {whole}"),
    gettext_noop("either shares by place, or a part of the field by the table of shares: leave one of them empty"),
    gettext_noop("only what fixed amounts leave can stay with the club, and there are no fixed amounts"),
    gettext_noop("a guaranteed pool is paid out whole: nothing of it stays with the club"),
    gettext_noop("prizes of stage {number}: the plan has {most}"),
    gettext_noop("each prize of a stage says at least one amount"),
    gettext_noop("the prizes of stage {number} are given {total} times: say them once, by place"),
    gettext_noop("the prizes of each table of stage {number} are given {total} times: say them once, by place"),
)
SAID: tuple[Form, ...] = (
    *TILLS,
    *LIMITS,
    *BOOKS,
    *BALANCES,
    *ENTRIES,
    *POTS,
    *PRIZES,
)
