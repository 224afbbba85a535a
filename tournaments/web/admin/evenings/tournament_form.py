"""The form of a tournament: a preset's options with their help, the stakes, and when it begins.

What is typed stays as typed until a command has taken it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy

from scoring.money.formatting import Notation, typed_minor, typed_percent
from scoring.money.payouts import FeeTerms
from scoring.options import describe_options
from scoring.problems import Problem, shown
from scoring.rules.table.table import AnyVariant, Preset
from scoring.rules.variants import PRESETS, variant
from tournaments.evenings.commands.create import TournamentDraft, draft_problems
from tournaments.models import Club, Tournament
from tournaments.models.bounds import FIRST_MOMENT
from tournaments.rendering.i18n.local_times import LocalTime, local_time, offset_of, written, zone_of
from tournaments.rendering.i18n.translating import told
from tournaments.web.admin.base.command_forms import words_in
from tournaments.web.admin.base.fields import (
    OptionField,
    option_fields,
    read_amount,
    read_percent,
    read_texts,
    texts_of,
)
from tournaments.web.admin.editing.held_fields import Merge, held_by, token_of

TERMS = ("fee_floor", "fee_cap", "levy", "levy_name", "levy_on")
FIELDS = ("name", "starts_at", "currency", "entry", "fee", "point_value", *TERMS)
# What the rules call a field, and under which name it stands in the form.
FORM_NAMES = {
    "entry_minor": "entry",
    "fee_bp": "fee",
    "point_value_minor": "point_value",
    "fee_floor_minor": "fee_floor",
    "fee_cap_minor": "fee_cap",
    "levy_bp": "levy",
}
TITLES = {
    "name": gettext_lazy("Name"),
    "starts_at": gettext_lazy("Begins (club time)"),
    "is_published": gettext_lazy("Boards can be read without login"),
    "currency": gettext_lazy("Currency"),
    "entry": gettext_lazy("Entry fee"),
    "point_value": gettext_lazy("Value of a point"),
    "fee": gettext_lazy("House fee, %"),
    "fee_floor": gettext_lazy("House fee, at least"),
    "fee_cap": gettext_lazy("House fee, at most"),
    "levy": gettext_lazy("Levy or tax, %"),
    "levy_name": gettext_lazy("Name of the levy"),
    "levy_on": gettext_lazy("The levy is taken of"),
}
# What can be changed whatever has been opened.
NEVER_FROZEN = ("name", "starts_at", "is_published")
OPTION = "option-"
UNBOUND = FeeTerms()
UTC_ZONE = ZoneInfo("UTC")
LOCAL_TIME = "%Y-%m-%dT%H:%M"
MOST_TYPED = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentForm:
    """Everything in the form, as typed."""

    rules: AnyVariant
    preset: Preset
    values: Mapping[str, str]
    options: Mapping[str, str]
    is_published: bool = True
    # Which of the moments is meant that the club's clock leaves in doubt, with its offset.
    reading: str = ""
    zone: ZoneInfo = UTC_ZONE
    problems: Sequence[Problem] = field(default=())

    @property
    def readings(self) -> list[tuple[str, str]]:
        """The moments to choose from, where the club's clock skips or repeats what was typed."""
        if all(problem.code != "clock_in_doubt" for problem in self.problems):
            return []
        found = local_time(datetime.strptime(self.values["starts_at"], LOCAL_TIME).replace(tzinfo=self.zone))
        return [(written(moment), f"{moment:%Y-%m-%d %H:%M} ({offset_of(moment)})") for moment in found.readings]

    @property
    def by_field(self) -> dict[str, tuple[Problem, ...]]:
        """Problems under the names of the form's fields."""
        found: dict[str, tuple[Problem, ...]] = {}
        for problem in self.problems:
            name = FORM_NAMES.get(problem.field or "", problem.field or "")
            found[name] = (*found.get(name, ()), problem)
        return found

    @property
    def top_problems(self) -> list[Problem]:
        """Problems that belong to no field."""
        known = {*FIELDS, *(described["name"] for described in describe_options(self.rules.options_type))}
        return [problem for problem in self.problems if FORM_NAMES.get(problem.field or "", problem.field) not in known]

    @property
    def option_fields(self) -> list[OptionField]:
        """Options that change the score, in the order in which the variant names them."""
        return [one for one in self._fields if not one.is_for_play]

    @property
    def play_fields(self) -> list[OptionField]:
        """Options that only tell players how the house plays."""
        return [one for one in self._fields if one.is_for_play]

    @property
    def _fields(self) -> list[OptionField]:
        return option_fields(self.rules, self.preset, self.options, self.by_field)


