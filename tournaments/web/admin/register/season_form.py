"""The form of a season: its days, its formula field by field, and separate tables for some games.

Rules: docs/how-to/seasons.md. A form parses; `scoring.seasons` decides whether a formula makes sense.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from scoring.rules.variants import PRESETS, VARIANTS
from scoring.seasons.formula import MOST_CATEGORIES, MOST_NIGHTS, MOST_TIE_BREAKS, Formula, load_formula
from tournaments.models import Season
from tournaments.rendering.i18n import formatting
from tournaments.rendering.i18n.translating import TIE_BREAKS, translate
from tournaments.seasons.commands import SeasonDraft, games_no_longer_offered
from tournaments.web.admin.base.command_forms import CommandForm
from tournaments.web.admin.base.edit_forms import EditRules, token_field

FREE_CATEGORIES = 2
POINTS = (("place", gettext_lazy("points for the place")), ("score", gettext_lazy("the tournament score")))
MOST_POINTS = 100_000
FORMULA = ("points", "place_points", "field_base", "best", "drop_worst", "minimum_nights", "attendance")
# Also fixed once a season is closed; then only its publishing can be changed.
KEPT_AT_THE_CLOSE = ("name", "ends_on")
SEPARATORS = re.compile(r"[\s,;]+")


def _whole(label: Any, help_text: Any, least: int = 0, most: int = MOST_NIGHTS) -> forms.IntegerField:
    return forms.IntegerField(label=label, help_text=help_text, min_value=least, max_value=most, required=False)


class SeasonForm(EditRules, CommandForm):
    """A season as typed. An empty number means that the rule does not apply."""

    called = {"tie_breaks": "tie_break_1"}

    seen = token_field()
    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=200, widget=forms.TextInput(attrs={"dir": "auto", "class": "vTextField"})
    )
    starts_on = forms.DateField(
        label=gettext_lazy("First day"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )
    ends_on = forms.DateField(
        label=gettext_lazy("Last day"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )
    is_published = forms.BooleanField(label=gettext_lazy("Publish season standings"), required=False)
    points = forms.ChoiceField(label=gettext_lazy("Season points are"), choices=POINTS)
    place_points = forms.CharField(
        label=gettext_lazy("Points for the places"),
        help_text=gettext_lazy("The winner’s first, with commas. Further places are worth nothing."),
        max_length=1000,
        required=False,
    )
    field_base = _whole(
        gettext_lazy("Standard number of players"),
        gettext_lazy("A tournament with twice as many players counts twice. Empty: all count the same."),
        2,
        1000,
    )
    best = _whole(gettext_lazy("Results that count"), gettext_lazy("Number of best results per player. Empty: all."), 1)
    drop_worst = _whole(
        gettext_lazy("Results dropped"), gettext_lazy("Number of worst results per player; missed ones first.")
    )
    minimum_nights = _whole(
        gettext_lazy("Tournaments for a place"), gettext_lazy("Players with fewer are listed below, without a place.")
    )
    attendance = _whole(
        gettext_lazy("Attendance points"),
        gettext_lazy("For each tournament, also those that do not count."),
        0,
        MOST_POINTS,
    )

    def __init__(
        self,
        *args: Any,
        stored: Formula | None = None,
        season: Season | None = None,
        categories: int = 0,
        is_frozen: bool = False,
        is_closed: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.season = season
        self.no_longer_offered = games_no_longer_offered(stored or Formula())
        is_fixed = is_frozen or is_closed
        for number in range(1, MOST_TIE_BREAKS + 1):
            self.fields[f"tie_break_{number}"] = forms.ChoiceField(
                label=gettext("Tie-break {number}").format(number=number), choices=tie_break_choices(), required=False
            )
        games = game_choices(self.no_longer_offered)
        self.category_rows = categories if is_fixed else min(categories + FREE_CATEGORIES, MOST_CATEGORIES)
        for number in range(1, self.category_rows + 1):
            self.fields[f"category_{number}"] = forms.CharField(
                label=gettext("Name of table {number}").format(number=number), max_length=60, required=False
            )
            self.fields[f"games_{number}"] = forms.MultipleChoiceField(
                label=gettext("Games of table {number}").format(number=number), choices=games, required=False
            )
        if is_fixed:
            for name in (*self.frozen_names(), *(KEPT_AT_THE_CLOSE if is_closed else ())):
                self.fields[name].disabled = True

    @property
    def subject(self) -> str:
        """Identifies the changed season; empty for a new one."""
        return f"tournaments.season:{self.season.pk}" if self.season else ""

    def frozen_names(self) -> list[str]:
        """The fields that can no longer change after the first tournament."""
        own = ("tie_break_", "category_", "games_")
        return ["starts_on", *FORMULA, *(name for name in self.fields if name.startswith(own))]

    def clean_place_points(self) -> list[int]:
        """The whole numbers between commas. Raises ValidationError for anything else."""
        words = [word for word in SEPARATORS.split(self.cleaned_data["place_points"]) if word]
        wrong = [word for word in words if not (word.isdecimal() and len(word) <= len(str(MOST_POINTS)))]
        if wrong:
            raise forms.ValidationError(gettext("{word} is not a number of points").format(word=wrong[0][:20]))
        return [int(word) for word in words]

    def own_fields(self) -> list[forms.BoundField]:
        """The fields of every season, whatever its formula."""
        return [self[name] for name in ("name", "starts_on", "ends_on", "is_published")]

    def formula_fields(self) -> list[forms.BoundField]:
        """The fields of the formula, without tie-breaks and categories."""
        return [self[name] for name in FORMULA]

    def tie_break_fields(self) -> list[forms.BoundField]:
        """The tie-breaks, in order."""
        return [self[name] for name in self.fields if name.startswith("tie_break_")]

    def gone_games(self) -> str:
        """The games of this season that are no longer offered, as text."""
        return formatting.listed([name for _, name in self.no_longer_offered])

    def category_fields(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """Name and games of each separate table, with some empty rows."""
        return [(self[f"category_{number}"], self[f"games_{number}"]) for number in range(1, self.category_rows + 1)]

    def draft(self) -> SeasonDraft:
        """The typed season, for the command."""
        cleaned = self.cleaned_data
        return SeasonDraft(
            name=cleaned["name"],
            starts_on=cleaned["starts_on"],
            ends_on=cleaned["ends_on"],
            is_published=cleaned["is_published"],
            formula=self._formula(cleaned),
        )

    def _formula(self, typed: Mapping[str, Any]) -> dict[str, Any]:
        formula = {name: typed[name] for name in FORMULA if typed[name] not in (None, [], "")}
        formula["tie_breaks"] = [typed[field.name] for field in self.tie_break_fields() if typed[field.name]]
        rows = ((typed[f"category_{n}"], typed[f"games_{n}"]) for n in range(1, self.category_rows + 1))
        formula["categories"] = [
            {
                "name": name or gettext("Table"),
                "variants": [game.removeprefix("variant:") for game in games if game.startswith("variant:")],
                "presets": [game.removeprefix("preset:") for game in games if game.startswith("preset:")],
            }
            for name, games in rows
            if name or games
        ]
        return formula


def initial_of(season: Season) -> dict[str, Any]:
    """A stored season as its form shows it."""
    own = {name: getattr(season, name) for name in ("name", "starts_on", "ends_on", "is_published")}
    return own | initial_formula(load_formula(season.formula))


def initial_formula(formula: Formula) -> dict[str, Any]:
    """A formula as its form shows it."""
    initial: dict[str, Any] = {name: getattr(formula, name) for name in FORMULA}
    initial["place_points"] = ", ".join(map(str, formula.place_points))
    initial |= {f"tie_break_{number}": name for number, name in enumerate(formula.tie_breaks, 1)}
    for number, category in enumerate(formula.categories, 1):
        initial[f"category_{number}"] = category.name
        games = [f"variant:{name}" for name in category.variants] + [f"preset:{name}" for name in category.presets]
        initial[f"games_{number}"] = games
    return initial


def tie_break_choices() -> list[tuple[str, str]]:
    """Every tie-break, and none."""
    return [("", gettext("nothing")), *((name, gettext(title)) for name, title in TIE_BREAKS.items())]


def game_choices(gone: Iterable[tuple[str, str]] = ()) -> list[tuple[str, list[tuple[str, str]]]]:
    """Whole games, then presets, then games of the season that are no longer offered (`gone`)."""
    variants = [(f"variant:{name}", translate(rules.title)) for name, rules in VARIANTS.items()]
    presets = [(f"preset:{name}", translate(preset.title)) for name, (_, preset) in PRESETS.items()]
    offered = [(gettext("Any tournament of"), variants), (gettext("Only tournaments of"), presets)]
    gone_games = [(f"{kind}:{name}", name) for kind, name in gone]
    return [*offered, (gettext("No longer offered"), gone_games)] if gone_games else offered
