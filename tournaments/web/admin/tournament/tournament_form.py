"""The form of a tournament: a preset's options with their help, the stakes, and when it begins.

What is typed stays as typed until a command has taken it.
"""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy

from scoring.money.formatting import Notation, currency_problems, typed_minor, typed_percent
from scoring.money.payouts import FeeTerms
from scoring.problems import shown
from scoring.rules.table.table import AnyVariant, Preset
from scoring.rules.variants import PRESETS, variant
from tournaments.models import Club, Tournament
from tournaments.models.bounds import FIRST_MOMENT
from tournaments.printing import notation_of
from tournaments.rendering.i18n.formatting import LocalTime, local_time, offset_of, written, zone_of
from tournaments.rendering.i18n.translating import translate
from tournaments.running.commands.create import TournamentDraft, draft_problems
from tournaments.web.admin.base.command_fields import MOST_NAME, AmountField, PercentField, TextField
from tournaments.web.admin.base.command_forms import CommandForm, words_in
from tournaments.web.admin.base.edit_forms import EditRules, token_field
from tournaments.web.admin.base.fields import OPTION, OptionField, option_fields, read_texts, texts_of

# Names of the form's fields that differ from the names in the rules.
FORM_NAMES = {
    "entry_minor": "entry",
    "fee_bp": "fee",
    "point_value_minor": "point_value",
    "fee_floor_minor": "fee_floor",
    "fee_cap_minor": "fee_cap",
    "levy_bp": "levy",
}
STAKES = ("currency", "entry", "point_value", "fee", "fee_floor", "fee_cap", "levy", "levy_name", "levy_on")
LEVY_ON = (("gross", gettext_lazy("all that is paid in")), ("fee", gettext_lazy("the house fee")))
UNBOUND = FeeTerms()
LOCAL_TIME = "%Y-%m-%dT%H:%M"
REQUIRED = {"required": True}


def _amount(label: Any, **attrs: Any) -> AmountField:
    return AmountField(label=label, least=0, required=False, attrs=attrs)