def blank_form(preset: str, club: Club, *, now: datetime) -> TournamentForm:
    """The form as it is first shown."""
    rules, found = PRESETS[preset]
    values = {
        "name": "",
        "starts_at": now.astimezone(zone_of(club.timezone)).strftime(LOCAL_TIME),
        "currency": club.currency,
        "entry": "0",
        "fee": "0",
        "point_value": "0",
        "levy_name": UNBOUND.levy_name,
        "levy_on": UNBOUND.levy_on,
    }
    return TournamentForm(rules=rules, preset=found, values=values, options={})


def stored_form(tournament: Tournament) -> TournamentForm:
    """A stored tournament in the form."""
    rules, preset = preset_of(tournament)
    notation = Notation(tournament.currency, tournament.club.locale)
    values = {
        "name": tournament.name,
        "starts_at": tournament.starts_at.astimezone(zone_of(tournament.club.timezone)).strftime(LOCAL_TIME),
        "currency": tournament.currency,
        "entry": typed_minor(tournament.entry_minor, *notation),
        "fee": typed_percent(tournament.fee_bp, notation.locale),
        "point_value": typed_minor(tournament.point_value_minor, *notation),
        **_typed_terms(tournament, notation),
    }
    return TournamentForm(
        rules=rules,
        preset=preset,
        values=values,
        options=texts_of(tournament.options, preset),
        is_published=tournament.is_published,
    )


def _typed_terms(tournament: Tournament, notation: Notation) -> dict[str, str]:
    """The bounds of the fee and the levy; empty where there is none."""
    floor, cap = tournament.fee_floor_minor, tournament.fee_cap_minor
    return {
        "fee_floor": typed_minor(floor, *notation) if floor else "",
        "fee_cap": "" if cap is None else typed_minor(cap, *notation),
        "levy": typed_percent(tournament.levy_bp, notation.locale) if tournament.levy_bp else "",
        "levy_name": tournament.levy_name,
        "levy_on": tournament.levy_on,
    }


def preset_of(tournament: Tournament) -> tuple[AnyVariant, Preset]:
    """The preset that a tournament was made from; a bare one where this service no longer knows it."""
    if tournament.preset in PRESETS:
        return PRESETS[tournament.preset]
    rules = variant(tournament.variant)
    return rules, Preset(name=tournament.preset, title=rules.title, options={})


def sent_form(post: QueryDict, preset: str, variant_name: str = "") -> TournamentForm:
    """What came back."""
    rules, found = preset_of(Tournament(preset=preset, variant=variant_name)) if variant_name else PRESETS[preset]
    names = [described["name"] for described in describe_options(rules.options_type)]
    options = words_in(post, *(f"{OPTION}{name}" for name in names), max_length=MOST_TYPED)
    marks = words_in(post, "is_published", "reading", max_length=MOST_TYPED)
    return TournamentForm(
        rules=rules,
        preset=found,
        values=words_in(post, *FIELDS, max_length=MOST_TYPED),
        options={name.removeprefix(OPTION): text for name, text in options.items()},
        is_published=marks["is_published"] == "on",
        reading=marks["reading"],
    )


def merged_form(tournament: Tournament, post: QueryDict) -> tuple[TournamentForm, Merge]:
    """What was sent over what stands. Whoever asks holds the tournament's turn, and has read it in that turn."""
    stands = stored_form(tournament)
    sent = sent_form(post, tournament.preset, tournament.variant)
    texts = _texts(stands)
    typed = {name: text for name, text in _texts(sent).items() if name in post or name == "is_published"}
    merge = held_by(post, _subject(tournament)).merge(texts, typed)
    return replace(_with_texts(stands, merge.texts), reading=sent.reading), merge


def seen_of(tournament: Tournament, *, is_frozen: bool) -> str:
    """What the page of a tournament holds, for the form to carry."""
    texts = _texts(stored_form(tournament))
    offered = {name: text for name, text in texts.items() if not is_frozen or name in NEVER_FROZEN}
    return token_of(offered, _subject(tournament))


