"""A club in a box: an owner makes and downloads one, a site administrator brings a club in.

Rules: docs/how-to/moving.md.
"""

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from tournaments import log
from tournaments.boxes.arriving import Arrival, unbox
from tournaments.boxes.checking import BoxRefused
from tournaments.boxes.contents import EVENT
from tournaments.boxes.keeping import boxes_of, days_kept, make_box
from tournaments.models import Club
from tournaments.rendering.i18n.formatting import number
from tournaments.web.admin.base.command_fields import TextField
from tournaments.web.admin.base.command_forms import CommandForm, forms_shown, pressed, sent_form
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import go_on
from tournaments.web.admin.base.scoping import actor_in, admin_page, club_moment

MOST_MOVED_TO = 200
BOX = "application/octet-stream"


class MakeForm(CommandForm):
    """Write a box of the club as it is now."""


class MoveForm(CommandForm):
    """End changes here: the club goes on elsewhere."""

    moved_to = TextField(
        label=gettext_lazy("New address"),
        max_length=MOST_MOVED_TO,
        help_text=gettext_lazy("Shown to everyone who tries to change something here"),
    )


class StayForm(CommandForm):
    """Allow changes here again."""


FORMS: dict[str, type[CommandForm]] = {"make": MakeForm, "move": MoveForm, "stay": StayForm}


@purpose(gettext_noop("The whole club as one file, to keep or to move."))
def box(request: HttpRequest, club: Club) -> HttpResponse:
    """The boxes that are here, and buttons to make one and to end changes here."""
    form = sent_form(request, FORMS)
    if form is not None and form.is_valid():
        if isinstance(form, MoveForm):
            log.move_club(club.pk, form.cleaned_data["moved_to"])
            text = gettext("Nothing can be changed here any more.")
        elif isinstance(form, StayForm):
            log.move_club(club.pk, "")
            text = gettext("Changes are saved here again.")
        else:
            make_box(club, now=now())
            text = gettext("Box made.")
        return go_on(request, reverse("admin:tournaments_club_box", args=[club.pk]), text)
    boxes = [{"box": kept, "made_at": club_moment(kept.made_at, club)} for kept in boxes_of(club.pk)]
    context = {
        "club": club,
        "boxes": boxes,
        "makes_boxes": settings.BACKUP_DIR is not None and club.keeps_boxes_days > 0,
        "deleted_after": days_kept(club),
        "moved_to": log.moved_to(club.pk),
        "form": form,
        "forms": forms_shown(FORMS, form),
        "title": gettext("Club box"),
    }
    return admin_page(request, "admin/tournaments/club/box.html", context, model=Club)


def box_file(request: HttpRequest, club: Club) -> HttpResponseBase:
    """One of the boxes that are here, by its name; without one the newest."""
    name = request.GET.get("name")
    for kept in boxes_of(club.pk):
        if name in (None, kept.path.name):
            answer = FileResponse(kept.path.open("rb"), as_attachment=True, filename=kept.path.name, content_type=BOX)
            answer["Cache-Control"] = "no-store"
            return answer
    raise Http404


class UnboxForm(CommandForm):
    """A box, and the code that was shown with it."""

    file = forms.FileField(label=gettext_lazy("Club box"), help_text=gettext_lazy("A file that ends with .rummybox"))
    code = TextField(
        label=gettext_lazy("Code"),
        required=False,
        max_length=40,
        help_text=gettext_lazy("Shown with the box, if another installation made it"),
    )


@purpose(gettext_noop("Check a box from another installation, then bring its club in."))
def unbox_page(request: HttpRequest) -> TemplateResponse | HttpResponse:
    """Check a box without storing anything, or bring its club in."""
    if not actor_in(request).is_site_admin:
        raise PermissionDenied
    is_sent = request.method == "POST"
    form = UnboxForm(request.POST, request.FILES) if is_sent else UnboxForm()
    arrival: Arrival | None = None
    if is_sent and form.is_valid():
        is_trial = pressed(request.POST) != "bring"
        try:
            arrival = _unboxed(form, is_trial=is_trial)
        except BoxRefused as refused:
            form.refuse(refused.problems)
        if arrival is not None and not is_trial:
            text = gettext("{name} is here. Give it an owner.").format(name=arrival.manifest.name)
            return go_on(request, reverse("admin:tournaments_club_change", args=[arrival.manifest.club]), text)
    context: dict[str, Any] = {"form": form, "arrival": arrival, "title": gettext("Bring in a club")}
    if arrival is not None:
        context["records"] = number(arrival.counts[EVENT])
        context["players"] = number(arrival.counts["tournaments.player"])
    return admin_page(
        request, "admin/tournaments/club/unbox.html", context, model=Club, refused=is_sent and bool(form.errors)
    )


def _unboxed(form: UnboxForm, *, is_trial: bool) -> Arrival:
    """What comes with the uploaded file, which is read from the disk."""
    with NamedTemporaryFile(suffix=".rummybox") as file:
        for chunk in form.cleaned_data["file"].chunks():
            file.write(chunk)
        file.flush()
        return unbox(Path(file.name), now=now(), code=form.cleaned_data["code"], is_trial=is_trial)