class TournamentForm(EditRules, CommandForm):
    """All settings of a tournament; the rules validate them."""

    seen = token_field()
    name = TextField(
        label=gettext_lazy("Name"),
        required=False,
        max_length=MOST_NAME,
        attrs={**REQUIRED, "placeholder": gettext_lazy("Friday pool")},
    )
    starts_at = forms.CharField(
        label=gettext_lazy("Begins (club time)"),
        required=False,
        widget=forms.TextInput(attrs={**REQUIRED, "type": "datetime-local", "id": "id_starts"}),
    )
    is_published = forms.BooleanField(label=gettext_lazy("Publish standings"), required=False)
    currency = TextField(
        label=gettext_lazy("Currency"), required=False, max_length=3, attrs={**REQUIRED, "size": 4, "dir": False}
    )
    entry = _amount(gettext_lazy("Entry fee"))
    point_value = _amount(gettext_lazy("Value of a point"), id="id_point")
    fee = PercentField(label=gettext_lazy("House fee, %"))
    fee_floor = _amount(gettext_lazy("Minimum house fee"), placeholder=gettext_lazy("no minimum"))
    fee_cap = _amount(gettext_lazy("Maximum house fee"), placeholder=gettext_lazy("no maximum fee"))
    levy = PercentField(label=gettext_lazy("Levy at the tables, %"), attrs={"placeholder": gettext_lazy("none")})
    levy_name = TextField(label=gettext_lazy("Name of the levy"), required=False, max_length=40)
    levy_on = forms.CharField(
        label=gettext_lazy("Levy charged on"), required=False, widget=forms.Select(choices=LEVY_ON)
    )

    def __init__(
        self,
        data: QueryDict | None,
        club: Club,
        played: tuple[AnyVariant, Preset],
        *,
        initial: dict[str, Any],
        tournament: Tournament | None = None,
    ) -> None:
        self.club, self.tournament = club, tournament
        self.rules, self.preset = played
        super().__init__(data, initial=initial)
        self.notation = Notation(str(self["currency"].value() or initial["currency"]).strip().upper(), club.locale)
        options = option_fields(self.rules, self.preset, self.notation)
        self.fields |= options
        self.called = {**FORM_NAMES, **{name.removeprefix(OPTION): name for name in options}}
        if not club.is_published:
            self.fields["is_published"].label = gettext("Publish standings (once the club itself is published)")
        for field in self.fields.values():
            if isinstance(field, AmountField | PercentField):
                field.notation = self.notation

    @property
    def subject(self) -> str:
        """Identifies the changed tournament; empty for a new one."""
        return f"tournaments.tournament:{self.tournament.pk}" if self.tournament else ""

    @property
    def stakes(self) -> list[forms.BoundField]:
        return [self[name] for name in STAKES]

    @property
    def option_fields(self) -> list[forms.BoundField]:
        """Options that affect the score, in the variant's order."""
        return [
            bound_field
            for bound_field in self
            if isinstance(bound_field.field, OptionField) and not bound_field.field.is_for_play
        ]

    @property
    def play_fields(self) -> list[forms.BoundField]:
        """Options that only tell players how the house plays."""
        return [
            bound_field
            for bound_field in self
            if isinstance(bound_field.field, OptionField) and bound_field.field.is_for_play
        ]

    @property
    def readings(self) -> list[tuple[str, str]]:
        """The times to choose from, where the club's clock skips or repeats the typed one."""
        if not self.has_error("starts_at", "clock_in_doubt"):
            return []
        moments = self._local_time(str(self["starts_at"].value())).readings
        return [(written(moment), f"{moment:%Y-%m-%d %H:%M} ({offset_of(moment)})") for moment in moments]

    def clean_starts_at(self) -> datetime:
        """The typed time on the club's clock, or the chosen reading where that time is skipped or repeated.

        If unchanged, the stored value is kept: the page shows no seconds, nor which side of a repeated hour it is.
        """
        if self.tournament is not None and "starts_at" not in self.changed_data:
            return self.tournament.starts_at
        text = self.cleaned_data["starts_at"]
        try:
            clock_time = self._local_time(text)
        except (ValueError, OverflowError):
            detail = gettext("{text} is not a date and time such as 2026-03-14T19:30").format(text=shown(text))
            raise ValidationError(detail, code="not_a_moment") from None
        reading = words_in(self.data, "reading")["reading"]
        chosen = [moment for moment in clock_time.readings if written(moment) == reading]
        if not clock_time.is_clear and not chosen:
            raise ValidationError(_doubt(clock_time, text), code="clock_in_doubt")
        return (chosen or list(clock_time.readings))[0]

    def clean_currency(self) -> str:
        """The currency as typed. Raises ValidationError unless it is three letters; the rules check the rest."""
        currency = str(self.cleaned_data["currency"])
        if not re.fullmatch("[A-Za-z]{3}", currency):
            raise ValidationError(translate(currency_problems(currency)[0].message), code="unknown_currency")
        return currency

    def draft(self) -> TournamentDraft:
        """The typed tournament; fields that could not be read are as if they were empty."""
        values = self.read
        options = {name.removeprefix(OPTION): values.get(name, "") for name in self.fields if name.startswith(OPTION)}
        return TournamentDraft(
            name=values.get("name", ""),
            preset=self.preset.name,
            variant=self.rules.name,
            starts_at=values.get("starts_at") or FIRST_MOMENT,
            currency=values.get("currency", "").upper(),
            entry_minor=values.get("entry") or 0,
            fee_bp=values.get("fee") or 0,
            fee_floor_minor=values.get("fee_floor") or 0,
            fee_cap_minor=values.get("fee_cap"),
            levy_bp=values.get("levy") or 0,
            levy_name=values.get("levy_name") or UNBOUND.levy_name,
            levy_on=values.get("levy_on") or UNBOUND.levy_on,
            point_value_minor=values.get("point_value") or 0,
            is_published=values["is_published"],
            options=read_texts(self.rules, options, self.notation),
        )

    def store(self, command: Callable[[TournamentDraft], Tournament]) -> Tournament | None:
        """Run a command with the draft. If a field cannot be read, all other problems are reported too."""
        if self.is_valid():
            return self.attempt(lambda: command(self.draft()))
        self.refuse_draft(self.draft())
        return None

    def refuse_draft(self, draft: TournamentDraft) -> None:
        """Report the problems of a draft at its fields, but those of a field that could not be read."""
        problems = draft_problems(draft, kept=self.tournament)
        self.refuse(
            [problem for problem in problems if self.called.get(problem.field or "", problem.field) not in self.errors]
        )

    def _local_time(self, text: str) -> LocalTime:
        return local_time(datetime.strptime(text, LOCAL_TIME).replace(tzinfo=zone_of(self.club.timezone)))