def title_of(name: str) -> str:
    """What the page calls a field."""
    if name in TITLES:
        return str(TITLES[name])
    return told(name.removeprefix(OPTION).replace("_", " ").capitalize())


def _subject(tournament: Tournament) -> str:
    return f"tournaments.tournament:{tournament.pk}"


def _texts(form: TournamentForm) -> dict[str, str]:
    """Every field of the form under its name on the page."""
    names = (described["name"] for described in describe_options(form.rules.options_type))
    options = {f"{OPTION}{name}": form.options.get(name, "") for name in names}
    return {**form.values, **options, "is_published": "on" if form.is_published else ""}


def _with_texts(form: TournamentForm, texts: Mapping[str, str]) -> TournamentForm:
    return replace(
        form,
        values={name: texts.get(name, "") for name in FIELDS},
        options={name.removeprefix(OPTION): text for name, text in texts.items() if name.startswith(OPTION)},
        is_published=texts["is_published"] == "on",
    )


def draft_of(form: TournamentForm, club: Club) -> tuple[TournamentDraft, list[Problem]]:
    """The draft that the form says, and what could not be read."""
    problems: list[Problem] = []
    values = form.values
    notation = Notation(values["currency"].upper(), club.locale)
    draft = TournamentDraft(
        name=values["name"],
        preset=form.preset.name,
        variant=form.rules.name,
        starts_at=_moment(form, zone_of(club.timezone), problems),
        currency=notation.currency,
        entry_minor=read_amount(values["entry"] or "0", notation, "entry_minor", problems),
        fee_bp=read_percent(values["fee"] or "0", notation.locale, "fee_bp", problems),
        point_value_minor=read_amount(values["point_value"] or "0", notation, "point_value_minor", problems),
        is_published=form.is_published,
        options=_options(form),
        **_read_terms(values, notation, problems),
    )
    return draft, problems


def _read_terms(values: Mapping[str, str], notation: Notation, problems: list[Problem]) -> dict[str, Any]:
    """The bounds of the fee and the levy, as far as they were typed."""
    cap = values["fee_cap"]
    return {
        "fee_floor_minor": read_amount(values["fee_floor"] or "0", notation, "fee_floor_minor", problems),
        "fee_cap_minor": read_amount(cap, notation, "fee_cap_minor", problems) if cap else None,
        "levy_bp": read_percent(values["levy"] or "0", notation.locale, "levy_bp", problems),
        "levy_name": values["levy_name"] or UNBOUND.levy_name,
        "levy_on": values["levy_on"] or UNBOUND.levy_on,
    }


def with_rules(
    draft: TournamentDraft, unread: Sequence[Problem], *, kept: Tournament | None = None
) -> tuple[Problem, ...]:
    """What could not be read and everything else that is wrong, each field told once."""
    fields = {problem.field for problem in unread}
    found = draft_problems(draft, kept=kept)
    return (*unread, *(problem for problem in found if problem.field not in fields))


def _options(form: TournamentForm) -> dict[str, Any]:
    return read_texts(form.rules, form.options)


def _moment(form: TournamentForm, zone: ZoneInfo, problems: list[Problem]) -> datetime:
    """What was typed on the club's clock, or the reading that was chosen where the clock leaves it in doubt."""
    text = form.values["starts_at"]
    try:
        found = local_time(datetime.strptime(text, LOCAL_TIME).replace(tzinfo=zone))
    except (ValueError, OverflowError):
        detail = gettext("{text} is not a date and time such as 2026-03-14T19:30").format(text=shown(text))
        problems.append(Problem(code="not_a_moment", field="starts_at", detail=detail))
        return FIRST_MOMENT
    chosen = [moment for moment in found.readings if written(moment) == form.reading]
    if not found.is_clear and not chosen:
        problems.append(Problem(code="clock_in_doubt", field="starts_at", detail=_doubt(found, text)))
    return (chosen or list(found.readings))[0]


def _doubt(found: LocalTime, text: str) -> str:
    shown_as = text.replace("T", " ")
    if found.is_shown:
        return gettext("The clock shows {time} twice that night. Choose which one.").format(time=shown_as)
    return gettext("The clock skips {time} that night. Choose a time.").format(time=shown_as)