def new_form(data: QueryDict | None, preset: str, club: Club, *, now: datetime) -> TournamentForm:
    """The form of a new tournament."""
    initial = {
        "starts_at": now.astimezone(zone_of(club.timezone)).strftime(LOCAL_TIME),
        "is_published": True,
        "currency": club.currency,
        "entry": "0",
        "fee": "0",
        "point_value": "0",
        "levy_name": UNBOUND.levy_name,
        "levy_on": UNBOUND.levy_on,
    }
    form = TournamentForm(data, club, PRESETS[preset], initial=initial)
    # A new tournament's plan takes it over.
    form.fields["levy"].label = gettext("Levy, %")
    form.fields["levy"].help_text = gettext("On entry fees and at the tables")
    return form


def stored_form(data: QueryDict | None, tournament: Tournament) -> TournamentForm:
    """A stored tournament in the form, or what was sent over it. To save it, hold the tournament's lock."""
    rules, preset = preset_of(tournament)
    notation = notation_of(tournament)
    initial = {
        "name": tournament.name,
        "starts_at": tournament.starts_at.astimezone(zone_of(tournament.club.timezone)).strftime(LOCAL_TIME),
        "is_published": tournament.is_published,
        "currency": tournament.currency,
        "entry": typed_minor(tournament.entry_minor, *notation),
        "fee": typed_percent(tournament.fee_bp, notation.locale),
        "point_value": typed_minor(tournament.point_value_minor, *notation),
        **_typed_terms(tournament, notation),
        **{f"{OPTION}{name}": text for name, text in texts_of(tournament.options, preset, notation).items()},
    }
    return TournamentForm(data, tournament.club, (rules, preset), initial=initial, tournament=tournament)


def _typed_terms(tournament: Tournament, notation: Notation) -> dict[str, str]:
    """The limits of the fee, and the levy; empty where there is none."""
    floor, cap = tournament.fee_floor_minor, tournament.fee_cap_minor
    return {
        "fee_floor": typed_minor(floor, *notation) if floor else "",
        "fee_cap": "" if cap is None else typed_minor(cap, *notation),
        "levy": typed_percent(tournament.levy_bp, notation.locale) if tournament.levy_bp else "",
        "levy_name": tournament.levy_name,
        "levy_on": tournament.levy_on,
    }


def preset_of(tournament: Tournament) -> tuple[AnyVariant, Preset]:
    """The preset that a tournament was made from; an empty one if this version does not have it."""
    if tournament.preset in PRESETS:
        return PRESETS[tournament.preset]
    rules = variant(tournament.variant)
    return rules, Preset(name=tournament.preset, title=rules.title, options={})


def _doubt(found: LocalTime, text: str) -> str:
    shown_as = text.replace("T", " ")
    if found.is_shown:
        return gettext("The clock shows {time} twice that day. Choose one.").format(time=shown_as)
    return gettext("The clock skips {time} that day. Choose another time.").format(time=shown_as)
